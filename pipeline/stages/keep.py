"""Which rows of a database a sample keeps: what the gold sees and just does not see, what hangs on it, some others."""

import hashlib
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.database import Database, TableSchema, quoted, reading
from pipeline.sampling.distractors import keep_distractors
from pipeline.sampling.references import keep_children, keep_parents, references
from pipeline.sampling.scratch import Scratch, prepare
from pipeline.sampling.seen import keep_missed, keep_seen, resolved
from pipeline.sandbox import Sandbox
from pipeline.sql.mutations import mutations
from pipeline.sql.tree import NotParsed


@dataclass(frozen=True)
class Portion:
    """How much of a database a sample keeps.

    Args:
        witnesses: most joined rows a block of the gold keeps; None keeps all that it sees.
        noise_rows: rows drawn from each table beside those.
        whole_rows: tables with at most so many rows are kept whole.
        seed: draws the rows, together with the gold: other tasks get other rows.
        seconds: processor time of one step.
        misses: joined rows kept of those that one condition of the gold alone turns away, for each condition.
        task_rows: rows that the sample should have in all tables together; what is drawn is cut to it, evenly. None
            sets no limit.
        table_rows: `noise_rows` of single tables, by their names.
    """

    witnesses: int | None
    noise_rows: int
    whole_rows: int
    seed: int
    seconds: float
    misses: int = 0
    task_rows: int | None = None
    table_rows: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Kept:
    """The outcome: the scratch table of each table of which rows are kept, and how many rows are kept and there are.

    Tables that are in `counts` only are kept whole.
    """

    scratch: Path
    places: Mapping[str, str]
    counts: Mapping[str, tuple[int, int]]


def keep_rows(database: Database, tables: Sequence[str], sql: str, portion: Portion, scratch: Path) -> Kept:
    """Return which rows of some tables a sample for a gold keeps, in a new scratch database.

    Raises QueryFailed if a step meets its limit, and sqlite3.Error if the scratch cannot be written.
    """
    chosen = [table for table in database.tables if table.name in set(tables)]
    with reading(database.path) as connection:
        found = {table.name.lower(): row_number(connection, table) for table in chosen}
        unique = {(t.name.lower(), columns) for t in chosen for columns in _unique(connection, t)}
    numbers = {name: number for name, number in found.items() if number is not None}
    numbered = [table for table in chosen if table.name.lower() in numbers]
    places = {table.name: f"k{at}" for at, table in enumerate(numbered)}
    prepare(scratch, list(places.values()))
    with Sandbox(scratch) as sandbox:
        rows = Scratch(sandbox, database, numbers, places, _seed(portion.seed, sql), portion.seconds)
        keys = references(rows, numbered, unique)
        keep_seen(rows, sql, portion.witnesses)
        keep_children(rows, keys)
        _keep_missed(rows, sql, portion.misses)
        _keep_others(rows, numbered, portion)
        keep_parents(rows, keys)
        return Kept(scratch, places, {table.name: rows.counts(table.name) for table in chosen})


def _seed(seed: int, sql: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{seed}\0{sql}".encode(errors="surrogatepass")).digest()[:8], "big")


def _keep_missed(rows: Scratch, sql: str, most: int) -> None:
    try:
        parts = mutations(resolved(sql, rows.database)) if most else []
    except (NotParsed, RecursionError):
        return
    keep_missed(rows, parts, most)


def _keep_others(rows: Scratch, tables: Sequence[TableSchema], portion: Portion) -> None:
    """Keep small tables whole, and draw rows of the others, as many as the task has room for."""
    large = []
    for table in tables:
        if rows.counts(table.name)[1] <= portion.whole_rows:
            rows.keep_all(table.name)
        else:
            large.append(table)
    wanted = {name.lower(): count for name, count in portion.table_rows}
    room = None
    if portion.task_rows is not None and large:
        room = max(0, portion.task_rows - sum(rows.counts(table.name)[0] for table in tables)) // len(large)
    for table in large:
        count = wanted.get(table.name.lower(), portion.noise_rows)
        keep_distractors(rows, table, count if room is None else min(count, room))


def row_number(connection: sqlite3.Connection, table: TableSchema, schema: str = "main") -> str | None:
    """Return the name under which the row number of a table can be read and written, or None if there is none."""
    taken = {column.name.lower() for column in table.columns}
    free = [name for name in ("rowid", "_rowid_", "oid") if name not in taken]
    try:
        connection.execute(f"SELECT {free[0]} FROM {schema}.{quoted(table.name)} LIMIT 0")
    except (IndexError, sqlite3.OperationalError):  # all names taken, or WITHOUT ROWID
        return None
    return free[0]


def _unique(connection: sqlite3.Connection, table: TableSchema) -> list[frozenset[str]]:
    """Return the sets of columns of which no two rows have the same values: only those can be referred to."""
    key = frozenset(column.name.lower() for column in table.columns if column.key)
    found = [key] if key else []
    for _, name, is_unique, _, partial in connection.execute(f"PRAGMA index_list({quoted(table.name)})").fetchall():
        if is_unique and not partial:
            parts = [row[2] for row in connection.execute(f"PRAGMA index_info({quoted(name)})")]
            found.append(frozenset(part.lower() for part in parts if part is not None))
    return found
