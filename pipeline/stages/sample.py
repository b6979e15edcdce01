"""Which tables a task's database keeps, and the copy itself.

For now the rows are kept whole: a sample is an exact copy of the chosen tables.
"""

import hashlib
import sqlite3
from collections.abc import Collection, Iterable
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import quote

from pipeline.database import LONGEST_READING, Database, TableSchema, quoted, stop_after


@dataclass(frozen=True)
class Sampling:
    """Which tables were kept and why; goes into the provenance."""

    method: str
    tables_in_source: int
    kept: tuple[str, ...]
    needed: tuple[str, ...]
    note: str

    def to_json(self) -> dict[str, object]:
        """Return the fields as a JSON object."""
        return asdict(self)


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


def _neighbours(database: Database, wanted: Collection[str]) -> set[str]:
    pairs = [(table.name, key.parent) for table in database.tables for key in table.foreign_keys]
    spelled = {table.name.lower(): table.name for table in database.tables}
    known = [(child, spelled[parent.lower()]) for child, parent in pairs if parent.lower() in spelled]
    touched = {b for a, b in known if a in wanted} | {a for a, b in known if b in wanted}
    return touched - set(wanted)


def _draw(seed: int, name: str) -> bytes:
    return hashlib.sha256(f"{seed}\0{name}".encode()).digest()


def copy_tables(database: Database, target: Path, names: Iterable[str]) -> None:
    """Write a database with these tables: same statements, indexes, rows and row numbers; no views or triggers.

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
        connection.execute("BEGIN")
        for table in database.tables:
            if table.name in kept:
                _copy(connection, table)
        connection.execute("COMMIT")


def _copy(connection: sqlite3.Connection, table: TableSchema) -> None:
    connection.execute(table.sql)
    stored = [quoted(column.name) for column in table.columns if not column.generated]
    number = _row_number(connection, table)
    columns = ", ".join([*number, *stored])
    order = f" ORDER BY {number[0]}" if number else ""
    name = quoted(table.name)
    connection.execute(f"INSERT INTO main.{name} ({columns}) SELECT {columns} FROM source.{name}{order}")
    for index in table.indexes:
        connection.execute(index)


def _row_number(connection: sqlite3.Connection, table: TableSchema) -> list[str]:
    """Return the name under which the row number can be read and written, or nothing if there is none."""
    taken = {column.name.lower() for column in table.columns}
    free = [name for name in ("rowid", "_rowid_", "oid") if name not in taken]
    if not free:
        return []
    try:
        connection.execute(f"SELECT {free[0]} FROM source.{quoted(table.name)} LIMIT 0")
    except sqlite3.OperationalError:  # WITHOUT ROWID
        return []
    return [free[0]]
