"""Take the next task: rank what fits, then claim atomically; whoever is second gets another task, never a dead page."""

from contextlib import suppress

from sqlmodel import Session

from review_app import accounts, leases, store
from review_app.desk.office import TRIES, Office, Viewer
from review_app.domain.assigning import Offer, ranked
from review_app.domain.content import WorkspaceFile
from review_app.domain.decide import Facts, decide
from review_app.domain.errors import AtLimit, NothingFits, NotPossible, ReviewError, SignedOut, StorageFailed
from review_app.domain.events import ExpertAssigned, LeaseExpired
from review_app.domain.people import Person, Role
from review_app.domain.task import Task


def next_task(office: Office, viewer: Viewer) -> str:
    """Take a seat on the task that fits the expert best, and return its id.

    Raises:
        NotPossible: the expert holds as many unfinished tasks as allowed.
        NothingFits: no task fits now.
    """
    for offer in _offers(office, viewer):
        try:
            with office.write() as session:
                _take(office, session, viewer, offer.task_id)
        except (SignedOut, StorageFailed, AtLimit):
            raise
        except (store.LedgerConflict, ReviewError):
            continue  # somebody was faster; the next one will do
        return offer.task_id
    raise NothingFits("no task fits your domains and languages now; look again later")


def workspace_of_next(office: Office, viewer: Viewer) -> tuple[WorkspaceFile, ...]:
    """Return the files of the task that `next_task` would give now; empty if it would give none."""
    with suppress(AtLimit):
        for offer in _offers(office, viewer)[:1]:
            with office.read() as session:
                return store.load(session, offer.task_id).revision.workspace
    return ()


def _offers(office: Office, viewer: Viewer) -> list[Offer]:
    with office.read() as session:
        person = office.who(session, viewer, Role.EXPERT).person
        _check_load(office, session, person)
        people = [profile.person for profile in accounts.everyone(session)]
        return ranked(store.offers(session, person, office.clock()), person, people)


def _check_load(office: Office, session: Session, person: Person) -> None:
    held = leases.open_seats(session, person.id)
    if len(held) >= office.settings.max_open_seats:
        raise AtLimit(f"you hold {len(held)} unfinished tasks; finish or return one of them first")


def _take(office: Office, session: Session, viewer: Viewer, task_id: str) -> None:
    person = office.who(session, viewer, Role.EXPERT).person
    # one claim of a person at a time, or two windows could pass the check of the load together
    accounts.lock(session, person.id)
    _check_load(office, session, person)
    task = with_a_free_seat(office, session, store.load(session, task_id), person)
    seat(office, session, task, person, person)


def with_a_free_seat(office: Office, session: Session, task: Task, person: Person) -> Task:
    """Return the task after a seat whose lease ran out was freed, if no seat is free.

    Raises:
        NotPossible: both seats stay held.
    """
    if task.round.free_seats:
        return task
    now = office.clock()
    gone = leases.expired(session, task, now)
    if gone is None:
        raise NotPossible("the seat is taken")
    lapse = LeaseExpired(person.id, now, gone)
    decide(task, lapse, person, Facts(lease_over=True))
    return store.record(session, task, lapse)


def assign(office: Office, viewer: Viewer, task_id: str, account_id: str) -> None:
    """Give an expert a seat, as the lead decides.

    Raises:
        ReviewError: no seat can be taken, or the rules refuse the person.
    """
    for _ in range(TRIES):
        try:
            with office.write() as session:
                lead = office.who(session, viewer, Role.LEAD).person
                expert = accounts.by_id(session, account_id).person
                task = with_a_free_seat(office, session, store.load(session, task_id), lead)
                seat(office, session, task, expert, lead)
                return
        except store.LedgerConflict:
            continue
    raise NotPossible("the task could not be written at this moment; try again")


def seat(office: Office, session: Session, task: Task, expert: Person, by: Person) -> Task:
    """Give the expert the first free seat, as `by` decides; return the task after it.

    Raises:
        ReviewError: no free seat, or the rules refuse the person.
    """
    accounts.lock(session, expert.id)  # or two siblings could be given to one person at the same moment
    if not task.round.free_seats:
        raise NotPossible(f"both seats of {task.task_id} are taken")
    event = ExpertAssigned(
        actor=by.id,
        at=office.clock(),
        expert=expert.id,
        seat=task.round.free_seats[0],
        lease_seconds=round(office.settings.lease_hours * 3600),
        guidelines=office.settings.guidelines,
    )
    decide(task, event, by, Facts(assignee=expert, knows_gold=store.knows_gold(session, task, expert.id)))
    return store.record(session, task, event)
