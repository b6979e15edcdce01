"""References of a sample that lead nowhere, though they hold in the source: there must be none."""

import sqlite3
from collections import Counter
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from pipeline.database import quoted, reading

Broken = Counter[tuple[object, ...]]
"""How often a reference is broken: table, row number (None where it has none), the table referred to, which key."""


def newly_broken(source: Path, sample: Path, tables: Collection[str]) -> Broken:
    """Return the broken references among some tables of a sample that are not broken in the source.

    References to tables that are left out do not count, nor do keys that SQLite itself cannot check, since what they
    refer to is not unique. Raises sqlite3.Error.
    """
    in_sample = _broken(sample, tables, tables)
    children = {str(row[0]) for row in in_sample}
    return in_sample - _broken(source, children, tables) if in_sample else in_sample


def _broken(path: Path, children: Collection[str], tables: Collection[str]) -> Broken:
    there = {name.lower() for name in tables}
    found: Broken = Counter()
    with reading(path) as connection:
        for name in sorted(children):
            with suppress(sqlite3.OperationalError):  # "foreign key mismatch"
                for row in connection.execute(f"PRAGMA foreign_key_check({quoted(name)})"):
                    found[tuple(row)] += str(row[2]).lower() in there
    return +found
