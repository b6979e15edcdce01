"""Write a release: a frozen bundle in the official layout, then the facts of it, all or nothing."""

import fcntl
import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlmodel import Session, col, select

from db import ledger
from db.blobs import sync_folder
from db.tables import LedgerEntry, Release, TaskStatus
from review_app import store
from review_app.data_card import data_card
from review_app.desk.office import Office, storage_errors
from review_app.desk.tables import rules_from, rules_text
from review_app.domain.decide import decide
from review_app.domain.errors import NotPossible, ReviewError, StorageFailed
from review_app.domain.events import Event, TaskReleased
from review_app.domain.people import Person, Role
from review_app.domain.task import State, Task
from review_app.release_statistics import RELEASED_STATES, agreement_of, blobs_named, counts_of

FORMAT, FORMAT_VERSION = "dataspace-release", 2
CLOSED_STATES = (*RELEASED_STATES, State.REMOVED)
COMMAND_LINE = Person("release-command", frozenset({Role.LEAD}))
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")


class ReleaseError(ReviewError):
    """The release was not made; nothing of it is left. The message says what to do."""


@dataclass(frozen=True)
class Released:
    """A release that was made."""

    name: str
    folder: Path
    manifest: str
    tasks: tuple[str, ...]


def make_release(
    office: Office,
    name: str,
    out: Path,
    by: Person = COMMAND_LINE,
    progress: Callable[[int, int, str], None] = lambda done, total, name: None,
) -> Released:
    """Write all approved tasks to `out/NAME` and record that they are released.

    The folder is written under a hidden name and renamed when whole; then all TaskReleased entries are written in
    one transaction. What an interruption leaves is completed or discarded by the next call (`settle`).

    Raises:
        ReleaseError: bad name, name in use, nothing approved, a task changed meanwhile.
        StorageFailed: the disk or database refused.
    """
    if not _NAME.fullmatch(name):
        raise ReleaseError(f"{name!r} is no release name; use letters, digits, dot, dash and underscore")
    with _held(office, name):
        return _settled(office, name, out, by) or _made(office, name, out, by, progress)


def _made(office: Office, name: str, out: Path, by: Person, progress: Callable[[int, int, str], None]) -> Released:
    if (out / name).exists():
        raise ReleaseError(f"{out / name} is there already; choose another name or another folder")
    with office.read() as session:
        if session.get(Release, name) is not None:
            raise ReleaseError(f"a release is called {name!r} already; choose another name")
        tasks = _tasks(session, RELEASED_STATES)
    if not tasks:
        raise ReleaseError("no task is approved; finish reviews first")
    try:
        with storage_errors():
            manifest = _write_folder(office, name, out, tasks, progress)
    except OSError as error:
        raise StorageFailed(
            f"{error.filename or out}: {error.strerror}; nothing was released. Free space there or name another "
            "folder, then release again"
        ) from error
    return _record(office, name, out, manifest, by)


@contextmanager
def _held(office: Office, name: str) -> Iterator[None]:
    """Keep other processes from writing, completing or discarding the release of this name meanwhile."""
    office.settings.var.mkdir(parents=True, exist_ok=True)
    with (office.settings.var / f".release-{name}.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise ReleaseError(f"the release {name!r} is being written by another process; wait for it") from error
        yield


def existing(office: Office, name: str, out: Path) -> Released | None:
    """Return the release of this name if it was made in this folder, None otherwise."""
    with office.read() as session:
        row = session.get(Release, name)
    if row is None or row.folder != str((out / name).absolute()):
        return None
    tasks = json.loads((out / name / "manifest.json").read_text(encoding="utf-8"))["tasks"]
    return Released(name, out / name, row.manifest, tuple(tasks))


def settle(office: Office, name: str, out: Path, by: Person = COMMAND_LINE) -> Released | None:
    """Finish what an interrupted release left: complete it if no task changed since, else discard its folder.

    A folder of that name which does not stem from this ledger is never touched: it may be the only copy.

    Returns:
        The completed release, or None if there was nothing to complete.

    Raises:
        ReleaseError: another process is writing it.
    """
    with _held(office, name):
        return _settled(office, name, out, by)


def _settled(office: Office, name: str, out: Path, by: Person) -> Released | None:
    shutil.rmtree(out / f".{name}.partial", ignore_errors=True)
    manifest_path = out / name / "manifest.json"
    with office.read() as session:
        if session.get(Release, name) is not None or not _interrupted(session, name, manifest_path):
            return None
    try:
        return _record(office, name, out, _digest(manifest_path), by)
    except ReviewError:
        return None


def settle_all(office: Office, out: Path, by: Person = COMMAND_LINE) -> list[Released]:
    """Settle every release below a folder, at a start."""
    names = sorted(path.name.removeprefix(".").removesuffix(".partial") for path in out.glob("*") if path.is_dir())
    completed = []
    for name in filter(_NAME.fullmatch, names):
        with suppress(ReleaseError):  # another process is at it
            made = settle(office, name, out, by)
            completed += [made] if made else []
    return completed


def _interrupted(session: Session, name: str, manifest_path: Path) -> bool:
    """Whether the manifest is of a release that this ledger began: all its chains' heads are entries of it."""
    try:
        manifest = json.loads(manifest_path.read_text(encoding="utf-8"))
        ours = (manifest["format"], manifest["name"]) == (FORMAT, name)
        heads = {task_id: manifest["chain_heads"][task_id] for task_id in manifest["tasks"]}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False
    return ours and all(_has(session, task_id, head) for task_id, head in heads.items())


def _has(session: Session, task_id: str, head: str) -> bool:
    query = select(LedgerEntry.seq).where(LedgerEntry.task_id == task_id, LedgerEntry.hash == head)
    return session.exec(query).first() is not None


def _tasks(session: Session, states: tuple[State, ...]) -> list[Task]:
    query = (
        select(TaskStatus.task_id)
        .where(col(TaskStatus.state).in_([state.value for state in states]))
        .order_by(col(TaskStatus.number))
    )
    return [store.load(session, task_id) for task_id in session.exec(query).all()]


def _write_folder(
    office: Office, name: str, out: Path, tasks: list[Task], progress: Callable[[int, int, str], None]
) -> str:
    partial = out / f".{name}.partial"
    partial.mkdir(parents=True)
    try:
        for place, task in enumerate(tasks, start=1):
            _write_task(office, partial, task)
            progress(place, len(tasks), task.task_id)
        with office.read() as session:
            chains = {task.task_id: ledger.read(session, task.task_id) for task in _tasks(session, CLOSED_STATES)}
            heads = {task_id: entries[-1].hash for task_id, entries in chains.items()}
            _require_unchanged(session, tasks, heads)
        _write_ledger(partial, chains)
        _write_figures(office, partial, [store.events_of(entries) for entries in chains.values()])
        manifest: dict[str, Any] = {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "name": name,
            "tasks": {task.task_id: task.revision.digest for task in tasks},
            "chain_heads": heads,
            "files": _digests(partial),
        }
        _write_json(partial / "manifest.json", manifest)
        digest = _digest(partial / "manifest.json")
        _write_sums(partial, {**manifest["files"], "manifest.json": digest})
        _sync(partial)
        partial.rename(out / name)
        sync_folder(out)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise
    return digest


def _require_unchanged(session: Session, tasks: list[Task], heads: dict[str, str]) -> None:
    for task in tasks:
        if heads.get(task.task_id) != ledger.head(session, task.task_id, task.version):
            raise ReleaseError(
                f"nothing was released: {task.task_id} changed while the release was written; make the release again"
            )


def _write_task(office: Office, root: Path, task: Task) -> None:
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
    _copy(blobs.path(revision.gold), root / "output" / task.task_id / "gold.csv")
    configs = root / "evaluation" / "configs"
    # the official layout wants the task's own id, whatever id the rules were written under
    rules = replace(rules_from(revision.rules), task_id=task.task_id)
    _write_json(configs / f"{task.task_id}.json", json.loads(rules_text(rules)))
    audit = root / "audit" / task.task_id
    _copy(blobs.path(revision.gold_sql), audit / "gold.sql")
    _copy(blobs.path(revision.sampled_db), audit / "sampled.sqlite")
    _copy(blobs.path(revision.provenance), audit / "provenance.json")


def _write_ledger(root: Path, chains: Mapping[str, Sequence[ledger.Entry]]) -> None:
    """Export the chains of all closed tasks, removed ones too; those still under review would break blindness."""
    (root / "ledger").mkdir()
    for task_id, entries in chains.items():
        lines = [json.dumps(line, ensure_ascii=False, sort_keys=True) for line in ledger.exported(entries)]
        (root / "ledger" / f"{task_id}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _write_figures(office: Office, root: Path, histories: Sequence[Sequence[Event]]) -> None:
    """Write the published figures, and the tables that they can be recomputed from."""
    counts, agreement = counts_of(histories, office), agreement_of(histories, office)
    _write_json(root / "statistics.json", counts)
    _write_json(root / "agreement.json", agreement)
    for digest in blobs_named(histories):
        _copy(office.blobs.path(digest), root / "blobs" / digest)
    (root / "README.md").write_text(data_card(root, counts, agreement), encoding="utf-8")


def _write_sums(root: Path, digests: Mapping[str, str]) -> None:
    """The list that `sha256sum -c` checks; it cannot hold its own digest."""
    lines = [f"{digest}  {name}" for name, digest in sorted(digests.items())]
    (root / "SHA256SUMS").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _record(office: Office, name: str, out: Path, manifest: str, by: Person) -> Released:
    """Write all TaskReleased entries and the release's row in one transaction, or discard the folder."""
    folder = out / name
    written: dict[str, Any] = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    try:
        with office.write() as session:
            for task_id, revision in written["tasks"].items():
                _release_task(office, session, task_id, written["chain_heads"][task_id], (name, manifest, revision), by)
            session.add(
                Release(
                    name=name,
                    manifest=manifest,
                    folder=str(folder.absolute()),
                    tasks=len(written["tasks"]),
                    actor=by.id,
                    at=office.clock(),
                )
            )
    except (ReviewError, ledger.LedgerConflict) as error:
        # the folder of a release that did get recorded is never removed, whatever went wrong after that
        if (made := existing(office, name, out)) is not None:
            return made
        shutil.rmtree(folder, ignore_errors=True)
        raise ReleaseError(f"nothing was released: {error}; make the release again") from error
    return Released(name, folder, manifest, tuple(written["tasks"]))


def _release_task(
    office: Office, session: Session, task_id: str, head: str, what: tuple[str, str, str], by: Person
) -> None:
    task = store.load(session, task_id)
    if ledger.head(session, task_id, task.version) != head:
        raise NotPossible(f"{task_id} changed while the release was written")
    event = TaskReleased(by.id, office.clock(), *what)
    decide(task, event, by)
    store.record(session, task, event)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _write_json(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def _digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _digests(root: Path) -> dict[str, str]:
    files = sorted(path for path in root.rglob("*") if path.is_file())
    return {path.relative_to(root).as_posix(): _digest(path) for path in files}


def _sync(root: Path) -> None:
    for path in root.rglob("*"):
        if path.is_file():
            with path.open("rb") as stream:
                os.fsync(stream.fileno())
