"""Both tables as their rules read them, with unreadable cells kept as such."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaluator.cells import ColumnReader, Unreadable, Value
from evaluator.compare import readers_for
from evaluator.rules import ColumnRule, Rules
from evaluator.tables import Table

Row = tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Sides:
    """Gold and prediction under the same rules.

    Attributes:
        gold, prediction: the raw tables.
        rules: one rule a gold column.
        readers: one reader a different rule; `kinds[i]` is the number of gold column i's reader.
        gold_columns: gold column by column as values.
        readings: `readings[kind][j]` is prediction column j as values under that reader.
    """

    gold: Table
    prediction: Table
    rules: Rules
    readers: tuple[ColumnReader, ...]
    kinds: tuple[int, ...]
    gold_columns: tuple[list[Value], ...]
    readings: tuple[tuple[list[Value], ...], ...]

    def rule(self, gold: int) -> ColumnRule:
        """Return a gold column's rule."""
        return self.rules.columns[gold]

    def reading(self, gold: int, prediction: int) -> list[Value]:
        """Return a prediction column as read under a gold column's rule."""
        return self.readings[self.kinds[gold]][prediction]

    def readable(self) -> list[list[int]]:
        """Return for each gold column the prediction columns without unreadable cells."""
        fine = [
            [not any(isinstance(value, Unreadable) for value in column) for column in kind] for kind in self.readings
        ]
        width = range(len(self.prediction.header))
        return [[j for j in width if fine[kind][j]] for kind in self.kinds]

    def rows(self, mapping: Sequence[int | None]) -> tuple[list[Row], list[Row]]:
        """Return the rows of both tables over the mapped columns, in gold order."""
        pairs = [(i, j) for i, j in enumerate(mapping) if j is not None]
        gold = [self.gold_columns[i] for i, _ in pairs]
        prediction = [self.reading(i, j) for i, j in pairs]
        return _rows(gold, len(self.gold.rows)), _rows(prediction, len(self.prediction.rows))

    def name(self, gold: int) -> str:
        """Return a gold column for people: its number and header."""
        return f"column {gold + 1} ({self.gold.header[gold]})" if self.gold.header[gold] else f"column {gold + 1}"


def read_sides(gold: Table, prediction: Table, rules: Rules) -> Sides:
    """Return both tables read; gold must have as many columns as rules."""
    readers, kinds = readers_for(rules)
    gold_columns = tuple(readers[kind].lenient(cells) for kind, cells in zip(kinds, gold.columns(), strict=True))
    columns = prediction.columns()
    readings = tuple(tuple(reader.lenient(cells) for cells in columns) for reader in readers)
    return Sides(gold, prediction, rules, tuple(readers), tuple(kinds), gold_columns, readings)


def _rows(columns: list[list[Value]], count: int) -> list[Row]:
    return list(zip(*columns, strict=True)) if columns else [()] * count
