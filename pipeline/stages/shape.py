"""What a table looks like: what routing and rendering have to know about its rows."""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

Row = tuple[object, ...]

_CHUNK = 20_000
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


def shape_of(rows: Iterable[Row], columns: int) -> Shape:
    """Return the shape of a table with these rows; they are looked at once, some thousands at a time."""
    waiting = iter(rows)
    total = _shape_of([], columns)
    types: list[set[type]] = [set() for _ in range(columns)]
    while chunk := list(islice(waiting, _CHUNK)):
        total = _together(total, _shape_of(chunk, columns))
        for at in range(columns):
            types[at] |= {type(row[at]) for row in chunk}
    return replace(total, mixed=sum(len(found - {type(None)}) > 1 for found in types))


def _shape_of(rows: Sequence[Row], columns: int) -> Shape:
    cells = [cell for row in rows for cell in row]
    texts = [cell for cell in cells if isinstance(cell, str)]
    return Shape(
        rows=len(rows),
        columns=columns,
        longest=max(map(len, texts), default=0),
        text_cells=len(texts),
        mixed=0,
        has_bytes=any(isinstance(cell, bytes) for cell in cells),
        has_infinite=any(isinstance(cell, float) and not math.isfinite(cell) for cell in cells),
        has_control=any(_CONTROL.search(text) for text in texts),
        has_broken_text=any(_is_broken(text) for text in texts),
        has_null=any(cell is None for cell in cells),
        has_empty_text="" in set(texts),
    )


def _together(one: Shape, other: Shape) -> Shape:
    return Shape(
        rows=one.rows + other.rows,
        columns=one.columns,
        longest=max(one.longest, other.longest),
        text_cells=one.text_cells + other.text_cells,
        mixed=0,
        has_bytes=one.has_bytes or other.has_bytes,
        has_infinite=one.has_infinite or other.has_infinite,
        has_control=one.has_control or other.has_control,
        has_broken_text=one.has_broken_text or other.has_broken_text,
        has_null=one.has_null or other.has_null,
        has_empty_text=one.has_empty_text or other.has_empty_text,
    )


def _is_broken(text: str) -> bool:
    return not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text)
