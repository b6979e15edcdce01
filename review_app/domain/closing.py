"""How a task ended, and what became of an expert's findings: read from the discussion that they may see."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from review_app.domain.blindness import Contribution, Discussion
from review_app.domain.content import Finding, Reply
from review_app.domain.events import DisputeSettled, RecheckSubmitted, RepairAccepted, RepairProposed
from review_app.domain.task import State


class Ending(StrEnum):
    """How a round came to its end."""

    AGREED = "agreed_at_once"
    REPAIRED = "repaired"
    SETTLED = "settled"
    REMOVED = "removed"


@dataclass(frozen=True)
class Answered:
    """One finding and what an accepted repair or a settlement said to it; None if nothing did."""

    finding: Finding
    reply: Reply | None


@dataclass(frozen=True)
class Numbers:
    """One expert's own figures. `agreeing` of `compared` sealed answers equal the gold of their closed task."""

    sealed: int = 0
    closed: int = 0
    compared: int = 0
    agreeing: int = 0
    findings: int = 0
    fixed: int = 0
    seconds: int = 0


def ending(discussion: Discussion) -> Ending | None:
    """Return how the round ended, None while it has not."""
    if discussion.state is State.REMOVED:
        return Ending.REMOVED
    if discussion.state not in (State.APPROVED, State.RELEASED):
        return None
    done = [type(entry.event) for entry in discussion.contributions]
    if RepairAccepted in done:
        return Ending.REPAIRED
    return Ending.SETTLED if DisputeSettled in done else Ending.AGREED


def replies_given(contributions: Sequence[Contribution]) -> dict[str, Reply]:
    """Return the reply to each finding, by its id, that an accepted repair or a settlement gave; the last counts."""
    proposed = {entry.version: entry.event for entry in contributions if isinstance(entry.event, RepairProposed)}
    given: dict[str, Reply] = {}
    for entry in contributions:
        if isinstance(entry.event, RepairAccepted) and entry.event.proposal in proposed:
            given |= {reply.finding_id: reply for reply in proposed[entry.event.proposal].replies}
        elif isinstance(entry.event, DisputeSettled):
            given |= {reply.finding_id: reply for reply in entry.event.replies}
    return given


def my_findings(discussion: Discussion) -> tuple[Answered, ...]:
    """Return the own findings, of review and rechecks, with their replies."""
    mine = [found for one in discussion.reviews if one.mine and one.review for found in one.review.findings]
    for entry in discussion.contributions:
        if entry.mine and isinstance(entry.event, RecheckSubmitted):
            mine += entry.event.findings
    given = replies_given(discussion.contributions)
    return tuple(Answered(finding, given.get(finding.id)) for finding in mine)
