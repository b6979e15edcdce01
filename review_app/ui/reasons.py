"""Why the tool proposes a rule, in the person's language. The reasons themselves are made in English."""

import re

from evaluator.rules import ColumnRule
from review_app.ui.page import Page
from review_app.ui.plain import md

_WORDS = {
    r"text, as no cell has a value": "Text: no cell has a value.",
    r"text, as some cells are codes .*": "Text: some cells are codes (leading zeros or many digits).",
    r"text, as its cells are neither .*": "Text: the cells are neither numbers, dates nor truth values.",
    r"boolean, as .*": "Truth values: all cells are words for true and false.",
    r"whole numbers, the SQL counts": "Whole numbers: the SQL counts.",
    r"whole numbers(; percent.*)?": "Whole numbers: all cells are.",
    r"\d+ significant digits, as some cells have (?P<n>\d+) .*": (
        "Significant digits: some cells have {n} decimal places."
    ),
    r"\d+ significant digits, as some cells are too large.*": (
        "Significant digits: some cells are too large for decimal places."
    ),
    r"\d+ decimal places, as no cell has more than (?P<n>\d+).*": "Decimal places: no cell has more than {n}.",
    r"(?P<n>\d+) decimal places, the SQL rounds to them": "Decimal places: the SQL rounds to {n}.",
    r"date, as .*": "Dates: all cells are ISO 8601 dates.",
    r"datetime, as .*": "Dates with a time: all cells are in ISO 8601 form.",
    r"row order: compared, the SQL orders its rows": "The SQL orders its rows.",
    r"row order: not compared; .*": "A table does not show whether its order was asked for.",
}
_PERCENT = "percent signs occur and are allowed"


def of_column(page: Page, rule: ColumnRule, reason: str) -> str:
    """Return the reason for a column's rule, which names the column (by its number where it has no name)."""
    return words(page, reason.removeprefix(f"{rule.gold_name or f'column {rule.gold_index + 1}'}: "))


def words(page: Page, reason: str) -> str:
    """Return a reason of a proposal, ready for Markdown; an unknown one as it is."""
    for pattern, template in _WORDS.items():
        match = re.fullmatch(pattern, reason)
        if match:
            said = page.t(template, **match.groupdict())
            return f"{said} {page.t('Percent signs occur.')}" if _PERCENT in reason else said
    return md(reason)
