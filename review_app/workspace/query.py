"""The SQL box: one SELECT over a loaded workspace, in a child process that may read nothing else and can be killed."""

import json
import subprocess
import sys
import threading
import time
from dataclasses import dataclass

import pyarrow as pa

from review_app.workspace.index import Index

SECONDS = 20
MAX_ROWS = 100_000
MEMORY_TEXT = "1 GB"


class QueryError(Exception):
    """The query gave no table; the message is the engine's, or names the limit that was met."""


@dataclass(frozen=True)
class QueryResult:
    """What the SELECT gave, as texts, None for NULL. `truncated`: there were more than MAX_ROWS rows.

    `seconds` is how long it took.
    """

    table: pa.Table
    truncated: bool
    seconds: float

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns' names; two may be equal."""
        return tuple(self.table.column_names)

    @property
    def total(self) -> int:
        """The number of rows."""
        return int(self.table.num_rows)

    def page(self, first: int, count: int) -> tuple[tuple[str | None, ...], ...]:
        """Return `count` rows, or what there is of them, from the row `first` on (from 0)."""
        part = self.table.slice(first, count)
        return tuple(zip(*(column.to_pylist() for column in part.columns), strict=True))

    @property
    def rows(self) -> tuple[tuple[str | None, ...], ...]:
        """All rows."""
        return self.page(0, self.total)


class Running:
    """A query that was started. It ends by itself within its time, or when it is cancelled."""

    def __init__(self, index: Index, sql: str, seconds: int = SECONDS) -> None:
        self.sql = sql
        self.seconds = seconds
        self._cancelled = False
        self._output = b""
        self._started = time.monotonic()
        self._ended: float | None = None
        command = [sys.executable, "-I", "-m", "review_app.workspace.query_child"]
        # our own module; what people wrote goes by standard input
        self._child = subprocess.Popen(  # noqa: S603
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={}
        )
        asked = {"database": str(index.database), "sql": sql, "max_rows": MAX_ROWS, "seconds": seconds}
        self._reader = threading.Thread(target=self._communicate, args=(json.dumps(asked).encode(),), daemon=True)
        self._reader.start()

    def _communicate(self, asked: bytes) -> None:
        try:
            # the start of the interpreter does not count as the query's time
            self._output, _ = self._child.communicate(asked, timeout=self.seconds + 5)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.communicate()
        finally:
            self._ended = time.monotonic()

    @property
    def passed(self) -> float:
        """Seconds since the start, until the end."""
        return (self._ended or time.monotonic()) - self._started

    @property
    def cancelled(self) -> bool:
        """Whether a person ended it."""
        return self._cancelled

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end, at most so long; say whether the query has ended."""
        self._reader.join(seconds)
        return not self._reader.is_alive()

    def cancel(self) -> None:
        """End the query now."""
        self._cancelled = True
        self._child.kill()

    def result(self) -> QueryResult:
        """Wait for the result.

        Raises:
            QueryError: no SELECT, the engine refuses it, it took too long or too much memory, or it was cancelled.
        """
        self.wait()
        if self._cancelled:
            raise QueryError("the query was cancelled")
        head, _, body = self._output.partition(b"\n")
        try:
            answer = json.loads(head)
        except ValueError as error:
            raise QueryError(
                f"the query met its limit of {self.seconds} seconds or of {MEMORY_TEXT}; ask for less"
            ) from error
        if "error" in answer:
            raise QueryError(answer["error"])
        return QueryResult(pa.ipc.open_stream(body).read_all(), answer["truncated"], self.passed)


def run_query(index: Index, sql: str, seconds: int = SECONDS) -> QueryResult:
    """Return what one SELECT gives over the workspace's tables; errors as in `Running.result`."""
    return Running(index, sql, seconds).result()
