"""What kind of disagreement two cells are: one class each, the first that fits."""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime

from evaluator.cells import text_reader
from evaluator.dates import parse_moment
from evaluator.diff_causes import cause_of
from evaluator.diff_numbers import number_class
from evaluator.numbers import NULLS, CellError, parse_decimal
from evaluator.rules import ColumnRule, ColumnType

_NULL_WORDS = NULLS | {"n/a", "na", "-", "--", "\\n", "nil", "无", "空"}
_INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\u00ad\u180e\ufe0e\ufe0f]")


def classify(gold: str, prediction: str, rule: ColumnRule) -> str:
    """Return code and sub-kind of two raw cells that disagree under a rule, such as `V4 case only`."""
    read = text_reader(rule)
    try:
        other = read(prediction)
    except CellError:
        return f"T1 {cause_of(prediction, rule)}"
    try:
        one = read(gold)
    except CellError:
        return f"T1 {cause_of(gold, rule)}"
    if one is None or other is None:
        return _null_class(one, other, rule)
    if rule.type is ColumnType.TEXT:
        return f"V4 {text_class(one, other)}"
    if rule.type is ColumnType.NUMBER:
        return f"V5 {number_class(gold, prediction, one, other, rule)}"
    if rule.type is ColumnType.BOOLEAN:
        return "V7 flipped"
    return f"V6 {moment_class(one, other)}"


def _null_class(gold: str | None, prediction: str | None, rule: ColumnRule) -> str:
    there = prediction if gold is None else gold
    assert there is not None, "two nulls agree"
    if rule.type is ColumnType.TEXT and there.casefold() in _NULL_WORDS:
        return "V3 null word"
    if there == "0":
        return "V2 null and zero"
    return "V1 null in prediction" if prediction is None else "V1 null in gold"


def text_class(gold: str, prediction: str) -> str:
    """Return how two different canonical texts differ: what would have to be ignored to make them equal."""
    for name, fold in FOLDS.items():
        if fold(gold) == fold(prediction):
            return name
    if _same_number(gold, prediction):
        return "number formatting"
    if _same_moment(gold, prediction):
        return "date formatting"
    if gold and prediction and (gold in prediction or prediction in gold):
        return "prefix or suffix"
    return "other"


def without_punctuation(text: str) -> str:
    """Return the text without punctuation, symbols and white space, folded."""
    kept = (char for char in unicodedata.normalize("NFKC", text) if unicodedata.category(char)[0] in "LNM")
    return "".join(kept).casefold()


FOLDS = {
    "case only": str.casefold,
    "width only": lambda text: unicodedata.normalize("NFKC", text),
    "invisible characters": lambda text: _INVISIBLE.sub("", text).strip(),
    "white space": lambda text: "".join(text.split()),
    "case and white space": lambda text: "".join(text.split()).casefold(),
    "punctuation": without_punctuation,
}
"""Sub-kinds of V4 that are "equal if this is ignored", from the narrowest to the widest."""


def _same_number(gold: str, prediction: str) -> bool:
    try:
        return parse_decimal(gold) == parse_decimal(prediction)
    except CellError:
        return False


def _same_moment(gold: str, prediction: str) -> bool:
    try:
        return parse_moment(loose_date(gold)) == parse_moment(loose_date(prediction))
    except CellError:
        return False


_LOOSE = re.compile(r"(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*日?(.*)", re.DOTALL)


def loose_date(text: str) -> str:
    """Return a date written with slashes, dots, 年月日 or one-digit months in ISO form; other texts unchanged."""
    match = _LOOSE.fullmatch(text.strip())
    if not match:
        return text.strip()
    year, month, day, rest = match.groups()
    return f"{year}-{int(month):02d}-{int(day):02d}{rest}"


def moment_class(gold: str, prediction: str) -> str:
    """Return how two different canonical dates or datetimes differ."""
    one, other = _moment(gold), _moment(prediction)
    if gold.endswith("Z") != prediction.endswith("Z"):
        return "time zone missing" if one == other else "time zone missing, other time"
    for name, holds in _MOMENT_CLASSES.items():
        if holds(one, other):
            return name
    return "other"


def _moment(text: str) -> datetime:
    return parse_moment(text)[0]


def _hours(one: datetime, other: datetime) -> bool:
    seconds = abs((one - other).total_seconds())
    return 0 < seconds <= 14 * 3600 and seconds % 900 == 0


def _swapped(one: datetime, other: datetime) -> bool:
    return (one.year, one.month, one.day) == (other.year, other.day, other.month) and one.time() == other.time()


def _time_lost(one: datetime, other: datetime) -> bool:
    return one.date() == other.date() and datetime.min.time() in (one.time(), other.time())


def _month_edges(one: datetime, other: datetime) -> bool:
    if (one.year, one.month) != (other.year, other.month):
        return False
    return 1 in (one.day, other.day) and max(one.day, other.day) == _last_day(one)


def _last_day(moment: datetime) -> int:
    following = (moment.month % 12) + 1
    year = moment.year + (moment.month == 12)
    return 31 if year > 9999 else (datetime(year, following, 1) - datetime(moment.year, moment.month, 1)).days


_MOMENT_CLASSES = {
    "month start and end": _month_edges,
    "day and month swapped": _swapped,
    "one day": lambda one, other: abs((one - other).total_seconds()) == 86_400,
    "time part lost": _time_lost,
    "shifted by hours": _hours,
}
