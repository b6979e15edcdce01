"""The agreement report in Chinese, for the page."""

from dataclasses import replace
from typing import Any

from review_app.agreement.report import Table
from review_app.ui.sentences import Sentences
from review_app.ui.words import FOLDER, ZH

CATALOGUE = FOLDER / "agreement.po"
# What people wrote or gave names to, by table and column, and in the strata by what they stand for: never translated.
WRITTEN = frozenset({("removed", 0), ("differences", 0)})
NAMES = frozenset({"domain", "language", "modalities", "experts"})
# Columns of members of our enums, which the screens name.
MEMBERS = frozenset({("repairs", 0), ("marginals", 1), ("marginals", 2)})

chinese = Sentences(CATALOGUE, frozenset({"judgement"}), frozenset(), {}).chinese


def table_in_chinese(table: Table) -> Table:
    """Return a table of the report with every text of ours in Chinese; figures and what people wrote stay."""
    return replace(
        table,
        title=chinese(table.title),
        note=chinese(table.note),
        columns=tuple(map(chinese, table.columns)),
        rows=tuple(tuple(_cell(table.name, row, place) for place in range(len(row))) for row in table.rows),
    )


def _cell(name: str, row: tuple[Any, ...], place: int) -> Any:
    value = row[place]
    if not isinstance(value, str) or (name, place) in WRITTEN or (name == "answers" and place and row[0] in NAMES):
        return value
    return ZH.get(value) or chinese(value) if (name, place) in MEMBERS else chinese(value)
