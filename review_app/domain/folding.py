"""From events to a task: `apply` says what is true after an event and refuses impossible histories."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import singledispatch

from review_app.domain.consensus import agreed_rules, has_consensus, unanswered
from review_app.domain.content import Finding
from review_app.domain.errors import CorruptHistory
from review_app.domain.events import (
    AnswerSealed,
    DisputeSettled,
    Event,
    ExpertAssigned,
    FreshRoundCalled,
    LeadActionUndone,
    LeaseExpired,
    MessagePosted,
    RecheckSubmitted,
    RepairAccepted,
    RepairDeclined,
    RepairProposed,
    ReviewerReplaced,
    ReviewSubmitted,
    SeatReturned,
    SeatVacated,
    TaskImported,
    TaskReleased,
    TaskRemoved,
    TaskReopened,
    Unblinded,
)
from review_app.domain.task import OPEN_STATES, Phase, Recheck, Round, Seat, State, Task


def fold(events: Iterable[Event]) -> Task | None:
    """Return the task that the events give, None for no events.

    Raises:
        CorruptHistory: the history is impossible under the rules.
    """
    task: Task | None = None
    for event in events:
        task = apply(task, event)
    return task


def apply(task: Task | None, event: Event) -> Task:
    """Return what is true after the event.

    Raises:
        CorruptHistory: the event cannot follow; a stored history that gets here was tampered with.
    """
    if task is None:
        if not isinstance(event, TaskImported):
            raise CorruptHistory(f"a task begins with TaskImported, not with {type(event).__name__}")
        return _imported(event)
    if isinstance(event, TaskImported):
        raise CorruptHistory(f"{task.task_id} is imported twice")
    after = _after(event, task)
    undo = replace(task, undo=None) if isinstance(event, UNDOABLE) else None
    return replace(after, version=task.version + 1, undo=undo, last=event)


UNDOABLE = (
    SeatVacated,
    RepairAccepted,
    RepairDeclined,
    DisputeSettled,
    ReviewerReplaced,
    FreshRoundCalled,
    TaskRemoved,
    TaskReopened,
)


def _imported(event: TaskImported) -> Task:
    return Task(
        task_id=event.task_id,
        version=1,
        state=State.QUEUED,
        revision=event.revision,
        language=event.language,
        domain=event.domain,
        sibling=event.sibling,
        instance=event.instance,
        max_rechecks=event.max_rechecks,
        rounds=(Round(1, event.revision.digest),),
        reviewed=event.revision,
        last=event,
    )


@singledispatch
def _after(event: Event, task: Task) -> Task:
    raise CorruptHistory(f"nothing says what {type(event).__name__} does")


def _expect(condition: bool, task: Task, event: Event) -> None:
    if not condition:
        raise CorruptHistory(
            f"{task.task_id}: {type(event).__name__} cannot follow version {task.version} ({task.state})"
        )


def _with_round(task: Task, change: Callable[[Round], Round]) -> Task:
    return replace(task, rounds=(*task.rounds[:-1], change(task.round)))


def _with_seat(task: Task, seat: Seat) -> Task:
    others = tuple(other for other in task.round.seats if other.number != seat.number)
    seats = tuple(sorted((*others, seat), key=lambda one: one.number))
    return _with_round(task, lambda current: replace(current, seats=seats))


def _without_seat(task: Task, seat: Seat) -> Task:
    seats = tuple(other for other in task.round.seats if other.number != seat.number)
    state = State.IN_REVIEW if seats else State.QUEUED
    return replace(_with_round(task, lambda current: replace(current, seats=seats)), state=state)


def _held(task: Task, event: Event, expert: str) -> Seat:
    seat = task.round.seat_of(expert)
    _expect(seat is not None and task.state is State.IN_REVIEW, task, event)
    assert seat is not None
    return seat


@_after.register
def _(event: ExpertAssigned, task: Task) -> Task:
    _expect(task.state in (State.QUEUED, State.IN_REVIEW), task, event)
    _expect(event.seat in task.round.free_seats and task.round.seat_of(event.expert) is None, task, event)
    _expect(event.expert not in task.participants, task, event)
    seated = _with_seat(task, Seat(event.seat, event.expert, event.at))
    return replace(seated, state=State.IN_REVIEW)


@_after.register
def _(event: SeatReturned | LeaseExpired, task: Task) -> Task:
    seat = _held(task, event, event.expert)
    _expect(seat.answer is None, task, event)
    return _without_seat(task, seat)


@_after.register
def _(event: SeatVacated, task: Task) -> Task:
    seat = _held(task, event, event.expert)
    _expect(seat.review is None, task, event)
    freed = _without_seat(task, seat)
    if seat.answer is None:
        return freed
    return _with_round(freed, lambda current: replace(current, vacated=(*current.vacated, seat)))


@_after.register
def _(event: AnswerSealed, task: Task) -> Task:
    seat = _held(task, event, event.actor)
    _expect(seat.answer is None, task, event)
    sealed = _with_seat(task, replace(seat, answer=event))
    return replace(
        sealed,
        participants=task.participants | {event.actor},
        saw_gold=task.saw_gold | {event.actor},
    )


@_after.register
def _(event: ReviewSubmitted, task: Task) -> Task:
    seat = _held(task, event, event.actor)
    _expect(seat.phase is Phase.VERIFYING and _fresh(task, event.findings), task, event)
    done = _with_seat(task, replace(seat, review=event))
    done = replace(done, findings=(*task.findings, *event.findings))
    if not done.round.done:
        return done
    if has_consensus(done.round):
        revision = replace(done.revision, rules=event.rules)
        return replace(done, state=State.APPROVED, revision=revision)
    return replace(done, state=State.DISPUTED)


def _fresh(task: Task, findings: tuple[Finding, ...]) -> bool:
    ids = [finding.id for finding in (*task.findings, *findings)]
    return len(set(ids)) == len(ids)


def _discuss(event: Event, task: Task) -> Task:
    return replace(task, discussion=(*task.discussion, (task.version + 1, event)))


@_after.register
def _(event: MessagePosted, task: Task) -> Task:
    _expect(task.state in (State.DISPUTED, State.IN_RECHECK), task, event)
    return _discuss(event, task)


@_after.register
def _(event: RepairProposed, task: Task) -> Task:
    _expect(task.state is State.DISPUTED and event.before == task.revision.digest, task, event)
    _expect(task.proposal is None and task.objections < task.max_rechecks, task, event)
    _expect(not unanswered(task, event.replies), task, event)
    return replace(_discuss(event, task), proposal=event, proposed_at=task.version + 1)


@_after.register
def _(event: RepairAccepted, task: Task) -> Task:
    _expect(task.state is State.DISPUTED and task.proposal is not None, task, event)
    assert task.proposal is not None
    _expect(event.proposal == task.proposed_at and event.actor != task.proposal.actor, task, event)
    replies = {reply.finding_id for reply in task.proposal.replies}
    return replace(
        _discuss(event, task),
        state=State.IN_RECHECK,
        revision=task.proposal.after,
        proposal=None,
        rechecks=(),
        answered=task.answered | replies,
        repaired=True,
    )


@_after.register
def _(event: RepairDeclined, task: Task) -> Task:
    _expect(task.state is State.DISPUTED and task.proposal is not None, task, event)
    _expect(event.proposal == task.proposed_at, task, event)
    return replace(_discuss(event, task), proposal=None)


@_after.register
def _(event: DisputeSettled, task: Task) -> Task:
    _expect(task.state is State.DISPUTED and event.revision == task.revision.digest, task, event)
    _expect(task.proposal is None and not unanswered(task, event.replies), task, event)
    replies = {reply.finding_id for reply in event.replies}
    rules = agreed_rules(task)
    _expect(rules is not None, task, event)
    return replace(
        _discuss(event, task),
        state=State.IN_RECHECK,
        revision=replace(task.revision, rules=rules or ""),
        proposal=None,
        rechecks=(),
        answered=task.answered | replies,
    )


@_after.register
def _(event: RecheckSubmitted, task: Task) -> Task:
    _expect(task.state is State.IN_RECHECK and event.actor in task.round.reviewers, task, event)
    _expect(all(given.expert != event.actor for given in task.rechecks), task, event)
    _expect(event.revision == task.revision.digest and _fresh(task, event.findings), task, event)
    _expect(event.confirm or bool(event.findings), task, event)
    checked = replace(
        _discuss(event, task),
        rechecks=(*task.rechecks, Recheck(event.actor, event.confirm)),
        findings=(*task.findings, *event.findings),
    )
    if not event.confirm:
        return replace(checked, state=State.DISPUTED, objections=task.objections + 1)
    if {given.expert for given in checked.rechecks} >= set(task.round.reviewers):
        return replace(checked, state=State.APPROVED)
    return checked


@_after.register
def _(event: ReviewerReplaced, task: Task) -> Task:
    _expect(task.state in (State.DISPUTED, State.IN_RECHECK), task, event)
    _expect(event.old in task.round.reviewers and event.new not in task.participants, task, event)
    changed = _with_round(task, lambda current: replace(current, replaced=(*current.replaced, (event.old, event.new))))
    people = {event.new}
    return replace(
        _discuss(event, changed),
        participants=task.participants | people,
        saw_gold=task.saw_gold | people,
        rechecks=tuple(given for given in task.rechecks if given.expert != event.old),
    )


def _next_round(event: Event, task: Task) -> Task:
    fresh = Round(task.round.number + 1, task.revision.digest)
    return replace(
        _discuss(event, task),
        state=State.QUEUED,
        rounds=(*task.rounds, fresh),
        reviewed=task.revision,
        answered=task.answered | {finding.id for finding in task.findings},
        proposal=None,
        rechecks=(),
        objections=0,
        repaired=False,
        removed_because="",
    )


@_after.register
def _(event: FreshRoundCalled, task: Task) -> Task:
    _expect(task.state in (State.DISPUTED, State.IN_RECHECK), task, event)
    return _next_round(event, task)


@_after.register
def _(event: TaskReopened, task: Task) -> Task:
    _expect(task.state in (State.APPROVED, State.REMOVED, State.RELEASED), task, event)
    return _next_round(event, task)


@_after.register
def _(event: TaskRemoved, task: Task) -> Task:
    _expect(task.state in OPEN_STATES | {State.APPROVED}, task, event)
    return replace(_discuss(event, task), state=State.REMOVED, proposal=None, removed_because=event.reason)


@_after.register
def _(event: TaskReleased, task: Task) -> Task:
    _expect(task.state in (State.APPROVED, State.RELEASED) and event.release not in task.releases, task, event)
    _expect(event.revision == task.revision.digest, task, event)
    return replace(task, state=State.RELEASED, releases=(*task.releases, event.release))


@_after.register
def _(event: Unblinded, task: Task) -> Task:
    _expect(task.state is State.IN_REVIEW, task, event)
    seen = _with_round(task, lambda current: replace(current, unblinded_by=current.unblinded_by | {event.actor}))
    return replace(
        seen,
        saw_gold=task.saw_gold | {event.actor},
        unblinders=task.unblinders | {event.actor},
    )


@_after.register
def _(event: LeadActionUndone, task: Task) -> Task:
    _expect(task.undo is not None and event.undone == task.version, task, event)
    assert task.undo is not None
    # The action stays in the ledger; only what follows from it is taken back. What people saw stays seen.
    return replace(
        task.undo,
        version=task.version,
        participants=task.participants,
        saw_gold=task.saw_gold,
        unblinders=task.unblinders,
    )
