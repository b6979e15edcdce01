"""Do the published figures follow from the chains and the sealed answers?"""

import json
from collections.abc import Iterator
from typing import Any

from evaluator.tables import Table, parse_table
from review_app.audit.bundle import Bundle
from review_app.audit.chains import withheld
from review_app.audit.report import Area, Check, failed, proved, unproved
from review_app.domain.errors import CorruptHistory
from review_app.release_statistics import agreement_of, counts_of

STATISTICS, AGREEMENT = "statistics.json", "agreement.json"


def check_statistics(bundle: Bundle) -> Iterator[Check]:
    """Recompute every figure and compare it digit by digit with what is published."""
    if any(withheld(bundle, task_id) for task_id in bundle.heads):
        yield unproved(Area.STATISTICS, STATISTICS, "some chains withhold values; the private bundle has them")
        return
    try:
        histories = [bundle.events(task_id) for task_id in bundle.heads]
        for name, again in ((STATISTICS, counts_of), (AGREEMENT, agreement_of)):
            yield from _compared(bundle, name, again(histories, Published(bundle)))
    except (OSError, ValueError, KeyError, CorruptHistory) as error:
        yield failed(Area.STATISTICS, STATISTICS, f"the figures cannot be recomputed: {error}")


class Published:
    """Tables and texts of a bundle, by the digests that the chains name."""

    def __init__(self, bundle: Bundle) -> None:
        self.bundle = bundle

    def table(self, digest: str) -> Table:
        """Return a table by its digest."""
        return parse_table(self.bundle.blob(digest))

    def text(self, digest: str) -> str:
        """Return a text by its digest."""
        return self.bundle.blob(digest).decode()


def _compared(bundle: Bundle, name: str, again: dict[str, Any]) -> Iterator[Check]:
    said: dict[str, Any] = json.loads((bundle.root / name).read_text(encoding="utf-8"))
    plain = json.loads(json.dumps(again))
    for figure in sorted({*said, *plain}):
        if said.get(figure) == plain.get(figure):
            yield proved(Area.STATISTICS, f"{name}: {figure}")
        else:
            yield failed(Area.STATISTICS, f"{name}: {figure}", "the chains give another figure")
