"""Write the folder of a release, and its private part: whole, or not at all."""

import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlmodel import Session, col, select

from db import ledger
from db.blobs import sync_folder
from db.tables import TaskStatus
from review_app import store
from review_app.comparing import rules_from, rules_text
from review_app.croissant import citation, croissant
from review_app.data_card import data_card
from review_app.desk.office import Office
from review_app.domain.errors import ReviewError
from review_app.domain.events import Event
from review_app.domain.task import State, Task
from review_app.release_parts import Parts, choose, commitment, representativeness, withheld_fields
from review_app.release_statistics import RELEASED_STATES, agreement_of, blobs_named, counts_of

FORMAT, PRIVATE_FORMAT, FORMAT_VERSION = "dataspace-release", "dataspace-release-private", 2
CLOSED_STATES = (*RELEASED_STATES, State.REMOVED)


class ReleaseError(ReviewError):
    """The release was not made; nothing of it is left. The message says what to do."""


@dataclass(frozen=True)
class Split:
    """Which share of the golds is public, the seed that draws them, and what makes salts of commitments."""

    public: float = 1.0
    seed: int = 0
    salt: Callable[[], str] = lambda: secrets.token_hex(16)


def tasks_in(session: Session, states: tuple[State, ...]) -> list[Task]:
    """Return the tasks in these states, by number."""
    query = (
        select(TaskStatus.task_id)
        .where(col(TaskStatus.state).in_([state.value for state in states]))
        .order_by(col(TaskStatus.number))
    )
    return [store.load(session, task_id) for task_id in session.exec(query).all()]


def write_folder(
    office: Office, name: str, out: Path, tasks: list[Task], progress: Callable[[int, int, str], None], split: Split
) -> str:
    """Write the release, and its private part if it has one, whole or not at all; return the manifest's digest."""
    parts = choose(tasks, split.public, split.seed)
    partial, private = out / f".{name}.partial", out / f".{name}.private.partial"
    try:
        partial.mkdir(parents=True)
        for place, task in enumerate(tasks, start=1):
            _write_task(office, partial, private if task.task_id in parts.withheld else partial, task)
            progress(place, len(tasks), task.task_id)
        with office.read() as session:
            chains = {task.task_id: ledger.read(session, task.task_id) for task in tasks_in(session, CLOSED_STATES)}
            heads = {task_id: entries[-1].hash for task_id, entries in chains.items()}
            _require_unchanged(session, tasks, heads)
        hidden = _hidden(chains, tasks, parts)
        _write_chains(office, partial, private, chains, hidden)
        _write_figures(office, partial, [store.events_of(entries) for entries in chains.values()])
        if parts.withheld:
            _write_json(partial / "representativeness.json", representativeness(tasks, parts))
            _write_commitments(partial, private, tasks, parts, split.salt)
        _write_json(partial / "croissant.json", croissant(partial, name))
        (partial / "CITATION.cff").write_text(citation(name), encoding="utf-8")
        digest = _write_manifest(partial, name, FORMAT, tasks, heads, parts.withheld)
        if parts.withheld:
            closed = {task_id: heads[task_id] for task_id in hidden}
            _write_manifest(
                private, name, PRIVATE_FORMAT, [task for task in tasks if task.task_id in hidden], closed, ()
            )
            _sync(private)
            shutil.rmtree(out / f"{name}.private", ignore_errors=True)  # of a release that was never recorded
            private.rename(out / f"{name}.private")
        _sync(partial)
        partial.rename(out / name)
        sync_folder(out)
    except BaseException:
        for folder in (partial, private):
            shutil.rmtree(folder, ignore_errors=True)
        raise
    return digest


def _hidden(chains: Mapping[str, Sequence[ledger.Entry]], tasks: list[Task], parts: Parts) -> frozenset[str]:
    """The withheld tasks, and every closed task that is a sibling of one: its chain would tell the same gold."""
    withheld = {task.sibling for task in tasks if task.task_id in parts.withheld}
    imported = {task_id: entries[0].payload.get("sibling") for task_id, entries in chains.items()}
    return frozenset(task_id for task_id, sibling in imported.items() if sibling in withheld)


def _write_manifest(
    root: Path, name: str, form: str, tasks: list[Task], heads: Mapping[str, str], withheld: Sequence[str]
) -> str:
    manifest: dict[str, Any] = {
        "format": form,
        "format_version": FORMAT_VERSION,
        "name": name,
        "tasks": {task.task_id: task.revision.digest for task in tasks},
        "withheld": list(withheld),
        "chain_heads": dict(heads),
        "files": _digests(root),
    }
    _write_json(root / "manifest.json", manifest)
    digest = digest_of(root / "manifest.json")
    _write_sums(root, {**manifest["files"], "manifest.json": digest})
    return digest


def _require_unchanged(session: Session, tasks: list[Task], heads: dict[str, str]) -> None:
    for task in tasks:
        if heads.get(task.task_id) != ledger.head(session, task.task_id, task.version):
            raise ReleaseError(
                f"nothing was released: {task.task_id} changed while the release was written; make the release again"
            )


def _write_task(office: Office, root: Path, golds: Path, task: Task) -> None:
    """Write what agents get below `root`, and what would tell the gold below `golds`."""
    revision, blobs = task.revision, office.blobs
    home = root / "input" / task.task_id
    for file in revision.workspace:
        _copy(blobs.path(file.sha256), home / "context" / file.path)
    _write_json(
        home / "task.json",
        {
            "task_id": task.task_id,
            "question": revision.question,
            "language": task.language,
            "domain": task.domain,
        },
    )
    _copy(blobs.path(revision.gold), golds / "output" / task.task_id / "gold.csv")
    configs = golds / "evaluation" / "configs"
    # the official layout wants the task's own id, whatever id the rules were written under
    rules = replace(rules_from(revision.rules), task_id=task.task_id)
    _write_json(configs / f"{task.task_id}.json", json.loads(rules_text(rules)))
    audit = golds / "audit" / task.task_id
    _copy(blobs.path(revision.gold_sql), audit / "gold.sql")
    _copy(blobs.path(revision.sampled_db), audit / "sampled.sqlite")
    _copy(blobs.path(revision.provenance), audit / "provenance.json")


def _write_chains(
    office: Office, root: Path, private: Path, chains: Mapping[str, Sequence[ledger.Entry]], hidden: frozenset[str]
) -> None:
    """Export the chains of all closed tasks, removed ones too; those still under review would break blindness.

    Of a hidden task the public chain carries commitments in place of values; the private part has it whole. Beside
    the chains lie the tables and the SQL that the figures rest on.
    """
    for task_id, entries in chains.items():
        if task_id in hidden:
            _write_chain(root, task_id, ledger.exported(entries, _left_out))
        home = private if task_id in hidden else root
        _write_chain(home, task_id, ledger.exported(entries))
        for digest in blobs_named([store.events_of(entries)]):
            _copy(office.blobs.path(digest), home / "blobs" / digest)


def _left_out(entry: ledger.Entry) -> frozenset[str]:
    return withheld_fields(entry.kind, list(entry.payload))


def _write_chain(root: Path, task_id: str, lines: Iterable[Mapping[str, Any]]) -> None:
    (root / "ledger").mkdir(parents=True, exist_ok=True)
    text = "".join(f"{json.dumps(line, ensure_ascii=False, sort_keys=True)}\n" for line in lines)
    (root / "ledger" / f"{task_id}.jsonl").write_text(text, encoding="utf-8")


def _write_commitments(root: Path, private: Path, tasks: list[Task], parts: Parts, salt: Callable[[], str]) -> None:
    """Commit to each withheld gold: when it is published, or an answer is scored, it can be proved unchanged."""
    salts = {task_id: salt() for task_id in parts.withheld}
    golds = {task_id: (private / "output" / task_id / "gold.csv").read_bytes() for task_id in parts.withheld}
    _write_json(root / "commitments.json", {name: commitment(salts[name], gold) for name, gold in golds.items()})
    _write_json(private / "salts.json", salts)


def _write_figures(office: Office, root: Path, histories: Sequence[Sequence[Event]]) -> None:
    """Write the published figures and the data card."""
    counts, agreement = counts_of(histories, office), agreement_of(histories, office)
    _write_json(root / "statistics.json", counts)
    _write_json(root / "agreement.json", agreement)
    (root / "README.md").write_text(data_card(root, counts, agreement), encoding="utf-8")


def _write_sums(root: Path, digests: Mapping[str, str]) -> None:
    """The list that `sha256sum -c` checks; it cannot hold its own digest."""
    lines = [f"{digest}  {name}" for name, digest in sorted(digests.items())]
    (root / "SHA256SUMS").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _write_json(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _digests(root: Path) -> dict[str, str]:
    files = sorted(path for path in root.rglob("*") if path.is_file())
    return {path.relative_to(root).as_posix(): digest_of(path) for path in files}


def _sync(root: Path) -> None:
    for path in root.rglob("*"):
        if path.is_file():
            with path.open("rb") as stream:
                os.fsync(stream.fileno())
