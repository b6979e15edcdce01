"""Certificates: repair the cells of one class and compare again; if the tables are then equal, it is proved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal

from evaluator.compare import compare
from evaluator.dates import parse_moment
from evaluator.diff_causes import repaired
from evaluator.diff_numbers import SCALES, divided, lowered, negated, rounded_to_places_of
from evaluator.diff_values import FOLDS, loose_date
from evaluator.errors import EvaluatorError
from evaluator.numbers import canonical_number, is_null, parse_decimal
from evaluator.rules import ColumnRule, Rules
from evaluator.tables import Table

_FLIPPED = {"1": "0", "true": "false", "yes": "no", "y": "n", "是": "否"}
_FLIPPED |= {false: true for true, false in _FLIPPED.items()}


@dataclass(frozen=True, slots=True)
class CellPair:
    """Two disagreeing cells; rows count data rows from 0, `kind` is code and sub-kind."""

    gold_row: int
    prediction_row: int
    gold_column: int
    prediction_column: int
    gold: str
    prediction: str
    kind: str
    shift: str = ""  # what all cells of the column share: a factor, an amount, seconds


def would_be_equal(gold: Table, prediction: Table, rules: Rules) -> bool:
    """Return whether two tables are equal under the rules; a gold that cannot be read equals nothing."""
    try:
        return compare(gold, prediction, rules).passed
    except EvaluatorError:
        return False


def proved(gold: Table, prediction: Table, rules: Rules, pairs: Sequence[CellPair]) -> bool:
    """Return whether the tables are equal once every disagreeing cell is repaired by its class."""
    changed_gold: dict[tuple[int, int], str] = {}
    changed_prediction: dict[tuple[int, int], str] = {}
    for pair in pairs:
        try:
            repair = _repair(pair, rules.columns[pair.gold_column])
        except (ValueError, OverflowError):
            return False  # a moment that would leave the calendar
        if repair is None:
            return False
        changed_gold[pair.gold_row, pair.gold_column] = repair[0]
        changed_prediction[pair.prediction_row, pair.prediction_column] = repair[1]
    return would_be_equal(_with(gold, changed_gold), _with(prediction, changed_prediction), rules)


def _with(table: Table, changed: dict[tuple[int, int], str]) -> Table:
    rows = [list(row) for row in table.rows]
    for (row, column), cell in changed.items():
        rows[row][column] = cell
    return Table(table.header, tuple(map(tuple, rows)))


def _repair(pair: CellPair, rule: ColumnRule) -> tuple[str, str] | None:
    """Return both cells as the pair's class says they were meant, None if the class proves nothing."""
    code, _, detail = pair.kind.partition(" ")
    gold, prediction = pair.gold, pair.prediction
    if code == "T1":
        cell = repaired(prediction, detail, rule)
        return None if cell is None else (gold, cell)
    if code == "V2":
        return ("0" if is_null(gold.strip()) else gold, "0" if is_null(prediction.strip()) else prediction)
    if code == "V3":
        return ("" if gold.strip() else gold, "" if prediction.strip() else prediction)
    if code == "V4":
        return _text_repair(gold, prediction, detail)
    if code == "V5":
        return _number_repair(pair, detail, rule)
    if code == "V6":
        return _moment_repair(pair, detail)
    if code == "V7":
        flipped = _FLIPPED.get(prediction.strip().casefold())
        return None if flipped is None else (gold, flipped)
    return None


def _text_repair(gold: str, prediction: str, detail: str) -> tuple[str, str] | None:
    if detail == "date formatting":
        one, other = parse_moment(loose_date(gold)), parse_moment(loose_date(prediction))
        return one[0].isoformat(), other[0].isoformat()
    if detail == "number formatting":
        return canonical_number(parse_decimal(gold.strip())), canonical_number(parse_decimal(prediction.strip()))
    fold = FOLDS.get(detail)
    return None if fold is None else (fold(gold.strip()), fold(prediction.strip()))


def _number_repair(pair: CellPair, detail: str, rule: ColumnRule) -> tuple[str, str] | None:
    if detail in ("rounded to fewer digits", "truncated", "half to even"):
        return rounded_to_places_of(pair.gold, pair.prediction, detail, rule), pair.prediction
    if detail == "sign":
        return pair.gold, negated(pair.prediction, rule)
    if detail in SCALES:
        return pair.gold, divided(pair.prediction, SCALES[detail], rule)
    if detail == "constant factor":
        return pair.gold, divided(pair.prediction, Decimal(pair.shift), rule)
    if detail == "constant offset":
        return pair.gold, lowered(pair.prediction, Decimal(pair.shift), rule)
    return None


def _moment_repair(pair: CellPair, detail: str) -> tuple[str, str] | None:
    moment, aware = parse_moment(pair.prediction.strip())
    zone = "Z" if aware else ""
    if detail == "time zone missing":
        return (parse_moment(pair.gold.strip())[0].isoformat(), moment.isoformat())
    if detail == "time part lost":
        return pair.gold.strip()[:10], pair.prediction.strip()[:10]
    if detail == "day and month swapped":
        return pair.gold, moment.replace(month=moment.day, day=moment.month).isoformat() + zone
    if pair.shift:
        return pair.gold, (moment - timedelta(seconds=float(pair.shift))).isoformat() + zone
    return None
