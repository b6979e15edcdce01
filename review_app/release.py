"""Write a release: a frozen bundle in the official layout, then the facts of it, all or nothing."""

import fcntl
import json
import re
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlmodel import Session, select

from db import ledger
from db.tables import LedgerEntry, Release
from review_app import store
from review_app.desk.office import Office, storage_errors
from review_app.domain.decide import decide
from review_app.domain.errors import NotPossible, ReviewError, StorageFailed
from review_app.domain.events import TaskReleased
from review_app.domain.people import Person, Role
from review_app.release_files import FORMAT, Split, digest_of, tasks_in, write_folder
from review_app.release_files import ReleaseError as ReleaseError
from review_app.release_statistics import RELEASED_STATES

COMMAND_LINE = Person("release-command", frozenset({Role.LEAD}))
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")


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
    *,
    public: float = 1.0,
    seed: int = 0,
    salt: Callable[[], str] = lambda: secrets.token_hex(16),
) -> Released:
    """Write all approved tasks to `out/NAME` and record that they are released.

    With `public` below 1 only about that share of the golds is in it, drawn by `seed`; the others, and all that would
    tell them, go into `out/NAME.private`. `salt` gives the salts of the commitments to withheld golds.

    The folder is written under a hidden name and renamed when whole; then all TaskReleased entries are written in
    one transaction. What an interruption leaves is completed or discarded by the next call (`settle`).

    Raises:
        ReleaseError: bad name, name in use, nothing approved, a task changed meanwhile.
        StorageFailed: the disk or database refused.
    """
    if not _NAME.fullmatch(name):
        raise ReleaseError(f"{name!r} is no release name; use letters, digits, dot, dash and underscore")
    with _held(office, name):
        made = _settled(office, name, out, by)
        return made or _made(office, name, out, by, progress, Split(public, seed, salt))


def _made(
    office: Office, name: str, out: Path, by: Person, progress: Callable[[int, int, str], None], split: Split
) -> Released:
    if (out / name).exists():
        raise ReleaseError(f"{out / name} is there already; choose another name or another folder")
    with office.read() as session:
        if session.get(Release, name) is not None:
            raise ReleaseError(f"a release is called {name!r} already; choose another name")
        tasks = tasks_in(session, RELEASED_STATES)
    if not tasks:
        raise ReleaseError("no task is approved; finish reviews first")
    try:
        with storage_errors():
            manifest = write_folder(office, name, out, tasks, progress, split)
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
    for partial in (f".{name}.partial", f".{name}.private.partial"):
        shutil.rmtree(out / partial, ignore_errors=True)
    manifest_path = out / name / "manifest.json"
    with office.read() as session:
        if session.get(Release, name) is not None or not _interrupted(session, name, manifest_path):
            return None
    try:
        return _record(office, name, out, digest_of(manifest_path), by)
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
        for part in (folder, out / f"{name}.private"):
            shutil.rmtree(part, ignore_errors=True)
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
