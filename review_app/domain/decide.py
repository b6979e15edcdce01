"""May this happen? One rule an event, as in the table of DESIGN.md section 3; each refusal says what to do.

`decide` looks at the task as read, the event that is proposed and the person who proposes it. What the task alone
cannot tell (a person's other tasks, whether a table reads) comes in as Facts, found by the desk beforehand.
"""

from dataclasses import dataclass
from functools import singledispatch

from review_app.domain.consensus import agreed_rules, unanswered
from review_app.domain.content import Reply, Verdict
from review_app.domain.errors import (
    ConflictOfInterest,
    Incomplete,
    NotAllowed,
    NotAssigned,
    NotPossible,
    Unfit,
)
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
    TaskReleased,
    TaskRemoved,
    TaskReopened,
    Unblinded,
)
from review_app.domain.evidence import check_evidence, check_findings
from review_app.domain.people import Person, Role
from review_app.domain.task import OPEN_STATES, Phase, Seat, State, Task


@dataclass(frozen=True)
class Facts:
    """What the task alone cannot tell.

    `assignee` is who would get a seat; `knows_gold` says that this person saw the gold elsewhere (as lead, or
    through a sibling). `lease_over`: the seat's lease has run out. `problem` is the desk's sentence about what was
    handed in (a table that breaks the CSV contract, rules that do not fit), empty for none.
    """

    assignee: Person | None = None
    knows_gold: bool = False
    lease_over: bool = False
    problem: str = ""


NO_FACTS = Facts()


def decide(task: Task, event: Event, person: Person, facts: Facts = NO_FACTS) -> None:
    """Return for an event that may happen now.

    Raises:
        ReviewError: it may not; the message names the reason and what to do instead.
    """
    if not person.active:
        raise NotAllowed("this account is disabled; ask an admin to enable it")
    _may(event, task, person, facts)


@singledispatch
def _may(event: Event, task: Task, person: Person, facts: Facts) -> None:
    raise NotAllowed(f"no rule allows {type(event).__name__}")


def need_role(person: Person, role: Role) -> None:
    """Refuse whoever does not carry the role.

    Raises:
        NotAllowed: the account lacks the role or is disabled.
    """
    if not person.has(role):
        raise NotAllowed(f"only a person with the role {role.value!r} may do this; ask an admin for the role")


def _deciding_lead(person: Person, task: Task) -> None:
    need_role(person, Role.LEAD)
    if person.id in task.unblinders:
        raise ConflictOfInterest("you unblinded this task; another lead has to decide on it")
    if person.id in task.participants:
        raise ConflictOfInterest("you took part in this task as an expert; another lead has to decide on it")


def _in_state(task: Task, *states: State) -> None:
    if task.state not in states:
        wanted = " or ".join(state.value for state in states)
        raise NotPossible(
            f"{task.task_id} is {task.state.value}; this needs {wanted}. Reload the page to see what changed"
        )


def _reason(text: str) -> None:
    if not text.strip():
        raise Incomplete("write down the reason; it is kept in the ledger")


def _seat(task: Task, person: Person) -> Seat:
    seat = task.round.seat_of(person.id)
    if seat is None:
        raise NotAssigned(f"you hold no seat on {task.task_id}; take it again with “next task” while it is free")
    _in_state(task, State.IN_REVIEW)
    return seat


@_may.register
def _(event: ExpertAssigned, task: Task, person: Person, facts: Facts) -> None:
    _in_state(task, State.QUEUED, State.IN_REVIEW)
    assignee = facts.assignee
    if assignee is None or assignee.id != event.expert:
        raise NotAllowed("name the person who is to get the seat")
    if person.id != assignee.id:
        _deciding_lead(person, task)
    need_role(assignee, Role.EXPERT)
    objection = seat_objection(task, assignee, facts.knows_gold)
    if objection:
        raise ConflictOfInterest(objection)
    if event.seat not in task.round.free_seats:
        raise NotPossible(f"that seat of {task.task_id} is taken; ask for the next task")


def seat_objection(task: Task, expert: Person, knows_gold: bool) -> str:
    """Say why the expert may not take a seat of the current round, empty if nothing speaks against it."""
    if task.round.seat_of(expert.id) is not None:
        return "this person already holds a seat on the task"
    if expert.id in task.participants:
        return "this person took part in the task before"
    if knows_gold or expert.id in task.saw_gold:
        return "this person has seen the gold of this task or of a sibling"
    if not expert.fits(task.domain, task.language):
        return f"this person does not cover the domain {task.domain!r} in the language {task.language!r}"
    return ""


@_may.register
def _(event: SeatReturned, task: Task, person: Person, facts: Facts) -> None:
    _reason(event.reason)
    if person.id != event.expert:
        _deciding_lead(person, task)
    seat = task.round.seat_of(event.expert)
    if seat is None:
        raise NotAssigned(f"there is no seat on {task.task_id} to give back")
    _in_state(task, State.IN_REVIEW)
    if seat.phase is not Phase.SOLVING:
        raise NotPossible("the answer is sealed, so the seat cannot be given back; submit the review")


@_may.register
def _(event: LeaseExpired, task: Task, person: Person, facts: Facts) -> None:
    _in_state(task, State.IN_REVIEW)
    seat = task.round.seat_of(event.expert)
    if seat is None or seat.phase is not Phase.SOLVING or not facts.lease_over:
        raise NotPossible("that seat's lease has not run out")


@_may.register
def _(event: SeatVacated, task: Task, person: Person, facts: Facts) -> None:
    _deciding_lead(person, task)
    _reason(event.reason)
    _in_state(task, State.IN_REVIEW)
    seat = task.round.seat_of(event.expert)
    if seat is None:
        raise NotAssigned("that person holds no seat on the task")
    if seat.phase is Phase.DONE:
        raise NotPossible("that seat's review is submitted; it cannot be vacated")


@_may.register
def _(event: AnswerSealed, task: Task, person: Person, facts: Facts) -> None:
    need_role(person, Role.EXPERT)
    if _seat(task, person).phase is not Phase.SOLVING:
        raise NotPossible("your answer is already sealed; it cannot be changed")
    if facts.problem:
        raise Unfit(facts.problem)


@_may.register
def _(event: ReviewSubmitted, task: Task, person: Person, facts: Facts) -> None:
    need_role(person, Role.EXPERT)
    phase = _seat(task, person).phase
    if phase is Phase.SOLVING:
        raise NotPossible("seal your answer first; the gold is shown after that")
    if phase is Phase.DONE:
        raise NotPossible("your review is already submitted; it cannot be changed")
    check_findings(event.findings, task.revision.workspace)
    if facts.problem:
        raise Unfit(facts.problem)
    if event.verdict is Verdict.ACCEPT:
        if not event.rules or event.outcome is None:
            raise Incomplete("accepting the gold needs rules for every column; fill in the rules form")
    elif not event.findings:
        raise Incomplete(f"the verdict {event.verdict.value!r} needs at least one finding that says what is wrong")


def _discussant(task: Task, person: Person) -> None:
    if person.id not in task.round.reviewers:
        _deciding_lead(person, task)


@_may.register
def _(event: MessagePosted, task: Task, person: Person, facts: Facts) -> None:
    _discussant(task, person)
    _in_state(task, State.DISPUTED, State.IN_RECHECK)
    if not event.text.strip():
        raise Incomplete("the message is empty; write something first")
    if event.about and event.about not in {finding.id for finding in task.findings}:
        raise NotPossible(f"there is no finding {event.about!r} to answer; reload the page")
    check_evidence(event.evidence, task.revision.workspace)


@_may.register
def _(event: RepairProposed, task: Task, person: Person, facts: Facts) -> None:
    _discussant(task, person)
    _in_state(task, State.DISPUTED)
    _reason(event.reason)
    if task.objections >= task.max_rechecks:
        raise NotPossible(
            f"{task.objections} objections were raised; a lead must remove the task or call a fresh round"
        )
    if task.proposal is not None:
        raise NotPossible("another repair is waiting; decide on it (or withdraw it) first")
    if event.before != task.revision.digest:
        raise NotPossible("the task changed since you opened it; reload and propose again")
    if event.after == task.revision:
        raise Incomplete("nothing changes; edit the question, the gold or the rules, or settle the dispute")
    _answers_all(task, event.replies)
    if facts.problem:
        raise Unfit(facts.problem)


def _answers_all(task: Task, replies: tuple[Reply, ...]) -> None:
    missing = unanswered(task, replies)
    if missing:
        raise Incomplete(f"say for each finding whether it is fixed or declined; missing: {', '.join(missing)}")


def _shown(task: Task, revision: str) -> None:
    if revision != task.revision.digest:
        raise NotPossible("the task changed since you opened it; reload the page and look again")


def _open_proposal(task: Task, version: int) -> RepairProposed:
    if task.proposal is None:
        raise NotPossible("there is no repair to decide on; it may have been withdrawn. Reload the page")
    if version != task.proposed_at:
        raise NotPossible("another repair was proposed since you opened the page; reload it and read that one")
    return task.proposal


@_may.register
def _(event: RepairAccepted, task: Task, person: Person, facts: Facts) -> None:
    if person.id not in task.round.reviewers:
        _deciding_lead(person, task)
    _in_state(task, State.DISPUTED)
    _reason(event.reason)
    proposer = _open_proposal(task, event.proposal).actor
    if person.id == proposer:
        raise ConflictOfInterest("the own repair is accepted by somebody else: a lead, or an expert of the round")
    if proposer in task.round.members:
        _deciding_lead(person, task)
    elif person.id not in task.round.reviewers:
        raise ConflictOfInterest("a lead's repair is accepted by an expert of the round")


@_may.register
def _(event: RepairDeclined, task: Task, person: Person, facts: Facts) -> None:
    if person.id not in task.round.reviewers:
        _deciding_lead(person, task)
    _in_state(task, State.DISPUTED)
    _reason(event.reason)
    if person.id != _open_proposal(task, event.proposal).actor:
        _deciding_lead(person, task)


@_may.register
def _(event: DisputeSettled, task: Task, person: Person, facts: Facts) -> None:
    _deciding_lead(person, task)
    _in_state(task, State.DISPUTED)
    _reason(event.reason)
    _shown(task, event.revision)
    if task.proposal is not None:
        raise NotPossible("a repair is waiting; decline it first")
    if task.objections >= task.max_rechecks:
        raise NotPossible("too many objections were raised; remove the task or call a fresh round")
    _answers_all(task, event.replies)
    if agreed_rules(task) is None:
        raise NotPossible("the two reviews' rules differ; settle that with a repair of the rules")
    if facts.problem:
        raise Unfit(facts.problem)


@_may.register
def _(event: RecheckSubmitted, task: Task, person: Person, facts: Facts) -> None:
    need_role(person, Role.EXPERT)
    if person.id not in task.round.reviewers:
        raise NotAssigned(f"you do not take part in {task.task_id}")
    _in_state(task, State.IN_RECHECK)
    _shown(task, event.revision)
    if any(given.expert == person.id for given in task.rechecks):
        raise NotPossible("your recheck is already given")
    if not event.confirm and not event.findings:
        raise Incomplete("an objection needs a finding that says what is still wrong")
    check_findings(event.findings, task.revision.workspace)


@_may.register
def _(event: ReviewerReplaced, task: Task, person: Person, facts: Facts) -> None:
    _deciding_lead(person, task)
    _in_state(task, State.DISPUTED, State.IN_RECHECK)
    _reason(event.reason)
    if event.old not in task.round.reviewers:
        raise NotPossible("the person to be replaced does not take part in this round")
    if facts.assignee is None or facts.assignee.id != event.new:
        raise NotAllowed("name the person who is to take over")
    need_role(facts.assignee, Role.EXPERT)
    objection = seat_objection(task, facts.assignee, facts.knows_gold)
    if objection:
        raise ConflictOfInterest(objection)


@_may.register
def _(event: FreshRoundCalled, task: Task, person: Person, facts: Facts) -> None:
    _deciding_lead(person, task)
    _in_state(task, State.DISPUTED, State.IN_RECHECK)
    _reason(event.reason)


@_may.register
def _(event: TaskRemoved, task: Task, person: Person, facts: Facts) -> None:
    _deciding_lead(person, task)
    _in_state(task, *sorted(OPEN_STATES), State.APPROVED)
    _reason(event.reason)


@_may.register
def _(event: TaskReopened, task: Task, person: Person, facts: Facts) -> None:
    _deciding_lead(person, task)
    _in_state(task, State.APPROVED, State.REMOVED, State.RELEASED)
    _reason(event.reason)


@_may.register
def _(event: TaskReleased, task: Task, person: Person, facts: Facts) -> None:
    need_role(person, Role.LEAD)
    _in_state(task, State.APPROVED, State.RELEASED)
    if event.release in task.releases:
        raise NotPossible(f"{task.task_id} is already in the release {event.release!r}; choose another name")
    if event.revision != task.revision.digest:
        raise NotPossible(f"{task.task_id} changed while the release was written; write it again")


@_may.register
def _(event: Unblinded, task: Task, person: Person, facts: Facts) -> None:
    need_role(person, Role.LEAD)
    _in_state(task, State.IN_REVIEW)
    _reason(event.reason)


@_may.register
def _(event: LeadActionUndone, task: Task, person: Person, facts: Facts) -> None:
    need_role(person, Role.LEAD)
    if task.undo is None or task.last is None or event.undone != task.version:
        raise NotPossible("there is nothing to undo: something happened on the task since, or it cannot be undone")
    if task.last.actor != person.id:
        raise ConflictOfInterest("only the person who acted may undo it")
