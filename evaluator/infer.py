"""A first proposal of rules for a gold table, from its cells alone, with a reason for every field."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from evaluator.cells import reader_for
from evaluator.numbers import CellError, exact_value, is_null, too_large_for_official
from evaluator.rules import ColumnRule, ColumnType, NumberMode, Rules, Unit
from evaluator.tables import Table

_USUAL_PLACES, _USUAL_DIGITS = 2, 12
_MOST_PLACES = 4
_CODE = re.compile(r"[+-]?0[0-9]+|[0-9]{12,}")


@dataclass(frozen=True, slots=True)
class Proposal:
    """Rules under which the table can be read, and why: one sentence a column, then one for the row order."""

    rules: Rules
    reasons: tuple[str, ...]


def infer_from_table(gold: Table, task_id: str) -> Proposal:
    """Return rules that read every cell of the table, the most specific type first.

    A column without any value is text. Codes with leading zeros, and digit strings of twelve and more,
    are text. Numbers compare as whole numbers if all are; else at the places that are written if at most
    four, but two at least; else at twelve significant digits. Nothing in a table says that its
    row order counts, so the proposal is that it does not.
    """
    found = [_column(i, name, cells) for i, (name, cells) in enumerate(zip(gold.header, gold.columns(), strict=True))]
    reasons = [f"{rule.gold_name or f'column {rule.gold_index + 1}'}: {reason}" for rule, reason in found]
    reasons.append("row order: not compared; a table does not show whether its order was asked for")
    return Proposal(Rules(task_id, False, tuple(rule for rule, _ in found)), tuple(reasons))


def _column(index: int, name: str, cells: Sequence[str]) -> tuple[ColumnRule, str]:
    values = [cell.strip() for cell in cells if not is_null(cell.strip())]
    if not values:
        return ColumnRule(index, name, ColumnType.TEXT), "text, as no cell has a value"
    if any(_CODE.fullmatch(value) for value in values):
        return ColumnRule(index, name, ColumnType.TEXT), "text, as some cells are codes (leading zeros or many digits)"
    for propose in (_boolean, _number, _moment):
        proposal = propose(index, name, values)
        if proposal is not None:
            return proposal
    return ColumnRule(index, name, ColumnType.TEXT), "text, as its cells are neither numbers, dates nor truth values"


def _reads(rule: ColumnRule, values: Sequence[str]) -> bool:
    """Whether gold may hold these values under the rule."""
    read = reader_for(rule)
    try:
        keys = [read(value) for value in values]
    except CellError:
        return False
    if rule.type is not ColumnType.NUMBER:
        return True
    return not any(key is not None and too_large_for_official(key, rule) for key in keys)


def _boolean(index: int, name: str, values: Sequence[str]) -> tuple[ColumnRule, str] | None:
    rule = ColumnRule(index, name, ColumnType.BOOLEAN)
    if set(values) <= {"0", "1"} or not _reads(rule, values):
        return None  # 0 and 1 are counts more often than truth values
    return rule, "boolean, as all cells are words for true and false"


def _number(index: int, name: str, values: Sequence[str]) -> tuple[ColumnRule, str] | None:
    percent = any(value.endswith("%") for value in values)
    unit = Unit.PERCENTAGE_POINTS if percent else Unit.PLAIN
    whole = ColumnRule(index, name, ColumnType.NUMBER, NumberMode.INTEGER, None, unit, percent)
    signs = "; percent signs occur and are allowed" if percent else ""
    if _reads(whole, values):
        return whole, f"whole numbers{signs}"
    exact = ColumnRule(index, name, ColumnType.NUMBER, NumberMode.SIGNIFICANT_DIGITS, _USUAL_DIGITS, unit, percent)
    if not _reads(exact, values):
        return None
    places = max(_places(value, exact) for value in values)
    if places > _MOST_PLACES:
        return exact, f"{_USUAL_DIGITS} significant digits, as some cells have {places} decimal places{signs}"
    digits = max(places, _USUAL_PLACES)
    rule = ColumnRule(index, name, ColumnType.NUMBER, NumberMode.DECIMAL_PLACES, digits, unit, percent)
    if not _reads(rule, values):
        return exact, f"{_USUAL_DIGITS} significant digits, as some cells are too large for decimal places{signs}"
    return rule, f"{digits} decimal places, as no cell has more than {places}{signs}"


def _places(value: str, rule: ColumnRule) -> int:
    number = exact_value(value, rule)
    exponent = 0 if number is None else number.normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _moment(index: int, name: str, values: Sequence[str]) -> tuple[ColumnRule, str] | None:
    for kind in (ColumnType.DATE, ColumnType.DATETIME):
        rule = ColumnRule(index, name, kind)
        if _reads(rule, values):
            return rule, f"{kind.value}, as all cells are ISO 8601 {kind.value}s"
    return None
