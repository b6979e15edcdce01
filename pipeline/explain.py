"""What happened to one task of a build, stage by stage, read from what the build stored."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.content import Stage
from pipeline.errors import BuildError
from pipeline.output import ARTIFACTS

OUTCOMES = "outcomes.json"
"""Beside the notes of a build: what became of every task, by its id."""

_ORDER = [stage for stage in Stage if stage not in {Stage.TRANSLATE, Stage.BUILDER}]


@dataclass(frozen=True)
class Step:
    """What a stage did with the task: `passed`, `rejected: reason` or `not reached`, with details, a line each."""

    stage: str
    state: str
    details: tuple[str, ...] = ()


@dataclass(frozen=True)
class Explanation:
    """The way of one task through the builder. `candidate` is whether it became one."""

    task_id: str
    instance: str
    candidate: bool
    steps: tuple[Step, ...]

    def to_text(self) -> str:
        """Return the way for a person."""
        lines = [f"{self.task_id}, instance {self.instance}: {'a candidate' if self.candidate else 'rejected'}"]
        for step in self.steps:
            lines.append(f"{step.stage}: {step.state}")
            lines += [f"    {line}" for detail in step.details for line in detail.splitlines()]
        return "\n".join(lines)


def explain(out: Path, task_id: str) -> Explanation:
    """Return what became of a task of the last build into a folder.

    Raises:
        BuildError: the folder is no finished build, its `.artifacts` are deleted, or it has no such task.
    """
    try:
        outcomes = json.loads((out / ARTIFACTS / OUTCOMES).read_bytes())
    except (OSError, ValueError) as error:
        raise BuildError(f"{out}: holds no notes of a finished build; run the build (again) to its end") from error
    outcome = outcomes.get(task_id)
    if outcome is None:
        raise BuildError(f"{out}: the build had no {task_id}; its ids go from {next(iter(outcomes), 'none')}")
    rejection = outcome["rejection"]
    if rejection is not None:
        return Explanation(task_id, outcome["instance"], False, tuple(_rejected(rejection)))
    try:
        provenance = json.loads((out / task_id / "private" / "provenance.json").read_bytes())
    except (OSError, ValueError) as error:
        raise BuildError(f"{out}: the provenance of {task_id} cannot be read; build again") from error
    return Explanation(task_id, outcome["instance"], True, tuple(_passed(provenance)))


def _rejected(rejection: Mapping[str, str]) -> Iterator[Step]:
    at = Stage(rejection["stage"])
    state = f"rejected: {rejection['reason']}"
    details = tuple(text for text in (rejection["message"], rejection["evidence"]) if text)
    if at not in _ORDER:
        yield Step(at, state, details)
        return
    for number, stage in enumerate(_ORDER):
        if stage is at:
            yield Step(stage, state, details)
        else:
            yield Step(stage, "passed" if number < _ORDER.index(at) else "not reached")


def _passed(provenance: Mapping[str, Any]) -> Iterator[Step]:
    instance, checks, sampling = provenance["instance"], provenance["checks"], provenance["sampling"]
    details = {
        Stage.SOURCE: [f"corpus {instance['corpus']}, question: {instance['question']}"],
        Stage.DATABASE: [f"{instance['db']}, {sampling['tables_in_source']} tables"],
        Stage.SQL: [instance["sql"], f"{checks['texts_unquoted']} texts in double quotes put into single ones"],
        Stage.EXECUTE: [f"reads {', '.join(provenance['evidence_files']) or 'no file'}"],
        Stage.SAMPLE: [f"{sampling['method']}: {sampling['note']}", *_rows(sampling)],
        Stage.DETERMINE: _determined(checks["determined"]) + _lints(checks.get("lints", [])),
        Stage.RULES: checks["rules"],
        Stage.RENDER: [f"{checks['cells_read_back']} cells read back from the workspace", *_files(provenance)],
    }
    if "translation" in provenance:
        yield Step(Stage.TRANSLATE, "passed", ("maps and what was kept stand in the provenance",))
    for stage in _ORDER:
        yield Step(stage, "passed", tuple(details[stage]))


def _rows(sampling: Mapping[str, Any]) -> list[str]:
    return [f"{table}: {kept} of {of} rows" for table, (kept, of) in sampling.get("rows", {}).items()]


def _determined(determined: Mapping[str, Any]) -> list[str]:
    order = "fixes the order" if determined["order_fixed"] else "leaves rows tied"
    said = [f"ORDER BY {order}" if determined["ordered"] else "no ORDER BY outside"]
    return said + [f"not checked: {text}" for text in determined["unchecked"]]


def _lints(lints: list[dict[str, str]]) -> list[str]:
    return [
        f"{one['severity']}: {one['kind']}: {one['message']}" if "kind" in one else f"not linted: {one['problem']}"
        for one in lints
    ]


def _files(provenance: Mapping[str, Any]) -> list[str]:
    return [f"{file['path']}: {', '.join(file['tables']) or 'no table'}" for file in provenance["workspace"]]
