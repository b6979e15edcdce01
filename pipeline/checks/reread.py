"""Does a workspace file say exactly what its table says? Read back with an independent reader."""

import struct
from collections.abc import Sequence
from pathlib import Path

from pipeline.database import Database, read_rows, reading
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


def reread_sqlite(path: Path, copied: Database, tables: Sequence[tuple[str, Sequence[Row]]]) -> None:
    """Compare the tables of an SQLite file; `copied` describes it. Raises CheckError as `reread` does."""
    with reading(path) as connection:
        for name, rows in tables:
            schema = copied.table(name)
            if schema is None:
                raise CheckError(f"{path.name}: the table {name} is missing; render the file again")
            header = [column.name for column in schema.columns]
            compare(path.name, name, (header, rows), (header, read_rows(connection, schema)))


def compare(
    where: str,
    table: str,
    wanted: tuple[Sequence[str], Sequence[Row]],
    found: tuple[Sequence[str], Sequence[Row]],
) -> None:
    """Compare two tables of typed cells. Raises CheckError at the first difference."""
    if list(wanted[0]) != list(found[0]):
        raise CheckError(f"{where}: columns {list(found[0])} where {table} has {list(wanted[0])}")
    if len(wanted[1]) != len(found[1]):
        raise CheckError(f"{where}: {len(found[1])} rows where {table} has {len(wanted[1])}")
    for number, (one, other) in enumerate(zip(wanted[1], found[1], strict=True), 1):
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
