"""What the statistics rest on: of each task, the first round's two blind answers and reviews, and how it went on.

A case is made from the task's events alone, and from what the evaluator says of the tables they name. Nothing that was
said after both reviews were in changes what two experts judged blind.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from review_app.domain.content import FindingKind, Origin, Verdict
from review_app.domain.events import (
    AnswerSealed,
    DisputeSettled,
    Event,
    FreshRoundCalled,
    LeadActionUndone,
    RecheckSubmitted,
    RepairAccepted,
    RepairProposed,
    ReviewSubmitted,
    TaskImported,
    TaskRemoved,
    TaskReopened,
)
from review_app.domain.folding import apply
from review_app.domain.task import Round, State, Task


@dataclass(frozen=True)
class Judgement:
    """One expert's blind work: sealed table (digest), verdict, rules as canonical JSON, own outcome, active seconds.

    `matches_gold` is what the evaluator said of the own answer under the own rules; None without rules. `proposed`
    names the fields of the rules that were taken or changed from the tool's proposal.
    """

    expert: str
    answer: str
    verdict: Verdict
    rules: dict[str, Any] | None
    matches_gold: bool | None
    own_error: bool
    solving_seconds: int
    checking_seconds: int
    sealed_at: datetime
    submitted_at: datetime
    proposed: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Compared:
    """What the evaluator says of the two sealed tables against each other; None where it could not say it."""

    equal: bool | None = None
    row_f1: float | None = None
    cell_accuracy: float | None = None
    codes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Case:
    """A task whose first round is done, with its strata and how it ended."""

    task_id: str
    domain: str
    language: str
    modalities: str
    joins: str
    ordered: bool
    rows: int
    judgements: tuple[Judgement, Judgement]
    gold: str
    rules: str
    imported_at: datetime
    opened_at: datetime
    closed_at: datetime | None
    state: State
    rounds: int
    settled_by: str
    repairs: tuple[str, ...]
    objections: int
    removed_because: str
    unblinded: bool
    compared: Compared = field(default_factory=Compared)

    @property
    def pair(self) -> str:
        """The two experts' ids, in order."""
        return " + ".join(sorted(judgement.expert for judgement in self.judgements))


def case_of(events: Iterable[Event]) -> Case | None:
    """Return the case of a task, None while its first round is not done. What tables and SQL say comes later."""
    history = list(events)
    task: Task | None = None
    first: Round | None = None
    opened: datetime | None = None
    for event in history:
        task = apply(task, event)
        if first is None and task.round.number == 1 and task.round.done:
            first, opened = task.round, event.at
    if task is None or first is None or opened is None:
        return None
    history = _standing(history)
    imported = next(event for event in history if isinstance(event, TaskImported))
    revision = imported.revision
    seats = sorted(first.seats, key=lambda seat: seat.number)
    one, other = (_judgement(seat.answer, seat.review) for seat in seats if seat.answer and seat.review)
    return Case(
        task_id=task.task_id,
        domain=task.domain,
        language=task.language,
        modalities=" + ".join(sorted({file.modality for file in revision.workspace})) or "none",
        joins="",
        ordered=bool(json.loads(revision.rules).get("order_sensitive")),
        rows=revision.gold_rows,
        judgements=(one, other),
        gold=revision.gold,
        rules=revision.rules,
        imported_at=imported.at,
        opened_at=opened,
        closed_at=_closed(history, task),
        state=task.state,
        rounds=len(task.rounds),
        settled_by=_settled_by(history, task),
        repairs=_repairs(history),
        objections=sum(isinstance(event, RecheckSubmitted) and not event.confirm for event in history),
        removed_because=task.removed_because,
        unblinded=bool(first.unblinded_by),
    )


def _standing(history: list[Event]) -> list[Event]:
    """The history in which each action that was undone gives place to its undoing; versions stay what they are."""
    undone = {event.undone: event for event in history if isinstance(event, LeadActionUndone)}
    return [undone.get(version, event) for version, event in enumerate(history, start=1)]


def _judgement(answer: AnswerSealed, review: ReviewSubmitted) -> Judgement:
    return Judgement(
        expert=review.actor,
        answer=answer.answer,
        verdict=review.verdict,
        rules=json.loads(review.rules_meaning) if review.rules_meaning else None,
        matches_gold=review.outcome.passed if review.outcome else None,
        own_error=any(finding.kind is FindingKind.OWN_ERROR for finding in review.findings),
        solving_seconds=answer.active_seconds,
        checking_seconds=review.active_seconds,
        sealed_at=answer.at,
        submitted_at=review.at,
        proposed=frozenset(set_.field for set_ in review.rules_origins if set_.origin is not Origin.OWN),
    )


def _closed(history: list[Event], task: Task) -> datetime | None:
    """When the task last came to an end, None while it is open. A release is no end of the review."""
    if task.state not in (State.APPROVED, State.RELEASED, State.REMOVED):
        return None
    ends = (ReviewSubmitted, RecheckSubmitted, TaskRemoved)
    return max(event.at for event in history if isinstance(event, ends))


def _settled_by(history: list[Event], task: Task) -> str:
    """At which step the task was settled, counting over all rounds."""
    if task.state is State.REMOVED:
        return "removed"
    if task.state not in (State.APPROVED, State.RELEASED):
        return "open"
    if any(isinstance(event, FreshRoundCalled | TaskReopened) for event in history):
        return "another round"
    if any(isinstance(event, RepairAccepted) for event in history):
        return "repair"
    return "settlement" if any(isinstance(event, DisputeSettled) for event in history) else "at once"


def _repairs(history: list[Event]) -> tuple[str, ...]:
    """The category of each accepted repair, in order."""
    proposed = {number: event for number, event in enumerate(history, start=1) if isinstance(event, RepairProposed)}
    accepted = [event.proposal for event in history if isinstance(event, RepairAccepted)]
    return tuple(proposed[number].category.value for number in accepted if number in proposed)
