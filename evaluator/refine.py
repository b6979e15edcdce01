"""Partition refinement: which prediction column may still be which gold column, given all rows.

Rows and columns of both tables are coloured together. A column's colour is its group of still
interchangeable columns; a row's colour is decided by the values it has in each group; a column's
fingerprint is the multiset of its (row colour, value) pairs, and columns of different fingerprints
part. Every step keeps all valid mappings, so an imbalance between the two tables proves there is none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache, reduce
from operator import or_

_PRIME = 2**61 - 1
Change = tuple[int, int, int]  # row, old colour, new colour
Codes = list[int]  # a column's values as small integers, equal for equal values


class Exhausted(Exception):
    """The work budget is spent; nothing is known about the rest."""


class Budget:
    """Counts steps (cells touched), not seconds, so that every machine ends at the same point."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    def spend(self, steps: int) -> None:
        """Take steps off; raises Exhausted when none are left."""
        self.left -= steps
        if self.left < 0:
            raise Exhausted


class Columns:
    """The coded columns of both tables.

    Args:
        gold: one coded column a gold column.
        kinds: for each gold column the number of its reading rule; equal numbers read alike.
        readings: `readings[kind][j]` is prediction column j as read under that rule, None if unreadable.
    """

    def __init__(self, gold: list[Codes], kinds: list[int], readings: list[list[Codes | None]]) -> None:
        self.gold = gold
        self.kinds = kinds
        self.readings = readings

    def used(self) -> Iterable[tuple[int, int, Codes]]:
        """Yield kind, prediction column and codes of every reading there is."""
        for kind, columns in enumerate(self.readings):
            for index, column in enumerate(columns):
                if column is not None:
                    yield kind, index, column


class Partition:
    """The state of the refinement; `candidates[i]` is a bit set of prediction columns for gold column i."""

    def __init__(self, columns: Columns, candidates: list[int], rows: int, budget: Budget) -> None:
        self._columns = columns
        self._budget = budget
        self.candidates = candidates
        self._group_of_gold = [0] * len(columns.gold)  # group 0 tells rows nothing yet
        self._next_group = 1
        self._next_colour = 1
        self._colours = ([0] * rows, [0] * rows)  # gold, prediction
        self._sums = ([0] * rows, [0] * rows)
        budget.spend(2 * rows * len(columns.gold))
        self._gold_print = [_print(0, codes) for codes in columns.gold]
        self._reading_print = {(kind, j): _print(0, codes) for kind, j, codes in columns.used()}

    def copy(self) -> Partition:
        """Return an independent copy that spends from the same budget."""
        twin = Partition.__new__(Partition)
        twin.__dict__.update(self.__dict__)
        for name in ("candidates", "_group_of_gold", "_gold_print"):
            setattr(twin, name, list(getattr(self, name)))
        twin._reading_print = dict(self._reading_print)
        twin._colours = (list(self._colours[0]), list(self._colours[1]))
        twin._sums = (list(self._sums[0]), list(self._sums[1]))
        return twin

    def fix(self, gold: int, prediction: int) -> None:
        """Decide that this gold column is that prediction column."""
        bit = 1 << prediction
        self.candidates = [mask & ~bit for mask in self.candidates]
        self.candidates[gold] = bit

    def graph(self) -> list[list[int]]:
        """Return the candidates as ascending lists."""
        return [_bits(mask) for mask in self.candidates]

    def refine(self) -> bool:
        """Part columns and rows until nothing changes; False proves that no valid mapping is left."""
        while True:
            self._filter()
            groups = _groups(self.candidates)
            if groups is None:
                return False
            self._regroup(groups)
            changed = self._recolour()
            if changed is None:
                return False
            if not (changed[0] or changed[1]):
                return True
            self._reprint(*changed)

    def _filter(self) -> None:
        alike: dict[tuple[int, int], int] = defaultdict(int)
        for (kind, index), value in self._reading_print.items():
            alike[kind, value] |= 1 << index
        for index, mask in enumerate(self.candidates):
            self.candidates[index] = mask & alike.get((self._columns.kinds[index], self._gold_print[index]), 0)

    def _regroup(self, groups: list[tuple[list[int], int]]) -> None:
        """Give each part of a split group a new number, the largest keeps its own, and tell the rows."""
        keeps: dict[int, int] = {}
        for position, (gold, _) in enumerate(groups):
            old = self._group_of_gold[gold[0]]
            if old and (old not in keeps or len(groups[keeps[old]][0]) < len(gold)):
                keeps[old] = position
        for position, (gold, mask) in enumerate(groups):
            kinds = {self._columns.kinds[index] for index in gold}
            old = self._group_of_gold[gold[0]]
            if len(kinds) > 1 or keeps.get(old) == position:
                continue  # under several rules a prediction column has several values: it tells rows nothing
            self._move(gold, _bits(mask), old, self._next_group, kinds.pop())
            self._next_group += 1

    def _move(self, gold: list[int], prediction: list[int], old: int, new: int, kind: int) -> None:
        for index in gold:
            self._add(0, self._columns.gold[index], old, new)
            self._group_of_gold[index] = new
        for index in prediction:
            codes = self._columns.readings[kind][index]
            assert codes is not None, "a candidate column is readable"
            self._add(1, codes, old, new)

    def _add(self, side: int, codes: Codes, old: int, new: int) -> None:
        self._budget.spend(len(codes))
        effect = {code: _mix(new, code) - (_mix(old, code) if old else 0) for code in set(codes)}
        sums = self._sums[side]
        for row, code in enumerate(codes):
            sums[row] += effect[code]

    def _recolour(self) -> tuple[list[Change], list[Change]] | None:
        """Return the (row, old, new) colour changes of both tables, or None if the tables disagree."""
        classes: dict[tuple[int, int], tuple[list[int], list[int]]] = {}
        for side in (0, 1):
            self._budget.spend(len(self._colours[side]) // 4)
            for row, key in enumerate(zip(self._colours[side], self._sums[side], strict=True)):
                classes.setdefault(key, ([], []))[side].append(row)
        if any(len(gold) != len(prediction) for gold, prediction in classes.values()):
            return None
        return self._rename(classes)

    def _rename(self, classes: dict[tuple[int, int], tuple[list[int], list[int]]]) -> tuple[list[Change], list[Change]]:
        keeps: dict[int, tuple[int, int]] = {}
        for key, (gold, _) in classes.items():
            if key[0] not in keeps or len(classes[keeps[key[0]]][0]) < len(gold):
                keeps[key[0]] = key
        changed: tuple[list[Change], list[Change]] = ([], [])
        for key, sides in classes.items():
            if keeps[key[0]] == key:
                continue
            for side, rows in enumerate(sides):
                changed[side].extend((row, key[0], self._next_colour) for row in rows)
                for row in rows:
                    self._colours[side][row] = self._next_colour
            self._next_colour += 1
        return changed

    def _reprint(self, gold: list[Change], prediction: list[Change]) -> None:
        """Bring the fingerprints of undecided columns up to date; a decided column is part of the row colours."""
        wanted: dict[int, int] = defaultdict(int)
        for index, mask in enumerate(self.candidates):
            if mask & (mask - 1):
                wanted[self._columns.kinds[index]] |= mask
                self._gold_print[index] += self._shift(self._columns.gold[index], gold)
        for kind, index, codes in self._columns.used():
            if wanted[kind] >> index & 1:
                self._reading_print[kind, index] += self._shift(codes, prediction)

    def _shift(self, codes: Codes, changed: list[Change]) -> int:
        self._budget.spend(len(changed))
        return sum(_mix(new, codes[row]) - _mix(old, codes[row]) for row, old, new in changed)


def _print(colour: int, codes: Codes) -> int:
    return sum(_mix(colour, code) for code in codes)


@lru_cache(maxsize=1 << 16)
def _mix(colour: int, code: int) -> int:
    """Return a number for the pair such that sums of them tell multisets apart.

    Not `hash`: its values for pairs of small integers are nearly linear, and sums of them cancel.
    """
    return pow(colour * 0x9E3779B97F4A7C15 + code * 0xC2B2AE3D27D4EB4F + 1, 5, _PRIME)


def _bits(mask: int) -> list[int]:
    return [index for index in range(mask.bit_length()) if mask >> index & 1]


def _groups(candidates: list[int]) -> list[tuple[list[int], int]] | None:
    """Return the connected groups of gold columns and candidate bits, or None if one cannot be one to one."""
    alike: dict[int, list[int]] = {}
    for index, mask in enumerate(candidates):
        alike.setdefault(mask, []).append(index)
    groups = [(gold, mask) for mask, gold in alike.items()]
    if sum(mask.bit_count() for mask in alike) != reduce(or_, alike).bit_count():
        groups = _joined(groups)
    if any(len(gold) != mask.bit_count() for gold, mask in groups):
        return None
    return groups


def _joined(groups: list[tuple[list[int], int]]) -> list[tuple[list[int], int]]:
    """Join groups that share candidates, which only columns under different rules do."""
    result: list[tuple[list[int], int]] = []
    for columns, mask in groups:
        joined, apart = columns, []
        for gold, bits in result:
            if bits & mask:
                joined, mask = gold + joined, mask | bits
            else:
                apart.append((gold, bits))
        result = [*apart, (joined, mask)]
    return result
