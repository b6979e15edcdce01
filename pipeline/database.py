"""A source's SQLite database: opened read-only, described, and copied table by table."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from pipeline.content import Reason, Rejected, Stage
from pipeline.sources.base import file_digest

LONGEST_VALUE = 16 << 20
LONGEST_READING = 120.0  # seconds of processor time for one pass over a database


@dataclass(frozen=True)
class Column:
    """A column as declared; `key` is its place in the primary key, from 1, or 0; `generated` is computed."""

    name: str
    declared: str
    key: int
    generated: bool


@dataclass(frozen=True)
class ForeignKey:
    """Columns that refer to another table; `parent_columns` is empty where the primary key is meant."""

    columns: tuple[str, ...]
    parent: str
    parent_columns: tuple[str, ...]


@dataclass(frozen=True)
class TableSchema:
    """An ordinary table: its columns, keys, and the statement that made it."""

    name: str
    columns: tuple[Column, ...]
    foreign_keys: tuple[ForeignKey, ...]
    sql: str
    indexes: tuple[str, ...]


@dataclass(frozen=True)
class Database:
    """A database that can be read. `tables` are in the order of their making; views are named only."""

    path: Path
    digest: str
    tables: tuple[TableSchema, ...]
    views: tuple[str, ...]
    left_out: tuple[str, ...]

    @property
    def columns(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The names of the columns of each table, by its name."""
        return tuple((table.name, tuple(column.name for column in table.columns)) for table in self.tables)

    def table(self, name: str) -> TableSchema | None:
        """Return the table of this name, in whatever case, or None."""
        return next((table for table in self.tables if table.name.lower() == name.lower()), None)


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a database so that nothing can change it, not even a journal beside it.

    Text that is no UTF-8 comes back with surrogate escapes, so that it can be told from real text.
    """
    uri = f"file:{quote(str(path.resolve()))}?mode=ro&immutable=1"
    with closing(sqlite3.connect(uri, uri=True)) as connection:
        stop_after(connection, LONGEST_READING)
        connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
        connection.execute("PRAGMA trusted_schema = 0")
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
        yield connection


def stop_after(connection: sqlite3.Connection, seconds: float) -> None:
    """Interrupt what the connection does after so much processor time: checks and computed columns are code too."""
    end = time.process_time() + seconds
    connection.set_progress_handler(lambda: time.process_time() > end, 100_000)


def describe(path: Path, name: str, max_bytes: int) -> Database:
    """Return the schema of a database. Raises Rejected if it is missing, too large or broken."""
    if not path.is_file():
        message = f"{name}: there is no file {path.name}; put it into the source's database folder"
        raise Rejected(Stage.DATABASE, Reason.DATABASE_MISSING, message, path.name)
    size = path.stat().st_size
    if size > max_bytes:
        message = f"{path.name}: {size} bytes are more than {max_bytes}; raise the limit or take a part of it"
        raise Rejected(Stage.DATABASE, Reason.DATABASE_TOO_LARGE, message, f"{size} bytes")
    try:
        return _described(path)
    except (sqlite3.Error, UnicodeEncodeError) as error:  # a name may hold bytes that are no text
        raise broken(path.name, str(error)) from error


def broken(name: str, problem: str) -> Rejected:
    """Return the rejection for a database that SQLite cannot read."""
    message = f"{name}: SQLite cannot read the database ({problem}); download or make the file again"
    return Rejected(Stage.DATABASE, Reason.DATABASE_BROKEN, message, problem)


def _described(path: Path) -> Database:
    with reading(path) as connection:
        problems = [row[0] for row in connection.execute("PRAGMA quick_check(3)")]
        if problems != ["ok"]:
            raise sqlite3.DatabaseError("; ".join(problems))
        listed = connection.execute("SELECT type, name, sql, tbl_name FROM sqlite_master").fetchall()
        own = [row for row in listed if not row[1].lower().startswith("sqlite_")]
        ordinary = [row for row in own if row[0] == "table" and not _is_virtual(row[2])]
        tables = tuple(_table(connection, row[1], row[2], listed) for row in ordinary)
    if not tables:
        raise sqlite3.DatabaseError("it holds no table")
    views = tuple(row[1] for row in own if row[0] == "view")
    virtual = tuple(row[1] for row in own if row[0] == "table" and _is_virtual(row[2]))
    return Database(path, file_digest(path), tables, views, virtual)


def _is_virtual(sql: str) -> bool:
    return sql.upper().split()[:2] == ["CREATE", "VIRTUAL"]


def _table(
    connection: sqlite3.Connection, name: str, sql: str, listed: list[tuple[str, str, str | None, str]]
) -> TableSchema:
    columns = connection.execute(f"PRAGMA table_xinfo({quoted(name)})").fetchall()
    indexes = [row[2] for row in listed if row[0] == "index" and row[3] == name and row[2]]
    return TableSchema(
        name=name,
        columns=tuple(Column(c[1], c[2], c[5], c[6] in (2, 3)) for c in columns if c[6] != 1),
        foreign_keys=_foreign_keys(connection, name),
        sql=sql,
        indexes=tuple(sorted(indexes)),
    )


def _foreign_keys(connection: sqlite3.Connection, name: str) -> tuple[ForeignKey, ...]:
    keys: dict[int, list[tuple[str, str, str | None]]] = {}
    for number, _, parent, child, target, *_ in connection.execute(f"PRAGMA foreign_key_list({quoted(name)})"):
        keys.setdefault(number, []).append((parent, child, target))
    return tuple(
        ForeignKey(tuple(part[1] for part in parts), parts[0][0], tuple(part[2] for part in parts if part[2]))
        for _, parts in sorted(keys.items())
    )


def quoted(name: str) -> str:
    """Return a name as an SQL identifier, whatever characters it has.

    >>> quoted('say "hi"')
    '"say ""hi""\"'
    """
    return '"' + name.replace('"', '""') + '"'


def read_rows(connection: sqlite3.Connection, table: TableSchema) -> Iterator[tuple[object, ...]]:
    """Return an iterator over the rows of a table, in the order in which SQLite keeps them."""
    names = ", ".join(quoted(column.name) for column in table.columns)
    return connection.execute(f"SELECT {names} FROM {quoted(table.name)}")
