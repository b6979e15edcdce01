"""What two reviews of a round amount to: consensus, agreed rules, findings still to be answered."""

from review_app.domain.content import Finding, FindingKind, Reply, Verdict
from review_app.domain.events import ReviewSubmitted
from review_app.domain.task import SEATS, Round, Task


def has_consensus(current: Round) -> bool:
    """Whether a finished round agrees (DESIGN.md section 3).

    Both verdicts accept, both rules equal, at least one sealed answer matches the gold under those rules, and
    an expert whose answer does not match has said why (a finding of kind own_error).
    """
    reviews = [seat.review for seat in current.seats if seat.review is not None]
    if len(reviews) != len(SEATS) or any(review.verdict is not Verdict.ACCEPT for review in reviews):
        return False
    if len({review.rules_meaning for review in reviews}) != 1 or not any(_passed(review) for review in reviews):
        return False
    return all(_passed(review) or admits_own_error(review.findings) for review in reviews)


def _passed(review: ReviewSubmitted | None) -> bool:
    return review is not None and review.outcome is not None and review.outcome.passed


def admits_own_error(findings: tuple[Finding, ...]) -> bool:
    """Whether the expert explained the own mismatch."""
    return any(finding.kind is FindingKind.OWN_ERROR for finding in findings)


def agreed_rules(task: Task) -> str | None:
    """The rules that a settlement keeps: the repaired ones, else those both reviews wrote; None if they differ.

    A review without rules (its verdict was revise or reject) does not contradict the other's.
    """
    if task.repaired:
        return task.revision.rules or None
    reviews = [seat.review for seat in task.round.seats if seat.review and seat.review.rules]
    if len({review.rules_meaning for review in reviews}) > 1:
        return None
    return reviews[0].rules if reviews else task.revision.rules or None


def unanswered(task: Task, replies: tuple[Reply, ...]) -> list[str]:
    """Return the ids of open findings that the replies leave out."""
    answered = {reply.finding_id for reply in replies}
    return [finding.id for finding in task.open_findings if finding.id not in answered]
