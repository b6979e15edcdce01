"""A task's chain for a lead's eyes: each entry with its values, and what it changed of the task."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlmodel import Session, col, select

from db import ledger
from db.tables import TaskStatus
from review_app import store
from review_app.domain.content import Revision
from review_app.domain.folding import apply
from review_app.domain.task import OPEN_STATES, Task
from review_app.ledger_files import blind_fields
from review_app.ledger_story import cut, short


@dataclass(frozen=True)
class Line:
    """An entry of the ledger.

    Attributes:
        fields: field -> its text, or another value as canonical JSON, cut where it is long; empty ones and revisions
            are left out.
        withheld: the fields that stay closed while the task or one with the same gold is under review.
        changed: the task's revision before and after, if the entry changed it; None also while fields are withheld.
    """

    version: int
    at: datetime
    kind: str
    actor: str
    fields: Mapping[str, str]
    withheld: tuple[str, ...]
    changed: tuple[Revision, Revision] | None
    hash: str


def chain(session: Session, task_id: str) -> list[Line]:
    """Return the task's entries, oldest first; none where there is no such task."""
    entries = ledger.read(session, task_id)
    hidden = bool(entries) and _under_review(session, str(entries[0].payload.get("sibling")))
    found: list[Line] = []
    task: Task | None = None
    for entry, event in zip(entries, store.events_of(entries), strict=True):
        before, task = task, apply(task, event)
        found.append(_line(entry, hidden, _changed(before, task)))
    return found


def _under_review(session: Session, sibling: str) -> bool:
    states = [state.value for state in OPEN_STATES]
    query = select(sa.func.count()).where(TaskStatus.sibling == sibling, col(TaskStatus.state).in_(states))
    return bool(session.exec(query).one())


def _changed(before: Task | None, task: Task) -> tuple[Revision, Revision] | None:
    if before is None or before.revision == task.revision:
        return None
    return before.revision, task.revision


def _line(entry: ledger.Entry, hidden: bool, changed: tuple[Revision, Revision] | None) -> Line:
    closed = blind_fields(entry) if hidden else frozenset[str]()
    shown = {
        field: cut(value) if isinstance(value, str) else short(value)
        for field, value in entry.payload.items()
        if field not in closed and value not in ("", [], None) and not (isinstance(value, dict) and "gold_sql" in value)
    }
    withheld = tuple(field for field in entry.payload if field in closed)
    return Line(
        entry.version, entry.at, entry.kind, entry.actor, shown, withheld, None if hidden else changed, entry.hash
    )
