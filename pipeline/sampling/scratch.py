"""The scratch database of one sample: a table of row numbers for each table of the source, written in the sandbox."""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from pipeline.database import Database, quoted
from pipeline.sandbox import Answer, QueryFailed, Sandbox

MOST_BLOCK_TABLES = 12
MOST_STEPS = 300_000_000  # of SQLite's machine, for rows without which a sample still holds: some seconds
_PRIME = 2147483647


def prepare(path: Path, places: Sequence[str]) -> None:
    """Make a scratch database with these tables of row numbers. Raises sqlite3.Error."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = OFF")
        connection.execute("PRAGMA synchronous = OFF")
        for place in (*places, "pilot"):
            connection.execute(f"CREATE TABLE {place} (r INTEGER PRIMARY KEY)")
        connection.execute(f"CREATE TABLE block ({', '.join(f'c{n}' for n in range(MOST_BLOCK_TABLES))})")


class Scratch:
    """The kept rows so far, and the statements that add to them.

    `numbers` gives the name of the row number of each table by its name in lower case, `places` the scratch table of
    each table that has row numbers; other tables are kept whole. `seconds` is the processor time of one statement.
    """

    def __init__(
        self,
        sandbox: Sandbox,
        database: Database,
        numbers: Mapping[str, str],
        places: Mapping[str, str],
        seed: int,
        seconds: float,
    ) -> None:
        self.database = database
        self.numbers = numbers
        self.places = places
        self.seed = seed
        self._sandbox = sandbox
        self._seconds = seconds
        self._totals: dict[str, int] = {}

    def number_of(self, name: str) -> str | None:
        """Return under which name the row number of a table can be read, or None."""
        return self.numbers.get(name.lower())

    def spelled(self, name: str) -> str:
        """Return the name of a table with row numbers as the source spells it."""
        return next(known for known in self.places if known.lower() == name.lower())

    def counts(self, name: str) -> tuple[int, int]:
        """Return how many rows of a table are kept, and how many it has."""
        if name not in self._totals:
            self._totals[name] = self.count(f"SELECT count(*) FROM main.{quoted(name)}")
        total = self._totals[name]
        if name not in self.places:
            return total, total
        return self.count(f"SELECT count(*) FROM keep.{self.places[name]}"), total

    def keep_all(self, name: str) -> None:
        """Keep all rows of a table."""
        number = self.numbers[name.lower()]
        self.run(f"INSERT OR IGNORE INTO keep.{self.places[name]} SELECT {number} FROM main.{quoted(name)}")

    def run(self, statement: str) -> None:
        """Execute a statement without which the sample does not hold. Raises QueryFailed."""
        self._sandbox.run(self.database.path, statement, seconds=self._seconds, rows=0)

    def tries(self, statement: str) -> bool:
        """Execute a statement and return True, or change nothing and return False: it fails, or has too many steps."""
        try:
            self._sandbox.run(self.database.path, statement, seconds=self._seconds, rows=0, steps=MOST_STEPS)
        except QueryFailed:
            return False
        return True

    def accepts(self, query: str) -> bool:
        """Return whether SQLite can read a query, without running it."""
        return self.tries(f"EXPLAIN {query}")

    def row(self, query: str) -> Answer:
        """Return the first row of a query. Raises QueryFailed."""
        return self._sandbox.run(self.database.path, query, seconds=self._seconds, rows=1)

    def count(self, query: str) -> int:
        """Return the number that a query counts. Raises QueryFailed."""
        return int(str(self.row(query).rows[0][0]))

    def hashed(self, number: str) -> str:
        """Return an expression that scatters row numbers over 31 bits by the seed; SQLite has no hash of its own.

        No product leaves 64 bits, where SQLite would go over to floating point.
        """
        first = f"((({number} % {_PRIME} + {_PRIME}) % {_PRIME} * 48271 + {self.seed % _PRIME}) % {_PRIME})"
        return f"(({first} * {first} + {first}) % {_PRIME} * 16807 % {_PRIME})"
