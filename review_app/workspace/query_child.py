"""The child process of the SQL box: load the files, shut every door, run one SELECT, print JSON.

Started by `query.run_query` only. Limits are set before anything is read.
"""

import json
import re
import resource
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd

MEMORY_BYTES = 3 << 30
ENGINE_MEMORY = "1GB"


def main() -> None:
    """Read the request from standard input, write the answer to standard output."""
    asked = json.load(sys.stdin)
    resource.setrlimit(resource.RLIMIT_CPU, (asked["seconds"], asked["seconds"]))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    try:
        answer = _answer(asked["sources"], asked["sql"], asked["max_rows"])
    except (duckdb.Error, sqlite3.Error, ValueError, MemoryError) as error:
        answer = {"error": str(error) or type(error).__name__}
    sys.stdout.write(json.dumps(answer, ensure_ascii=True))


def _answer(sources: list[list[str]], sql: str, max_rows: int) -> dict[str, Any]:
    engine = duckdb.connect(":memory:", config={"threads": 1, "memory_limit": ENGINE_MEMORY, "temp_directory": ""})
    for name, modality, path in sources:
        LOADERS[modality](engine, Path(name).stem, path)
    # From here on the engine reads no file and loads no extension, and nothing can change that.
    engine.execute("SET enable_external_access = false")
    engine.execute("SET lock_configuration = true")
    statements = duckdb.extract_statements(sql)
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        raise ValueError("write one SELECT, nothing else")
    cursor = engine.execute(statements[0])
    columns = [column[0] for column in cursor.description]
    rows = cursor.fetchmany(max_rows + 1)
    return {
        "columns": columns,
        "rows": [[_text(cell) for cell in row] for row in rows[:max_rows]],
        "truncated": len(rows) > max_rows,
        "tables": _tables(engine),
    }


def _text(cell: Any) -> str:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return "" if cell is None else str(cell)


def _tables(engine: duckdb.DuckDBPyConnection) -> list[tuple[str, list[str]]]:
    found: dict[str, list[str]] = {}
    query = "SELECT table_name, column_name FROM information_schema.columns ORDER BY table_name, ordinal_position"
    for table, column in engine.cursor().execute(query).fetchall():
        found.setdefault(table, []).append(column)
    return list(found.items())


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _free(engine: duckdb.DuckDBPyConnection, name: str) -> str:
    """The name, with a number behind it if a table has it already."""
    taken = {table.lower() for table, _ in _tables(engine)}
    number, free = 1, name
    while free.lower() in taken:
        number += 1
        free = f"{name}_{number}"
    return free


def _load_csv(engine: duckdb.DuckDBPyConnection, name: str, path: str) -> None:
    try:
        frame = pd.read_csv(path, dtype=str, keep_default_na=False, sep=None, engine="python", encoding="utf-8-sig")
    except UnicodeDecodeError:
        frame = pd.read_csv(path, dtype=str, keep_default_na=False, sep=None, engine="python", encoding="gb18030")
    _create(engine, name, frame.apply(_typed))


def _typed(column: "pd.Series[Any]") -> "pd.Series[Any]":
    """Numbers where every filled cell is one and none has a leading zero to lose; empty cells are NULL."""
    filled = column[column != ""]
    missing = column.where(column != "", None)
    if filled.empty:
        return missing
    if filled.map(lambda cell: bool(re.fullmatch(r"-?(0|[1-9]\d{0,17})", cell))).all():
        return pd.to_numeric(missing).astype("Int64")
    if filled.map(lambda cell: bool(re.fullmatch(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?", cell))).all():
        return pd.to_numeric(missing)
    return missing


def _load_json(engine: duckdb.DuckDBPyConnection, name: str, path: str) -> None:
    text = Path(path).read_text(encoding="utf-8-sig")
    try:
        document = json.loads(text)
    except ValueError:
        document = [json.loads(line) for line in text.splitlines() if line.strip()]
    tables = {name: document} if isinstance(document, list) else dict(document)
    for table, rows in tables.items():
        if isinstance(rows, list) and all(isinstance(row, dict) for row in rows):
            _create(engine, table, pd.DataFrame(rows).map(_flat))


def _flat(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value


def _load_sqlite(engine: duckdb.DuckDBPyConnection, name: str, path: str) -> None:
    with closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as source:
        query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
        for (table,) in source.execute(query).fetchall():
            _create(engine, table, pd.read_sql_query(f"SELECT * FROM {_quoted(table)}", source))


def _create(engine: duckdb.DuckDBPyConnection, name: str, frame: pd.DataFrame) -> None:
    if frame.columns.empty:
        return
    engine.register("incoming", frame.convert_dtypes())
    engine.execute(f"CREATE TABLE {_quoted(_free(engine, name))} AS SELECT * FROM incoming")
    engine.unregister("incoming")


LOADERS = {"csv": _load_csv, "json": _load_json, "sqlite": _load_sqlite}

if __name__ == "__main__":
    main()
