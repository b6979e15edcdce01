"""The lead's list of tasks: what is looked for, and what is shown of each. Read from status rows and claims alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session, col, select

from db.tables import Account, Claim, TaskStatus
from review_app.domain.task import State


@dataclass(frozen=True)
class Wanted:
    """What a lead looks for. An empty field holds nothing back.

    Attributes:
        states: the states to show; none means all.
        search: looked for in id, question and domain, whatever the case.
        domain: the task's domain.
        language: the question's language.
        expert: id of somebody who holds a seat of the current round.
        oldest_first: what has not moved for longest comes first; otherwise by number.
    """

    states: tuple[State, ...] = ()
    search: str = ""
    domain: str = ""
    language: str = ""
    expert: str = ""
    oldest_first: bool = False


@dataclass(frozen=True)
class Listed:
    """A task in the list. `holders` are the names of those who hold its seats; `head` is its chain's last hash."""

    task_id: str
    state: State
    domain: str
    language: str
    round: int
    holders: tuple[str, ...]
    question: str
    changed_at: datetime
    head: str


@dataclass(frozen=True)
class Choices:
    """What there is to choose from: domains and languages of all tasks, experts as id -> name."""

    domains: tuple[str, ...]
    languages: tuple[str, ...]
    experts: dict[str, str]


def counts(session: Session) -> dict[State, int]:
    """Return how many tasks are in each state; all states are named."""
    rows = session.exec(select(TaskStatus.state, sa.func.count()).group_by(col(TaskStatus.state))).all()
    found = dict(rows)
    return {state: found.get(state.value, 0) for state in State}


def choices(session: Session) -> Choices:
    """Return what a list can be narrowed to; experts are those who ever held a seat."""
    domains = session.exec(select(TaskStatus.domain).distinct().order_by(TaskStatus.domain)).all()
    languages = session.exec(select(TaskStatus.language).distinct().order_by(TaskStatus.language)).all()
    seated = select(Account.id, Account.name).where(col(Account.id).in_(select(Claim.account_id)))
    experts = session.exec(seated.order_by(Account.name, Account.id)).all()
    return Choices(tuple(domains), tuple(languages), dict(experts))


def listed(session: Session, wanted: Wanted, first: int, most: int | None) -> tuple[int, list[Listed]]:
    """Return how many tasks are wanted, and `most` of them from the `first` on; all of them for None."""
    asked = _asked(wanted)
    total = session.exec(select(sa.func.count()).select_from(TaskStatus).where(*asked)).one()
    order = [TaskStatus.changed_at, TaskStatus.number] if wanted.oldest_first else [TaskStatus.number]
    rows = session.exec(select(TaskStatus).where(*asked).order_by(*map(col, order)).offset(first).limit(most)).all()
    holders = _holders(session, [row.task_id for row in rows])
    return total, [
        Listed(
            task_id=row.task_id,
            state=State(row.state),
            domain=row.domain,
            language=row.language,
            round=row.round,
            holders=tuple(holders.get(row.task_id, ())),
            question=row.question,
            changed_at=row.changed_at,
            head=row.head,
        )
        for row in rows
    ]


def _asked(wanted: Wanted) -> list[Any]:
    asked = [
        col(column) == value
        for column, value in ((TaskStatus.domain, wanted.domain), (TaskStatus.language, wanted.language))
        if value
    ]
    if wanted.states:
        asked.append(col(TaskStatus.state).in_([state.value for state in wanted.states]))
    if search := wanted.search.strip():
        fields = (TaskStatus.task_id, TaskStatus.question, TaskStatus.domain)
        asked.append(sa.or_(*(col(field).icontains(search, autoescape=True) for field in fields)))
    if wanted.expert:
        asked.append(_seat().where(Claim.account_id == wanted.expert).exists())
    return asked


def _seat() -> Any:
    """Seats of the current round that are held, for a task of the query around it."""
    return (
        sa.select(col(Claim.id))
        .where(col(Claim.task_id) == TaskStatus.task_id, col(Claim.round) == TaskStatus.round)
        .where(col(Claim.released_at).is_(None))
        .correlate(TaskStatus)
    )


def _holders(session: Session, task_ids: Sequence[str]) -> dict[str, list[str]]:
    """The names of those who hold seats of the current rounds, by seat."""
    query = (
        select(Claim.task_id, Account.name)
        .join(TaskStatus, (col(TaskStatus.task_id) == Claim.task_id) & (col(TaskStatus.round) == Claim.round))
        .join(Account, col(Account.id) == Claim.account_id)
        .where(col(Claim.task_id).in_(task_ids), col(Claim.released_at).is_(None))
        .order_by(col(Claim.seat))
    )
    found: dict[str, list[str]] = {}
    for task_id, name in session.exec(query).all():
        found.setdefault(task_id, []).append(name)
    return found
