"""The child process that loads a workspace: every table and every text, once, into one DuckDB file.

Started by `index.build` only; limits are set before anything is read. Cells are stored as they stand in the file
(schema `raw`); the views of schema `main`, which people ask in SQL, read them as numbers, dates and truth values
where every filled cell is one. Row numbers are DuckDB's `rowid`, since nothing is ever deleted.
"""

import json
import resource
import signal
import sqlite3
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pypdfium2

from review_app.workspace.index import LINES, quoted
from review_app.workspace.load_csv import encoding_of, read_csv, types_of
from review_app.workspace.load_values import CHUNK, array_of, chunks_of, kind_of

MEMORY_BYTES = 4 << 30
CPU_SECONDS = 120
HEADER = 1  # the header of a CSV file is its row 1
FILE_SECONDS = 60
PROBLEM = "it could not be read within the limits of time and memory"
UNREADABLE = (
    duckdb.Error,
    sqlite3.Error,
    pypdfium2.PdfiumError,
    pa.ArrowException,
    ValueError,
    OSError,
    RecursionError,
    MemoryError,
)


def main() -> None:
    """Read the request from standard input, write what was loaded to standard output."""
    asked = json.load(sys.stdin)
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    config: dict[str, Any] = {"threads": 2, "memory_limit": "1GB", "temp_directory": ""}
    with duckdb.connect(asked["target"], config=config) as engine:
        engine.execute("CREATE SCHEMA raw")
        engine.execute(f"CREATE TABLE raw.{quoted(LINES)} (file VARCHAR, place VARCHAR, line VARCHAR)")
        for name, modality, path in asked["sources"]:
            loaded = _said(name, PROBLEM) if name in asked["broken"] else _load(engine, name, modality, path)
            # a line a file, at once: should this process die, the lines tell at which file
            print(json.dumps(loaded, ensure_ascii=True), flush=True)


def _load(engine: duckdb.DuckDBPyConnection, name: str, modality: str, path: str) -> dict[str, Any]:
    """Load one file; one that does not read says why and never stops the others."""
    load = LOADERS.get(modality)
    if load is None:
        return _said(name)
    try:
        with _in_time():
            tables, pages = load(engine, name, path)
    except TimeoutError:
        return _said(name, PROBLEM)
    except UNREADABLE as error:
        # the first line: engines go on with their settings; and no place on the server is anybody's business
        first = str(error).split("\n")[0].replace(path, name)
        return _said(name, first or type(error).__name__)
    return {**_said(name), "tables": tables, "pages": pages}


def _said(name: str, problem: str = "") -> dict[str, Any]:
    return {"file": name, "tables": [], "pages": 0, "problem": problem}


@contextmanager
def _in_time() -> Iterator[None]:
    def late(*_: object) -> None:
        raise TimeoutError

    signal.signal(signal.SIGALRM, late)
    signal.alarm(FILE_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)


def _free(engine: duckdb.DuckDBPyConnection, name: str) -> str:
    """The name, with a number behind it if a table has it already."""
    query = "SELECT lower(table_name) FROM information_schema.tables WHERE table_schema = 'raw'"
    taken = {table for (table,) in engine.execute(query).fetchall()}
    number, free = 1, name
    while free.lower() in taken:
        number += 1
        free = f"{name}_{number}"
    return free


def _finish(
    engine: duckdb.DuckDBPyConnection, inside: str, name: str, types: dict[str, str], first_row: int
) -> dict[str, Any]:
    """Make the view that reads the raw table by these types, and say what there is."""
    shown = ", ".join(f"{_read(column, kind)} AS {quoted(column)}" for column, kind in types.items())
    engine.execute(f"CREATE VIEW main.{quoted(name)} AS SELECT {shown} FROM raw.{quoted(name)}")
    (rows,) = engine.execute(f"SELECT count(*) FROM raw.{quoted(name)}").fetchall()[0]
    return {"inside": inside, "name": name, "columns": list(types.items()), "rows": rows, "first_row": first_row}


def _read(column: str, kind: str) -> str:
    if kind == "":
        return quoted(column)  # stored with its type already
    filled = f"nullif({quoted(column)}, '')"
    return filled if kind == "VARCHAR" else f"CAST({filled} AS {kind})"


def _csv(engine: duckdb.DuckDBPyConnection, name: str, path: str) -> tuple[list[dict[str, Any]], int]:
    if not Path(path).stat().st_size:
        return [], 0
    encoding = encoding_of(path)
    table = _free(engine, Path(name).stem)
    if encoding == "utf-8":
        read_csv(engine, table, path)
    else:
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", newline="") as copy:
            copy.write(Path(path).read_bytes().decode(encoding))
            copy.flush()
            read_csv(engine, table, copy.name)
    return [_finish(engine, "", table, types_of(engine, table), HEADER + 1)], 0


# --- JSON and SQLite: values carry their types -------------------------------------------------------------------


def _json(engine: duckdb.DuckDBPyConnection, name: str, path: str) -> tuple[list[dict[str, Any]], int]:
    text = Path(path).read_text(encoding="utf-8-sig")
    try:
        document = json.loads(text)
    except ValueError:
        document = [json.loads(line) for line in text.split("\n") if line.strip()]
    stem = Path(name).stem
    lists = {"": document} if isinstance(document, list) else document if isinstance(document, dict) else {}
    tables = []
    for inside, rows in lists.items():
        if isinstance(rows, list) and rows and all(isinstance(row, dict) for row in rows):
            columns = list(dict.fromkeys(key for row in rows for key in row))
            values = ([_flat(row.get(column)) for column in columns] for row in rows)
            tables.append(_store(engine, inside, inside or stem, columns, values))
    return tables, 0


def _flat(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value


def _sqlite(engine: duckdb.DuckDBPyConnection, name: str, path: str) -> tuple[list[dict[str, Any]], int]:
    tables = []
    with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as source:
        source.text_factory = lambda text: text.decode(errors="replace")
        source.execute("PRAGMA trusted_schema = OFF")
        names = source.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
        for table in (name for (name,) in names if not name.startswith("sqlite_")):
            cursor = source.execute(f"SELECT * FROM {quoted(table)}")
            columns = [column[0] for column in cursor.description]
            tables.append(_store(engine, table, table, columns, iter(cursor)))
    return tables, 0


def _store(
    engine: duckdb.DuckDBPyConnection, inside: str, name: str, columns: list[str], rows: Iterable[Any]
) -> dict[str, Any]:
    """Store typed values. A column of mixed kinds is text; the kinds are known after the first pass over the rows."""
    table = _free(engine, name)
    columns = _apart(columns)
    chunks = list(chunks_of(rows, len(columns)))
    kinds = [kind_of({kind for chunk in chunks for kind in chunk.kinds[place]}) for place in range(len(columns))]
    fields = ", ".join(f"{quoted(column)} {kind}" for column, kind in zip(columns, kinds, strict=True))
    engine.execute(f"CREATE TABLE raw.{quoted(table)} ({fields})")
    for chunk in chunks:
        arrays = [array_of(*column) for column in zip(chunk.columns, chunk.kinds, kinds, strict=True)]
        incoming = pa.table(arrays, names=[f"c{place}" for place in range(len(columns))])
        engine.register("incoming", incoming)
        engine.execute(f"INSERT INTO raw.{quoted(table)} SELECT * FROM incoming")
        engine.unregister("incoming")
    found = _finish(engine, inside, table, dict.fromkeys(columns, ""), 1)
    return {**found, "columns": list(zip(columns, kinds, strict=True))}


def _apart(columns: list[str]) -> list[str]:
    """Names that DuckDB can tell apart: it does not look at case."""
    names: list[str] = []
    for column in columns:
        number, name = 1, column or "column"
        while name.lower() in {taken.lower() for taken in names}:
            number += 1
            name = f"{column or 'column'}_{number}"
        names.append(name)
    return names


# --- texts -------------------------------------------------------------------------------------------------------


def _markdown(engine: duckdb.DuckDBPyConnection, name: str, path: str) -> tuple[list[dict[str, Any]], int]:
    data = Path(path).read_bytes()
    try:
        text = data.decode(encoding_of(path))
    except ValueError:
        text = data.decode(errors="replace")
    lines = text.removeprefix("\ufeff").split("\n")
    _keep(engine, ((name, f"line {number}", line) for number, line in enumerate(lines, start=1) if line.strip()))
    return [], 0


def _pdf(engine: duckdb.DuckDBPyConnection, name: str, path: str) -> tuple[list[dict[str, Any]], int]:
    with closing(pypdfium2.PdfDocument(path)) as document:
        total = len(document)
        _keep(engine, _pdf_lines(document, name))
    return [], total


def _pdf_lines(document: Any, name: str) -> Iterator[tuple[str, str, str]]:
    for number in range(len(document)):
        text = document[number].get_textpage().get_text_range()
        for line in text.splitlines():
            if line.strip():
                yield name, f"page {number + 1}", line


def _keep(engine: duckdb.DuckDBPyConnection, lines: Iterable[tuple[str, str, str]]) -> None:
    stream = iter(lines)
    while batch := list(islice(stream, CHUNK)):
        columns = [pa.array(values, pa.string()) for values in zip(*batch, strict=True)]
        engine.register("incoming", pa.table(columns, names=["file", "place", "line"]))
        engine.execute(f"INSERT INTO raw.{quoted(LINES)} SELECT * FROM incoming")
        engine.unregister("incoming")


LOADERS = {"csv": _csv, "json": _json, "sqlite": _sqlite, "markdown": _markdown, "pdf": _pdf}

if __name__ == "__main__":
    main()
