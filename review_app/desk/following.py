"""What waits for an expert: their tasks with unread contributions and questions, and their own figures."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from sqlmodel import Session

from review_app import comparing, leases, marks, store
from review_app.accounts import Profile
from review_app.desk.office import Office, Viewer
from review_app.domain.blindness import Discussion, Step, View, view_for
from review_app.domain.closing import Numbers, ending, my_findings
from review_app.domain.content import FindingKind
from review_app.domain.errors import StorageFailed, UnknownTask
from review_app.domain.following import my_turn, unread
from review_app.domain.people import Role
from review_app.domain.task import State

CLOSED_SHOWN = 20


@dataclass(frozen=True)
class MyTask:
    """A task on the expert's desk; `unread` counts contributions of others that were not seen yet."""

    task_id: str
    question: str
    step: Step
    lease_until: datetime | None
    my_turn: bool
    unread: int


def my_tasks(office: Office, viewer: Viewer) -> list[MyTask]:
    """Return the expert's tasks: those that wait for them, the other open ones, the newest closed ones."""
    with office.read() as session:
        profile = office.who(session, viewer, Role.EXPERT)
        read = marks.all_of(session, profile.id)
        mine = [
            _my_task(session, profile, view, read.get(view.task_id, 0))
            for view in _views(session, profile)  # newest last change first
        ]
    closed = [task for task in mine if task.step is Step.CLOSED]
    # by number: the order of the last change would tell of the other seat
    still = sorted((task for task in mine if task.step is not Step.CLOSED), key=_place)
    return still + closed[:CLOSED_SHOWN]


def _place(task: MyTask) -> tuple[bool, bool, int]:
    return not task.my_turn, not task.unread, store.number_of(task.task_id)


def _views(session: Session, profile: Profile) -> list[View]:
    found = []
    for task_id in store.tasks_of(session, profile.id):
        try:
            found.append(view_for(store.load(session, task_id), profile.id))
        except UnknownTask:
            continue
    return found


def _my_task(session: Session, profile: Profile, view: View, read: int) -> MyTask:
    lease = leases.lease_until(session, view.task_id, profile.id) if view.step is Step.SOLVE else None
    new = unread(view.discussion.contributions, read) if view.discussion else 0
    return MyTask(view.task_id, view.question, view.step, lease, my_turn(view), new)


def mark_read(office: Office, viewer: Viewer, view: View) -> int:
    """Remember that the expert has seen the discussion that this view shows; return what was read before."""
    with office.read() as session:
        profile = office.who(session, viewer, Role.EXPERT)
        read = marks.all_of(session, profile.id).get(view.task_id, 0)
    entries = view.discussion.contributions if view.discussion else ()
    if entries and read < entries[-1].version:
        with suppress(StorageFailed), office.write() as session:  # a page is still read when nothing can be stored
            marks.save(session, view.task_id, profile.id, entries[-1].version)
    return read


def my_numbers(office: Office, viewer: Viewer) -> Numbers:
    """Return the expert's own figures, over all their tasks; about others they say nothing."""
    with office.read() as session:
        views = _views(session, office.who(session, viewer, Role.EXPERT))
    closed = [(view, view.discussion) for view in views if view.discussion and ending(view.discussion)]
    matches = [match for view, talk in closed if (match := _agrees(office, view, talk)) is not None]
    answered = [one for _, talk in closed for one in my_findings(talk) if one.finding.kind is not FindingKind.OWN_ERROR]
    return Numbers(
        sealed=sum(view.answer is not None for view in views),
        closed=len(closed),
        compared=len(matches),
        agreeing=sum(matches),
        findings=len(answered),
        fixed=sum(one.reply is not None and one.reply.fixed for one in answered),
        seconds=sum(
            event.active_seconds for view in views for event in (view.answer, view.review) if event is not None
        ),
    )


def _agrees(office: Office, view: View, talk: Discussion) -> bool | None:
    """Whether the own sealed answer equals the gold at the end; None without one, or for a removed task."""
    if view.answer is None or talk.state is State.REMOVED:
        return None
    return _equal(office, talk.revision.gold, view.answer.answer, talk.revision.rules)


@lru_cache(maxsize=1024)
def _equal(office: Office, gold: str, answer: str, rules: str) -> bool:
    """By digests, kept: the content of a digest never changes."""
    return comparing.outcome(office.table(gold), office.table(answer), comparing.rules_from(rules)).passed
