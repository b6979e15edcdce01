"""Where a task stands: what its events have made of it. The state is never a fact of its own."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from review_app.domain.content import Finding, FindingKind, Revision
from review_app.domain.events import (
    AnswerSealed,
    Event,
    RepairProposed,
    ReviewSubmitted,
)


class State(StrEnum):
    """Where a task stands in its life (DESIGN.md section 3)."""

    QUEUED = "queued"
    IN_REVIEW = "in_review"
    DISPUTED = "disputed"
    IN_RECHECK = "in_recheck"
    APPROVED = "approved"
    RELEASED = "released"
    REMOVED = "removed"


class Phase(StrEnum):
    """Where an expert stands inside a seat."""

    SOLVING = "solving"
    VERIFYING = "verifying"
    DONE = "done"


OPEN_STATES = frozenset({State.QUEUED, State.IN_REVIEW, State.DISPUTED, State.IN_RECHECK})
SEATS = (1, 2)


@dataclass(frozen=True)
class Seat:
    """One blind place of a round, held by `expert`, with what was sealed and submitted in it."""

    number: int
    expert: str
    assigned_at: datetime
    answer: AnswerSealed | None = None
    review: ReviewSubmitted | None = None

    @property
    def phase(self) -> Phase:
        """Solving until the answer is sealed, then verifying until the review is submitted."""
        if self.answer is None:
            return Phase.SOLVING
        return Phase.VERIFYING if self.review is None else Phase.DONE


@dataclass(frozen=True)
class Round:
    """One pass of blind dual review. `reviewers` discuss and recheck: the seat holders, unless replaced."""

    number: int
    revision: str
    seats: tuple[Seat, ...] = ()
    vacated: tuple[Seat, ...] = ()
    replaced: tuple[tuple[str, str], ...] = ()
    unblinded_by: frozenset[str] = frozenset()

    def seat_of(self, expert: str) -> Seat | None:
        """The seat that the expert holds now, or None."""
        return next((seat for seat in self.seats if seat.expert == expert), None)

    @property
    def free_seats(self) -> tuple[int, ...]:
        """Seat numbers that nobody holds, ascending."""
        taken = {seat.number for seat in self.seats}
        return tuple(number for number in SEATS if number not in taken)

    @property
    def done(self) -> bool:
        """Whether both reviews are submitted: from here on the experts see each other."""
        return len(self.seats) == len(SEATS) and all(seat.phase is Phase.DONE for seat in self.seats)

    @property
    def members(self) -> tuple[str, ...]:
        """Everyone who ever belonged to the round: the seats by number, then replacements in their order."""
        seats = sorted(self.seats, key=lambda seat: seat.number)
        return (*(seat.expert for seat in seats), *(new for _, new in self.replaced))

    @property
    def reviewers(self) -> tuple[str, ...]:
        """Who discusses and rechecks, by seat."""
        now = dict(self.replaced)
        return tuple(_follow(seat.expert, now) for seat in sorted(self.seats, key=lambda seat: seat.number))


def _follow(expert: str, replaced: dict[str, str]) -> str:
    while expert in replaced:
        expert = replaced[expert]
    return expert


@dataclass(frozen=True)
class Recheck:
    """One expert's confirm or objection since the task last entered in_recheck."""

    expert: str
    confirm: bool


@dataclass(frozen=True)
class Task:
    """All that follows from a task's events; `version` is their number.

    `discussion` pairs each contribution since the dispute with its version. `participants` sealed an answer or
    joined a discussion; `saw_gold` adds leads who looked early. `repaired`: a repair was accepted this round.
    `reviewed` is the revision that the round's experts solved and reviewed.
    """

    task_id: str
    version: int
    state: State
    revision: Revision
    language: str
    domain: str
    sibling: str
    instance: str
    max_rechecks: int
    rounds: tuple[Round, ...]
    reviewed: Revision
    discussion: tuple[tuple[int, Event], ...] = ()
    findings: tuple[Finding, ...] = ()
    answered: frozenset[str] = frozenset()
    proposal: RepairProposed | None = None
    proposed_at: int = 0
    rechecks: tuple[Recheck, ...] = ()
    objections: int = 0
    participants: frozenset[str] = frozenset()
    saw_gold: frozenset[str] = frozenset()
    unblinders: frozenset[str] = frozenset()
    releases: tuple[str, ...] = ()
    repaired: bool = False
    removed_because: str = ""
    undo: "Task | None" = field(default=None, repr=False)
    last: Event | None = None

    @property
    def round(self) -> Round:
        """The round that is under way, or the last one."""
        return self.rounds[-1]

    @property
    def open_findings(self) -> tuple[Finding, ...]:
        """Findings that no accepted repair or settlement has answered. An own error is no defect: it needs none."""
        return tuple(
            finding
            for finding in self.findings
            if finding.id not in self.answered and finding.kind is not FindingKind.OWN_ERROR
        )
