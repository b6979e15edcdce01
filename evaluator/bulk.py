"""Whole columns of plainly written cells, read at once: the same keys as cell by cell, many times faster.

Each reader takes all or nothing: keys for every cell, or None if one is not plainly written. Cells are
joined to one text with NUL between, which no cell of a parsed table holds.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache, partial

from evaluator.rules import ColumnRule, ColumnType, NumberMode
from evaluator.texts import SHORT

Key = str | int | None

_MAX_PLACES = 8
_PLACES = f"{{1,{_MAX_PLACES}}}"
_NUMBER = rf"-?(?:0|[1-9][0-9]{{0,14}})(?:\.[0-9]{_PLACES})?"
_DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_MOMENT = rf"{_DAY}[T ](?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"


@dataclass(frozen=True, slots=True)
class BulkReader:
    """How plainly written cells are recognised one by one, or all at once, and read all at once."""

    is_plain: Callable[[str], object]
    column: Callable[[Sequence[str]], list[Key] | None]
    all_plain: Callable[[Sequence[str]], object] | None = None


def bulk_reader(rule: ColumnRule) -> BulkReader:
    """Return the reader of plainly written cells of a column under a rule."""
    if rule.type is ColumnType.NUMBER:
        whole = rule.mode is NumberMode.INTEGER
        return BulkReader(_is_number, partial(_numbers, rule), _whole_numbers if whole else _plain_numbers)
    if rule.type is ColumnType.TEXT:
        return BulkReader(bool, _texts, lambda _: True)
    if rule.type is ColumnType.DATE:
        return BulkReader(_is_day, _days)
    if rule.type is ColumnType.DATETIME:
        return BulkReader(re.compile(_MOMENT).fullmatch, _moments)
    return BulkReader(lambda _: False, lambda _: None)  # truth values: few different cells


def _every(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?:(?:{pattern})\0)*+")


_is_number = re.compile(_NUMBER).fullmatch
_all_numbers, _all_moments = _every(_NUMBER).fullmatch, _every(_MOMENT).fullmatch


def _texts(cells: Sequence[str]) -> list[Key] | None:
    joined = "\0".join(map(str.strip, cells))
    if "\r" in joined or joined.count("\0") != len(cells) - 1:
        return None
    if not joined.isascii():
        if max(map(len, cells)) > SHORT:
            return None  # the library may be slow with these
        joined = unicodedata.normalize("NFC", joined)
    return [text or None for text in joined.split("\0")]


def _days(cells: Sequence[str]) -> list[Key] | None:
    return list(cells) if all(map(_is_day, cells)) else None


def _moments(cells: Sequence[str]) -> list[Key] | None:
    if not _all_moments("\0".join(cells) + "\0") or not all(_is_day(cell[:10]) for cell in cells):
        return None
    return [cell.replace(" ", "T") for cell in cells]


@lru_cache(maxsize=1 << 15)
def _is_day(text: str) -> bool:
    if not re.fullmatch(_DAY, text):
        return False
    try:
        date(int(text[:4]), int(text[5:7]), int(text[8:]))
    except ValueError:
        return False
    return True


def _plain_numbers(cells: Sequence[str]) -> bool:
    return bool(_all_numbers("\0".join(cells) + "\0"))


def _whole_numbers(cells: Sequence[str]) -> bool:
    return _plain_numbers(cells) and not any("." in cell for cell in cells)


def _numbers(rule: ColumnRule, cells: Sequence[str]) -> list[Key] | None:
    joined = "\0".join(cells) + "\0"
    if not _all_numbers(joined):
        return None
    if rule.mode is NumberMode.INTEGER:
        return None if "." in joined else list(map(int, cells))
    digits = rule.digits or 0
    if rule.mode is NumberMode.DECIMAL_PLACES:
        return _to_grid(cells, digits)
    # Nothing to round: as many characters as digits compared, and the point.
    return _without_zeros(cells) if max(map(len, cells)) <= digits + ("." in joined) else None


def _without_zeros(cells: Sequence[str]) -> list[Key]:
    keys = [cell.rstrip("0").rstrip(".") if "." in cell else cell for cell in cells]
    return ["0" if key == "-0" else key for key in keys]


def _to_grid(cells: Sequence[str], digits: int) -> list[Key]:
    """Return the numbers in steps of the grid, half a step rounded up in magnitude."""
    numbers = [
        int(whole + fraction.ljust(_MAX_PLACES, "0")) for whole, _, fraction in [cell.partition(".") for cell in cells]
    ]
    if digits >= _MAX_PLACES:
        scale = 10 ** (digits - _MAX_PLACES)
        return [number * scale for number in numbers]
    step = 10 ** (_MAX_PLACES - digits)
    half = step // 2
    return [(number + half) // step if number >= 0 else -((half - number) // step) for number in numbers]
