"""Columns of raw cells read under a rule: canonical texts, of which equal ones agree, or the first fault."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from evaluator.dates import read_date, read_datetime
from evaluator.numbers import CellError, is_null, number_reader
from evaluator.rules import ColumnRule, ColumnType
from evaluator.texts import read_text

Canonical = str | None  # None is null: equal to itself and to nothing else
Reader = Callable[[str], Canonical]

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


def read_boolean(cell: str) -> Canonical:
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
    """Return the function from a raw cell to its canonical text; it raises CellError for a cell it cannot read."""
    if rule.type is ColumnType.NUMBER:
        return number_reader(rule)
    return {
        ColumnType.TEXT: read_text,
        ColumnType.DATE: read_date,
        ColumnType.DATETIME: read_datetime,
        ColumnType.BOOLEAN: read_boolean,
    }[rule.type]


class ColumnReader:
    """Reads columns under one rule; a raw text that occurs again, in any column, is not read again."""

    def __init__(self, rule: ColumnRule) -> None:
        self._read = reader_for(rule)
        self._canonical: dict[str, Canonical] = {}
        self._unreadable: dict[str, str] = {}

    def read(self, cells: Sequence[str]) -> list[Canonical] | CellFault:
        """Return the canonical texts of a column, in order, or its first fault."""
        distinct = set(cells)
        if not self._learn(distinct) or not self._unreadable.keys().isdisjoint(distinct):
            return self._first_fault(cells)
        return list(map(self._canonical.__getitem__, cells))

    def cell(self, cell: str) -> Value:
        """Return one cell's canonical text, or the cell as Unreadable."""
        if self._learn((cell,)):
            return self._canonical[cell]
        return Unreadable(cell, self._unreadable[cell])

    def lenient(self, cells: Sequence[str]) -> list[Value]:
        """Return the values of a column, in order, with each cell that cannot be read as Unreadable."""
        read = self.read(cells)
        return [self.cell(cell) for cell in cells] if isinstance(read, CellFault) else list(read)

    def _learn(self, cells: Iterable[str]) -> bool:
        """Read texts not seen before; stop at the first unreadable one and return False."""
        known, read = self._canonical, self._read
        cell = ""
        try:
            for cell in cells:
                if cell not in known:
                    known[cell] = read(cell)
        except CellError as error:
            self._unreadable[cell] = str(error)
            return False
        return True

    def _first_fault(self, cells: Sequence[str]) -> CellFault:
        row = next(row for row, cell in enumerate(cells) if not self._learn((cell,)))
        return CellFault(row, cells[row], self._unreadable[cells[row]])
