"""First rules of a task, from its SQL and its result. Experts write their own; these are the builder's proposal."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from evaluator.compare import check_gold, compare
from evaluator.errors import EvaluatorError
from evaluator.rules import ColumnRule, ColumnType, NumberMode, Rules, Unit, parse_rules, to_document
from evaluator.tables import Table, parse_table, to_csv
from pipeline.content import Reason, Rejected, Stage
from pipeline.sandbox import Answer, Cell
from pipeline.sql.outputs import Output

MOST_EXACT_PLACES = 4
USUAL_PLACES = 2
USUAL_DIGITS = 3
SMALLEST_FOR_PLACES = 0.1

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_DATETIME = re.compile(r"\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?", re.ASCII)
_PLAIN_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?", re.ASCII)
_PERCENT = re.compile(r"-?\d+(\.\d+)?\s?%", re.ASCII)
_CODE_NAME = re.compile(
    r"(^|[^a-z])(ids?|codes?|zip|phone|number|no|isbn|key)($|[^a-z])|编号|代码|编码|号码|电话|邮编|id$", re.IGNORECASE
)
_PERCENT_WORDS = re.compile(r"percent|per cent|%|％|百分|占比|比例|rate\b|ratio|proportion", re.IGNORECASE)


@dataclass(frozen=True)
class Inferred:
    """Rules with one sentence a column (and one for the order) that says why."""

    rules: Rules
    reasons: tuple[str, ...]


def infer_rules(
    task_id: str, question: str, answer: Answer, names: Sequence[str], origins: Sequence[Output], order: bool | None
) -> Inferred:
    """Return rules under which the gold is read as what it is.

    Args:
        names: the headers of the gold.
        origins: one a column, see `pipeline.sql.outputs`.
        order: whether the outermost query has an ORDER BY that leaves no different rows tied; None without one.

    Integers compare as integers. Floats compare at the places of their ROUND; else, if all are exact within
    four places (prices, sums of them; two places for averages and quotients), at those, but two at least;
    else at two places, which is what people write, or at three significant digits where a value
    below 0.1 would lose nearly all of them.
    """
    columns, reasons = [], []
    for at, (name, origin) in enumerate(zip(names, origins, strict=True)):
        cells = [row[at] for row in answer.rows if row[at] is not None]
        rule, why = _column(at, name, cells, origin, _asks_percent(question, name))
        columns.append(rule)
        reasons.append(f"{name}: {why}")
    reasons.append(f"row order: {_order_reason(order)}")
    return Inferred(Rules(task_id, bool(order), tuple(columns)), tuple(reasons))


def check_rules(gold: Table, rules: Rules) -> None:
    """Raise Rejected unless the official loader takes the rules and the gold reads and equals itself under them."""
    try:
        read = parse_rules(to_document(rules), task_id=rules.task_id)
        table = parse_table(to_csv(gold))
        check_gold(table, read)
        comparison = compare(table, table, read)
    except EvaluatorError as error:
        message = f"the gold cannot be read under the rules that fit its values: {error}"
        raise Rejected(Stage.RULES, Reason.RULES_DO_NOT_FIT, message, str(error)) from error
    if not comparison.passed:
        message = "the gold does not equal itself under the rules that fit its values"
        raise Rejected(Stage.RULES, Reason.RULES_DO_NOT_FIT, message, str(comparison.error))


def _order_reason(order: bool | None) -> str:
    if order is None:
        return "no ORDER BY outside, any order is right"
    return "ORDER BY fixes it" if order else "ORDER BY leaves different rows tied, so that several orders are right"


def _asks_percent(question: str, name: str) -> bool:
    return bool(_PERCENT_WORDS.search(question) or _PERCENT_WORDS.search(name))


def _column(at: int, name: str, cells: list[Cell], origin: Output, percent: bool) -> tuple[ColumnRule, str]:
    texts = [cell for cell in cells if isinstance(cell, str)]
    if not cells:
        return ColumnRule(at, name, ColumnType.TEXT), "every cell is NULL"
    if len(texts) == len(cells):
        return _text_column(at, name, texts)
    if texts:
        return ColumnRule(at, name, ColumnType.TEXT), "text and numbers mixed"
    numbers = [cell for cell in cells if isinstance(cell, int | float)]
    return _number_column(at, name, numbers, origin, percent)


def _text_column(at: int, name: str, texts: list[str]) -> tuple[ColumnRule, str]:
    if all(_DATE.fullmatch(text) for text in texts):
        return _if_readable(at, name, ColumnType.DATE, texts)
    if all(_DATE.fullmatch(text) or _DATETIME.fullmatch(text) for text in texts):
        return _if_readable(at, name, ColumnType.DATETIME, texts)
    if all(_PERCENT.fullmatch(text) for text in texts):
        digits = max(_places(text.rstrip("% ")) for text in texts)
        rule = ColumnRule(at, name, ColumnType.NUMBER, NumberMode.DECIMAL_PLACES, digits, Unit.PERCENTAGE_POINTS, True)
        return rule, f"percentages with at most {digits} decimals"
    if _CODE_NAME.search(name) or not all(_PLAIN_NUMBER.fullmatch(text) for text in texts):
        return ColumnRule(at, name, ColumnType.TEXT), "text, or a code written in digits"
    digits = max(_places(text) for text in texts)
    mode = NumberMode.DECIMAL_PLACES if digits else NumberMode.INTEGER
    rule = ColumnRule(at, name, ColumnType.NUMBER, mode, digits or None)
    return rule, f"numbers stored as text, with at most {digits} decimals"


def _if_readable(at: int, name: str, kind: ColumnType, texts: list[str]) -> tuple[ColumnRule, str]:
    rule = ColumnRule(at, name, kind)
    try:
        check_gold(
            Table((name,), tuple((text,) for text in texts)), Rules("task_0", False, (ColumnRule(0, name, kind),))
        )
    except EvaluatorError as error:
        return ColumnRule(at, name, ColumnType.TEXT), f"looks like {kind}, but: {error}"
    return rule, f"every cell is a {kind}"


def _number_column(
    at: int, name: str, numbers: list[int | float], origin: Output, percent: bool
) -> tuple[ColumnRule, str]:
    unit, allowed, note = _unit(numbers, origin, percent)
    if all(isinstance(number, int) for number in numbers):
        why = "COUNT gives integers" if origin.is_count else "every value is an integer"
        return ColumnRule(at, name, ColumnType.NUMBER, NumberMode.INTEGER, None, unit, allowed), why + note
    mode, digits, why = _precision([float(number) for number in numbers], origin)
    return ColumnRule(at, name, ColumnType.NUMBER, mode, digits, unit, allowed), why + note


def _precision(numbers: list[float], origin: Output) -> tuple[NumberMode, int, str]:
    if origin.rounded_to is not None:
        return NumberMode.DECIMAL_PLACES, origin.rounded_to, f"ROUND to {origin.rounded_to} places"
    exact = max(_places(format(Decimal(f"{number:.12g}"), "f")) for number in numbers)
    if exact <= (USUAL_PLACES if origin.divides else MOST_EXACT_PLACES):
        places = max(USUAL_PLACES, exact)
        return NumberMode.DECIMAL_PLACES, places, f"every value is exact within {places} places"
    smallest = min(abs(number) for number in numbers if number)
    if smallest >= SMALLEST_FOR_PLACES:
        return (
            NumberMode.DECIMAL_PLACES,
            USUAL_PLACES,
            f"more decimals than people write, compared at {USUAL_PLACES} places",
        )
    why = f"more decimals than people write and values below {SMALLEST_FOR_PLACES}: {USUAL_DIGITS} significant digits"
    return NumberMode.SIGNIFICANT_DIGITS, USUAL_DIGITS, why


def _unit(numbers: list[int | float], origin: Output, percent: bool) -> tuple[Unit, bool, str]:
    if not percent or not origin.divides:
        return Unit.PLAIN, False, ""
    if origin.times_hundred:
        return Unit.PERCENTAGE_POINTS, True, "; the SQL multiplies by 100, so that 12 and 12% are the same"
    if all(0 <= number <= 1 for number in numbers):
        return Unit.FRACTION, True, "; a share, so that 0.12 and 12% are the same"
    return Unit.PLAIN, False, ""


def _places(text: str) -> int:
    return len(text.partition(".")[2])
