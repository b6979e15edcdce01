"""The child process of the SQL box: open the loaded workspace read-only, shut every door, run one SELECT.

Started by `query.Running` only. Limits are set before anything is read. The answer is a line of JSON, and behind it
the result as an Arrow stream of texts.
"""

import json
import resource
import sys
from typing import Any

import duckdb
import pyarrow as pa

MEMORY_BYTES = 3 << 30
MOST_SAID = 2_000  # characters of a message; an engine repeats whole cells
MOST_BYTES = 32 << 20  # an answer has at most 20 MiB, and results are kept in memory
CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "threads": 2,
    "memory_limit": "1GB",
    # from here on the engine reads no other file and loads no extension
    "enable_external_access": False,
    "autoload_known_extensions": False,
    "autoinstall_known_extensions": False,
}


def main() -> None:
    """Read the request from standard input, write the answer to standard output."""
    asked = json.load(sys.stdin)
    resource.setrlimit(resource.RLIMIT_CPU, (2 * asked["seconds"], 2 * asked["seconds"]))  # two threads
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    try:
        result, truncated = answer(asked["database"], asked["sql"], asked["max_rows"])
    except (duckdb.Error, pa.ArrowException, ValueError, MemoryError) as error:
        said = {"error": str(error)[:MOST_SAID] or type(error).__name__}
        sys.stdout.buffer.write(json.dumps(said).encode())
        return
    sys.stdout.buffer.write(json.dumps({"truncated": truncated}).encode() + b"\n")
    with pa.ipc.new_stream(sys.stdout.buffer, result.schema) as stream:
        stream.write_table(result)


def answer(database: str, sql: str, max_rows: int) -> tuple[pa.Table, bool]:
    """Return the result as texts, NULL kept, and whether there were more rows.

    Raises:
        ValueError: it is no single SELECT, or gives too much.
        duckdb.Error: the engine refuses it.
    """
    with duckdb.connect(database, read_only=True, config=CONFIG) as engine:
        engine.execute("SET lock_configuration = true")
        statements = duckdb.extract_statements(sql)
        if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
            raise ValueError("write one SELECT, nothing else")
        cursor = engine.execute(statements[0])
        columns = [column[0] for column in cursor.description]
        rows = cursor.fetchmany(max_rows + 1)
    truncated = len(rows) > max_rows
    cells = zip(*rows[:max_rows], strict=True) if rows else ((),) * len(columns)
    result = pa.table([pa.array(map(_text, values), pa.string()) for values in cells], names=columns)
    if result.nbytes > MOST_BYTES:
        raise ValueError(f"the result has more than {MOST_BYTES >> 20} MiB; ask for fewer rows or columns")
    return result, truncated


def _text(cell: Any) -> str | None:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return None if cell is None else str(cell)


if __name__ == "__main__":
    main()
