"""Does the question ask, in its language, exactly what the SQL computes? A model judges, twice and independently.

Two passes that agree decide; two that differ leave the candidate to a person. A model's judgement removes nothing by
itself: it is written beside the candidates, and its agreement with the experts' later verdicts is measured.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from pipeline.artifacts import canonical_line, write_atomically
from pipeline.errors import PipelineError
from pipeline.llm import BudgetSpent, Model, ModelError, Prompt

JUDGEMENTS = "judgements.jsonl"
RUBRIC = """You check one task of a benchmark. A person reads the question and answers it with one table from the data;
the gold is what the SQL gives. Say whether the question, in its own language, asks exactly what the SQL computes.

Go through these points: 1. Every column of the result is asked for, and nothing that is asked for is missing. 2. Every
condition of the SQL follows from the question (or from the definitions given with it), and every condition of the
question is in the SQL; pay attention to >= against >, inclusive dates, AND against OR, NOT, NULL. 3. Grouping,
counting (rows or distinct things), units, rounding, ranking and the number of rows are those that are asked for.
4. The order of the rows is fixed only if the question asks for an order. 5. A careful reader could not understand
the question in another way that gives another table.

Verdicts: pass (all points hold), repair (a small change of the wording would make them hold; give it), reject (the
question asks something else). Give the number of the first point that fails, 0 if none does."""
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "verdict": {"enum": ["pass", "repair", "reject"]},
        "point": {"type": "integer", "minimum": 0, "maximum": 5},
        "reason": {"type": "string", "maxLength": 1000},
        "wording": {"type": "string", "maxLength": 2000},
    },
    "required": ["verdict", "point", "reason", "wording"],
    "additionalProperties": False,
}
ORDERS = ("The question comes first.", "The SQL comes first.")


class Decision(StrEnum):
    """What two passes come to."""

    SOUND = "pass"
    REPAIR = "repair"
    REJECT = "reject"
    HUMAN = "human"
    NOT_JUDGED = "not judged"


@dataclass(frozen=True)
class Judgement:
    """What was judged of one candidate: the decision, and both passes as the model gave them."""

    task_id: str
    decision: Decision
    passes: tuple[dict[str, Any], ...]
    problem: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the judgement as plain values."""
        return {**asdict(self), "decision": self.decision.value, "passes": list(self.passes)}


@dataclass(frozen=True)
class MeaningReport:
    """How many candidates were judged how; `tokens` is what the run used."""

    judged: tuple[Judgement, ...]
    tokens: int

    def counts(self) -> dict[str, int]:
        """Return how many candidates each decision has."""
        found = Counter(one.decision.value for one in self.judged)
        return {decision.value: found[decision.value] for decision in Decision}

    def to_json(self) -> dict[str, Any]:
        """Return counts and rates as plain values."""
        total = len(self.judged)
        rates = {name: count / total if total else None for name, count in self.counts().items()}
        return {"candidates": total, "counts": self.counts(), "rates": rates, "tokens": self.tokens}


def judge_meanings(
    candidates: Path, model: Model, progress: Callable[[int, int, str], None] = lambda done, total, name: None
) -> MeaningReport:
    """Judge every candidate in a folder, and write the judgements beside them; `progress` hears each task.

    What was judged before is not asked again. A candidate that the model fails on is left to a person; when the
    budget is spent the rest is left unjudged, and the next run goes on there.

    Raises:
        PipelineError: there is no candidates folder.
    """
    folders = _folders(candidates)
    judged = []
    with ThreadPoolExecutor(model.settings.concurrency) as pool:
        for done, judgement in enumerate(pool.map(lambda folder: judge_meaning(folder, model), folders), start=1):
            judged.append(judgement)
            progress(done, len(folders), judgement.task_id)
    lines = b"".join(canonical_line(judgement.to_json()) for judgement in judged)
    write_atomically(candidates / JUDGEMENTS, lines)
    return MeaningReport(tuple(judged), model.spent)


def _folders(candidates: Path) -> list[Path]:
    try:
        manifest = json.loads((candidates / "manifest.json").read_text(encoding="utf-8"))
        return [candidates / str(task["task_id"]) for task in manifest["tasks"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise PipelineError(f"{candidates} holds no candidates ({error}); name a folder that build wrote") from error


def judge_meaning(folder: Path, model: Model) -> Judgement:
    """Return the judgement of one candidate."""
    try:
        passes = tuple(model.ask(prompt).value for prompt in _prompts(folder))
    except BudgetSpent as error:
        return Judgement(folder.name, Decision.NOT_JUDGED, (), str(error))
    except (ModelError, OSError, ValueError, KeyError) as error:
        return Judgement(folder.name, Decision.HUMAN, (), str(error))
    verdicts = {one["verdict"] for one in passes}
    decision = Decision(verdicts.pop()) if len(verdicts) == 1 else Decision.HUMAN
    return Judgement(folder.name, decision, passes)


def _prompts(folder: Path) -> Iterator[Prompt]:
    """Two prompts on the same case that differ in what the model reads first, so that the passes are two readings."""
    task = json.loads((folder / "task.json").read_text(encoding="utf-8"))
    provenance = json.loads((folder / "private" / "provenance.json").read_text(encoding="utf-8"))
    sql = (folder / "private" / "gold.sql").read_text(encoding="utf-8").strip()
    header = (folder / "private" / "gold.csv").read_text(encoding="utf-8").split("\n", 1)[0]
    question = f"Question ({task['language']}):\n{task['question']}"
    definitions = provenance["instance"].get("evidence") or "none"
    shared = f"Definitions given with the question:\n{definitions}\n\nColumns of the result:\n{header}"
    parts = (question, f"SQL (SQLite):\n{sql}")
    for number, order in enumerate((parts, parts[::-1]), start=1):
        yield Prompt(RUBRIC, "\n\n".join([ORDERS[number - 1], *order, shared]), SCHEMA, number)
