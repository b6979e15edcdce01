"""A search over everything in a loaded workspace: names of files, lines and pages of documents, cells of tables."""

from dataclasses import dataclass
from functools import lru_cache

import duckdb

from review_app.workspace.index import LINES, MAX_CELL, FileInfo, Index, TableInfo, opened, quoted

HITS_A_TABLE = 5
MOST_HITS = 100


@dataclass(frozen=True)
class Hit:
    """Where a text was found: the file, the table in it ("" for none), the place, and the text around it."""

    path: str
    table: str
    place: str
    text: str


@lru_cache(maxsize=64)
def search(index: Index, text: str) -> tuple[Hit, ...]:
    """Return where the text stands, whatever its case: names of files first, then lines and pages, then cells.

    At most HITS_A_TABLE of a table, MOST_HITS in all; nothing for blank text. The last answers are kept: a page asks
    again at every click, and what is loaded never changes.
    """
    wanted = text.strip()
    if not wanted:
        return ()
    found = [Hit(file.path, "", "", file.path) for file in index.files if wanted.lower() in file.path.lower()]
    with opened(index) as engine:
        found += _lines(engine, wanted)
        for file in index.files:
            for table in file.tables:
                found += _cells(engine, file, table, wanted)
                if len(found) >= MOST_HITS:
                    return tuple(found[:MOST_HITS])
    return tuple(found)


def _lines(engine: duckdb.DuckDBPyConnection, wanted: str) -> list[Hit]:
    query = (
        f"SELECT file, place, left(line, {MAX_CELL}) FROM raw.{quoted(LINES)} "
        "WHERE contains(lower(line), lower(?)) ORDER BY rowid LIMIT ?"
    )
    return [Hit(path, "", place, line) for path, place, line in engine.execute(query, [wanted, MOST_HITS]).fetchall()]


def find_in(index: Index, path: str, text: str) -> list[Hit]:
    """Return the lines of one document in which the text stands, whatever its case; nothing for blank text."""
    wanted = text.strip()
    if not wanted:
        return []
    query = (
        f"SELECT place, left(line, {MAX_CELL}) FROM raw.{quoted(LINES)} "
        "WHERE file = ? AND contains(lower(line), lower(?)) ORDER BY rowid LIMIT ?"
    )
    with opened(index) as engine:
        found = engine.execute(query, [path, wanted, MOST_HITS]).fetchall()
    return [Hit(path, "", place, line) for place, line in found]


def _cells(engine: duckdb.DuckDBPyConnection, file: FileInfo, table: TableInfo, wanted: str) -> list[Hit]:
    texts = [f"coalesce(CAST({quoted(column)} AS VARCHAR), '')" for column, _ in table.columns]
    line = f"concat_ws(' · ', {', '.join(texts)})"
    query = (
        f"SELECT rowid + {table.first_row}, left({line}, {MAX_CELL}) FROM raw.{quoted(table.name)} "
        f"WHERE contains(lower({line}), lower(?)) LIMIT {HITS_A_TABLE}"
    )
    found = engine.execute(query, [wanted]).fetchall()
    return [Hit(file.path, table.inside, f"row {number}", shown) for number, shown in found]
