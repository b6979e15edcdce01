"""A workspace loaded once into a DuckDB file: its tables by page, sorted and filtered, and a search over all texts.

The file is ours, made by `load_child`; the questions asked here are our own. What people write in SQL goes to
`query`, in a child process.
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

import duckdb

from review_app.workspace.load_child import LINES, quoted

SECONDS = 180
PAGE_ROWS = 200
MAX_CELL = 500
HITS_A_TABLE = 5
MOST_HITS = 100
VERSION = "1"  # part of the file's name: another way to load makes another file
CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "threads": 2,
    "memory_limit": "512MB",
    "enable_external_access": False,
    "autoload_known_extensions": False,
}


class IndexFailed(Exception):
    """The workspace could not be loaded; the message says why. Its files can still be downloaded."""


@dataclass(frozen=True)
class Source:
    """A workspace file: its path below `context/`, its modality, and where it lies (a blob, named by its digest)."""

    name: str
    modality: str
    path: Path


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


@dataclass(frozen=True)
class Hit:
    """Where a text was found: the file, the table in it ("" for none), the place, and the text around it."""

    path: str
    table: str
    place: str
    text: str


def build(cache: Path, sources: Iterable[Source]) -> Index:
    """Return the loaded workspace, loading it if that was not done before. Two at once load twice; both are right.

    Raises:
        IndexFailed: the child met its limits, or the folder cannot be written.
    """
    found = list(sources)
    said = json.dumps([VERSION, [[source.name, source.modality, source.path.name] for source in found]])
    name = hashlib.sha256(said.encode()).hexdigest()[:32]
    database, contents = cache / f"{name}.duckdb", cache / f"{name}.json"
    if not (contents.exists() and database.exists()):
        try:
            cache.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=cache) as folder:
                _load(found, Path(folder), database, contents)
        except OSError as error:
            raise IndexFailed(f"the workspace cannot be loaded: {error.strerror}; tell an admin") from error
    return Index(database, tuple(_file(one) for one in json.loads(contents.read_text(encoding="utf-8"))))


def _load(sources: list[Source], folder: Path, database: Path, contents: Path) -> None:
    fresh = folder / "fresh.duckdb"
    asked = {
        "target": str(fresh),
        "sources": [[source.name, source.modality, str(source.path)] for source in sources],
    }
    command = [sys.executable, "-I", "-m", "review_app.workspace.load_child"]
    environment = {"TMPDIR": str(folder), "PATH": os.defpath}
    try:
        # our own module; the files' names go by standard input
        done = subprocess.run(  # noqa: S603
            command, input=json.dumps(asked).encode(), capture_output=True, timeout=SECONDS, env=environment
        )
        said = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, ValueError) as error:
        raise IndexFailed("the workspace is too large to be loaded; download its files") from error
    (folder / "contents.json").write_text(json.dumps(said, ensure_ascii=False), encoding="utf-8")
    fresh.replace(database)
    (folder / "contents.json").replace(contents)


def _file(said: dict[str, object]) -> FileInfo:
    tables = tuple(
        TableInfo(**{**table, "columns": tuple((name, kind) for name, kind in table["columns"])})
        for table in said["tables"]  # type: ignore[attr-defined]
    )
    return FileInfo(str(said["file"]), tables, int(str(said["pages"])), str(said["problem"]))


@contextmanager
def _open(index: Index) -> Iterator[duckdb.DuckDBPyConnection]:
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
    with _open(index) as engine:
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


@lru_cache(maxsize=64)
def search(index: Index, text: str) -> tuple[Hit, ...]:
    """Return where the text stands, whatever its case: names of files first, then lines and pages, then cells.

    At most HITS_A_TABLE of a table, MOST_HITS in all; nothing for blank text. The last answers are kept: a page asks
    again at every click, and what is loaded never changes.
    """
    wanted = text.strip()
    if not wanted:
        return ()
    found = [Hit(file.path, "", "", file.path) for file in index.files if wanted.lower() in file.path.lower()]
    with _open(index) as engine:
        found += _lines(engine, wanted)
        for file in index.files:
            for table in file.tables:
                found += _cells(engine, file, table, wanted)
                if len(found) >= MOST_HITS:
                    return tuple(found[:MOST_HITS])
    return tuple(found)


def _lines(engine: duckdb.DuckDBPyConnection, wanted: str) -> list[Hit]:
    query = (
        f"SELECT file, place, left(line, {MAX_CELL}) FROM raw.{quoted(LINES)} "
        "WHERE contains(lower(line), lower(?)) ORDER BY rowid LIMIT ?"
    )
    return [Hit(path, "", place, line) for path, place, line in engine.execute(query, [wanted, MOST_HITS]).fetchall()]


def find_in(index: Index, path: str, text: str) -> list[Hit]:
    """Return the lines of one document in which the text stands, whatever its case; nothing for blank text."""
    wanted = text.strip()
    if not wanted:
        return []
    query = (
        f"SELECT place, left(line, {MAX_CELL}) FROM raw.{quoted(LINES)} "
        "WHERE file = ? AND contains(lower(line), lower(?)) ORDER BY rowid LIMIT ?"
    )
    with _open(index) as engine:
        found = engine.execute(query, [path, wanted, MOST_HITS]).fetchall()
    return [Hit(path, "", place, line) for place, line in found]


def _cells(engine: duckdb.DuckDBPyConnection, file: FileInfo, table: TableInfo, wanted: str) -> list[Hit]:
    texts = [f"coalesce(CAST({quoted(column)} AS VARCHAR), '')" for column, _ in table.columns]
    line = f"concat_ws(' · ', {', '.join(texts)})"
    query = (
        f"SELECT rowid + {table.first_row}, left({line}, {MAX_CELL}) FROM raw.{quoted(table.name)} "
        f"WHERE contains(lower({line}), lower(?)) LIMIT {HITS_A_TABLE}"
    )
    found = engine.execute(query, [wanted]).fetchall()
    return [Hit(file.path, table.inside, f"row {number}", shown) for number, shown in found]
