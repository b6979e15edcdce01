"""An expert's unfinished work: drafts, where an answer came from, time at work, the heartbeat. Never in the ledger."""

import json
from contextlib import suppress
from datetime import datetime, timedelta

from sqlmodel import Session

from evaluator.tables import Table
from review_app import drafts
from review_app.accounts import Profile
from review_app.desk import derivations
from review_app.desk.presence import Beat, beat
from review_app.desk.reading import Reading
from review_app.domain.blindness import Step
from review_app.domain.errors import StaleDraft, StorageFailed
from review_app.domain.task import Task
from review_app.drafts import Receipt

IDLE = timedelta(minutes=2)
TOUCH_AGAIN = timedelta(seconds=10)
_ACTIVE = "active"
SOURCE = "source"


class Drafting(Reading):
    """The part of an expert's desk that keeps what is not handed in yet."""

    def drafts(self, task_id: str) -> dict[str, Receipt]:
        """Return the own drafts on the task, by part."""
        with self.office.read() as session:
            _, task, profile = self._view(session, task_id)
            return drafts.load(session, task_id, task.round.number, profile.id)

    def _draft(self, task_id: str, part: str) -> str:
        receipt = self.drafts(task_id).get(part)
        return receipt.body if receipt else ""

    def keep_source(self, task_id: str, data: bytes) -> str:
        """Store the file that an answer was read from, as it came; return its digest."""
        self.view(task_id)  # nothing of a stranger's is stored
        return self.office.put(data)

    def keep_origin(self, task_id: str, part: str, origin: str, answer: Table) -> None:
        """Remember what this very table came of: its SQL (`derivations.PART`), or the digest of its file (SOURCE)."""
        kept = self.drafts(task_id).get(part)
        self.save_draft(task_id, part, derivations.derivation(origin, answer), kept.version if kept else 0)

    def origin(self, task_id: str, part: str, answer: Table) -> str:
        """Return what is remembered of this very table, empty for nothing."""
        return derivations.derived_by(self._draft(task_id, part), answer)

    def save_draft(self, task_id: str, part: str, body: str, read_version: int) -> Receipt:
        """Store one part of the own draft.

        Raises:
            StaleDraft: another window stored a newer one.
        """
        with self.office.write() as session:
            _, task, profile = self._view(session, task_id)
            key = (task_id, task.round.number, profile.id)
            return drafts.save(session, key, part, body, read_version=read_version, now=self.office.clock())

    def beat(self, task_id: str, window: str) -> Beat:
        """Say that the task is open in a window (see `presence.beat`)."""
        return beat(self.office, self.viewer, task_id, window)

    def touch(self, task_id: str) -> None:
        """Count the time since the last touch as active, unless it was longer than the idle cut.

        Touches within a few seconds are counted with the next one, so that drawing a page seldom writes.
        """
        with self.office.read() as session:
            view, task, profile = self._view(session, task_id)
            key, now = (task_id, task.round.number, profile.id), self.office.clock()
            part = f"{_ACTIVE}-{view.step.value}"
            receipt = drafts.load(session, *key).get(part)
        if view.step not in (Step.SOLVE, Step.VERIFY):
            return
        seconds, last = json.loads(receipt.body) if receipt else (0.0, now.isoformat())
        gap = now - datetime.fromisoformat(last)
        if receipt is not None and gap < TOUCH_AGAIN:
            return
        seconds += gap.total_seconds() if gap <= IDLE else 0.0
        body = json.dumps([seconds, now.isoformat()])
        with suppress(StaleDraft, StorageFailed), self.office.write() as session:  # a lost count is no fault
            drafts.save(session, key, part, body, read_version=receipt.version if receipt else 0, now=now)

    def _active(self, session: Session, task: Task, profile: Profile, step: Step) -> int:
        receipt = drafts.load(session, task.task_id, task.round.number, profile.id).get(f"{_ACTIVE}-{step.value}")
        return round(json.loads(receipt.body)[0]) if receipt else 0
