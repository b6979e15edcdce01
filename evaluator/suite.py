"""Scoring of a folder of predictions: every broken config or gold is found before the first task is scored."""

from __future__ import annotations

import gc
import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from evaluator.compare import Comparison, ErrorCode, PreparedGold, compare_prepared, failed, prepare_gold
from evaluator.errors import EvaluatorError, GoldError, RulesError, SuiteError
from evaluator.rules import SCHEMA_VERSION, Rules, rules_from_bytes
from evaluator.tables import TableError, TableFault, read_table

EVALUATOR = "dataspace"
EVALUATOR_VERSION = "1.0.0"
METRIC = "task_accuracy"

# Golds up to so many cells in all are kept from the check to the scoring; others are read twice.
_HELD_CELLS = 1_000_000
_CHUNK = 8  # tasks handed to a worker at a time
_TASK = re.compile(r"task_(\d+)")

Progress = Callable[[int, int], None]
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class TaskScore:
    """One scored task."""

    task_id: str
    order_sensitive: bool
    comparison: Comparison

    def to_json(self) -> dict[str, object]:
        """Return the task's entry of the official summary, in its key order."""
        found = self.comparison
        mapping = found.column_mapping
        pairs = None if mapping is None else [{"gold_index": i, "prediction_index": j} for i, j in enumerate(mapping)]
        return {
            "task_id": self.task_id,
            "passed": found.passed,
            "score": int(found.passed),
            "order_sensitive": self.order_sensitive,
            "gold_column_count": found.gold_column_count,
            "prediction_column_count": found.prediction_column_count,
            "gold_row_count": found.gold_row_count,
            "prediction_row_count": found.prediction_row_count,
            "column_mapping": pairs,
            "error_code": None if found.error_code is None else str(found.error_code),
            "error": found.error,
        }


@dataclass(frozen=True, slots=True)
class Skipped:
    """A task that could not be scored because its config or gold is broken (only with `keep_going`)."""

    task_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Summary:
    """The result of scoring a suite; `skipped` is empty unless `keep_going` was asked for."""

    config_set_sha256: str
    tasks: tuple[TaskScore, ...]
    unscored_prediction_tasks: tuple[str, ...]
    skipped: tuple[Skipped, ...] = ()

    @property
    def passed_count(self) -> int:
        """Number of passed tasks."""
        return sum(task.comparison.passed for task in self.tasks)

    @property
    def accuracy(self) -> float:
        """Passed tasks over scored tasks; 0.0 if every task was skipped."""
        return self.passed_count / len(self.tasks) if self.tasks else 0.0

    def to_json(self) -> dict[str, object]:
        """Return the official summary, in its key order; `skipped_tasks` follows only if there are any."""
        skipped = [{"task_id": task.task_id, "reason": task.reason} for task in self.skipped]
        return {
            "evaluator": EVALUATOR,
            "evaluator_version": EVALUATOR_VERSION,
            "config_schema_version": SCHEMA_VERSION,
            "config_set_sha256": self.config_set_sha256,
            "metric": METRIC,
            "task_count": len(self.tasks),
            "passed_task_count": self.passed_count,
            "failed_task_count": len(self.tasks) - self.passed_count,
            "task_accuracy": self.accuracy,
            "unscored_prediction_tasks": list(self.unscored_prediction_tasks),
            "tasks": [task.to_json() for task in self.tasks],
            **({"skipped_tasks": skipped} if skipped else {}),
        }


@dataclass(frozen=True, slots=True)
class _Task:
    """What a worker needs to score one task."""

    rules: Rules
    gold: Path
    prediction: Path


def score_suite(
    prediction_root: Path,
    gold_root: Path,
    config_root: Path,
    *,
    keep_going: bool = False,
    workers: int = 1,
    progress: Progress | None = None,
) -> Summary:
    """Return the scores of all tasks that have a config, in order of their numbers.

    Layout: `config_root/task_N.json`, `gold_root/task_N/gold.csv`, `prediction_root/task_N/prediction.csv`.
    A broken prediction fails its own task only.

    Args:
        prediction_root: folder of predictions; tasks without a config are listed, not scored.
        gold_root: folder of golds.
        config_root: folder of task configs; other files in it are ignored.
        keep_going: skip tasks whose config or gold is broken and list them, instead of refusing all.
        workers: number of processes; the result does not depend on it.
        progress: called with (scored so far, all) after each task.

    Raises:
        SuiteError: a root is not a folder, there is no config, or a config or gold is broken (the
            message names file and cell); nothing has been scored then.
    """
    prediction_root, gold_root, config_root = (root.resolve() for root in (prediction_root, gold_root, config_root))
    for name, root in (("prediction", prediction_root), ("gold", gold_root), ("config", config_root)):
        if not root.is_dir():
            raise SuiteError(f"the {name} root {root} is not a folder")
    configs, digest = _read_configs(config_root)
    found, skipped = _loaded(configs, keep_going)
    tasks = [
        _Task(rules, gold_root / rules.task_id / "gold.csv", prediction_root / rules.task_id / "prediction.csv")
        for rules in found
    ]
    chunks = [tasks[start : start + _CHUNK] for start in range(0, len(tasks), _CHUNK)]
    with _without_collector(), _lanes(workers) as lanes:
        held, broken = _check_golds(chunks, keep_going, lanes)
        sound = [[task for task in chunk if task.rules.task_id not in broken] for chunk in chunks]
        scores = tuple(_scores(sound, held, lanes, progress))
    unscored = _unscored(prediction_root, {path.stem for path, _ in configs})
    skipped.extend(Skipped(task_id, reason) for task_id, reason in broken.items())
    return Summary(digest, scores, unscored, tuple(sorted(skipped, key=lambda task: _order(task.task_id))))


@contextmanager
def _lanes(workers: int) -> Iterator[list[Executor]]:
    """One process a lane, so that a gold is scored by the process that checked and kept it; none for one worker."""
    with ExitStack() as stack:
        count = workers if workers > 1 else 0
        yield [stack.enter_context(ProcessPoolExecutor(1, initializer=gc.disable)) for _ in range(count)]


@contextmanager
def _without_collector() -> Iterator[None]:
    """Pause the search for reference cycles: tables hold none, and looking takes a tenth of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _read_configs(root: Path) -> tuple[list[tuple[Path, bytes | OSError]], str]:
    """Return all config files in order of their numbers, with their bytes, and the digest of the set."""
    paths = sorted(root.glob("task_*.json"), key=lambda path: _order(path.stem))
    if not paths:
        raise SuiteError(f"there is no task config (task_N.json) in {root}")
    digest = hashlib.sha256()
    configs: list[tuple[Path, bytes | OSError]] = []
    for path in paths:
        try:
            data = path.read_bytes()
        except OSError as error:
            configs.append((path, error))
            continue
        configs.append((path, data))
        digest.update(path.name.encode("utf-8", "surrogateescape") + b"\0" + data + b"\0")
    return configs, digest.hexdigest()


def _loaded(configs: Sequence[tuple[Path, bytes | OSError]], keep_going: bool) -> tuple[list[Rules], list[Skipped]]:
    found, skipped = [], []
    for path, data in configs:
        try:
            found.append(_rules(path, data))
        except RulesError as error:
            if not keep_going:
                raise SuiteError(f"{path}: {error}") from error
            skipped.append(Skipped(path.stem, f"{path}: {error}"))
    return found, skipped


def _rules(path: Path, data: bytes | OSError) -> Rules:
    if not _TASK.fullmatch(path.stem):
        raise RulesError("the name is not task_N.json with a number N; rename or remove the file")
    if isinstance(data, OSError):
        raise RulesError(f"the file cannot be read: {data.strerror}")
    return rules_from_bytes(data, task_id=path.stem)


def _order(task_id: str) -> tuple[int, str]:
    """Order by number, then by name: task_1 and task_01 must not change places with the file system."""
    match = _TASK.fullmatch(task_id)
    return (int(match[1]) if match else -1, task_id)


def _check_golds(
    chunks: Sequence[Sequence[_Task]], keep_going: bool, lanes: Sequence[Executor]
) -> tuple[_Held, dict[str, str]]:
    """Return the golds kept in this process and the reasons why others are broken, each by task id."""
    held = _Held()
    check = _check_in_lane if lanes else partial(_check, held=held)
    tasks = [task for chunk in chunks for task in chunk]
    broken: dict[str, str] = {}
    for task, reason in zip(tasks, _each(check, chunks, lanes), strict=True):
        if reason is not None:
            if not keep_going:
                raise SuiteError(reason)
            broken[task.rules.task_id] = reason
    return held, broken


class _Held(dict[str, PreparedGold]):
    """Golds kept from the check to the scoring, while their cells in all stay under the cap."""

    cells = 0

    def keep(self, task_id: str, gold: PreparedGold) -> None:
        self.cells += len(gold.table.header) * len(gold.table.rows)
        if self.cells <= _HELD_CELLS:
            self[task_id] = gold


def _check(task: _Task, held: _Held) -> str | None:
    """Return why the gold is broken, None if it is sound; keep it for the scoring while there is room."""
    try:
        held.keep(task.rules.task_id, _gold(task))
    except GoldError as error:
        return str(error)
    return None


def _gold(task: _Task) -> PreparedGold:
    try:
        return prepare_gold(read_table(task.gold, allow_symlink=True), task.rules)
    except EvaluatorError as error:
        raise GoldError(f"{task.gold}: {error}") from error


def _scores(
    chunks: Sequence[Sequence[_Task]],
    held: _Held,
    lanes: Sequence[Executor],
    progress: Progress | None,
) -> Iterator[TaskScore]:
    score = _score_in_lane if lanes else partial(_score, held=held)
    total = sum(map(len, chunks))
    for done, found in enumerate(_each(score, chunks, lanes), start=1):
        if progress is not None:
            progress(done, total)
        yield found


def _each(
    function: Callable[[_Task], Result], chunks: Sequence[Sequence[_Task]], lanes: Sequence[Executor]
) -> Iterator[Result]:
    """Yield the function of each task, in order; a chunk goes to the same lane each time."""
    if not lanes:
        for chunk in chunks:
            yield from map(function, chunk)
        return
    asked = [lanes[place % len(lanes)].submit(_all, function, chunk) for place, chunk in enumerate(chunks)]
    try:
        for answer in asked:
            yield from answer.result()
    finally:
        for answer in asked:
            answer.cancel()


def _all(function: Callable[[_Task], Result], chunk: Sequence[_Task]) -> list[Result]:
    return [function(task) for task in chunk]


# What a lane's process keeps between checking and scoring; empty in every other process.
_KEPT = _Held()


def _check_in_lane(task: _Task) -> str | None:
    return _check(task, _KEPT)


def _score_in_lane(task: _Task) -> TaskScore:
    return _score(task, _KEPT)


def _score(task: _Task, held: _Held) -> TaskScore:
    kept = held.pop(task.rules.task_id, None)
    gold = kept or _gold(task)
    return TaskScore(task.rules.task_id, task.rules.order_sensitive, _compared(gold, task.prediction))


def _compared(gold: PreparedGold, path: Path) -> Comparison:
    try:
        prediction = read_table(path)
    except TableError as error:
        if error.kind is TableFault.MISSING:
            return failed(gold.table, None, ErrorCode.MISSING_PREDICTION, "there is no prediction.csv for this task")
        return failed(gold.table, None, ErrorCode.INVALID_PREDICTION_CSV, f"prediction.csv is not usable: {error}")
    # The official evaluator follows a linked folder; it may lead anywhere, so it is refused like a linked file.
    if path.parent.is_symlink():
        sentence = "the task's folder is a symbolic link; write the folder itself"
        return failed(gold.table, None, ErrorCode.INVALID_PREDICTION_CSV, sentence)
    return compare_prepared(gold, prediction)


def _unscored(root: Path, configured: set[str]) -> tuple[str, ...]:
    try:
        names = [path.name for path in root.iterdir() if _TASK.fullmatch(path.name) and path.is_dir()]
    except OSError as error:
        raise SuiteError(f"the prediction root {root} cannot be listed: {error.strerror}") from error
    return tuple(sorted((name for name in names if name not in configured), key=_order))
