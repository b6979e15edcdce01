"""The README of a release: what it holds, in figures, for whoever opens the folder."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import Any

from review_app.agreement.render import shown


def data_card(root: Path, counts: Mapping[str, Any], agreement: Mapping[str, Any]) -> str:
    """Return the card of the release that lies in a folder, as Markdown. The same folder gives the same text."""
    tasks = [_task(path) for path in sorted((root / "input").glob("*"), key=lambda path: _number(path.name))]
    parts = [
        "# Tasks for data agents",
        "One question and one workspace a task; an agent returns one table. `docs/auditors.md` of the project that "
        "made this release says what each file is; `dataspace audit` checks all of it.",
        "## What is in it",
        "\n".join(_contents(tasks)),
        "## How it was reviewed",
        "\n".join(_review(counts)),
        "## How far the experts agreed",
        "\n".join(_agreement(agreement)),
    ]
    return "\n\n".join(parts) + "\n"


def _number(task_id: str) -> int:
    return int(task_id.removeprefix("task_"))


def _task(folder: Path) -> dict[str, Any]:
    said = json.loads((folder / "task.json").read_text(encoding="utf-8"))
    files = [path for path in (folder / "context").rglob("*") if path.is_file()]
    kinds = sorted({path.suffix.lstrip(".") for path in files})
    return {
        "domain": said["domain"],
        "language": said["language"],
        "files": len(files),
        "bytes": sum(path.stat().st_size for path in files),
        "kinds": " + ".join(kinds) or "none",
    }


def _contents(tasks: list[dict[str, Any]]) -> Iterator[str]:
    yield "| what | value |"
    yield "| --- | --- |"
    yield f"| tasks | {len(tasks)} |"
    for name in ("domain", "language", "kinds"):
        for value, count in sorted(Counter(str(task[name]) for task in tasks).items()):
            yield f"| {_names[name]}: {value} | {count} |"
    if tasks:
        yield f"| files a task, median and most | {_spread([task['files'] for task in tasks])} |"
        yield f"| bytes of a workspace, median and most | {_spread([task['bytes'] for task in tasks])} |"


_names = {"domain": "domain", "language": "language", "kinds": "kinds of files"}


def _spread(values: list[int]) -> str:
    return f"{median(values):,.0f}, {max(values):,}"


def _review(counts: Mapping[str, Any]) -> Iterator[str]:
    yield f"- approved: {counts['approved']}; removed in review: {counts['removed']}"
    yield f"- approved without a dispute: {counts['approved_without_dispute']}"
    yield f"- approved after a repair: {counts['approved_after_repair']}"
    for name, words in (
        ("no_independent_solution", "no sealed answer equals the approved gold"),
        ("unblinded", "a lead looked before both reviews were in"),
    ):
        found = counts[name]
        yield f"- {words}: {', '.join(found) if found else 'none'}"


def _agreement(agreement: Mapping[str, Any]) -> Iterator[str]:
    yield f"Blind first round of {agreement['cases']} tasks; every table is in `agreement.json`."
    yield ""
    yield "| judgement | coefficient | units | value | low | high |"
    yield "| --- | --- | --- | --- | --- | --- |"
    everything = next(iter(agreement["answers"]["rows"]), None)
    if everything is not None:
        for words, first in (("two sealed answers equal", 3), ("sealed answer equals the gold", 8)):
            figures = " | ".join(map(shown, everything[first : first + 4]))
            yield f"| {words} | share | {figures} |"
    for row in agreement["judgements"]["rows"]:
        if "set alone" not in row[0]:
            yield f"| {row[0]} | {row[1]} | {row[2]} | {' | '.join(map(shown, row[3:6]))} |"
