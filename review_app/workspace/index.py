"""A workspace loaded once into a DuckDB file: what it holds, and its tables by page, sorted and filtered.

The file is ours, made by `loading`; the questions asked here are our own. What people write in SQL goes to `query`, in
a child process.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import duckdb

PAGE_ROWS = 200
MAX_CELL = 500
LINES = " lines"  # the table of texts; no file is called so: its stem would lose the blank
CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "threads": 2,
    "memory_limit": "512MB",
    "enable_external_access": False,
    "autoload_known_extensions": False,
}


@dataclass(frozen=True)
class TableInfo:
    """A table that can be asked: `inside` its file ("" for a CSV or a JSON list), by `name` in SQL.

    `columns` gives each column with the type that SQL sees; `first_row` is the number of the first row in its file,
    where the header of a CSV file is row 1.
    """

    inside: str
    name: str
    columns: tuple[tuple[str, str], ...]
    rows: int
    first_row: int


@dataclass(frozen=True)
class FileInfo:
    """What a file holds: tables, pages of a PDF. `problem` says why it did not load, empty if it did."""

    path: str
    tables: tuple[TableInfo, ...]
    pages: int
    problem: str


@dataclass(frozen=True)
class Index:
    """A loaded workspace."""

    database: Path
    files: tuple[FileInfo, ...]

    def file(self, path: str) -> FileInfo:
        """Return what a file holds.

        Raises:
            KeyError: there is no such file in the workspace.
        """
        return {file.path: file for file in self.files}[path]

    @property
    def tables(self) -> tuple[TableInfo, ...]:
        """All tables, file by file."""
        return tuple(table for file in self.files for table in file.tables)


class Condition(StrEnum):
    """How a filter looks at a cell."""

    CONTAINS = "contains"
    EQUAL = "equal"
    LESS = "less"
    GREATER = "greater"
    EMPTY = "empty"
    FILLED = "filled"


@dataclass(frozen=True)
class Filter:
    """Rows whose cell in `column` passes the test; `value` is what a person typed."""

    column: str
    test: Condition
    value: str = ""


@dataclass(frozen=True)
class Rows:
    """Some rows of a table as texts, None for NULL. `numbers` are the rows' places in the file.

    `matching` counts the rows that pass the filters.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str | None, ...], ...]
    numbers: tuple[int, ...]
    matching: int


@contextmanager
def opened(index: Index) -> Iterator[duckdb.DuckDBPyConnection]:
    """The loaded file, read-only, for our own questions."""
    with duckdb.connect(str(index.database), read_only=True, config=CONFIG) as engine:
        yield engine


def rows(
    index: Index,
    table: TableInfo,
    first: int = 0,
    count: int = PAGE_ROWS,
    *,
    filters: tuple[Filter, ...] = (),
    sort: str = "",
    descending: bool = False,
) -> Rows:
    """Return rows `first` to `first + count` of those that pass the filters, in the file's order or sorted by a column.

    A filter with a value that is no number, on a column of numbers, matches nothing.
    """
    kinds = dict(table.columns)
    tests = [_test(kinds[one.column], one) for one in filters]
    where = " AND ".join(test for test, _ in tests) or "true"
    values = [value for _, found in tests for value in found]
    source = f"raw.{quoted(table.name)}"
    order = f"{_typed(kinds[sort], sort)} {'DESC' if descending else 'ASC'} NULLS LAST, rowid" if sort else "rowid"
    cells = ", ".join(f"left(CAST({quoted(column)} AS VARCHAR), {MAX_CELL})" for column in kinds)
    with opened(index) as engine:
        (matching,) = engine.execute(f"SELECT count(*) FROM {source} WHERE {where}", values).fetchall()[0]
        query = (
            f"SELECT rowid + {table.first_row}, {cells} FROM {source} WHERE {where} ORDER BY {order} LIMIT ? OFFSET ?"
        )
        found = engine.execute(query, [*values, count, first]).fetchall()
    return Rows(tuple(kinds), tuple(row[1:] for row in found), tuple(row[0] for row in found), matching)


def _typed(kind: str, column: str) -> str:
    return quoted(column) if kind == "VARCHAR" else f"TRY_CAST({quoted(column)} AS {kind})"


def _test(kind: str, one: Filter) -> tuple[str, list[str]]:
    """The condition in SQL, and the values that are bound to it."""
    text, typed = f"CAST({quoted(one.column)} AS VARCHAR)", _typed(kind, one.column)
    value = "?" if kind == "VARCHAR" else f"TRY_CAST(? AS {kind})"
    conditions = {
        Condition.CONTAINS: (f"contains(lower({text}), lower(?))", [one.value]),
        Condition.EQUAL: (f"{typed} = {value}", [one.value]),
        Condition.LESS: (f"{typed} < {value}", [one.value]),
        Condition.GREATER: (f"{typed} > {value}", [one.value]),
        Condition.EMPTY: (f"coalesce({text}, '') = ''", []),
        Condition.FILLED: (f"coalesce({text}, '') <> ''", []),
    }
    return conditions[one.test]


def quoted(name: str) -> str:
    """Return the name as an identifier of SQL."""
    return '"' + name.replace('"', '""') + '"'
