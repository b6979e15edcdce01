"""An expert's unfinished work: drafts, uploaded files, time at work, the heartbeat. Never in the ledger."""

import json
from contextlib import suppress
from datetime import datetime, timedelta

from sqlmodel import Session

from review_app import drafts
from review_app.accounts import Profile
from review_app.desk.keeping import Keeping
from review_app.desk.presence import Beat, beat
from review_app.desk.reading import Reading
from review_app.domain.blindness import Step
from review_app.domain.errors import StaleDraft, StorageFailed
from review_app.domain.task import Task

IDLE = timedelta(minutes=2)
TOUCH_AGAIN = timedelta(seconds=10)
_ACTIVE = "active"
SOURCE = "source"


class Drafting(Reading, Keeping):
    """The part of an expert's desk that keeps what is not handed in yet."""

    def _kept_under(self, session: Session, task_id: str) -> tuple[str, int, str]:
        _, task, profile = self._view(session, task_id)
        return task_id, task.round.number, profile.id

    def keep_source(self, task_id: str, data: bytes, read_as: str) -> str:
        """Store the file that an answer was read from, as it came; return what `keep_origin` keeps under SOURCE.

        `read_as`: its encoding, or the sheet of a workbook.
        """
        self.view(task_id)  # nothing of a stranger's is stored
        return f"{self.office.put(data)} {read_as}"

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
