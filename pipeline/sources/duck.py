"""DuckDB files as SQLite files, since gold SQL is executed by SQLite alone."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb

from pipeline.sources.converted import made_once, quoted

DUCK_SUFFIXES = (".duckdb", ".ddb")
_CHUNK = 10_000
_WHOLE = {"BIGINT", "INTEGER", "SMALLINT", "TINYINT", "UBIGINT", "UINTEGER", "USMALLINT", "UTINYINT", "BOOLEAN"}
_REAL = {"DOUBLE", "FLOAT"}


def as_sqlite(path: Path) -> Path:
    """Return a SQLite file with the tables of a DuckDB file, made in `.sqlite/` beside it unless it is there.

    Dates and times become ISO texts, decimals REAL, booleans 0 and 1, lists and structs their text.

    Raises:
        SourceError: the file cannot be read, or nothing can be written beside it.
    """
    return made_once(path, _convert, (duckdb.Error,))


def _convert(path: Path, made: sqlite3.Connection) -> None:
    with closing(duckdb.connect(str(path), read_only=True)) as duck:
        # nothing that a file names may be fetched or installed
        duck.execute("SET enable_external_access = false")
        tables = duck.execute(
            "SELECT table_name FROM duckdb_tables() WHERE NOT internal AND schema_name = 'main' ORDER BY table_oid"
        ).fetchall()
        for (name,) in tables:
            _copy(duck, made, name)


def _copy(duck: Any, made: sqlite3.Connection, name: str) -> None:
    cursor = duck.execute(f"SELECT * FROM {quoted(name)}")
    columns = [(str(column[0]), str(column[1]).upper()) for column in cursor.description]
    declared = ", ".join(f"{quoted(column)} {_type(kind)}".strip() for column, kind in columns)
    made.execute(f"CREATE TABLE {quoted(name)} ({declared})")
    marks = ", ".join("?" * len(columns))
    made.executemany(f"INSERT INTO {quoted(name)} VALUES ({marks})", _rows(cursor))


def _rows(cursor: Any) -> Iterator[tuple[object, ...]]:
    while rows := cursor.fetchmany(_CHUNK):
        yield from (tuple(map(_plain, row)) for row in rows)


def _plain(value: object) -> object:
    if value is None or isinstance(value, int | float | str | bytes):
        return int(value) if isinstance(value, bool) else value
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, datetime):
        return value.isoformat(" ")
    return value.isoformat() if isinstance(value, date | time) else str(value)


def _type(kind: str) -> str:
    if kind in _WHOLE:
        return "INTEGER"
    if kind in _REAL or kind.startswith("DECIMAL"):
        return "REAL"
    return "" if kind == "BLOB" else "TEXT"
