"""Claims: who holds which seat, and until when. They follow from the folded task and are never edited apart from it."""

from datetime import datetime, timedelta

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from db.ledger import LedgerConflict
from db.tables import Claim, TaskStatus
from review_app.domain.errors import NotAssigned
from review_app.domain.events import Event, ExpertAssigned
from review_app.domain.task import Phase, Seat, State, Task

RESTORED = timedelta(hours=1)  # the lease of a seat that an undo brings back


def follow(session: Session, task: Task, event: Event) -> None:
    """Make the claims of the task's round say what the fold says.

    Raises:
        LedgerConflict: another transaction holds the seat.
    """
    claims = session.exec(select(Claim).where(Claim.task_id == task.task_id, Claim.round == task.round.number)).all()
    by_person = {claim.account_id: claim for claim in claims}
    seats = {seat.expert: seat for seat in task.round.seats}
    for claim in claims:
        if claim.account_id not in seats and claim.released_at is None:
            claim.released_at = event.at
            session.add(claim)
    _flush(session, task)  # the seat must be free before it is taken anew
    for expert, seat in seats.items():
        session.add(_claim(task, seat, by_person.get(expert), event))
    _flush(session, task)


def _flush(session: Session, task: Task) -> None:
    try:
        session.flush()
    except IntegrityError as error:
        raise LedgerConflict(f"{task.task_id}: the seat was taken at the same moment") from error


def _claim(task: Task, seat: Seat, claim: Claim | None, event: Event) -> Claim:
    lease = timedelta(seconds=event.lease_seconds) if isinstance(event, ExpertAssigned) else RESTORED
    if claim is None:
        return Claim(
            task_id=task.task_id,
            round=task.round.number,
            seat=seat.number,
            account_id=seat.expert,
            phase=seat.phase.value,
            expires_at=event.at + lease,
        )
    if claim.released_at is not None:
        claim.released_at, claim.expires_at = None, event.at + lease
    claim.seat, claim.phase = seat.number, seat.phase.value
    return claim


def lease_until(session: Session, task_id: str, account_id: str) -> datetime | None:
    """Return when the person's lease on the task ends, None if the person holds none."""
    return session.exec(
        select(Claim.expires_at)
        .join(TaskStatus, (col(TaskStatus.task_id) == Claim.task_id) & (col(TaskStatus.round) == Claim.round))
        .where(Claim.task_id == task_id, Claim.account_id == account_id, col(Claim.released_at).is_(None))
    ).first()


def extend(session: Session, task: Task, account_id: str, until: datetime) -> None:
    """Move the end of the person's lease.

    Raises:
        NotAssigned: the person holds no unsealed seat.
    """
    claim = session.exec(
        select(Claim).where(
            Claim.task_id == task.task_id,
            Claim.round == task.round.number,
            Claim.account_id == account_id,
            Claim.phase == Phase.SOLVING.value,
            col(Claim.released_at).is_(None),
        )
    ).first()
    if claim is None or task.state is not State.IN_REVIEW:
        raise NotAssigned("you hold no unsealed seat on this task; there is nothing to extend")
    claim.expires_at = max(claim.expires_at, until)
    session.add(claim)


def expired(session: Session, task: Task, now: datetime) -> str | None:
    """Return an expert whose unsealed seat's lease has run out, None if there is none."""
    return session.exec(
        select(Claim.account_id).where(
            Claim.task_id == task.task_id,
            Claim.round == task.round.number,
            Claim.phase == Phase.SOLVING.value,
            Claim.expires_at <= now,
            col(Claim.released_at).is_(None),
        )
    ).first()


def open_seats(session: Session, account_id: str) -> list[str]:
    """Return the ids of the tasks on which the person holds a seat that is not done."""
    rows = session.exec(
        select(Claim.task_id)
        .join(TaskStatus, (col(TaskStatus.task_id) == Claim.task_id) & (col(TaskStatus.round) == Claim.round))
        .where(
            Claim.account_id == account_id,
            col(Claim.released_at).is_(None),
            Claim.phase != Phase.DONE.value,
            TaskStatus.state == State.IN_REVIEW.value,
        )
    ).all()
    return list(rows)
