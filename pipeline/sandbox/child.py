"""The process in which untrusted SQL runs. Started as a script by `sandbox.py`; standard library only.

One JSON object a line comes in (database, sql, seconds, rows, steps) and one goes out: either `columns`, `rows`,
`tables` and `more`, or `kind` and `message` of the failure. With the path of a scratch database as its argument it
may write rows there, under the schema name `keep`, and nowhere else. Processor time and memory are limited by the
operating system too, since SQLite asks the progress handler between its steps only and a single step
(`printf('%.*c', 400000000, 'x')`) can take many seconds.
"""

import json
import resource
import signal
import sqlite3
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

Message = dict[str, Any]

MEMORY_BYTES = 1 << 30
LONGEST_VALUE = 16 << 20
LARGEST_ANSWER = 64 << 20
STEPS_BETWEEN_CHECKS = 2000
ALLOWED = {
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_FUNCTION,
    sqlite3.SQLITE_RECURSIVE,
}
WRITING = {sqlite3.SQLITE_INSERT, sqlite3.SQLITE_DELETE}
LARGEST_SCRATCH = 8 << 30
FORBIDDEN_FUNCTIONS = {"load_extension", "fts3_tokenizer", "readfile", "writefile", "edit"}


class Stopped(Exception):
    """The answer is larger than the process may return."""


class Reader:
    """A read-only connection that notes which tables a query reads and stops it at a deadline."""

    def __init__(self, path: str, scratch: str) -> None:
        self.tables: set[str] = set()
        self.denied = ""
        self.deadline = 0.0
        self.checks_left = 0
        self.writes = bool(scratch)
        address = f"file:{quote(path)}?mode=ro&immutable=1"
        # a statement that is kept is not authorised again, and its tables would not be noted
        self.connection = sqlite3.connect(address, uri=True, isolation_level=None, cached_statements=0)
        self.connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
        if scratch:
            self.connection.execute("ATTACH ? AS keep", (f"file:{quote(scratch)}?mode=rw",))
            self.connection.execute("PRAGMA keep.journal_mode = OFF")
            self.connection.execute("PRAGMA keep.synchronous = OFF")
        for pragma in (f"query_only={int(not scratch)}", "trusted_schema=0", "temp_store=2", "cell_size_check=1"):
            self.connection.execute(f"PRAGMA {pragma}")
        self.connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
        self.connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, int(self.writes))
        self.connection.set_authorizer(self._authorise)
        self.connection.set_progress_handler(self._too_late, STEPS_BETWEEN_CHECKS)

    def _authorise(
        self, action: int, first: str | None, second: str | None, database: str | None, _view: str | None
    ) -> int:
        if self.writes and action in WRITING and database == "keep":
            return sqlite3.SQLITE_OK
        if action not in ALLOWED:
            self.denied = "only reading is allowed"
            return sqlite3.SQLITE_DENY
        if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in FORBIDDEN_FUNCTIONS:
            self.denied = f"the function {second} is not allowed"
            return sqlite3.SQLITE_DENY
        if action == sqlite3.SQLITE_READ and first:
            self.tables.add(first)
        return sqlite3.SQLITE_OK

    def _too_late(self) -> bool:
        self.checks_left -= 1
        return self.checks_left == 0 or time.process_time() > self.deadline

    def answer(self, sql: str, seconds: float, most_rows: int, steps: int | None) -> Message:
        """Return the answer as a JSON object with at most `most_rows` rows."""
        self.tables, self.denied = set(), ""
        self.checks_left = -1 if steps is None else steps // STEPS_BETWEEN_CHECKS + 1
        self.deadline = time.process_time() + seconds
        cursor = self.connection.execute(sql)
        try:
            rows, more = self._rows(cursor, most_rows)
            columns = [column[0] for column in cursor.description or ()]
        finally:
            cursor.close()
        return {"columns": columns, "rows": rows, "more": more, "tables": sorted(self.tables)}

    def _rows(self, cursor: sqlite3.Cursor, most_rows: int) -> tuple[list[list[object]], bool]:
        rows: list[list[object]] = []
        size = 0
        for row in cursor:
            if len(rows) == most_rows:
                return rows, True
            size += sum(len(cell) if isinstance(cell, (str, bytes)) else 8 for cell in row)
            if size > LARGEST_ANSWER:
                raise Stopped
            rows.append([_plain(cell) for cell in row])
        return rows, False


def _plain(cell: object) -> object:
    return {"blob": cell[:32].hex(), "bytes": len(cell)} if isinstance(cell, bytes) else cell


def handle(readers: dict[object, Reader], request: Message, scratch: str) -> Message:
    """Answer one request; every failure of the query is an answer too."""
    reader: Reader | None = None
    seconds = request["seconds"]
    used = time.process_time()
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(used + seconds + 2), hard))
    try:
        reader = _reader(readers, request["database"], scratch)
        return reader.answer(request["sql"], seconds, request["rows"], request["steps"])
    except MemoryError:
        return {"kind": "memory", "message": f"the query needs more than {MEMORY_BYTES >> 20} MiB"}
    except Stopped:
        return {"kind": "memory", "message": f"the answer is larger than {LARGEST_ANSWER >> 20} MiB"}
    except (sqlite3.Error, sqlite3.Warning, ValueError, OverflowError) as error:
        return _failure(reader, error)


def _failure(reader: Reader | None, error: Exception) -> Message:
    message = str(error)
    if message == "interrupted":
        return {"kind": "time", "message": "stopped at the time limit"}
    if reader is not None and reader.denied:
        return {"kind": "denied", "message": f"{reader.denied} ({message})"}
    if message == "string or blob too big":
        return {"kind": "memory", "message": f"a value is larger than {LONGEST_VALUE >> 20} MiB"}
    return {"kind": "sql", "message": message}


def _reader(readers: dict[object, Reader], path: str, scratch: str) -> Reader:
    status = Path(path).stat() if Path(path).exists() else None
    key = (path, status and (status.st_ino, status.st_size, status.st_mtime_ns))
    if key not in readers:
        if len(readers) >= 4:
            readers.pop(next(iter(readers))).connection.close()
        readers[key] = Reader(path, scratch)
    return readers[key]


def main() -> None:
    """Answer requests until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides; Ctrl-C reaches the whole group
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    scratch = sys.argv[1] if len(sys.argv) > 1 else ""
    largest = LARGEST_SCRATCH if scratch else 0
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))
    readers: dict[object, Reader] = {}
    for line in sys.stdin:
        sys.stdout.write(json.dumps(handle(readers, json.loads(line), scratch)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
