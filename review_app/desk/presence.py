"""The heartbeat of an open task: keeps the lease while somebody works, and tells of other windows and of the end.

A mark of each open window lies in a draft of its person; nobody else sees it, and it is no ledger fact.
"""

import json
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session

from review_app import accounts, drafts, leases, store
from review_app.accounts import Profile
from review_app.desk.office import Office, Viewer
from review_app.domain.blindness import Step, view_for
from review_app.domain.errors import ReviewError
from review_app.domain.people import Role
from review_app.domain.task import Task

PART = "windows"
EVERY = timedelta(seconds=20)
GONE = timedelta(seconds=50)  # a window that missed two beats is closed
AT_WORK = timedelta(minutes=10)  # whoever did nothing for so long does not keep the seat by an open window


@dataclass(frozen=True)
class Beat:
    """How it stands: the end of the lease (None without one), of the sign-in, and how many other windows are open."""

    lease_until: datetime | None
    sign_in_until: datetime
    other_windows: int


def beat(office: Office, viewer: Viewer, task_id: str, window: str) -> Beat:
    """Mark the window as open, renew the lease of somebody at work, and say how it stands.

    Raises:
        SignedOut: the sign-in is over.
        UnknownTask: the task is not on the expert's desk.
    """
    with office.read() as session:
        profile = office.who(session, viewer, Role.EXPERT)
        until = accounts.sign_in_ends(session, viewer.sign_in)
        task = store.load(session, task_id)
        step = view_for(task, profile.id).step
        lease = leases.lease_until(session, task_id, profile.id) if step is Step.SOLVE else None
        kept = drafts.load(session, task_id, task.round.number, profile.id)
    now = office.clock()
    windows = _windows(kept[PART].body if PART in kept else "", now)
    mine = (windows.get(window, (now, now))[0], now)
    with suppress(ReviewError), office.write() as session:  # a beat that is lost is followed by the next
        key = (task_id, task.round.number, profile.id)
        marks = {**windows, window: mine}
        body = json.dumps({name: [at.isoformat() for at in mark] for name, mark in marks.items()})
        drafts.save(session, key, PART, body, read_version=kept[PART].version if PART in kept else 0, now=now)
        if lease is not None and _at_work(kept, now):
            lease = _renewed(office, session, task, profile, lease)
    # a page that was loaded anew leaves a mark behind that beats no more
    others = sum(last > mine[0] for name, (_, last) in windows.items() if name != window)
    return Beat(lease, until, others)


def _windows(body: str, now: datetime) -> dict[str, tuple[datetime, datetime]]:
    """The windows that are still open, with their first and their last beat."""
    marks = {name: tuple(map(datetime.fromisoformat, mark)) for name, mark in json.loads(body or "{}").items()}
    return {name: (first, last) for name, (first, last) in marks.items() if now - last <= GONE}


def _at_work(kept: dict[str, drafts.Receipt], now: datetime) -> bool:
    return any(receipt.at is not None and now - receipt.at <= AT_WORK for part, receipt in kept.items() if part != PART)


def _renewed(office: Office, session: Session, task: Task, profile: Profile, lease: datetime) -> datetime:
    """Start the lease anew once half of it has passed."""
    whole = timedelta(hours=office.settings.lease_hours)
    now = office.clock()
    if lease - now > whole / 2:
        return lease
    leases.extend(session, task, profile.id, now + whole)
    return now + whole
