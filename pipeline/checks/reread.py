"""Does a workspace file say exactly what its table says? Read back with an independent reader."""

import struct
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from pathlib import Path

from pipeline.content import Rejected
from pipeline.database import Database, describe, read_rows, reading
from pipeline.errors import CheckError
from pipeline.render import csv, json, markdown
from pipeline.stages.route import Modality

Row = tuple[object, ...]


def reread(path: Path, modality: Modality, table: str, header: Sequence[str], rows: Sequence[Row]) -> None:
    """Compare a file of one table, cell by cell, types and missing values included.

    Raises:
        CheckError: the file cannot be read, or names the first cell that differs.
    """
    try:
        names, found = _read(path, modality, header)
    except ValueError as error:
        raise CheckError(f"{path.name}: cannot be read back ({error}); render the table again") from error
    compare(path.name, table, (header, rows), (names, found))


def reread_sqlite(path: Path, sampled: Database, tables: Sequence[str]) -> None:
    """Compare tables of an SQLite file with those of the sampled database, row by row.

    Raises CheckError as `reread` does, or if a table or the type of a column is another.
    """
    copied = {table.name: table for table in describe(path, path.name, path.stat().st_size).tables}
    with reading(path) as connection, reading(sampled.path) as origin:
        for table in [table for table in sampled.tables if table.name in tables]:
            if copied.get(table.name) != table:
                raise CheckError(f"{path.name}: {table.name} is missing or declared otherwise; render the file again")
            header = [column.name for column in table.columns]
            wanted, found = read_rows(origin, table), read_rows(connection, table)
            compare(path.name, table.name, (header, wanted), (header, found))


def reread_workspace(context: Path, sampled: Path, files: Sequence[tuple[str, str, tuple[str, ...]]]) -> int:
    """Compare every workspace file that carries tables with the sampled database; return how many cells were read.

    `files` gives for each file its path below `context`, its modality, and the tables in it. Files without tables
    (knowledge, distractors) say nothing about the database and are passed over.

    Raises:
        CheckError: a file is missing or reads differently; names the first cell.
    """
    try:
        database = describe(sampled, sampled.name, 1 << 62)
    except Rejected as error:
        raise CheckError(error.message) from error
    cells = 0
    for path, modality, tables in files:
        if not tables:
            continue
        if not (context / path).is_file():
            raise CheckError(f"{path}: the file is missing")
        _reread_file(context / path, Modality(modality), database, tables)
        with reading(sampled) as connection:
            for table in (database.table(name) for name in tables):
                if table is not None:
                    cells += sum(len(row) for row in read_rows(connection, table))
    return cells


def _reread_file(path: Path, modality: Modality, database: Database, tables: Sequence[str]) -> None:
    if modality is Modality.SQLITE:
        reread_sqlite(path, database, tables)
        return
    for name in tables:
        table = database.table(name)
        if table is None:
            raise CheckError(f"{path.name}: the sampled database has no table {name}")
        with reading(database.path) as connection:
            rows = list(read_rows(connection, table))
        reread(path, modality, name, [column.name for column in table.columns], rows)


def compare(
    where: str,
    table: str,
    wanted: tuple[Sequence[str], Iterable[Row]],
    found: tuple[Sequence[str], Iterable[Row]],
) -> None:
    """Compare two tables of typed cells. Raises CheckError at the first difference."""
    if list(wanted[0]) != list(found[0]):
        raise CheckError(f"{where}: columns {list(found[0])} where {table} has {list(wanted[0])}")
    for number, (one, other) in enumerate(zip_longest(wanted[1], found[1]), 1):
        if one is None or other is None:
            more = "more" if one is None else "fewer"
            raise CheckError(f"{where}: {more} rows than {table}, which is told at row {number}")
        if one == other and all(map(_is_same, one, other)):
            continue
        at = next(n for n, (a, b) in enumerate(zip(one, other, strict=True)) if not _is_same(a, b))
        raise CheckError(f"{where}: row {number}, column {wanted[0][at]}: {other[at]!r} where {table} has {one[at]!r}")


def _is_same(one: object, other: object) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return struct.pack("<d", one) == struct.pack("<d", other)  # -0.0 is not 0.0
    return type(one) is type(other) and one == other


def _read(path: Path, modality: Modality, header: Sequence[str]) -> tuple[list[str], list[Row]]:
    data = path.read_bytes()
    if modality is Modality.CSV:
        return csv.read(data)
    if modality is Modality.JSON:
        return json.read(data, header)
    if modality is Modality.MARKDOWN:
        return markdown.read(data)
    raise ValueError(f"{modality} files are compared by reread_sqlite")
