"""What kind of disagreement two numbers are."""

from __future__ import annotations

from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal
from itertools import pairwise

from evaluator.numbers import CellError, canonical_number, exact_value, number_reader
from evaluator.rules import ColumnRule, ColumnType, NumberMode

# Classes are hints: beyond these sizes numbers are "other", so that no hint costs more than the verdict.
_MAX_TEXT = 120
_MAX_EXPONENT = 400
_WORK = Context(prec=600, rounding=ROUND_HALF_UP)
_NOISE, _ONE = Decimal("1e-9"), Decimal(1)
_ANY = ColumnRule(0, "", ColumnType.NUMBER, NumberMode.SIGNIFICANT_DIGITS, 30)

SCALES = {
    "scale x100": Decimal(100),
    "scale /100": Decimal("0.01"),
    "scale x1000": Decimal(1000),
    "scale /1000": Decimal("0.001"),
    "scale x10^4": Decimal(10**4),
    "scale /10^4": Decimal("1e-4"),
    "scale x10^6": Decimal(10**6),
    "scale /10^6": Decimal("1e-6"),
    "scale x10^8": Decimal(10**8),
    "scale /10^8": Decimal("1e-8"),
}
"""How many times too large the prediction is; 10^4 and 10^8 are 万 and 亿."""


def number_class(gold: str, prediction: str, gold_value: str, prediction_value: str, rule: ColumnRule) -> str:
    """Return how two numbers that disagree under a rule differ.

    Args:
        gold, prediction: the raw cells.
        gold_value, prediction_value: their canonical numbers.
        rule: the number rule.
    """
    one, other = _small(gold, rule), _small(prediction, rule)
    if one is None or other is None:
        return "other"
    return (
        _rounding_class(one, other, gold_value, prediction_value, rule)
        or _scale_class(gold_value, other, rule)
        or "other"
    )


def divided(cell: str, factor: Decimal, rule: ColumnRule | None = None) -> str:
    """Return a raw number cell divided by a factor, as a raw cell; a cell too large to handle unchanged."""
    value = _small(cell, rule or _ANY)
    return cell if value is None else format(_WORK.divide(value, factor), "f")


def lowered(cell: str, amount: Decimal, rule: ColumnRule) -> str:
    """Return a raw number cell less an amount, as a raw cell; a cell too large to handle unchanged."""
    value = _small(cell, rule)
    return cell if value is None else format(_WORK.subtract(value, amount), "f")


def negated(cell: str, rule: ColumnRule) -> str:
    """Return a raw number cell with the other sign; a cell too large to handle unchanged."""
    value = _small(cell, rule)
    return cell if value is None else format(-value, "f")


def rounded_to_places_of(cell: str, model: str, rounding: str, rule: ColumnRule) -> str:
    """Return a raw number cell rounded to as many places as another one has (a sub-kind of V5 says how)."""
    value, like = _small(cell, rule), _small(model, rule)
    return cell if value is None or like is None else format(_rounded_like(value, like, _ROUNDINGS[rounding]), "f")


def shared_factor(pairs: list[tuple[str, str]], rule: ColumnRule) -> Decimal | None:
    """Return the factor, from the pair of largest gold, by which all predictions are gold; None if there is none.

    Args:
        pairs: raw (gold, prediction) cells that disagree, at least two.
        rule: the number rule.
    """
    values = _values(pairs, rule)
    if len(values) < 2:
        return None
    gold, prediction = max(values, key=lambda pair: abs(pair[0]))
    if not gold or not prediction:
        return None
    factor = _WORK.divide(prediction, gold)
    fits = all(abs(other - one * factor) <= abs(other) * _NOISE for one, other in values)
    return factor if fits else None


def shared_offset(pairs: list[tuple[str, str]], rule: ColumnRule) -> Decimal | None:
    """Return the one amount that all predictions lie above gold, None if there is none."""
    values = _values(pairs, rule)
    gaps = [p - g for g, p in values]
    if len(gaps) < 2 or any(abs(one - other) > _NOISE * max(abs(one), _ONE) for one, other in pairwise(gaps)):
        return None
    return gaps[0]


def within(gold: str, prediction: str, rule: ColumnRule, *, relative: str = "0", absolute: str = "0") -> bool:
    """Return whether two raw number cells are as near as a tolerance asks."""
    one, other = _small(gold, rule), _small(prediction, rule)
    if one is None or other is None:
        return False
    return abs(one - other) <= max(Decimal(absolute), Decimal(relative) * abs(one))


def _values(pairs: list[tuple[str, str]], rule: ColumnRule) -> list[tuple[Decimal, Decimal]]:
    read = [(_small(gold, rule), _small(prediction, rule)) for gold, prediction in pairs]
    values = [(one, other) for one, other in read if one is not None and other is not None]
    return values if len(values) == len(pairs) else []


def _small(cell: str, rule: ColumnRule) -> Decimal | None:
    """Return a raw cell's exact value if it is a number of ordinary size."""
    if len(cell) > _MAX_TEXT:
        return None
    try:
        value = exact_value(cell, rule)
    except CellError:
        return None
    if value is None or (value and abs(value.adjusted()) > _MAX_EXPONENT):
        return None
    return value


def _rounding_class(one: Decimal, other: Decimal, gold: str, prediction: str, rule: ColumnRule) -> str | None:
    gap, grid = abs(one - other), _grid(one, rule)
    if gap < grid and gap <= abs(one) * _NOISE:
        return "rounding boundary"
    for name, rounding in _ROUNDINGS.items():
        if _coarser(other, one) and _rounded_like(one, other, rounding) == other:
            return name
    if abs(Decimal(gold) - Decimal(prediction)) == grid:
        return "one grid step"
    if one and gap <= abs(one) * Decimal("1e-6"):
        return "float noise"
    return "sign" if one == -other else None


_ROUNDINGS = {
    "rounded to fewer digits": ROUND_HALF_UP,
    "half to even": ROUND_HALF_EVEN,  # before "truncated": where it differs from half up, both fit
    "truncated": ROUND_DOWN,
}


def _coarser(other: Decimal, one: Decimal) -> bool:
    return _places(other) < _places(one)


def _rounded_like(value: Decimal, like: Decimal, rounding: str) -> Decimal:
    return value.quantize(Decimal((0, (1,), -_places(like))), rounding=rounding, context=_WORK)


def _places(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return -exponent if isinstance(exponent, int) else 0


def _grid(value: Decimal, rule: ColumnRule) -> Decimal:
    if rule.mode is NumberMode.INTEGER:
        return Decimal(1)
    digits = rule.digits or 0
    place = -digits if rule.mode is NumberMode.DECIMAL_PLACES else (value.adjusted() if value else 0) - digits + 1
    return Decimal((0, (1,), place))


def _scale_class(gold: str, other: Decimal, rule: ColumnRule) -> str | None:
    read = number_reader(_without_percent(rule))
    for name, factor in SCALES.items():
        try:
            if read(format(_WORK.divide(other, factor), "f")) == gold:
                return name
        except CellError:
            continue  # not integral at this scale
    return None


def _without_percent(rule: ColumnRule) -> ColumnRule:
    return ColumnRule(rule.gold_index, rule.gold_name, rule.type, rule.mode, rule.digits)


def plain(value: Decimal) -> str:
    """Return a number for people, at most twelve digits."""
    return canonical_number(Context(prec=12).plus(value))
