"""Two revisions of a task against each other, for whoever may see both."""

from collections.abc import Iterable
from dataclasses import dataclass

from evaluator.diff import Diff
from evaluator.tables import Table
from review_app import comparing
from review_app.desk.office import Office
from review_app.domain.blindness import Contribution
from review_app.domain.content import Revision
from review_app.domain.errors import UnknownTask
from review_app.domain.events import RepairProposed


@dataclass(frozen=True)
class GoldChange:
    """The gold before and after, and the evaluator's diff; None where the old one does not read under the new rules."""

    before: Table
    after: Table
    diff: Diff | None


def shown_in(contributions: Iterable[Contribution], *revisions: Revision | None) -> frozenset[str]:
    """Return the digests of these revisions and of all that were ever proposed in the discussion."""
    proposed = [entry.event.after for entry in contributions if isinstance(entry.event, RepairProposed)]
    return frozenset(one.digest for one in (*revisions, *proposed) if one is not None)


def gold_change(office: Office, allowed: frozenset[str], before: Revision, after: Revision) -> GoldChange | None:
    """Return how the gold changed, None if it did not. `allowed` holds the digests that the person may see.

    Raises:
        UnknownTask: one of the revisions is not theirs to see.
    """
    if not {before.digest, after.digest} <= allowed:
        raise UnknownTask("there is no such revision to see")
    if before.gold == after.gold:
        return None
    old, new = office.table(before.gold), office.table(after.gold)
    return GoldChange(old, new, comparing.difference(old, new, comparing.rules_from(after.rules)))
