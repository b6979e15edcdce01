"""Which tables a task's database keeps, by which method its rows are chosen, and the copy itself."""

import hashlib
import sqlite3
from collections.abc import Collection, Iterable
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from pathlib import Path
from urllib.parse import quote

from pipeline.database import LONGEST_READING, Database, TableSchema, quoted, stop_after
from pipeline.stages.keep import Kept, row_number

_WITNESSES = (20, 80, 320)  # tried in turn by `shrink` until the result can be a gold
_MISSES = (8, 100, 2000, 20_000)  # rows that one part of the gold turns away; tried in turn until all are live


class Mode(StrEnum):
    """How the rows of a sampled database are chosen.

    `copy` keeps all. `preserve` keeps what the gold sees, so that its result is that of the source, and some others.
    `shrink` keeps some of what the gold sees: another result, checked like any other. `auto` copies a small database
    and preserves on a large one.
    """

    AUTO = "auto"
    COPY = "copy"
    PRESERVE = "preserve"
    SHRINK = "shrink"


@dataclass(frozen=True)
class Rows:
    """For which gold the rows are chosen.

    `witnesses` is how many joined rows a block keeps, None for all; `misses` how many of those that one part of the
    gold alone turns away, for each part.
    """

    sql: str
    witnesses: int | None
    misses: int


@dataclass(frozen=True)
class Sampling:
    """Which tables were kept and why; goes into the provenance. `rows` is None where all rows are kept."""

    method: str
    tables_in_source: int
    kept: tuple[str, ...]
    needed: tuple[str, ...]
    note: str
    rows: Rows | None = None

    def to_json(self) -> dict[str, object]:
        """Return the fields as a JSON object; the gold itself stands in a file of its own."""
        rows = {"witnesses": self.rows.witnesses, "misses": self.rows.misses} if self.rows is not None else {}
        return {**{key: value for key, value in asdict(self).items() if key != "rows"}, **rows}


def choose_tables(database: Database, needed: Collection[str], seed: int, max_tables: int) -> Sampling:
    """Choose the tables of a task: all, or those needed, their neighbours, and others up to the limit.

    Tables that the gold needs are kept whatever their number. Neighbours are those that a foreign key
    joins with a needed table; the rest is drawn by the seed, the same for the same seed and name.
    """
    names = [table.name for table in database.tables]
    wanted = {name for name in names if name.lower() in {n.lower() for n in needed}}
    if len(names) <= max_tables:
        return Sampling("copy", len(names), tuple(names), tuple(sorted(wanted)), "all tables, all rows")
    near = sorted(_neighbours(database, wanted))
    others = sorted(set(names) - wanted - set(near), key=lambda name: (_draw(seed, name), name))
    chosen = {*wanted, *[*near, *others][: max(0, max_tables - len(wanted))]}
    note = f"{len(chosen)} of {len(names)} tables, all rows: those the gold reads, neighbours by key, others drawn"
    kept = tuple(name for name in names if name in chosen)
    return Sampling("copy of some tables", len(names), kept, tuple(sorted(wanted)), note)


def samplings(tables: Sampling, sql: str, mode: Mode, size: int, copied_up_to: int) -> list[Sampling]:
    """Return the samplings to try for a gold, in order; the last is a copy, which cannot change its result.

    `auto` copies a database of at most `copied_up_to` bytes: all its tasks then share one workspace, while a sample is
    made for each task.
    """
    if mode is Mode.COPY or (mode is Mode.AUTO and size <= copied_up_to):
        return [tables]
    preserve = [_rows(tables, "preserve", "the rows", Rows(sql, None, misses)) for misses in _MISSES]
    if mode is not Mode.SHRINK:
        return [*preserve, tables]
    few = zip(_WITNESSES, _MISSES, strict=False)
    shrink = [_rows(tables, "shrink", "some of the rows", Rows(sql, count, misses)) for count, misses in few]
    return [*shrink, *preserve, tables]


def _rows(tables: Sampling, method: str, which: str, rows: Rows) -> Sampling:
    note = (
        f"of {len(tables.kept)} tables {which} that the gold sees, some that one of its conditions turns away, "
        "others drawn, and what hangs on them by foreign key"
    )
    return replace(tables, method=method, note=note, rows=rows)


def _neighbours(database: Database, wanted: Collection[str]) -> set[str]:
    pairs = [(table.name, key.parent) for table in database.tables for key in table.foreign_keys]
    spelled = {table.name.lower(): table.name for table in database.tables}
    known = [(child, spelled[parent.lower()]) for child, parent in pairs if parent.lower() in spelled]
    touched = {b for a, b in known if a in wanted} | {a for a, b in known if b in wanted}
    return touched - set(wanted)


def _draw(seed: int, name: str) -> bytes:
    return hashlib.sha256(f"{seed}\0{name}".encode()).digest()


def copy_tables(database: Database, target: Path, names: Iterable[str], rows: Kept | None = None) -> None:
    """Write a database with these tables: same statements, indexes, rows and row numbers; no views or triggers.

    With `rows`, only those rows of the tables for which it gives a place.

    Foreign keys are declared as in the source, also to tables that are left out. Raises sqlite3.Error.
    """
    kept = set(names)
    with closing(sqlite3.connect(f"file:{quote(str(target))}", uri=True, isolation_level=None)) as connection:
        stop_after(connection, LONGEST_READING)
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("PRAGMA ignore_check_constraints = ON")  # the rows are what they are
        source = f"file:{quote(str(database.path.resolve()))}?mode=ro&immutable=1"
        connection.execute("ATTACH ? AS source", (source,))
        if rows is not None:
            connection.execute("ATTACH ? AS keep", (f"file:{quote(str(rows.scratch.resolve()))}?mode=ro",))
        connection.execute("BEGIN")
        for table in database.tables:
            if table.name in kept:
                _copy(connection, table, rows.places.get(table.name) if rows is not None else None)
        connection.execute("COMMIT")


def _copy(connection: sqlite3.Connection, table: TableSchema, place: str | None) -> None:
    connection.execute(table.sql)
    stored = [quoted(column.name) for column in table.columns if not column.generated]
    number = row_number(connection, table, "source")
    columns = ", ".join([*([number] if number else []), *stored])
    order = f" ORDER BY {number}" if number else ""
    only = f" WHERE {number} IN (SELECT r FROM keep.{place})" if place else ""
    name = quoted(table.name)
    connection.execute(f"INSERT INTO main.{name} ({columns}) SELECT {columns} FROM source.{name}{only}{order}")
    for index in table.indexes:
        connection.execute(index)
