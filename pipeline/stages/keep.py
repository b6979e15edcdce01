"""Which rows of a database a sample keeps: what the gold sees, some others, and what those refer to.

Everything is done by SQLite in sets, in a scratch database with one table of row numbers for each table of the source.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from pipeline.database import Database, ForeignKey, TableSchema, quoted, reading
from pipeline.sandbox import QueryFailed, Sandbox
from pipeline.sql.lineage import Lineage, lineages
from pipeline.sql.tree import NotParsed, parse

MOST_BLOCK_TABLES = 12
_ROUNDS = 60  # of closing over foreign keys; a chain of references that is longer stays open
_PRIME = 2147483647
_MOST_JOINED = 2_000_000  # joined rows that are written down once, instead of asked for once a table


@dataclass(frozen=True)
class Portion:
    """How much of a database a sample keeps.

    Args:
        witnesses: most joined rows a block of the gold keeps; None keeps all that it sees.
        noise_rows: rows drawn from each table beside those.
        whole_rows: tables with at most so many rows are kept whole.
        seed: draws the rows.
        seconds: processor time of one step.
    """

    witnesses: int | None
    noise_rows: int
    whole_rows: int
    seed: int
    seconds: float


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
        numbers = {table.name.lower(): row_number(connection, table) for table in chosen}
        unique = {(t.name.lower(), columns) for t in chosen for columns in _unique(connection, t)}
    numbered = [table for table in chosen if numbers[table.name.lower()] is not None]
    places = {table.name: f"k{at}" for at, table in enumerate(numbered)}
    _prepare(scratch, list(places.values()))
    with Sandbox(scratch) as sandbox:
        step = _Steps(sandbox, database, {n: v for n, v in numbers.items() if v is not None}, places, portion)
        step.lineage(sql)
        step.noise()
        step.close_over([(t, k) for t in numbered for k in t.foreign_keys], unique)
        return Kept(scratch, places, {table.name: step.counts(table.name) for table in chosen})


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


def _prepare(scratch: Path, places: Sequence[str]) -> None:
    with closing(sqlite3.connect(scratch, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        for place in places:
            connection.execute(f"CREATE TABLE {place} (r INTEGER PRIMARY KEY)")
        connection.execute(f"CREATE TABLE block ({', '.join(f'c{n}' for n in range(MOST_BLOCK_TABLES))})")


class _Steps:
    """The steps of one sample, each a statement in the sandbox."""

    def __init__(
        self,
        sandbox: Sandbox,
        database: Database,
        numbers: Mapping[str, str],
        places: Mapping[str, str],
        portion: Portion,
    ) -> None:
        self._sandbox = sandbox
        self._database = database
        self._numbers = numbers
        self._places = places
        self._portion = portion

    def lineage(self, sql: str) -> None:
        """Keep what the blocks of the gold see; all rows where that cannot be told."""
        try:
            found = lineages(parse(sql), lambda name: self._numbers.get(name.lower()))
        except (NotParsed, RecursionError):
            for name in self._places:
                self._keep_all(name)
            return
        for block in found:
            if not self._seen_by(block):
                for name in block.tables:
                    self._keep_all(self._spelled(name))

    def noise(self) -> None:
        """Keep small tables whole, and rows of the others drawn by a hash of their number and the seed."""
        for name in self._places:
            number, table = self._numbers[name.lower()], f"main.{quoted(name)}"
            drawn = f"ORDER BY {_hash(number, self._portion.seed)}, {number} LIMIT {self._portion.noise_rows}"
            small = self.counts(name)[1] <= self._portion.whole_rows
            self._run(
                f"INSERT OR IGNORE INTO keep.{self._places[name]} SELECT {number} FROM {table} {'' if small else drawn}"
            )

    def close_over(
        self, keys: Sequence[tuple[TableSchema, ForeignKey]], unique: set[tuple[str, frozenset[str]]]
    ) -> None:
        """Keep the rows that kept rows refer to, until there are no more; keys to what is not unique are none."""
        made = [(key.parent, self._reference(child, key, unique)) for child, key in keys]
        statements = [(self._spelled(parent), text) for parent, text in made if text is not None]
        before = -1
        for _ in range(_ROUNDS):
            total = sum(self.counts(name)[0] for name in self._places)
            if total == before or not statements:
                return
            before = total
            for parent, statement in statements:
                kept, there = self.counts(parent)
                if kept < there:
                    self._run(statement)

    def counts(self, name: str) -> tuple[int, int]:
        """Return how many rows of a table are kept, and how many it has."""
        total = self._number(f"SELECT count(*) FROM main.{quoted(name)}")
        if name not in self._places:
            return total, total
        return self._number(f"SELECT count(*) FROM keep.{self._places[name]}"), total

    def _seen_by(self, block: Lineage) -> bool:
        """Keep what a block sees, or as many joined rows of it as asked for; return False if that cannot be told."""
        if len(block.tables) > MOST_BLOCK_TABLES:
            return False
        for query in block.select(", ".join(f"{number} AS n{at}" for at, number in enumerate(block.numbers))):
            if self._accepts(query):
                self._keep_joined(block, query)
                return True
        return False

    def _keep_joined(self, block: Lineage, query: str) -> None:
        """Keep the rows of each table among joined rows; joins of very many rows are gone through once a table."""
        most = self._portion.witnesses
        columns = ", ".join(f"c{at}" for at in range(len(block.tables)))
        hashed = " + ".join(_hash(f"coalesce({number}, 0)", self._portion.seed) for number in block.numbers)
        drawn = f" ORDER BY {hashed}, {', '.join(block.numbers)} LIMIT {most}" if most is not None else ""
        self._run("DELETE FROM keep.block")
        limit = "" if drawn else f" LIMIT {_MOST_JOINED + 1}"
        if drawn or len(block.tables) > 1:
            self._run(f"INSERT INTO keep.block ({columns}) {query}{drawn}{limit}")
        together = drawn or 0 < self._number("SELECT count(*) FROM keep.block") <= _MOST_JOINED
        for at, name in enumerate(block.tables):
            one = f"SELECT c{at} AS n{at} FROM keep.block" if together else query
            place = self._places[self._spelled(name)]
            self._run(f"INSERT OR IGNORE INTO keep.{place} SELECT n{at} FROM ({one}) WHERE n{at} IS NOT NULL")

    def _reference(self, child: TableSchema, key: ForeignKey, unique: set[tuple[str, frozenset[str]]]) -> str | None:
        parent = self._database.table(key.parent)
        if parent is None or parent.name not in self._places:
            return None
        keys = sorted((column for column in parent.columns if column.key), key=lambda column: column.key)
        targets = key.parent_columns or tuple(column.name for column in keys)
        named = frozenset(target.lower() for target in targets)
        if len(targets) != len(key.columns) or (parent.name.lower(), named) not in unique:
            return None
        pairs = zip(key.columns, targets, strict=True)
        on = " AND ".join(f"p.{quoted(target)} = c.{quoted(column)}" for column, target in pairs)
        return (
            f"INSERT OR IGNORE INTO keep.{self._places[parent.name]} SELECT p.{self._numbers[parent.name.lower()]} "
            f"FROM keep.{self._places[child.name]} k JOIN main.{quoted(child.name)} c "
            f"ON c.{self._numbers[child.name.lower()]} = k.r JOIN main.{quoted(parent.name)} p ON {on}"
        )

    def _keep_all(self, name: str) -> None:
        number = self._numbers[name.lower()]
        self._run(f"INSERT OR IGNORE INTO keep.{self._places[name]} SELECT {number} FROM main.{quoted(name)}")

    def _spelled(self, name: str) -> str:
        return next(known for known in self._places if known.lower() == name.lower())

    def _accepts(self, query: str) -> bool:
        try:
            self._run(f"EXPLAIN {query}")
        except QueryFailed:
            return False
        return True

    def _run(self, statement: str) -> None:
        self._sandbox.run(self._database.path, statement, seconds=self._portion.seconds, rows=0)

    def _number(self, query: str) -> int:
        answer = self._sandbox.run(self._database.path, query, seconds=self._portion.seconds, rows=1)
        return int(str(answer.rows[0][0]))


def _hash(number: str, seed: int) -> str:
    """Return an expression that scatters row numbers over 31 bits; SQLite has no hash of its own.

    No product leaves 64 bits, where SQLite would go over to floating point.
    """
    first = f"((({number} % {_PRIME} + {_PRIME}) % {_PRIME} * 48271 + {seed % _PRIME}) % {_PRIME})"
    return f"(({first} * {first} + {first}) % {_PRIME} * 16807 % {_PRIME})"
