"""Values for the classes of a wish, found by SQLite itself: it knows best what its conditions mean."""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from pipeline.sandbox import Blob, QueryFailed, Sandbox
from pipeline.sql.classes import Classes, Condition
from pipeline.synthesize.domains import Value, candidates
from pipeline.synthesize.made import mark_changed

_KEPT = 160  # of one class's values that meet its own conditions, for conditions between classes
_SECONDS = 2.0

Fresh = Callable[[int], Value]
"""A value for a class that no row has yet."""


class Solver:
    """Looks for values in a database of its own, with one table of candidates a class."""

    def __init__(self, folder: Path, sandbox: Sandbox) -> None:
        self._path = folder / "domains.sqlite"
        self._sandbox = sandbox
        self._writes = 0
        self._write({})

    def solve(self, classes: Classes, fresh: Fresh) -> dict[int, Value] | None:
        """Return values that meet all conditions and make some output neither NULL nor 0; None if none were found.

        Classes without conditions get their fresh value.
        """
        wanted = [*classes.conditions, *_telling(classes.outputs)]
        values: dict[int, Value] = {number: fresh(number) for number in classes.types}
        for group in _connected(wanted):
            found = self._group(group, classes, values)
            if found is None:
                return None
            values.update(found)
        return values

    def _group(self, group: Sequence[Condition], classes: Classes, fresh: dict[int, Value]) -> dict[int, Value] | None:
        numbers = sorted({number for condition in group for number in condition.classes})
        if not numbers:
            return {} if self._rows(f"SELECT 1 WHERE {_all(group)}") else None
        tables = {number: (classes.types[number], candidates(fresh[number], group)) for number in numbers}
        self._write(tables)
        for number in numbers:
            own = [condition for condition in group if condition.classes == {number}]
            if own:
                met = [row[0] for row in self._rows(f"SELECT v FROM d{number} WHERE {_all(own)}")]
                tables[number] = (tables[number][0], _spread(met))
        if any(len(condition.classes) > 1 for condition in group):
            tables = {number: (kind, _spread(values)) for number, (kind, values) in tables.items()}
        if not all(values for _, values in tables.values()):
            return None
        self._write(tables)
        names = ", ".join(f"d{number}" for number in numbers)
        picked = ", ".join(f"d{number}.v" for number in numbers)
        rows = self._rows(f"SELECT {picked} FROM {names} WHERE {_all(group)} LIMIT 1")
        return dict(zip(numbers, rows[0], strict=True)) if rows else None

    def _rows(self, sql: str) -> list[tuple[Value, ...]]:
        try:
            answer = self._sandbox.run(self._path, sql, seconds=_SECONDS, rows=20_000)
        except QueryFailed:
            return []
        return [tuple(None if isinstance(cell, Blob) else cell for cell in row) for row in answer.rows]

    def _write(self, tables: dict[int, tuple[str, list[Value]]]) -> None:
        self._path.unlink(missing_ok=True)
        with closing(sqlite3.connect(self._path, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode = OFF")
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute("BEGIN")
            for number, (kind, values) in tables.items():
                connection.execute(f"CREATE TABLE d{number} (v {kind})")
                connection.executemany(f"INSERT INTO d{number} VALUES (?)", ((value,) for value in values))
            connection.execute("COMMIT")
        self._writes += 1
        mark_changed(self._path, self._writes)


def _telling(outputs: Sequence[Condition]) -> list[Condition]:
    """Return the condition that the first output that depends on cells is a value other than 0."""
    for output in outputs:
        if output.classes:
            literals = (*output.literals, "1")
            sql = f"({output.sql} IS NOT NULL AND {output.sql} <> 0)"
            return [Condition(sql, output.classes, literals, output.patterns, output.dated, False)]
    return []


def _all(conditions: Sequence[Condition]) -> str:
    return " AND ".join(condition.sql for condition in conditions)


def _connected(conditions: Sequence[Condition]) -> list[list[Condition]]:
    """Return the conditions in groups that share no class."""
    groups: list[tuple[set[int], list[Condition]]] = []
    for condition in conditions:
        touching = [group for group in groups if group[0] & condition.classes]
        rest = [group for group in groups if not any(group is other for other in touching)]
        numbers = set(condition.classes).union(*(group[0] for group in touching))
        groups = [*rest, (numbers, [*(c for group in touching for c in group[1]), condition])]
    return [group[1] for group in groups]


def _spread(values: Sequence[Value]) -> list[Value]:
    """Return the first few values and others evenly from all the rest."""
    if len(values) <= _KEPT:
        return list(values)
    half = _KEPT // 2
    step = len(values) / half
    return list(dict.fromkeys([*values[:half], *(values[int(n * step)] for n in range(half))]))
