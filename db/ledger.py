"""The append-only ledger: one hash chain a task, tamper-evident, with fields that an export may withhold.

An entry's hash covers the previous hash of the same task, its plain fields, and for each payload field a salted
commitment: SHA-256 over a random salt and the canonical value. A withheld value leaves its commitment behind, so
the chain still verifies.
"""

import hashlib
import json
import secrets
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from db.tables import LedgerEntry

GENESIS = "0" * 64
SALT_BYTES = 16


class LedgerConflict(Exception):
    """Somebody wrote the task's next entry first: re-read, decide again."""


@dataclass(frozen=True)
class Entry:
    """An entry as read: payload decoded, time aware UTC."""

    seq: int
    task_id: str
    version: int
    kind: str
    actor: str
    at: datetime
    payload: dict[str, Any]
    salts: dict[str, str]
    prev_hash: str
    hash: str


@dataclass(frozen=True)
class New:
    """An entry to be written as the task's next version."""

    task_id: str
    version: int
    kind: str
    actor: str
    at: datetime
    payload: Mapping[str, Any]


def canonical(value: Any) -> str:
    """Return the one JSON text of a value: sorted keys, no blanks, characters as they are."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def commitment(salt: str, value: Any) -> str:
    """Return the hex digest that stands for a value: SHA-256 over the salt's bytes and the canonical value."""
    return hashlib.sha256(bytes.fromhex(salt) + canonical(value).encode()).hexdigest()


def entry_hash(
    prev_hash: str, task_id: str, version: int, kind: str, actor: str, at: datetime, commitments: Mapping[str, str]
) -> str:
    """Return the hash of an entry. `at` counts to the microsecond, in UTC."""
    plain = {
        "actor": actor,
        "at": at.astimezone(UTC).isoformat(timespec="microseconds"),
        "commitments": dict(commitments),
        "kind": kind,
        "prev_hash": prev_hash,
        "task_id": task_id,
        "version": version,
    }
    return hashlib.sha256(canonical(plain).encode()).hexdigest()


def append(session: Session, new: New, salt: Callable[[], str] = lambda: secrets.token_hex(SALT_BYTES)) -> str:
    """Write the entry after the one the caller read, and return its hash.

    Raises:
        LedgerConflict: `new.version` exists already, or its predecessor does not.
    """
    prev_hash = GENESIS if new.version == 1 else head(session, new.task_id, new.version - 1)
    salts = {field: salt() for field in new.payload}
    commitments = {field: commitment(salts[field], value) for field, value in new.payload.items()}
    digest = entry_hash(prev_hash, new.task_id, new.version, new.kind, new.actor, new.at, commitments)
    row = LedgerEntry(
        task_id=new.task_id,
        version=new.version,
        kind=new.kind,
        actor=new.actor,
        at=new.at,
        payload=canonical(dict(new.payload)),
        salts=canonical(salts),
        prev_hash=prev_hash,
        hash=digest,
    )
    try:
        with session.begin_nested():
            session.add(row)
            session.flush()
    except IntegrityError as error:
        raise LedgerConflict(f"{new.task_id}: version {new.version} is already written") from error
    return digest


def head(session: Session, task_id: str, version: int) -> str:
    """Return the hash of one entry.

    Raises:
        LedgerConflict: there is no such entry.
    """
    found = session.exec(
        select(LedgerEntry.hash).where(LedgerEntry.task_id == task_id, LedgerEntry.version == version)
    ).first()
    if found is None:
        raise LedgerConflict(f"{task_id}: there is no version {version}")
    return found


def read(session: Session, task_id: str) -> list[Entry]:
    """Return the task's entries in order; empty for a task that is not there."""
    rows = session.exec(
        select(LedgerEntry).where(LedgerEntry.task_id == task_id).order_by(col(LedgerEntry.version))
    ).all()
    return [_entry(row) for row in rows]


def read_all(session: Session) -> Iterator[tuple[str, list[Entry]]]:
    """Yield (task id, its entries) for every task, one task in memory at a time."""
    for task_id in session.exec(select(LedgerEntry.task_id).distinct().order_by(LedgerEntry.task_id)).all():
        yield task_id, read(session, task_id)


def _entry(row: LedgerEntry) -> Entry:
    assert row.seq is not None
    return Entry(
        row.seq,
        row.task_id,
        row.version,
        row.kind,
        row.actor,
        row.at,
        _decoded(row.payload),
        _decoded(row.salts),
        row.prev_hash,
        row.hash,
    )


def _decoded(text: str) -> dict[str, Any]:
    """The stored JSON object; empty for one that was damaged, which then fails its hash instead of every reader."""
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def verify(session: Session) -> tuple[int, list[str]]:
    """Check every chain. Return the number of entries and what does not hold, each sentence naming the entry."""
    count, found = 0, []
    for task_id in session.exec(select(LedgerEntry.task_id).distinct().order_by(LedgerEntry.task_id)).all():
        try:
            entries = read(session, task_id)
        except ValueError:  # a damaged time does not even load
            found += _unreadable(session, task_id)
            continue
        count += len(entries)
        found += problems(entries)
    return count, found


def _unreadable(session: Session, task_id: str) -> list[str]:
    found = []
    for version in session.exec(select(LedgerEntry.version).where(LedgerEntry.task_id == task_id)).all():
        try:
            session.exec(
                select(LedgerEntry).where(LedgerEntry.task_id == task_id, LedgerEntry.version == version)
            ).one()
        except ValueError as error:
            found.append(
                f"{task_id} version {version}: it cannot be read ({error}); it was changed after it was written"
            )
    return found


def problems(entries: Sequence[Entry]) -> list[str]:
    """Return what does not hold in one task's chain, empty if all holds; each sentence names the entry."""
    found: list[str] = []
    expected_prev = GENESIS
    for place, entry in enumerate(entries, start=1):
        name = f"{entry.task_id} version {entry.version} ({entry.kind}, seq {entry.seq})"
        if entry.version != place:
            found.append(f"{name}: version {place} was expected here; an entry is missing or was added")
        if entry.prev_hash != expected_prev:
            found.append(f"{name}: it does not follow the entry before it")
        if _recomputed(entry) != entry.hash:
            found.append(f"{name}: its content does not give its hash; it was changed after it was written")
        expected_prev = entry.hash
    return found


def _recomputed(entry: Entry) -> str:
    try:
        commitments = {field: commitment(entry.salts[field], value) for field, value in entry.payload.items()}
    except (KeyError, ValueError):
        return "a salt is missing"
    return entry_hash(entry.prev_hash, entry.task_id, entry.version, entry.kind, entry.actor, entry.at, commitments)


def exported(
    entries: Iterable[Entry], withheld: Callable[[Entry], Collection[str]] = lambda entry: ()
) -> Iterator[dict[str, Any]]:
    """Yield entries as JSON values for a bundle; `withheld(entry)` names fields that leave their commitment only."""
    for entry in entries:
        hidden = withheld(entry)
        commitments = {field: commitment(entry.salts[field], value) for field, value in entry.payload.items()}
        open_fields = [field for field in entry.payload if field not in hidden]
        yield {
            "task_id": entry.task_id,
            "version": entry.version,
            "kind": entry.kind,
            "actor": entry.actor,
            "at": entry.at.isoformat(timespec="microseconds"),
            "payload": {field: entry.payload[field] for field in open_fields},
            "salts": {field: entry.salts[field] for field in open_fields},
            "commitments": commitments,
            "prev_hash": entry.prev_hash,
            "hash": entry.hash,
        }
