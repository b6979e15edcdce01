"""Are the files of a task those that were approved, does the SQL give the gold, does the workspace hold the data?"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from evaluator import EvaluatorError, compare, load_rules, read_table
from evaluator.rules import canonical_json
from pipeline.checks import CheckError, execute_gold, reread_workspace
from review_app.audit.bundle import Bundle, sha256
from review_app.audit.chains import withheld
from review_app.audit.report import Area, Check, failed, proved, unproved
from review_app.comparing import rules_from
from review_app.domain.content import Revision
from review_app.domain.errors import CorruptHistory
from review_app.domain.events import RepairAccepted, RepairProposed
from review_app.domain.folding import fold
from review_app.release_parts import commitment

MOST_ROWS = 100_000


@dataclass(frozen=True)
class Home:
    """Where the files of a task lie: what agents get, and what tells the gold, maybe in the private part."""

    root: Path
    golds: Path
    task_id: str

    @property
    def context(self) -> Path:
        """The workspace."""
        return self.root / "input" / self.task_id / "context"

    @property
    def question(self) -> Path:
        """The question and what goes with it."""
        return self.root / "input" / self.task_id / "task.json"

    @property
    def gold(self) -> Path:
        """The gold."""
        return self.golds / "output" / self.task_id / "gold.csv"

    @property
    def rules(self) -> Path:
        """The rules."""
        return self.golds / "evaluation" / "configs" / f"{self.task_id}.json"

    @property
    def sql(self) -> Path:
        """The gold's SQL."""
        return self.golds / "audit" / self.task_id / "gold.sql"

    @property
    def sampled(self) -> Path:
        """The database that the SQL runs on."""
        return self.golds / "audit" / self.task_id / "sampled.sqlite"


def check_tasks(bundle: Bundle, tasks: Iterable[str]) -> Iterator[Check]:
    """Check each released task that is named."""
    for task_id in tasks:
        yield from _check_task(bundle, task_id)


def _check_task(bundle: Bundle, task_id: str) -> Iterator[Check]:
    home = Home(bundle.root, bundle.home(task_id), task_id)
    try:
        if withheld(bundle, task_id):
            for area in (Area.LAYOUT, Area.WORKSPACES, Area.GOLDS):
                yield unproved(area, task_id, "the gold is withheld; the private bundle has it")
            return
        events = bundle.events(task_id)
        task = fold(events)
    except (OSError, ValueError, CorruptHistory) as error:
        yield failed(Area.LAYOUT, task_id, f"its chain does not say what was approved: {error}")
        return
    if task is None:
        yield failed(Area.LAYOUT, task_id, "its chain is empty")
        return
    problem = _layout(home, task.revision)
    yield failed(Area.LAYOUT, task_id, problem) if problem else proved(Area.LAYOUT, task_id)
    yield _workspace(home, task.revision)
    proposals = {number: event for number, event in enumerate(events, 1) if isinstance(event, RepairProposed)}
    accepted = [proposals.get(event.proposal) for event in events if isinstance(event, RepairAccepted)]
    by_hand = any(repair is not None and not repair.re_executable for repair in accepted)
    yield _gold(home, by_hand)


def _layout(home: Home, revision: Revision) -> str:
    """The first file that is not what was approved, empty for none."""
    try:
        if json.loads(home.question.read_text(encoding="utf-8"))["question"] != revision.question:
            return "the question is not the approved one"
        for file in revision.workspace:
            if sha256(home.context / file.path) != file.sha256:
                return f"the workspace file {file.path} is not the approved one"
        there = {path.relative_to(home.context).as_posix() for path in home.context.rglob("*") if path.is_file()}
        if there != {file.path for file in revision.workspace}:
            return "the workspace has other files than the approved one"
        for name, path, digest in (
            ("gold", home.gold, revision.gold),
            ("SQL", home.sql, revision.gold_sql),
            ("sampled database", home.sampled, revision.sampled_db),
        ):
            if sha256(path) != digest:
                return f"the {name} is not the approved one"
        if canonical_json(load_rules(home.rules)) != canonical_json(rules_from(revision.rules)):
            return "the rules are not the approved ones"
    except (OSError, ValueError, KeyError, TypeError, EvaluatorError) as error:
        return f"a file does not read: {error}"
    return ""


def _workspace(home: Home, revision: Revision) -> Check:
    files = [(file.path, file.modality, file.tables) for file in revision.workspace if file.tables]
    try:
        cells = reread_workspace(home.context, home.sampled, files)
    except (CheckError, OSError, ValueError) as error:
        return failed(Area.WORKSPACES, home.task_id, str(error))
    if not files:
        return unproved(Area.WORKSPACES, home.task_id, "no file says which tables it carries")
    return proved(Area.WORKSPACES, home.task_id, f"{cells:,} cells")


def _gold(home: Home, by_hand: bool) -> Check:
    try:
        rules, gold = load_rules(home.rules), read_table(home.gold)
        again = execute_gold(home.sampled, home.sql.read_text(encoding="utf-8"), row_limit=MOST_ROWS)
        same = compare(gold, again, rules).passed
    except (CheckError, EvaluatorError, OSError, ValueError) as error:
        return failed(Area.GOLDS, home.task_id, f"the gold cannot be made again: {error}")
    if same:
        return proved(Area.GOLDS, home.task_id)
    if by_hand:
        sentence = "the gold was repaired as a table and does not follow from its SQL"
        return unproved(Area.GOLDS, home.task_id, sentence)
    return failed(Area.GOLDS, home.task_id, "the SQL gives another table")


def check_independent(bundle: Bundle, golds: Path, tasks: Iterable[str]) -> Iterator[Check]:
    """Compare a third party's golds (`task_N.csv` or `task_N/gold.csv` or `prediction.csv`) with the released ones."""
    for task_id in tasks:
        home = Home(bundle.root, bundle.home(task_id), task_id)
        path = next((one for one in _candidates(golds, task_id) if one.is_file()), None)
        if path is None:
            yield unproved(Area.INDEPENDENT, task_id, "the third party has no gold for it")
            continue
        try:
            same = compare(read_table(home.gold), read_table(path), load_rules(home.rules)).passed
        except (EvaluatorError, OSError) as error:
            yield failed(Area.INDEPENDENT, task_id, f"the two golds cannot be compared: {error}")
            continue
        if same:
            yield proved(Area.INDEPENDENT, task_id)
        else:
            yield failed(Area.INDEPENDENT, task_id, "the third party has another gold")


def _candidates(golds: Path, task_id: str) -> tuple[Path, ...]:
    return golds / f"{task_id}.csv", golds / task_id / "gold.csv", golds / task_id / "prediction.csv"


def sampled_tasks(bundle: Bundle, count: int | None, seed: int) -> list[str]:
    """Return the tasks to check: all, or so many, drawn by hashes that the seed decides and nobody can foresee."""
    tasks = list(bundle.tasks)
    if count is None or count >= len(tasks):
        return tasks
    drawn = sorted(tasks, key=lambda task_id: hashlib.sha256(f"{seed} {task_id}".encode()).hexdigest())[:count]
    return [task_id for task_id in tasks if task_id in drawn]


def check_commitments(bundle: Bundle) -> Iterator[Check]:
    """Compare each withheld gold of the private part with the commitment in the release."""
    for task_id in bundle.withheld:
        if bundle.private is None:
            yield unproved(Area.COMMITMENTS, task_id, "the gold is withheld; the private bundle has it")
            continue
        try:
            said = json.loads((bundle.root / "commitments.json").read_text(encoding="utf-8"))[task_id]
            salts = json.loads((bundle.private.root / "salts.json").read_text(encoding="utf-8"))
            gold = Home(bundle.root, bundle.home(task_id), task_id).gold.read_bytes()
            same = commitment(salts[task_id], gold) == said
        except (OSError, ValueError, KeyError, TypeError) as error:
            yield failed(Area.COMMITMENTS, task_id, f"the commitment cannot be checked: {error}")
            continue
        if same:
            yield proved(Area.COMMITMENTS, task_id)
        else:
            yield failed(Area.COMMITMENTS, task_id, "the gold is another one than was committed to")
