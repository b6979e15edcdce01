"""Number cells: exact decimal arithmetic on the text, in work bounded by the text's length.

A canonical number is a short text: digits, a point, an exponent where that is shorter. Nothing is
expanded, so `1e400000000` stays eleven characters.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal, InvalidOperation

from evaluator.rules import ColumnRule, NumberMode, Unit

NULLS = frozenset(("", "null", "none", "nan", "nat", "<na>"))
MAX_KEY_DIGITS = 60
_PLAIN = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?:[eE][+-]?\d+)?")

_EXACT = Context(prec=MAX_PREC, rounding=ROUND_HALF_UP, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])
# A percentage becomes a fraction in 28 digits, half to even: the official arithmetic, kept for parity.
_PERCENT = Context(prec=28, rounding=ROUND_HALF_EVEN, Emin=-999_999, Emax=999_999, traps=[])
_HUNDRED = Decimal(100)

# The official comparison has 100 digits and exponents to 999,999; beyond, it ends the whole run.
_OFFICIAL_DIGITS = 100
_OFFICIAL_EMAX = 999_999
_OFFICIAL_ETINY = -_OFFICIAL_EMAX - _OFFICIAL_DIGITS + 1
_OFFICIAL_SHIFT = 2 * (_OFFICIAL_EMAX + _OFFICIAL_DIGITS)


class CellError(ValueError):
    """A cell cannot be read as its column's type; the message says why."""


def is_null(stripped: str) -> bool:
    """Return whether a stripped cell is one of the null words (every type but text)."""
    return len(stripped) <= 4 and stripped.casefold() in NULLS


def number_reader(rule: ColumnRule) -> Callable[[str], str | None]:
    """Return a function from a raw cell to its canonical number (None for null) under a number rule.

    Equal canonical texts mean numbers that agree under the rule. The function raises CellError for a
    cell that is no number, has a percent sign where none is allowed, or is not integral under `integer`.
    """
    rounded = _rounding(rule)

    def read(cell: str) -> str | None:
        value = exact_value(cell, rule)
        return None if value is None else canonical_number(rounded(value))

    return read


def number_key_reader(rule: ColumnRule) -> Callable[[str], str | int | None]:
    """Return a function from a raw cell to a key that equals another one iff the numbers agree under the rule.

    Where the rule has a grid (decimal places, whole numbers) the key counts its steps; numbers too large
    for that, and significant digits, have a text. Errors are those of `number_reader`.
    """
    rounded = _rounding(rule)
    digits = None if rule.mode is NumberMode.SIGNIFICANT_DIGITS else rule.digits or 0
    if rule.mode is NumberMode.INTEGER:
        digits = 0

    def read(cell: str) -> str | int | None:
        value = exact_value(cell, rule)
        return None if value is None else _key(rounded(value), digits)

    return read


def _key(value: Decimal, digits: int | None) -> str | int:
    if digits is None:
        value = _EXACT.normalize(value)
        if value and not -MAX_KEY_DIGITS < value.adjusted() < MAX_KEY_DIGITS:
            return str(value)
        text = format(value, "f")
        return "0" if text == "-0" else text
    if value and value.adjusted() + digits > MAX_KEY_DIGITS:
        return canonical_number(value)
    return int(_EXACT.scaleb(value, digits))


def exact_value(cell: str, rule: ColumnRule) -> Decimal | None:
    """Return a raw cell's value before it is rounded, None for null; raises CellError as `number_reader` says."""
    text = cell.strip()
    if is_null(text):
        return None
    if not text.endswith("%"):
        return parse_decimal(text)
    if not rule.allow_percent_sign:
        raise CellError("a percent sign is not allowed here")
    value = parse_decimal(text[:-1].strip())
    return _hundredth(value) if rule.unit is Unit.FRACTION else value


def parse_decimal(text: str) -> Decimal:
    """Return the exact value of a stripped text without a percent sign.

    Raises:
        CellError: not a plain or comma-grouped decimal number, or an exponent beyond 10**18.
    """
    if "," in text:
        if not _GROUPED.fullmatch(text):
            raise CellError("the commas do not group digits by three")
        text = text.replace(",", "")
    elif not _PLAIN.fullmatch(text):
        raise CellError("this is not a number")
    try:
        return Decimal(text)
    except InvalidOperation as error:
        raise CellError("the exponent is too large") from error


def canonical_number(value: Decimal) -> str:
    """Return the one text for a value: no trailing zeros, no minus zero, an exponent instead of padding."""
    text = str(_EXACT.normalize(value))
    return "0" if text == "-0" else text


def too_large_for_official(number: str | int, rule: ColumnRule) -> bool:
    """Return whether the official evaluator dies on the number of this key, so that no gold may hold it."""
    if isinstance(number, int) or (len(number) <= MAX_KEY_DIGITS and "E" not in number):
        return False
    if rule.mode is NumberMode.INTEGER:
        return False
    adjusted = Decimal(number).adjusted()
    digits = rule.digits or 0
    if rule.mode is NumberMode.DECIMAL_PLACES:
        return adjusted + 1 + digits > _OFFICIAL_DIGITS
    return adjusted > _OFFICIAL_EMAX or adjusted - digits + 1 < -_OFFICIAL_SHIFT


def _hundredth(value: Decimal) -> Decimal:
    quotient = _PERCENT.divide(value, _HUNDRED)
    return quotient if quotient.is_finite() else _EXACT.scaleb(value, -2)


def _rounding(rule: ColumnRule) -> Callable[[Decimal], Decimal]:
    if rule.mode is NumberMode.INTEGER:
        return _integral
    digits = rule.digits or 0
    if rule.mode is NumberMode.DECIMAL_PLACES:
        return _to_places(digits)
    return _to_significant(digits)


def _integral(value: Decimal) -> Decimal:
    integral = value.to_integral_value()
    if integral != value:
        raise CellError("this is not a whole number")
    return integral


def _to_places(places: int) -> Callable[[Decimal], Decimal]:
    grid = Decimal((0, (1,), -places))

    def rounded(value: Decimal) -> Decimal:
        # Only a value finer than the grid is rounded: quantising 1e400000000 would write it out.
        return _EXACT.quantize(value, grid) if _exponent(value) < -places else value

    return rounded


def _to_significant(digits: int) -> Callable[[Decimal], Decimal]:
    def rounded(value: Decimal) -> Decimal:
        if not value:
            return value
        grid = value.adjusted() - digits + 1
        if -_OFFICIAL_SHIFT <= grid < _OFFICIAL_ETINY:
            grid = _OFFICIAL_ETINY  # the official arithmetic underflows here, and a tiny number becomes 0
        if _exponent(value) >= grid:
            return value
        return _EXACT.quantize(value, Decimal((0, (1,), grid)))

    return rounded


def _exponent(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    assert isinstance(exponent, int), "a parsed number is finite"
    return exponent
