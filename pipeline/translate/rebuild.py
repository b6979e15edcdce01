"""A database with other names and texts, written table by table from the old one.

SQLite itself renames (`ALTER TABLE`), on tables that are still empty: so every foreign key, index and computed column
follows, and the statements keep their spelling elsewhere.
"""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from pipeline.database import LONGEST_READING, Database, TableSchema, quoted, stop_after
from pipeline.stages.keep import row_number
from pipeline.translate.model import Maps

_PASSING = "passing name {} of a table under way"


def rebuild(database: Database, target: Path, maps: Maps) -> None:
    """Write the database `target`: all tables with translated names and texts, same rows, types and row numbers.

    Views, triggers and virtual tables are left out, as in every sampled database. Raises sqlite3.Error.
    """
    with closing(sqlite3.connect(f"file:{quote(str(target))}", uri=True, isolation_level=None)) as connection:
        stop_after(connection, LONGEST_READING)
        for pragma in (
            "journal_mode = OFF",
            "synchronous = OFF",
            "foreign_keys = OFF",
            "ignore_check_constraints = ON",
        ):
            connection.execute(f"PRAGMA {pragma}")
        for table in database.tables:
            connection.execute(table.sql)
            for index in table.indexes:
                connection.execute(index)
        _rename(connection, database, maps)
        connection.execute("ATTACH ? AS source", (f"file:{quote(str(database.path.resolve()))}?mode=ro&immutable=1",))
        connection.execute("CREATE TEMP TABLE words (source TEXT PRIMARY KEY, target TEXT NOT NULL) WITHOUT ROWID")
        connection.executemany("INSERT INTO temp.words VALUES (?, ?)", sorted(maps.values.items()))
        connection.execute("BEGIN")
        for table in database.tables:
            _fill(connection, table, maps)
        connection.execute("COMMIT")


def _rename(connection: sqlite3.Connection, database: Database, maps: Maps) -> None:
    """Rename tables and columns, each over a name that nothing else has: names may change places."""
    for table in database.tables:
        renamed = maps.columns.get(table.name, {})
        pairs = [(column.name, renamed.get(column.name, column.name)) for column in table.columns]
        changed = [(old, new) for old, new in pairs if old != new]
        steps = [(old, _PASSING.format(at)) for at, (old, _) in enumerate(changed)]
        steps += [(_PASSING.format(at), new) for at, (_, new) in enumerate(changed)]
        for old, new in steps:
            connection.execute(f"ALTER TABLE {quoted(table.name)} RENAME COLUMN {quoted(old)} TO {quoted(new)}")
    changed_tables = [(t.name, maps.tables.get(t.name, t.name)) for t in database.tables]
    moves = [(old, new) for old, new in changed_tables if old != new]
    for at, (old, _) in enumerate(moves):
        connection.execute(f"ALTER TABLE {quoted(old)} RENAME TO {quoted(_PASSING.format(at))}")
    for at, (_, new) in enumerate(moves):
        connection.execute(f"ALTER TABLE {quoted(_PASSING.format(at))} RENAME TO {quoted(new)}")


def _fill(connection: sqlite3.Connection, table: TableSchema, maps: Maps) -> None:
    renamed: Mapping[str, str] = maps.columns.get(table.name, {})
    stored = [column.name for column in table.columns if not column.generated]
    number = row_number(connection, table, "source")
    given = [*([number] if number else []), *(_translated(name, maps) for name in stored)]
    taken = [*([number] if number else []), *(quoted(renamed.get(name, name)) for name in stored)]
    order = f" ORDER BY {number}" if number else ""
    name = quoted(maps.tables.get(table.name, table.name))
    connection.execute(
        f"INSERT INTO main.{name} ({', '.join(taken)}) "
        f"SELECT {', '.join(given)} FROM source.{quoted(table.name)} AS t{order}"
    )


def _translated(column: str, maps: Maps) -> str:
    """Return an expression for the translated value of a column.

    The cast gives both sides of the comparison text affinity; only texts are ever looked up.
    """
    name = f"t.{quoted(column)}"
    if column.lower() in maps.frozen or not maps.values:
        return name
    word = f"(SELECT target FROM temp.words WHERE source = CAST({name} AS TEXT) COLLATE BINARY)"
    return f"CASE WHEN typeof({name}) = 'text' THEN coalesce({word}, {name}) ELSE {name} END"
