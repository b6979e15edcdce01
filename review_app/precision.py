"""How far apart two numbers are, and how coarse a rule would have to be to take them for equal."""

from dataclasses import replace
from decimal import Context, Decimal

from evaluator.cells import reader_for
from evaluator.diff_numbers import plain
from evaluator.numbers import CellError, exact_value
from evaluator.rules import ColumnRule, ColumnType, NumberMode

_MOST_DIGITS = 400  # larger numbers are not for people
_WORK = Context(prec=600)


def delta(gold: str, answer: str, rule: ColumnRule) -> str | None:
    """Return answer less gold as a signed text, None where either is no number (or no ordinary one) under the rule."""
    values = _values(gold, answer, rule)
    if values is None:
        return None
    gap = plain(_WORK.subtract(values[1], values[0]))
    return gap if gap.startswith("-") else f"+{gap}"


def factor(gold: str, answer: str, rule: ColumnRule) -> str | None:
    """Return answer over gold, None where either is no ordinary number or gold is 0."""
    values = _values(gold, answer, rule)
    return None if values is None or not values[0] else plain(_WORK.divide(values[1], values[0]))


def _values(gold: str, answer: str, rule: ColumnRule) -> tuple[Decimal, Decimal] | None:
    if rule.type is not ColumnType.NUMBER:
        return None
    try:
        one, other = exact_value(gold, rule), exact_value(answer, rule)
    except CellError:
        return None
    if one is None or other is None or any(_is_large(value) for value in (one, other)):
        return None
    return one, other


def _is_large(value: Decimal) -> bool:
    return bool(value) and abs(value.adjusted()) > _MOST_DIGITS


def equal_at(pairs: tuple[tuple[str, str], ...], rule: ColumnRule) -> int | None:
    """Return the most digits, fewer than the rule's, at which all (gold, answer) cells agree; None if none do.

    Digits are decimal places or significant digits, as the rule counts. Whole numbers have no coarser rule.
    """
    if rule.type is not ColumnType.NUMBER or rule.digits is None or rule.mode is NumberMode.INTEGER or not pairs:
        return None
    least = 0 if rule.mode is NumberMode.DECIMAL_PLACES else 1
    for digits in range(rule.digits - 1, least - 1, -1):
        if _agree(pairs, replace(rule, digits=digits)):
            return digits
    return None


def _agree(pairs: tuple[tuple[str, str], ...], rule: ColumnRule) -> bool:
    read = reader_for(rule)
    try:
        return all(read(gold) == read(answer) for gold, answer in pairs)
    except CellError:
        return False
