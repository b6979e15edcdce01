"""What a SQLite file declares: tables, columns, keys. Read-only; nothing in it is trusted."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from review_app.workspace.preview import PreviewError


@dataclass(frozen=True)
class Declared:
    """A table as declared; `key` names the columns of its primary key."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...]


@dataclass(frozen=True)
class ForeignKey:
    """Columns of a table that refer to another table."""

    table: str
    columns: tuple[str, ...]
    other: str


@dataclass(frozen=True)
class Schema:
    """All tables of a file by name, and the foreign keys between them."""

    tables: tuple[Declared, ...]
    foreign_keys: tuple[ForeignKey, ...]


def schema_of(path: Path) -> Schema:
    """Return what the file declares.

    Raises:
        PreviewError: it is no SQLite database.
    """
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro&immutable=1", uri=True)) as connection:
            connection.text_factory = lambda text: text.decode(errors="replace")
            connection.execute("PRAGMA trusted_schema = OFF")
            found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
            names = [name for (name,) in found if not name.startswith("sqlite_")]
            tables = tuple(_declared(connection, name) for name in names)
            keys = tuple(key for name in names for key in _foreign_keys(connection, name))
    except sqlite3.Error as error:
        raise PreviewError(f"the file does not read as a SQLite database: {error}; download it") from error
    return Schema(tables, keys)


def _declared(connection: sqlite3.Connection, name: str) -> Declared:
    rows = connection.execute("SELECT name, pk FROM pragma_table_info(?) ORDER BY cid", (name,)).fetchall()
    key = sorted((place, column) for column, place in rows if place)
    return Declared(name, tuple(column for column, _ in rows), tuple(column for _, column in key))


def _foreign_keys(connection: sqlite3.Connection, name: str) -> list[ForeignKey]:
    query = 'SELECT id, "table", "from" FROM pragma_foreign_key_list(?) ORDER BY id, seq'
    found: dict[int, tuple[str, list[str]]] = {}
    for number, other, column in connection.execute(query, (name,)).fetchall():
        found.setdefault(number, (other, []))[1].append(column)
    return [ForeignKey(name, tuple(columns), other) for other, columns in found.values()]
