"""Why a cell cannot be read as its type, and the repair that would make it readable."""

from __future__ import annotations

import re
from collections.abc import Callable

from evaluator.rules import ColumnRule, ColumnType

_NULL_WORD = re.compile(r"(?i)n/?a|-{1,3}|—|\\n|nil|#n/?a|无|空|暂无|not available|missing")
_CURRENCY = re.compile(r"^([+-]?)\s*(?:[$€£¥￥₹]|USD|EUR|CNY|RMB|US\$)\s*|\s*(?:[$€£¥￥₹]|USD|EUR|CNY|RMB|元)$")
_ACCOUNTING = re.compile(r"\(\s*([\d.,]+)\s*\)")
_UNIT = re.compile(r"([+-]?[\d.,]+(?:[eE][+-]?\d+)?)\s*[^\W\d_][\w/²³^.]*")
_GROUPS = re.compile(r"[+-]?\d{1,3}(?:[ ',_\u00a0\u202f，]\d{2,4})+(?:\.\d+)?")
_DAY = re.compile(r"(\d{4})\s*[/.年-]\s*(\d{1,2})\s*[/.月-]\s*(\d{1,2})\s*日?(.*)", re.DOTALL)
_DAY_LAST = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(.*)", re.DOTALL)
_TRUTH = {"1.0": "1", "0.0": "0", "t": "true", "f": "false", "on": "true", "off": "false", "真": "true", "假": "false"}

Repair = Callable[[str], str | None]  # the repaired raw cell, None if this is not its trouble


def cause_of(cell: str, rule: ColumnRule) -> str:
    """Return why a cell that its rule cannot read is unreadable, in a few words; "other" if no cause fits."""
    return next((name for name, repair in _repairs(rule).items() if repair(cell.strip()) is not None), "other")


def repaired(cell: str, cause: str, rule: ColumnRule) -> str | None:
    """Return the raw cell as it should have been written if `cause` is its trouble, None if it is not."""
    repair = _repairs(rule).get(cause)
    return None if repair is None else repair(cell.strip())


def _repairs(rule: ColumnRule) -> dict[str, Repair]:
    return {"null word": _null_word, **_BY_TYPE.get(rule.type, {})}


def _null_word(cell: str) -> str | None:
    return "" if _NULL_WORD.fullmatch(cell) else None


def _percent(cell: str) -> str | None:
    return cell[:-1].strip() if cell.endswith("%") and cell[:-1].strip() else None


def _full_width_percent(cell: str) -> str | None:
    return cell[:-1].strip() if cell.endswith(("％", "﹪", "٪")) else None


def _currency(cell: str) -> str | None:
    bare = _CURRENCY.sub(r"\1", cell)
    return bare if bare != cell and any(map(str.isdigit, bare)) else None


def _parentheses(cell: str) -> str | None:
    match = _ACCOUNTING.fullmatch(cell)
    return f"-{match[1]}" if match else None


def _grouping(cell: str) -> str | None:
    return re.sub(r"[ ',_\u00a0\u202f，]", "", cell) if _GROUPS.fullmatch(cell) else None


def _unit(cell: str) -> str | None:
    match = _UNIT.fullmatch(cell)
    return match[1] if match else None


def _minus(cell: str) -> str | None:
    return "-" + cell[1:].strip() if cell[:1] in "−－–—" and cell[1:].strip() else None


def _not_whole(cell: str) -> str | None:
    return cell.split(".")[0] if re.fullmatch(r"[+-]?\d+\.\d+", cell) else None


def _iso_day(cell: str) -> str | None:
    match = _DAY.fullmatch(cell)
    return f"{match[1]}-{int(match[2]):02d}-{int(match[3]):02d}{match[4]}" if match else None


def _day_first(cell: str) -> str | None:
    match = _DAY_LAST.fullmatch(cell)
    if not match:
        return None
    first, second = int(match[1]), int(match[2])
    day, month = (first, second) if first > 12 else (second, first)
    return f"{match[3]}-{month:02d}-{day:02d}{match[4]}"


def _only_day(cell: str) -> str | None:
    match = re.fullmatch(r"(\d{4}-\d\d-\d\d)[T ].+", cell)
    return match[1] if match else None


def _digits(cell: str) -> str | None:
    narrow = "".join(chr(ord(char) - 0xFEE0) if "！" <= char <= "～" else char for char in cell)
    return narrow if narrow != cell else None


def _truth(cell: str) -> str | None:
    return _TRUTH.get(cell.casefold())


_DATES: dict[str, Repair] = {
    "date not in ISO form": _iso_day,
    "day or month first": _day_first,
    "full-width characters": _digits,
}
_BY_TYPE: dict[ColumnType, dict[str, Repair]] = {
    ColumnType.NUMBER: {
        "percent sign not allowed": _percent,
        "full-width percent sign": _full_width_percent,
        "parentheses for minus": _parentheses,
        "currency": _currency,
        "grouping": _grouping,
        "minus sign": _minus,
        "unit text": _unit,
        "not a whole number": _not_whole,
    },
    ColumnType.DATE: {"time of day": _only_day, **_DATES},
    ColumnType.DATETIME: _DATES,
    ColumnType.BOOLEAN: {"truth word": _truth, "full-width characters": _digits},
}
