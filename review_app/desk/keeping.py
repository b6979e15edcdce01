"""What a person keeps on a task while working: drafts, and what a table came of. Private, never in the ledger."""

from abc import ABC, abstractmethod

from sqlmodel import Session

from evaluator.tables import Table
from review_app import drafts
from review_app.desk import derivations
from review_app.desk.office import Office, Viewer
from review_app.drafts import Receipt
from review_app.workspace.index import Index

NO_DRAFT = Receipt("", 0, None)


class Keeping(ABC):
    """The part of a desk, an expert's or a lead's, that keeps what is not handed in yet."""

    office: Office
    viewer: Viewer

    @abstractmethod
    def _kept_under(self, session: Session, task_id: str) -> tuple[str, int, str]:
        """The task, its round and the account, after the check that the person may see the task.

        Raises:
            UnknownTask: they may not, or it is not there.
        """

    @abstractmethod
    def index(self, task_id: str) -> Index:
        """Return the task's workspace as loaded tables and texts, if the person may see the task."""

    def drafts(self, task_id: str) -> dict[str, Receipt]:
        """Return the own drafts on the task in its present round, by part."""
        with self.office.read() as session:
            return drafts.load(session, *self._kept_under(session, task_id))

    def draft(self, task_id: str, part: str) -> Receipt:
        """Return one part of the own drafts; version 0 if there is none."""
        return self.drafts(task_id).get(part, NO_DRAFT)

    def save_draft(self, task_id: str, part: str, body: str, read_version: int) -> Receipt:
        """Store one part of the own draft.

        Raises:
            StaleDraft: another window stored a newer one.
        """
        with self.office.write() as session:
            key = self._kept_under(session, task_id)
            return drafts.save(session, key, part, body, read_version=read_version, now=self.office.clock())

    def keep_origin(self, task_id: str, part: str, origin: str, answer: Table) -> None:
        """Remember what this very table came of: its SQL (`derivations.PART`), or its file (SOURCE)."""
        self.save_draft(task_id, part, derivations.derivation(origin, answer), self.draft(task_id, part).version)

    def origin(self, task_id: str, part: str, answer: Table) -> str:
        """Return what is remembered of this very table, empty for nothing."""
        return derivations.derived_by(self.draft(task_id, part).body, answer)
