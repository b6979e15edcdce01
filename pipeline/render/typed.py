"""Cells as text that keeps their type: what the readers of CSV and Markdown files have in common."""

import re
from decimal import Decimal

_INTEGER = re.compile(r"-?(0|[1-9][0-9]*)")
_FLOAT = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?(e[+-]?[0-9]+)?", re.IGNORECASE)
_LONGEST_PLAIN = 25


def number_text(value: int | float) -> str:
    """Return the shortest text that reads back as the same number; a float always has a point or an exponent."""
    if isinstance(value, int):
        return str(value)
    plain = format(Decimal(repr(value)), "f")
    plain = plain if "." in plain else f"{plain}.0"
    return plain if len(plain) <= _LONGEST_PLAIN else repr(value)


def number_in(text: str) -> int | float | None:
    """Return the number that a text is, with the type that `number_text` gave it; None if it is none."""
    if _INTEGER.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    return None
