"""What a table looks like: what routing and rendering have to know about its rows."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

Row = tuple[object, ...]

_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]")


@dataclass(frozen=True)
class Shape:
    """Counts over all cells of a table. `longest` is in characters; `mixed` counts columns with several types."""

    rows: int
    columns: int
    longest: int
    text_cells: int
    mixed: int
    has_bytes: bool
    has_infinite: bool
    has_control: bool
    has_broken_text: bool
    has_null: bool
    has_empty_text: bool


def shape_of(rows: Sequence[Row], columns: int) -> Shape:
    """Return the shape of a table with these rows."""
    cells = [cell for row in rows for cell in row]
    texts = [cell for cell in cells if isinstance(cell, str)]
    return Shape(
        rows=len(rows),
        columns=columns,
        longest=max(map(len, texts), default=0),
        text_cells=len(texts),
        mixed=sum(len(_types(rows, at)) > 1 for at in range(columns)),
        has_bytes=any(isinstance(cell, bytes) for cell in cells),
        has_infinite=any(isinstance(cell, float) and not math.isfinite(cell) for cell in cells),
        has_control=any(_CONTROL.search(text) for text in texts),
        has_broken_text=any(_is_broken(text) for text in texts),
        has_null=any(cell is None for cell in cells),
        has_empty_text="" in set(texts),
    )


def _types(rows: Sequence[Row], at: int) -> set[type]:
    return {type(row[at]) for row in rows} - {type(None)}


def _is_broken(text: str) -> bool:
    return not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text)
