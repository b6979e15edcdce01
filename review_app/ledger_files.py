"""The ledger as a folder of JSON Lines: one file a task and the heads of all chains, so that a cut is noticed."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

from sqlmodel import Session

from db import ledger
from db.blobs import sync_folder
from db.ledger import Entry
from review_app import store
from review_app.audit.chains import problem_of
from review_app.domain.errors import ReviewError
from review_app.domain.folding import fold
from review_app.domain.task import OPEN_STATES
from review_app.release_parts import withheld_fields

HEADS = "heads.json"
JUDGEMENTS = frozenset({"verdict", "confirm"})  # what one expert said before the other did


def blind_families(session: Session) -> frozenset[str]:
    """Return the siblings' names of all tasks under review: their golds, answers and judgements are still blind."""
    return frozenset(entries[0].payload["sibling"] for _, entries in ledger.read_all(session) if _is_open(entries))


def blind_fields(entry: Entry) -> frozenset[str]:
    """Return the fields of a task under review that stay closed: what a withheld task's do, and every judgement."""
    return withheld_fields(entry.kind, list(entry.payload)) | (JUDGEMENTS & entry.payload.keys())


def export(session: Session, out: Path, whole: bool) -> int:
    """Write every chain to `out/task_N.jsonl` and their last hashes to `out/heads.json`; return the number of tasks.

    Without `whole`, a task under review, and each sibling of one, leaves commitments in place of values. The folder
    appears whole or not at all; the lines are those of a release.

    Raises:
        ReviewError: `out` is there already.
    """
    if out.exists():
        raise ReviewError(f"{out} is there already; choose another folder")
    partial = out.with_name(f".{out.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    try:
        blind = frozenset() if whole else blind_families(session)
        heads = {}
        for task_id, entries in ledger.read_all(session):
            hidden = entries[0].payload.get("sibling") in blind
            _write(partial / f"{task_id}.jsonl", entries, hidden)
            heads[task_id] = entries[-1].hash
        (partial / HEADS).write_text(json.dumps(heads, indent=2) + "\n", encoding="utf-8")
        sync_folder(partial)
        partial.rename(out)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise
    return len(heads)


def verify(folder: Path) -> tuple[int, list[str]]:
    """Check an exported folder; return its entries and what does not hold, each sentence naming file and line.

    Raises:
        ReviewError: the folder has no list of heads.
    """
    heads = _heads(folder)
    names = {path.stem for path in folder.glob("task_*.jsonl")}
    problems = [f"{name}.jsonl: heads.json does not name it; the file was added" for name in sorted(names - set(heads))]
    count = 0
    for task_id, head in heads.items():
        try:
            entries = _lines(folder / f"{task_id}.jsonl")
        except (OSError, ValueError) as error:
            problems.append(f"{task_id}.jsonl: it does not read ({error}); it was cut off, changed or taken away")
            continue
        count += len(entries)
        problem = problem_of(task_id, entries, head)
        problems += [f"{task_id}.jsonl: {problem}"] if problem else []
    return count, problems


def _is_open(entries: Sequence[Entry]) -> bool:
    task = fold(store.events_of(entries))
    return task is not None and task.state in OPEN_STATES


def _write(path: Path, entries: Sequence[Entry], hidden: bool) -> None:
    lines = ledger.exported(entries, blind_fields) if hidden else ledger.exported(entries)
    text = "".join(f"{json.dumps(line, ensure_ascii=False, sort_keys=True)}\n" for line in lines)
    path.write_text(text, encoding="utf-8")


def _heads(folder: Path) -> dict[str, str]:
    try:
        heads = json.loads((folder / HEADS).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ReviewError(f"{folder / HEADS} does not read ({error}); name a folder of `ledger export`") from error
    if not isinstance(heads, dict):
        raise ReviewError(f"{folder / HEADS} holds no object; name a folder of `ledger export`")
    return heads


def _lines(path: Path) -> list[dict[str, object]]:
    # split at line feeds alone: texts may hold the other characters that count as line ends
    return [json.loads(line) for line in path.read_text("utf-8").removesuffix("\n").split("\n")]
