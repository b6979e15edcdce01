"""One person's questions to a workspace in SQL: started, watched, cancelled, remembered, taken over as the answer."""

import json
from contextlib import suppress

from evaluator.tables import Table
from review_app.desk import derivations
from review_app.desk.keeping import Keeping
from review_app.domain.errors import StaleDraft
from review_app.workspace.query import QueryError, Running

HISTORY = "sql-history"
MOST_REMEMBERED = 50


class Asking:
    """The SQL box of one person on one task. Every call checks anew that the person may see the task."""

    def __init__(self, desk: Keeping, task_id: str) -> None:
        self.desk = desk
        self.task_id = task_id

    def _owner(self) -> str:
        with self.desk.office.read() as session:
            return f"{self.desk.office.who(session, self.desk.viewer).id}/{self.task_id}"

    def start(self, sql: str) -> str:
        """Start one SELECT and return its id; the one before, if it is still running, ends.

        Raises:
            UnknownTask: the task is not on the person's desk.
            IndexFailed: the workspace could not be loaded.
            QueryError: it is too long, or too many run.
        """
        index = self.desk.index(self.task_id)
        run_id = self.desk.office.runs.start(self._owner(), index, sql)
        self.remember(sql)
        return run_id

    def running(self, run_id: str) -> Running | None:
        """Return the query of this id; None if it is another person's, or forgotten by now."""
        self.desk.drafts(self.task_id)  # raises where the task is not on the desk
        return self.desk.office.runs.get(self._owner(), run_id)

    def history(self) -> tuple[str, ...]:
        """Return what the person ran on the task, newest first."""
        return _statements(self.desk.draft(self.task_id, HISTORY).body)

    def remember(self, sql: str) -> None:
        """Put a statement at the top of the history."""
        receipt = self.desk.draft(self.task_id, HISTORY)
        others = [other for other in _statements(receipt.body) if other != sql]
        body = json.dumps([sql, *others][:MOST_REMEMBERED], ensure_ascii=False)
        with suppress(StaleDraft):  # two windows at once: one line is missing, no query
            self.desk.save_draft(self.task_id, HISTORY, body, receipt.version)

    def take(self, run_id: str) -> Table:
        """Return a query's whole result as an answer (NULL becomes the empty cell), and remember its SQL.

        Raises:
            QueryError: the result is gone, or was cut.
        """
        running = self.running(run_id)
        if running is None:
            raise QueryError("the result is no longer there; run the query again")
        result = running.result()
        if result.truncated:
            raise QueryError(f"the result was cut at {result.total:,} rows, which is no whole answer; ask for fewer")
        table = Table(result.columns, tuple(tuple(cell or "" for cell in row) for row in result.rows))
        self.desk.keep_origin(self.task_id, derivations.PART, running.sql, table)
        return table


def _statements(body: str) -> tuple[str, ...]:
    return tuple(json.loads(body)) if body else ()
