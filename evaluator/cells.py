"""Columns of raw cells read under a rule: keys, of which equal ones agree, or the first fault."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from evaluator.bulk import Key, bulk_reader
from evaluator.dates import read_date, read_datetime
from evaluator.numbers import CellError, is_null, number_key_reader, number_reader
from evaluator.rules import ColumnRule, ColumnType
from evaluator.texts import read_text

Canonical = Key  # None is null: equal to itself and to nothing else
Reader = Callable[[str], Canonical]

_PROBED = 8
_TRUE = frozenset(("1", "true", "yes", "y", "是"))
_FALSE = frozenset(("0", "false", "no", "n", "否"))


@dataclass(frozen=True, slots=True)
class CellFault:
    """The first cell of a column that its rule cannot read; `row` counts data rows from 0."""

    row: int
    cell: str
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class Unreadable:
    """A cell that its rule cannot read; it equals no other cell, not even one of the same text."""

    cell: str
    reason: str


Value = Canonical | Unreadable


def read_boolean(cell: str) -> str | None:
    """Return "true" or "false", None for null.

    Raises:
        CellError: none of the ten words for true and false, in any case.
    """
    word = cell.strip().casefold()
    if is_null(word):
        return None
    if word in _TRUE:
        return "true"
    if word in _FALSE:
        return "false"
    raise CellError("this is neither true nor false")


def reader_for(rule: ColumnRule) -> Reader:
    """Return the function from a raw cell to its key; it raises CellError for a cell it cannot read."""
    return number_key_reader(rule) if rule.type is ColumnType.NUMBER else _READERS[rule.type]


def text_reader(rule: ColumnRule) -> Callable[[str], str | None]:
    """Return the function from a raw cell to its canonical text for people; errors as `reader_for`."""
    return number_reader(rule) if rule.type is ColumnType.NUMBER else _READERS[rule.type]


_READERS: dict[ColumnType, Callable[[str], str | None]] = {
    ColumnType.TEXT: read_text,
    ColumnType.DATE: read_date,
    ColumnType.DATETIME: read_datetime,
    ColumnType.BOOLEAN: read_boolean,
}


class ColumnReader:
    """Reads columns under one rule; a raw text that occurs again, in any column, is not read again."""

    def __init__(self, rule: ColumnRule) -> None:
        self._read = reader_for(rule)
        self._bulk = bulk_reader(rule)
        self._known: dict[str, Canonical] = {}
        self._unreadable: dict[str, str] = {}

    def read(self, cells: Sequence[str]) -> list[Canonical] | CellFault:
        """Return the keys of a column, in order, or its first fault."""
        keys = self.keys(cells)
        return self._first_fault(cells) if keys is None else keys

    def keys(self, cells: Sequence[str]) -> list[Canonical] | None:
        """Return the keys of a column, in order, None if a cell cannot be read."""
        # A column of another type shows at once; only what looks readable is worth reading in bulk.
        if not self._learn(cells[:_PROBED]):
            return None
        keys = self._bulk.column(cells) if len(cells) > _PROBED else None
        if keys is not None:
            return keys
        distinct = set(cells)
        if len(distinct) > _PROBED:
            self._learn_plain(distinct.difference(self._known))
        if not self._learn(distinct):
            return None
        return list(map(self._known.__getitem__, cells))

    def fits(self, cells: Sequence[str]) -> bool:
        """Return whether every cell of a column can be read, at less cost than reading it where that is plain."""
        if self._bulk.all_plain is not None and self._bulk.all_plain(cells):
            return True
        return self.keys(cells) is not None

    def cell(self, cell: str) -> Value:
        """Return one cell's key, or the cell as Unreadable."""
        if self._learn((cell,)):
            return self._known[cell]
        return Unreadable(cell, self._unreadable[cell])

    def lenient(self, cells: Sequence[str]) -> list[Value]:
        """Return the keys of a column, in order, with each cell that cannot be read as Unreadable."""
        keys = self.keys(cells)
        if keys is not None:
            return list(keys)
        known, unreadable = self._known, self._unreadable
        for cell in set(cells).difference(known, unreadable):
            self._learn((cell,))
        return [known[cell] if cell in known else Unreadable(cell, unreadable[cell]) for cell in cells]

    def _learn_plain(self, cells: Iterable[str]) -> None:
        plain = list(filter(self._bulk.is_plain, cells))
        keys = self._bulk.column(plain) if plain else None
        if keys is not None:
            self._known.update(zip(plain, keys, strict=True))

    def _learn(self, cells: Iterable[str]) -> bool:
        """Read texts one by one; stop at the first unreadable one and return False."""
        for cell in cells:
            if cell in self._known:
                continue
            if cell in self._unreadable:
                return False
            try:
                self._known[cell] = self._read(cell)
            except CellError as error:
                self._unreadable[cell] = str(error)
                return False
        return True

    def _first_fault(self, cells: Sequence[str]) -> CellFault:
        row = next(row for row, cell in enumerate(cells) if not self._learn((cell,)))
        return CellFault(row, cells[row], self._unreadable[cells[row]])
