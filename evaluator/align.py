"""The column mapping under which prediction rows equal gold rows: the smallest one, in bounded work."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from evaluator.cells import Canonical
from evaluator.matching import same_multiset, smallest_perfect_matching
from evaluator.refine import Budget, Codes, Columns, Exhausted, Partition

Column = Sequence[Canonical]

# Steps of the search after the quick answers failed; one is a cell touched, 0.1 to 0.2 microseconds.
STEPS = 3_000_000
STEPS_PER_CELL = 8


class Search(StrEnum):
    """How the search for a mapping ended."""

    FOUND = "found"
    NONE = "none"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Alignment:
    """The end of the search; `mapping[i]` is the prediction column of gold column i, only if FOUND."""

    search: Search
    mapping: tuple[int, ...] | None = None


class Readings:
    """Both tables' columns as their rules read them; prediction columns are read when they are needed.

    Args:
        gold: one column of keys a gold column.
        kinds: for each gold column the number of its reading rule; equal numbers read alike.
        fits: `fits[kind][j]` says whether that rule can read every cell of prediction column j.
        read: returns prediction column j as keys under a rule, given kind and j; asked only if it fits.
    """

    def __init__(
        self,
        gold: Sequence[Column],
        kinds: Sequence[int],
        fits: Sequence[Sequence[bool]],
        read: Callable[[int, int], Column],
    ) -> None:
        self.gold = gold
        self.kinds = kinds
        self.fits = fits
        self._read = read
        self._columns: dict[tuple[int, int], Column] = {}
        self._prints: dict[tuple[int, int], int] = {}

    def reading(self, gold: int, prediction: int) -> Column:
        """Return a prediction column as read under a gold column's rule, which must be able to."""
        return self.column(self.kinds[gold], prediction)

    def column(self, kind: int, prediction: int) -> Column:
        """Return a prediction column as read under a rule, which must be able to."""
        if (kind, prediction) not in self._columns:
            self._columns[kind, prediction] = self._read(kind, prediction)
        return self._columns[kind, prediction]

    def print_of(self, gold: int, prediction: int) -> int:
        """Return the fingerprint of a prediction column's multiset of keys under a gold column's rule."""
        kind = self.kinds[gold]
        if (kind, prediction) not in self._prints:
            self._prints[kind, prediction] = _print(self.column(kind, prediction))
        return self._prints[kind, prediction]

    def readable(self) -> list[list[int]]:
        """Return for each gold column the prediction columns that its rule can read."""
        return [[j for j, fit in enumerate(self.fits[kind]) if fit] for kind in self.kinds]

    def mapped(self, mapping: Sequence[int]) -> list[Column]:
        """Return the prediction's columns in gold order under a mapping of readable columns."""
        return [self.reading(i, j) for i, j in enumerate(mapping)]


def align(readings: Readings, *, ordered: bool, steps: int | None = None) -> Alignment:
    """Return the lexicographically smallest mapping under which the rows agree.

    Rows agree as multisets, or one by one if `ordered`. Row counts must be equal. Work is polynomial
    but for tables built like hard graphs; those may end UNDECIDED, a table against itself never does.

    Args:
        readings: both tables, square (as many prediction as gold columns).
        ordered: whether row order counts.
        steps: the budget of the search in cells touched; by default in proportion to the tables.
    """
    if ordered:
        return _found(smallest_perfect_matching(_equal_columns(readings)))
    graph = _alike_columns(readings)
    if graph is None:
        return Alignment(Search.NONE)
    guess = smallest_perfect_matching(graph)
    if guess is None or rows_agree(readings, guess):
        return _found(guess)
    if all(len(candidates) == 1 for candidates in graph):
        return Alignment(Search.NONE)
    if steps is None:
        steps = STEPS + STEPS_PER_CELL * len(readings.gold) * len(readings.gold[0])
    try:
        return _found(_Searcher(readings, graph, Budget(steps)).search())
    except Exhausted:
        return Alignment(Search.UNDECIDED)


def rows_agree(readings: Readings, mapping: Sequence[int]) -> bool:
    """Return whether the rows are equal as multisets under a mapping of readable columns."""
    mapped = readings.mapped(mapping)
    # The sums differ for nearly every pair of unequal tables and need no memory.
    if sum(map(hash, zip(*readings.gold, strict=True))) != sum(map(hash, zip(*mapped, strict=True))):
        return False
    return same_multiset(zip(*readings.gold, strict=True), zip(*mapped, strict=True))


def _found(mapping: Sequence[int] | None) -> Alignment:
    return Alignment(Search.NONE) if mapping is None else Alignment(Search.FOUND, tuple(mapping))


def _equal_columns(readings: Readings) -> list[list[int]]:
    return [
        [j for j in candidates if readings.reading(i, j) == readings.gold[i]]
        for i, candidates in enumerate(readings.readable())
    ]


def _alike_columns(readings: Readings) -> list[list[int]] | None:
    """Return for each gold column the prediction columns that hold the same values, whatever their order.

    None as soon as a gold column has no such column: most wrong predictions end here, half unread.
    """
    graph = []
    for i, candidates in enumerate(readings.readable()):
        wanted = _print(readings.gold[i])
        alike = [j for j in candidates if readings.print_of(i, j) == wanted]
        if not alike:
            return None
        graph.append(alike)
    return graph


def _print(column: Column) -> int:
    return sum(map(hash, column))


class _Searcher:
    """Depth first over the first undecided gold column, refining after each choice."""

    def __init__(self, readings: Readings, graph: list[list[int]], budget: Budget) -> None:
        self._readings = readings
        self._budget = budget
        rows = len(readings.gold[0])
        self._cells = rows * len(graph)
        columns = _coded(readings, graph)
        self._twins = _twins(columns)
        candidates = [sum(1 << j for j in row) for row in graph]
        self._root = Partition(columns, candidates, rows, budget)

    def search(self) -> list[int] | None:
        return self._below(self._root)

    def _below(self, partition: Partition) -> list[int] | None:
        if not partition.refine():
            return None
        graph = partition.graph()
        # Every valid mapping is a matching of this graph: if its smallest is valid, it is the answer.
        guess = smallest_perfect_matching(graph)
        if guess is None:
            return None
        self._budget.spend(self._cells // 4)
        if rows_agree(self._readings, guess):
            return guess
        open_column = next((i for i, candidates in enumerate(graph) if len(candidates) > 1), None)
        return None if open_column is None else self._branch(partition, open_column, graph[open_column])

    def _branch(self, partition: Partition, gold: int, candidates: list[int]) -> list[int] | None:
        tried: set[int] = set()
        for prediction in candidates:
            if self._twins[prediction] in tried:
                continue  # an equal column failed in this very place
            tried.add(self._twins[prediction])
            child = partition.copy()
            child.fix(gold, prediction)
            mapping = self._below(child)
            if mapping is not None:
                return mapping
        return None


def _coded(readings: Readings, graph: list[list[int]]) -> Columns:
    """Return the columns with values as integers, the prediction's only where they are candidates."""
    codes: list[dict[Canonical, int]] = [{} for _ in readings.fits]

    def coded(kind: int, column: Column) -> Codes:
        known = codes[kind]
        return [known.setdefault(value, len(known)) for value in column]

    gold = [coded(kind, column) for kind, column in zip(readings.kinds, readings.gold, strict=True)]
    wanted = {(readings.kinds[i], j) for i, candidates in enumerate(graph) for j in candidates}
    width = range(len(graph))
    prediction = [
        [coded(kind, readings.column(kind, j)) if (kind, j) in wanted else None for j in width]
        for kind in range(len(codes))
    ]
    return Columns(gold, list(readings.kinds), prediction)


def _twins(columns: Columns) -> list[int]:
    """Return for each prediction column the first one that reads the same under every rule."""
    first: dict[tuple[tuple[int, ...] | None, ...], int] = {}
    twins = []
    for index in range(len(columns.gold)):
        readings = (kind[index] for kind in columns.readings)
        key = tuple(None if codes is None else tuple(codes) for codes in readings)
        twins.append(first.setdefault(key, index))
    return twins
