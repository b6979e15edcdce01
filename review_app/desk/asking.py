"""One expert's questions to a workspace in SQL: started, watched, cancelled, remembered, taken over as the answer."""

import json
from contextlib import suppress

from evaluator.tables import Table
from review_app.desk import derivations
from review_app.desk.expert import ExpertDesk
from review_app.domain.errors import StaleDraft
from review_app.drafts import Receipt
from review_app.workspace.query import QueryError, Running

HISTORY = "sql-history"
MOST_REMEMBERED = 50
NOTHING = Receipt("", 0, None)


class Asking:
    """The SQL box of one expert on one task. Every call checks anew that the task is on the expert's desk."""

    def __init__(self, desk: ExpertDesk, task_id: str) -> None:
        self.desk = desk
        self.task_id = task_id

    def _owner(self) -> str:
        with self.desk.office.read() as session:
            return f"{self.desk.office.who(session, self.desk.viewer).id}/{self.task_id}"

    def start(self, sql: str) -> str:
        """Start one SELECT and return its id; the one before, if it is still running, ends.

        Raises:
            UnknownTask: the task is not on the expert's desk.
            IndexFailed: the workspace could not be loaded.
            QueryError: it is too long, or too many run.
        """
        index = self.desk.index(self.task_id)
        run_id = self.desk.office.runs.start(self._owner(), index, sql)
        self.remember(sql)
        return run_id

    def running(self, run_id: str) -> Running | None:
        """Return the query of this id; None if it is another person's, or forgotten by now."""
        self.desk.view(self.task_id)
        return self.desk.office.runs.get(self._owner(), run_id)

    def history(self) -> tuple[str, ...]:
        """Return what the expert ran on the task, newest first."""
        return _statements(self.desk.drafts(self.task_id).get(HISTORY, NOTHING))

    def remember(self, sql: str) -> None:
        """Put a statement at the top of the history."""
        receipt = self.desk.drafts(self.task_id).get(HISTORY, NOTHING)
        others = [other for other in _statements(receipt) if other != sql]
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


def _statements(receipt: Receipt) -> tuple[str, ...]:
    return tuple(json.loads(receipt.body)) if receipt.body else ()
