"""The only translator between events and ledger entries: loads a task, records an event with all that follows.

Status row, claims and involvements are written in the same transaction as the entry, from the folded task.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, delete, select

from db import ledger
from db.ledger import LedgerConflict as LedgerConflict
from db.tables import Claim, Involvement, LedgerEntry, TaskStatus
from db.tables import Release as Release
from review_app import leases
from review_app.domain.assigning import Offer
from review_app.domain.errors import UnknownTask
from review_app.domain.events import (
    Event,
    LeadActionUndone,
    LeaseExpired,
    SeatReturned,
    SeatVacated,
    TaskImported,
    Unblinded,
    from_payload,
    to_payload,
)
from review_app.domain.folding import apply, fold
from review_app.domain.people import ANY_DOMAIN, Person
from review_app.domain.task import SEATS, Phase, State, Task

MOST_SHOWN = 200
SEATED, TOOK_PART, SAW_GOLD = "seated", "took_part", "saw_gold"


def events_of(entries: Iterable[ledger.Entry]) -> list[Event]:
    """Return the events that the entries hold."""
    return [from_payload(entry.kind, entry.actor, entry.at, entry.payload) for entry in entries]


def entries(session: Session) -> int:
    """Return how many entries the ledger has."""
    return session.exec(select(sa.func.count()).select_from(LedgerEntry)).one()


def histories(session: Session) -> list[list[Event]]:
    """Return the events of every task, task by task."""
    return [events_of(entries) for _, entries in ledger.read_all(session)]


def load(session: Session, task_id: str) -> Task:
    """Return the task as its events give it.

    Raises:
        UnknownTask: no such task.
    """
    task = fold(events_of(ledger.read(session, task_id)))
    if task is None:
        raise UnknownTask(f"there is no task {task_id!r}")
    return task


def record(session: Session, task: Task | None, event: Event) -> Task:
    """Write the event as the task's next entry, with status row, claims and involvements; return the new task.

    The caller has asked `decide`. Nothing is committed here.

    Raises:
        LedgerConflict: somebody was faster; re-read and decide again.
    """
    after = apply(task, event)
    new = ledger.New(after.task_id, after.version, type(event).__name__, event.actor, event.at, to_payload(event))
    head = ledger.append(session, new)
    _write_status(session, task, after, event, head)
    leases.follow(session, after, event)
    _involve(session, after)
    return after


def _write_status(session: Session, before: Task | None, task: Task, event: Event, head: str) -> None:
    values = _status(task, event.at, head)
    if before is None:
        session.add(TaskStatus(**values))
        session.flush()
        return
    written = session.exec(
        sa.update(TaskStatus)
        .where(col(TaskStatus.task_id) == task.task_id, col(TaskStatus.version) == before.version)
        .values(**values)
    )
    if written.rowcount != 1:
        raise LedgerConflict(f"{task.task_id}: its status row is not at version {before.version}")


def _status(task: Task, at: datetime, head: str) -> dict[str, Any]:
    return {
        "task_id": task.task_id,
        "number": number_of(task.task_id),
        "version": task.version,
        "state": task.state.value,
        "round": task.round.number,
        "held": len(task.round.seats),
        "domain": task.domain,
        "language": task.language,
        "sibling": task.sibling,
        "question": task.revision.question,
        "head": head,
        "changed_at": at,
    }


def number_of(task_id: str) -> int:
    """Return N of `task_N`."""
    return int(task_id.removeprefix("task_"))


def _involve(session: Session, task: Task) -> None:
    people = {seat.expert: SEATED for seat in task.round.seats}
    people |= dict.fromkeys(task.saw_gold, SAW_GOLD) | dict.fromkeys(task.participants, TOOK_PART)
    for account_id, why in people.items():
        involve(session, task.task_id, account_id, why)


def involve(session: Session, task_id: str, account_id: str, why: str) -> None:
    """Remember that the person was seated, took part or saw the gold; the stronger reason stays."""
    known = session.get(Involvement, (task_id, account_id))
    if known is None:
        with suppress(IntegrityError), session.begin_nested():  # another window may remember the same
            session.add(Involvement(task_id=task_id, account_id=account_id, why=why))
    elif known.why == SEATED and why != SEATED:
        known.why = why
        session.add(known)


def is_involved(session: Session, task_id: str, account_id: str) -> bool:
    """Whether it is remembered already that the person saw the gold of the task or took part in it."""
    known = session.get(Involvement, (task_id, account_id))
    return known is not None and known.why != SEATED


def seat_history(session: Session, task_id: str) -> list[Event]:
    """Return the events that carry a reason for leads beside the discussion, oldest first."""
    kinds = (SeatReturned, LeaseExpired, SeatVacated, Unblinded, LeadActionUndone)
    return [event for event in events_of(ledger.read(session, task_id)) if isinstance(event, kinds)]


def knows_gold(session: Session, task: Task, account_id: str) -> bool:
    """Whether the person saw the gold of this task, or was seated on a sibling."""
    rows = session.exec(
        select(Involvement.task_id, Involvement.why)
        .join(TaskStatus, col(TaskStatus.task_id) == Involvement.task_id)
        .where(Involvement.account_id == account_id, TaskStatus.sibling == task.sibling)
    ).all()
    return any(task_id != task.task_id or why != SEATED for task_id, why in rows)


def tasks_of(session: Session, account_id: str) -> list[str]:
    """Return the tasks that the person has a seat on or took part in, the one changed last first."""
    seats = (
        select(Claim.task_id)
        .join(TaskStatus, (col(TaskStatus.task_id) == Claim.task_id) & (col(TaskStatus.round) == Claim.round))
        .where(Claim.account_id == account_id, col(Claim.released_at).is_(None))
    )
    joined = select(Involvement.task_id).where(Involvement.account_id == account_id, Involvement.why == TOOK_PART)
    query = (
        select(TaskStatus.task_id)
        .where(col(TaskStatus.task_id).in_(seats) | col(TaskStatus.task_id).in_(joined))
        .order_by(col(TaskStatus.changed_at).desc())
        .limit(MOST_SHOWN)
    )
    return list(session.exec(query).all())


def releases(session: Session) -> list[Release]:
    """Return what was released, newest first."""
    return list(session.exec(select(Release).order_by(col(Release.at).desc())).all())


def offers(session: Session, person: Person, now: datetime) -> list[Offer]:
    """Return the tasks on which the person could take a seat now, in no order.

    A seat is there to take if nobody holds it, or if it is held unsealed under a lease that has run out.
    """
    handled = (
        select(TaskStatus.sibling)
        .join(Involvement, col(Involvement.task_id) == TaskStatus.task_id)
        .where(Involvement.account_id == person.id, Involvement.why != SEATED)
    )
    siblings_of_mine = (
        select(TaskStatus.task_id, TaskStatus.sibling)
        .join(Involvement, col(Involvement.task_id) == TaskStatus.task_id)
        .where(Involvement.account_id == person.id)
    )
    seated = {sibling: task_id for task_id, sibling in session.exec(siblings_of_mine).all()}
    taken = _taken(session, person, now)
    query = select(TaskStatus).where(
        col(TaskStatus.state).in_([State.QUEUED.value, State.IN_REVIEW.value]),
        col(TaskStatus.language).in_(person.languages),
        col(TaskStatus.sibling).not_in(handled),
        (col(TaskStatus.held) < len(SEATS)) | col(TaskStatus.task_id).in_(_lapsed(now)),
    )
    if ANY_DOMAIN not in person.domains:
        query = query.where(col(TaskStatus.domain).in_(person.domains))
    found = []
    for row in session.exec(query).all():
        held, mine = taken.get((row.task_id, row.round), (0, False))
        if held < len(SEATS) and not mine and seated.get(row.sibling, row.task_id) == row.task_id:
            found.append(Offer(row.task_id, row.number, row.domain, row.language, held))
    return found


def _lapsed(now: datetime) -> Any:
    """Tasks with an unsealed seat whose lease has run out, as a subquery."""
    return select(Claim.task_id).where(
        col(Claim.released_at).is_(None), Claim.phase == Phase.SOLVING.value, Claim.expires_at <= now
    )


def _taken(session: Session, person: Person, now: datetime) -> dict[tuple[str, int], tuple[int, bool]]:
    """(task, round) -> (seats that stay held, whether one is the person's own)."""
    mine = sa.case((col(Claim.account_id) == person.id, 1), else_=0)
    stays = sa.case(
        (col(Claim.account_id) == person.id, 1),
        (col(Claim.phase) != Phase.SOLVING.value, 1),
        (col(Claim.expires_at) > now, 1),
        else_=0,
    )
    rows = session.exec(
        select(Claim.task_id, Claim.round, sa.func.sum(stays), sa.func.sum(mine))
        .join(TaskStatus, (col(TaskStatus.task_id) == Claim.task_id) & (col(TaskStatus.round) == Claim.round))
        .where(
            col(Claim.released_at).is_(None),
            col(TaskStatus.state).in_([State.QUEUED.value, State.IN_REVIEW.value]),
        )
        .group_by(col(Claim.task_id), col(Claim.round))
    ).all()
    return {(task_id, number): (int(held), bool(own)) for task_id, number, held, own in rows}


@dataclass(frozen=True)
class Rebuilt:
    """What a rebuild found: tasks folded, and those whose stored status row said something else."""

    tasks: int
    differed: tuple[str, ...]


def rebuild(session: Session) -> Rebuilt:
    """Make the status rows anew from the ledger."""
    if session.get_bind().dialect.name == "postgresql":  # or a writer's newer row would be put back to an older one
        session.connection().execute(sa.text("LOCK TABLE task_status IN EXCLUSIVE MODE"))
    stored = {row.task_id: row.model_dump() for row in session.exec(select(TaskStatus)).all()}
    fresh: dict[str, dict[str, Any]] = {}
    for task_id, entries in ledger.read_all(session):
        task = fold(events_of(entries))
        assert task is not None
        fresh[task_id] = _status(task, entries[-1].at, entries[-1].hash)
    differed = sorted(task_id for task_id in {*stored, *fresh} if stored.get(task_id) != fresh.get(task_id))
    session.exec(delete(TaskStatus))
    session.expire_all()
    session.expunge_all()
    session.add_all(TaskStatus(**values) for values in fresh.values())
    session.flush()
    return Rebuilt(len(fresh), tuple(differed))


def verify(session: Session) -> tuple[int, list[str]]:
    """Check every chain, and that no chain is shorter than its status row says. Return entries and problems."""
    count, problems = ledger.verify(session)
    lengths = dict(
        session.exec(select(LedgerEntry.task_id, sa.func.max(LedgerEntry.version)).group_by(LedgerEntry.task_id)).all()
    )
    for row in session.exec(select(TaskStatus).order_by(col(TaskStatus.number))).all():
        if lengths.get(row.task_id, 0) != row.version:
            problems.append(
                f"{row.task_id}: the status row is at version {row.version}, the chain ends at "
                f"{lengths.get(row.task_id, 0)}; entries were cut off or added"
            )
        elif row.head != ledger.head(session, row.task_id, row.version):
            problems.append(f"{row.task_id}: the status row names another last hash than the chain; one was changed")
    return count, problems


def imported_digest(session: Session, task_id: str) -> str | None:
    """Return the digest of the revision under which the task was imported, None for a new id."""
    first = ledger.read(session, task_id)[:1]
    if not first:
        return None
    event = events_of(first)[0]
    assert isinstance(event, TaskImported)
    return event.revision.digest
