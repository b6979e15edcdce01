"""The SQL box: one SELECT over a workspace's tables, in a child process that may read nothing else."""

import json
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

SECONDS = 10
MAX_ROWS = 5_000
TABULAR = frozenset({"csv", "json", "sqlite"})


class QueryError(Exception):
    """The query gave no table; the message is the engine's, or names the limit that was met."""


@dataclass(frozen=True)
class Source:
    """A workspace file as the query may read it: its path below `context/`, its modality, where it lies."""

    name: str
    modality: str
    path: Path


@dataclass(frozen=True)
class QueryResult:
    """What the SELECT gave, as texts (NULL is empty). `truncated`: there were more than MAX_ROWS rows.

    `tables` lists each table that could be asked, with its columns.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    truncated: bool
    tables: tuple[tuple[str, tuple[str, ...]], ...]


def run_query(sources: Iterable[Source], sql: str, seconds: int = SECONDS) -> QueryResult:
    """Return what one SELECT gives over the CSV, JSON and SQLite files.

    Every file's tables carry their own names, or the file's stem. Numbers are read as numbers unless a leading zero
    would be lost.

    Raises:
        QueryError: no SELECT, the engine refuses it, or it takes too long or too much memory.
    """
    tabular = [source for source in sources if source.modality in TABULAR]
    asked = {
        "sources": [[source.name, source.modality, str(source.path)] for source in tabular],
        "sql": sql,
        "max_rows": MAX_ROWS,
        "seconds": seconds,
    }
    command = [sys.executable, "-I", "-m", "review_app.workspace.query_child"]
    try:
        # our own module; what people wrote goes by standard input
        done = subprocess.run(command, input=json.dumps(asked).encode(), capture_output=True, timeout=seconds + 5)  # noqa: S603
    except subprocess.TimeoutExpired as error:
        raise QueryError(f"the query took longer than {seconds} seconds; ask for less") from error
    try:
        answer = json.loads(done.stdout)
    except ValueError as error:
        raise QueryError(f"the query met its limit of {seconds} seconds or of memory; ask for less") from error
    if "error" in answer:
        raise QueryError(answer["error"])
    return QueryResult(
        tuple(answer["columns"]),
        tuple(tuple(row) for row in answer["rows"]),
        answer["truncated"],
        tuple((name, tuple(columns)) for name, columns in answer["tables"]),
    )
