"""A database that is made row by row from a planned schema."""

import hashlib
import os
import sqlite3
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path

from pipeline.database import quoted
from pipeline.sources.schemas import PlannedTable
from pipeline.sql.classes import Keys
from pipeline.synthesize.domains import Value

FILLER_ROWS = 3
_TYPES = {"number": "NUMERIC", "time": "TEXT", "boolean": "INTEGER", "others": "TEXT"}
_DATED = ("date", "time", "dob", "dod")

Placed = tuple[str, int]
"""A table and the row number of a row in it."""


class MadeDatabase:
    """Tables of a plan, each with a few rows of filling. Cells that nobody asks for are filled by name and number."""

    def __init__(self, path: Path, tables: Sequence[PlannedTable], seed: int) -> None:
        self._path = path
        self._changes = 0
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode = OFF")
        self._connection.execute("PRAGMA synchronous = OFF")
        self._tables = {table.name.lower(): table for table in tables}
        self._kinds = {t.name.lower(): {c.lower(): _affinity(kind) for c, kind in t.columns} for t in tables}
        self._number = 1000 + int(hashlib.sha256(f"synthesize\0{seed}".encode()).hexdigest(), 16) % 9000
        for table in tables:
            self._connection.execute(_statement(table))
            for _ in range(FILLER_ROWS):
                self.insert([(table.name.lower(), {})])

    @property
    def columns(self) -> Mapping[str, Mapping[str, str]]:
        """The type of each column of each table, by names in lower case."""
        return self._kinds

    @property
    def keys(self) -> Keys:
        """The primary key of each table, in lower case."""
        return {name: table.key.lower() if table.key else None for name, table in self._tables.items()}

    def fresh(self, kind: str, name: str) -> Value:
        """Return a value that no row has yet."""
        self._number += 1
        return _filling(name, kind, self._number)

    def insert(self, rows: Sequence[tuple[str, Mapping[str, Value]]]) -> list[Placed]:
        """Add rows with these cells, the others filled, and return where they are.

        A row with the primary key of one that is there is left out: the one there may do. Raises sqlite3.Error.
        """
        self._connection.execute("BEGIN")
        placed = []
        for name, cells in rows:
            self._number += 1
            table = self._tables[name]
            values = [self._cell(name, column.lower(), cells) for column, _ in table.columns]
            marks = ", ".join("?" * len(values))
            cursor = self._connection.execute(f"INSERT OR IGNORE INTO {quoted(table.name)} VALUES ({marks})", values)
            if cursor.rowcount == 1 and cursor.lastrowid is not None:
                placed.append((name, cursor.lastrowid))
        self._connection.execute("COMMIT")
        self._tell()
        return placed

    def remove(self, placed: Sequence[Placed]) -> None:
        """Take rows away again."""
        self._connection.execute("BEGIN")
        for name, number in placed:
            self._connection.execute(f"DELETE FROM {quoted(self._tables[name].name)} WHERE rowid = ?", (number,))
        self._connection.execute("COMMIT")
        self._tell()

    def write(self, target: Path) -> None:
        """Write the database to another file, without what was taken away, and close this one."""
        self._connection.execute("VACUUM INTO ?", (str(target),))
        self._connection.close()

    def _tell(self) -> None:
        self._changes += 1
        mark_changed(self._path, self._changes)

    def _cell(self, table: str, column: str, cells: Mapping[str, Value]) -> Value:
        if column in cells:
            return cells[column]
        return _filling(column, self._kinds[table][column], self._number)


def mark_changed(path: Path, number: int) -> None:
    """Give a file a time of change of its own: the sandbox tells files apart by it, and clocks tick too slowly."""
    os.utime(path, ns=(number, number))


def _affinity(kind: str) -> str:
    base = kind.lower().partition("(")[0].strip()
    return _TYPES.get(base, base.upper() or "TEXT")


def _statement(table: PlannedTable) -> str:
    parts = [f"{quoted(name)} {_affinity(kind)}" + " PRIMARY KEY" * (name == table.key) for name, kind in table.columns]
    return f"CREATE TABLE {quoted(table.name)} ({', '.join(parts)})"


def _filling(name: str, kind: str, number: int) -> Value:
    if kind == "TEXT" and any(part in name for part in _DATED):
        return (date(2000, 1, 1) + timedelta(number % 7000)).isoformat()
    if kind in {"INTEGER", "NUMERIC", "INT", "BIGINT"}:
        return number
    return number % 997 + 0.5 if kind in {"REAL", "FLOAT", "DOUBLE"} else f"{name} {number}"
