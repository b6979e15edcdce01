"""Queries that were started, by a random id: whoever started one can watch it, cancel it, and read its result."""

import secrets
import threading
from collections import OrderedDict

from review_app.workspace.index import Index
from review_app.workspace.query import QueryError, Running

MOST_RUNNING = 4
MOST_KEPT = 16  # results of some MiB each
MOST_CHARACTERS = 20_000


class Runs:
    """The queries of one process. An owner has one at a time: starting another ends the one before."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, tuple[str, Running]] = OrderedDict()

    def start(self, owner: str, index: Index, sql: str) -> str:
        """Start a query and return its id.

        Raises:
            QueryError: it is too long, holds what is no character, or too many are running at this moment.
        """
        _check(sql)
        with self._lock:
            for run_id in [run_id for run_id, (other, _) in self._kept.items() if other == owner]:
                self._kept.pop(run_id)[1].cancel()
            if sum(not running.wait(0) for _, running in self._kept.values()) >= MOST_RUNNING:
                raise QueryError(f"{MOST_RUNNING} queries of others are running; try again in some seconds")
            run_id = secrets.token_urlsafe(12)
            self._kept[run_id] = (owner, Running(index, sql))
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)[1][1].cancel()
        return run_id

    def get(self, owner: str, run_id: str) -> Running | None:
        """Return the owner's query, None if there is none of this id (any more)."""
        with self._lock:
            found = self._kept.get(run_id)
        return found[1] if found and found[0] == owner else None


def _check(sql: str) -> None:
    if len(sql) > MOST_CHARACTERS:
        raise QueryError(f"the statement has {len(sql):,} characters; at most {MOST_CHARACTERS:,} are run")
    try:
        sql.encode()
    except UnicodeEncodeError as error:
        raise QueryError("the statement holds half a character (a surrogate); remove it") from error
    if "\0" in sql:
        raise QueryError("the statement holds a NUL character; remove it")
