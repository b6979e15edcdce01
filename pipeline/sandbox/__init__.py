"""Untrusted SQL in a child process with limits: the only way in which the builder runs a query of a source."""

import json
import select
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Self

from pipeline.content import Reason

CHILD = Path(__file__).with_name("child.py")
_CHUNK = 1 << 20


@dataclass(frozen=True)
class Blob:
    """Bytes in a result: how many, and the first 32 as hexadecimal digits."""

    start: str
    size: int


Cell = None | int | float | str | Blob


@dataclass(frozen=True)
class Answer:
    """What a query returned.

    `more` says that there were rows beyond those asked for; `tables` are the tables and views that SQLite
    itself reported as read, in its own spelling, sorted.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    more: bool
    tables: tuple[str, ...]


class Kind(StrEnum):
    """How a query failed."""

    SQL = "sql"
    DENIED = "denied"
    TIME = "time"
    MEMORY = "memory"
    CRASH = "crash"


class QueryFailed(Exception):
    """A query gave no answer. `str()` is SQLite's message or says which limit it met."""

    def __init__(self, kind: Kind, message: str) -> None:
        super().__init__(message)
        self.kind = kind

    @property
    def reason(self) -> Reason:
        """The reason of the rejection that follows from the failure."""
        if self.kind is Kind.TIME:
            return Reason.TIME_LIMIT
        if self.kind is Kind.MEMORY:
            return Reason.MEMORY_LIMIT
        if self.kind is Kind.SQL and _is_syntax(str(self)):
            return Reason.DOES_NOT_PARSE
        return Reason.DOES_NOT_EXECUTE


def _is_syntax(message: str) -> bool:
    starts = ("unrecognized token", "incomplete input", "embedded null", "the query contains a null")
    return "syntax error" in message or message.startswith(starts)


class Sandbox:
    """A child process that answers queries, started at the first one and again after a kill.

    Use it as a context manager. One sandbox serves one thread. A query may use `seconds` of processor time
    (twice that and five seconds by the clock on the wall, for a machine that is busy), 1 GiB of memory, and
    nothing but reading. With a `scratch` database, which must exist, it may also insert and delete rows there, in
    tables `keep.NAME`; then it serves one database only.
    """

    def __init__(self, scratch: Path | None = None) -> None:
        self._arguments = [] if scratch is None else [str(scratch.resolve())]
        self._child: subprocess.Popen[bytes] | None = None
        self._rest = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the child process, if there is one."""
        if self._child is None:
            return
        self._child.kill()
        self._child.communicate()
        self._child, self._rest = None, b""

    def run(self, database: Path, sql: str, *, seconds: float, rows: int, steps: int | None = None) -> Answer:
        """Return the answer of one query with at most `rows` rows. Raises QueryFailed.

        `steps` limits the instructions of SQLite's machine, the same on a fast and on a slow computer.
        """
        request = {"database": str(database.resolve()), "sql": sql, "seconds": seconds, "rows": rows, "steps": steps}
        child = self._started()
        try:
            assert child.stdin is not None
            child.stdin.write(json.dumps(request).encode() + b"\n")
            child.stdin.flush()
        except BrokenPipeError as error:
            raise self._died() from error
        answer = json.loads(self._line(time.monotonic() + 2 * seconds + 5))
        if "kind" in answer:
            raise QueryFailed(Kind(answer["kind"]), answer["message"])
        cells = tuple(tuple(_cell(cell) for cell in row) for row in answer["rows"])
        return Answer(tuple(answer["columns"]), cells, answer["more"], tuple(answer["tables"]))

    def _started(self) -> subprocess.Popen[bytes]:
        if self._child is None:
            # -I and -S: the child needs the standard library only, and starts in a few milliseconds
            self._child = subprocess.Popen(  # noqa: S603 - our own interpreter and module, nothing of the input
                [sys.executable, "-I", "-S", str(CHILD), *self._arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        return self._child

    def _line(self, deadline: float) -> bytes:
        assert self._child is not None and self._child.stdout is not None
        pieces = [self._rest]
        while b"\n" not in pieces[-1]:
            ready, _, _ = select.select([self._child.stdout], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                self.close()
                raise QueryFailed(Kind.TIME, "stopped at the time limit")
            piece = self._child.stdout.read1(_CHUNK)  # type: ignore[attr-defined]
            if not piece:
                raise self._died()
            pieces.append(piece)
        line, _, self._rest = b"".join(pieces).partition(b"\n")
        return line

    def _died(self) -> QueryFailed:
        assert self._child is not None
        code = self._child.wait()
        self.close()
        if code == -signal.SIGXCPU:
            return QueryFailed(Kind.TIME, "stopped at the time limit inside one step of SQLite")
        return QueryFailed(Kind.CRASH, f"the query ended its process (exit status {code})")


def _cell(value: object) -> Cell:
    if isinstance(value, dict):
        return Blob(str(value["blob"]), int(value["bytes"]))
    assert value is None or isinstance(value, int | float | str)
    return value
