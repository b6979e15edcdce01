"""What an expert may know of a task: everything their screens, files and exports show comes from `view_for`.

Until both seats are done the view does not depend on the other seat at all; before the own answer is sealed it
does not depend on gold, gold SQL, rules or builder notes either (DESIGN.md section 4). Proved by property tests.
"""

from dataclasses import dataclass
from enum import StrEnum

from review_app.domain.content import Finding, Revision, WorkspaceFile
from review_app.domain.errors import UnknownTask
from review_app.domain.events import AnswerSealed, Event, RepairProposed, ReviewSubmitted
from review_app.domain.task import Phase, Round, Seat, State, Task

LEAD = "Lead"
# One sentence for a task that is not there and for one of others.
NOT_MINE = "there is no task {task_id!r} on your desk; take one with “next task”"


class Step(StrEnum):
    """What the expert does now on the task."""

    SOLVE = "solve"
    VERIFY = "verify"
    WAIT = "wait"
    DISCUSS = "discuss"
    RECHECK = "recheck"
    CLOSED = "closed"


@dataclass(frozen=True)
class Seen:
    """A workspace file as an expert sees it: without the source tables that the builder put in."""

    path: str
    modality: str
    sha256: str
    size: int


@dataclass(frozen=True)
class Revealed:
    """What the own seal opens: gold (blob digest), its shape, its SQL (blob digest) and the rules so far."""

    gold: str
    gold_columns: tuple[str, ...]
    gold_rows: int
    gold_sql: str
    rules: str
    sampled_db: str


@dataclass(frozen=True)
class Reviewed:
    """One expert's sealed answer and review under a neutral letter ("A", "B").

    The review is None only for a lead who unblinded the round before it was submitted.
    """

    letter: str
    mine: bool
    answer: AnswerSealed
    review: ReviewSubmitted | None


@dataclass(frozen=True)
class Contribution:
    """One entry of the discussion under a neutral author: "A", "B", "C" ... or "Lead"."""

    author: str
    mine: bool
    version: int
    event: Event


@dataclass(frozen=True)
class Discussion:
    """What opens when both reviews are in.

    `me` is the own letter; `reviewed` the revision that the reviews are about, `revision` what stands now.
    """

    me: str
    reviews: tuple[Reviewed, ...]
    contributions: tuple[Contribution, ...]
    proposal: RepairProposed | None
    proposed_at: int
    proposal_is_mine: bool
    proposal_by_lead: bool
    open_findings: tuple[Finding, ...]
    rechecked: bool
    objections: int
    max_rechecks: int
    state: State
    revision: Revision
    reviewed: Revision


@dataclass(frozen=True)
class View:
    """All that one expert may know of one task now."""

    task_id: str
    question: str
    language: str
    domain: str
    files: tuple[Seen, ...]
    step: Step
    answer: AnswerSealed | None
    review: ReviewSubmitted | None
    revealed: Revealed | None
    discussion: Discussion | None


def view_for(task: Task, expert: str) -> View:
    """Return what the expert may know of the task.

    Raises:
        UnknownTask: the person has no part in the current round; says no more than for a task that is not there.
    """
    seat = task.round.seat_of(expert)
    replaced = {old for old, _ in task.round.replaced}
    takes_part = expert in task.round.reviewers if task.round.done else seat is not None
    if not takes_part and expert not in replaced:
        raise UnknownTask(NOT_MINE.format(task_id=task.task_id))
    sealed = seat is None or seat.phase is not Phase.SOLVING
    return View(
        task_id=task.task_id,
        question=task.revision.question,
        language=task.language,
        domain=task.domain,
        files=tuple(_seen(file) for file in task.revision.workspace),
        step=_step(task, seat, expert),
        answer=seat.answer if seat else None,
        review=seat.review if seat else None,
        revealed=_revealed(task.revision) if sealed else None,
        discussion=_discussion(task, expert) if task.round.done else None,
    )


def _seen(file: WorkspaceFile) -> Seen:
    return Seen(file.path, file.modality, file.sha256, file.size)


def _revealed(revision: Revision) -> Revealed:
    return Revealed(
        gold=revision.gold,
        gold_columns=revision.gold_columns,
        gold_rows=revision.gold_rows,
        gold_sql=revision.gold_sql,
        rules=revision.rules,
        sampled_db=revision.sampled_db,
    )


def _step(task: Task, seat: Seat | None, expert: str) -> Step:
    if task.state is State.REMOVED:
        return Step.CLOSED
    if not task.round.done:
        assert seat is not None
        return {Phase.SOLVING: Step.SOLVE, Phase.VERIFYING: Step.VERIFY, Phase.DONE: Step.WAIT}[seat.phase]
    if expert not in task.round.reviewers:
        return Step.CLOSED
    return {State.DISPUTED: Step.DISCUSS, State.IN_RECHECK: Step.RECHECK}.get(task.state, Step.CLOSED)


def letters(current: Round) -> dict[str, str]:
    """Return a neutral letter for everyone who took part in the round: seats first, then replacements."""
    return {person: chr(ord("A") + place) for place, person in enumerate(current.members)}


def reviews_of(current: Round, viewer: str = "") -> tuple[Reviewed, ...]:
    """Return what is sealed in a round, with the reviews that are submitted, under the experts' letters."""
    names = letters(current)
    return tuple(
        Reviewed(names[seat.expert], seat.expert == viewer, seat.answer, seat.review)
        for seat in sorted(current.seats, key=lambda seat: seat.number)
        if seat.answer is not None
    )


def contributions_of(task: Task, viewer: str = "") -> tuple[Contribution, ...]:
    """Return the discussion, oldest first.

    Experts of an earlier round carry its number behind their letter ("A1"); whoever was no expert is "Lead".
    """
    names: dict[str, str] = {}
    for current in task.rounds:
        number = "" if current is task.round else str(current.number)
        names |= {person: letter + number for person, letter in letters(current).items()}
    return tuple(
        Contribution(names.get(event.actor, LEAD), event.actor == viewer, version, event)
        for version, event in task.discussion
    )


def _discussion(task: Task, expert: str) -> Discussion:
    proposal = task.proposal
    return Discussion(
        me=letters(task.round).get(expert, ""),
        reviews=reviews_of(task.round, expert),
        contributions=contributions_of(task, expert),
        proposal=proposal,
        proposed_at=task.proposed_at,
        proposal_is_mine=proposal is not None and proposal.actor == expert,
        proposal_by_lead=proposal is not None and proposal.actor not in task.round.members,
        open_findings=task.open_findings,
        rechecked=any(given.expert == expert for given in task.rechecks),
        objections=task.objections,
        max_rechecks=task.max_rechecks,
        state=task.state,
        revision=task.revision,
        reviewed=task.reviewed,
    )
