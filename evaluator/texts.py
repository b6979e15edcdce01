"""Text cells: line ends, outer white space, Unicode NFC; in time linear in the cell's length."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

# Up to here the library's quadratic reordering of combining marks cannot be felt.
SHORT = 256


def read_text(cell: str) -> str | None:
    """Return the cell with CR and CRLF as LF, stripped, in NFC; None (null) if nothing is left.

    Case, inner white space, full-width forms and words such as "null" are kept: they are text.
    """
    if "\r" in cell:
        cell = cell.replace("\r\n", "\n").replace("\r", "\n")
    return nfc(cell.strip()) or None


def nfc(text: str) -> str:
    """Return the text in Unicode normalisation form C.

    The library sorts a run of combining marks by insertion: a cell of a few hundred kilobytes takes
    minutes. Long texts are therefore decomposed and sorted here first, which leaves it nothing to sort.
    """
    if text.isascii():
        return text
    if len(text) > SHORT:
        text = "".join(_ordered(text))
    return unicodedata.normalize("NFC", text)


def _ordered(text: str) -> Iterator[str]:
    """Yield the canonical decomposition, each run of combining marks sorted by class (stable, as Unicode asks)."""
    marks: list[str] = []
    for char in text:
        for part, is_mark in _parts(char):
            if is_mark:
                marks.append(part)
                continue
            if marks:
                yield from sorted(marks, key=unicodedata.combining)
                marks.clear()
            yield part
    yield from sorted(marks, key=unicodedata.combining)


@lru_cache(maxsize=4096)
def _parts(char: str) -> tuple[tuple[str, bool], ...]:
    return tuple((part, unicodedata.combining(part) > 0) for part in unicodedata.normalize("NFD", char))
