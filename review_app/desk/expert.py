"""The expert's desk. Everything shown comes from `view_for`; every write is decided anew in its transaction."""

import hashlib
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from sqlmodel import Session

from evaluator.diff import Diff
from evaluator.rules import Rules
from evaluator.tables import Table, TableError
from review_app import drafts, leases, store
from review_app.accounts import Profile
from review_app.desk import derivations, following, repairs, tables, taking
from review_app.desk.changes import GoldChange, gold_change, shown_in
from review_app.desk.following import MyTask
from review_app.desk.office import MakeEvent, Office, Viewer
from review_app.desk.presence import Beat, beat
from review_app.desk.workspace import index_of, load_ahead
from review_app.domain.blindness import NOT_MINE, Revealed, Step, View, view_for
from review_app.domain.closing import Numbers
from review_app.domain.content import Evidence, FieldOrigin, Finding, Outcome, Revision, SkipReason, Verdict
from review_app.domain.decide import Facts
from review_app.domain.errors import StaleDraft, StorageFailed, UnknownTask
from review_app.domain.events import (
    AnswerSealed,
    Event,
    MessagePosted,
    RecheckSubmitted,
    RepairAccepted,
    RepairDeclined,
    ReviewSubmitted,
    SeatReturned,
)
from review_app.domain.people import Role
from review_app.domain.task import Task
from review_app.drafts import Receipt
from review_app.workspace.index import Index

IDLE = timedelta(minutes=2)
TOUCH_AGAIN = timedelta(seconds=10)
_ACTIVE = "active"
SOURCE = "source"


class ExpertDesk:
    """One expert's desk."""

    def __init__(self, office: Office, viewer: Viewer) -> None:
        self.office = office
        self.viewer = viewer

    # --- which tasks -------------------------------------------------------------------------------------------

    def my_tasks(self) -> list[MyTask]:
        """Return the expert's tasks, what waits for them first (see `following.my_tasks`)."""
        return following.my_tasks(self.office, self.viewer)

    def mark_read(self, view: View) -> int:
        """Remember that the discussion of this view was seen; return the version that was read before."""
        return following.mark_read(self.office, self.viewer, view)

    def my_numbers(self) -> Numbers:
        """Return the expert's own figures."""
        return following.my_numbers(self.office, self.viewer)

    def next_task(self) -> str:
        """Take a seat on the task that fits best, and return its id (see `taking.next_task`)."""
        task_id = taking.next_task(self.office, self.viewer)
        load_ahead(self.office, self.view(task_id).files)
        return task_id

    def return_seat(self, task_id: str, reason: str, category: SkipReason = SkipReason.OTHER) -> None:
        """Give the seat back before sealing; the reason goes to the lead. The draft stays."""
        self._act(task_id, lambda me, now: SeatReturned(me, now, me, reason.strip(), category))

    def extend_lease(self, task_id: str) -> datetime:
        """Start the lease anew and return its end."""
        with self.office.write() as session:
            profile = self.office.who(session, self.viewer, Role.EXPERT)
            until = self.office.clock() + timedelta(hours=self.office.settings.lease_hours)
            _, task, _ = self._view(session, task_id)
            leases.extend(session, task, profile.id, until)
            return until

    # --- what is shown -----------------------------------------------------------------------------------------

    def view(self, task_id: str) -> View:
        """Return all that the expert may know of the task.

        Raises:
            UnknownTask: it is not on the expert's desk.
        """
        with self.office.read() as session:
            return self._view(session, task_id)[0]

    def _view(self, session: Session, task_id: str) -> tuple[View, Task, Profile]:
        profile = self.office.who(session, self.viewer, Role.EXPERT)
        try:
            task = store.load(session, task_id)
        except UnknownTask:
            task = None
        if task is None:
            raise UnknownTask(NOT_MINE.format(task_id=task_id))
        return view_for(task, profile.id), task, profile

    def lease_until(self, task_id: str) -> datetime | None:
        """Return when the expert's lease ends."""
        with self.office.read() as session:
            profile = self.office.who(session, self.viewer, Role.EXPERT)
            return leases.lease_until(session, task_id, profile.id)

    def file(self, task_id: str, path: str) -> Path:
        """Return where a workspace file lies.

        Raises:
            UnknownTask: no such file in a task on the expert's desk.
        """
        files = {file.path: file.sha256 for file in self.view(task_id).files}
        if path not in files:
            raise UnknownTask(f"there is no file {path!r} in {task_id}")
        return self.office.blobs.path(files[path])

    def index(self, task_id: str) -> Index:
        """Return the task's workspace as loaded tables and texts.

        Raises:
            UnknownTask: the task is not on the expert's desk.
            IndexFailed: it could not be loaded.
        """
        return index_of(self.office, self.view(task_id).files)

    def my_answer(self, task_id: str) -> Table:
        """Return the own sealed answer.

        Raises:
            UnknownTask: nothing is sealed yet.
        """
        answer = self.view(task_id).answer
        if answer is None:
            raise UnknownTask("you have not sealed an answer")
        return self.office.table(answer.answer)

    def derivation(self, task_id: str, letter: str = "") -> str:
        """Return the SQL that was sealed with the own answer, or with that of a letter, where the view shows it.

        Empty if the answer came of no SQL, or is not there to be seen.
        """
        view = self.view(task_id)
        reviews = view.discussion.reviews if view.discussion else ()
        sealed = {reviewed.letter: reviewed.answer for reviewed in reviews}.get(letter) if letter else view.answer
        return self.office.text(sealed.derivation) if sealed and sealed.derivation else ""

    def answer(self, task_id: str, letter: str) -> Table:
        """Return a reviewer's sealed answer by letter, once both reviews are in.

        Raises:
            UnknownTask: the view does not show it.
        """
        discussion = self.view(task_id).discussion
        for reviewed in discussion.reviews if discussion else ():
            if reviewed.letter == letter:
                return self.office.table(reviewed.answer.answer)
        raise UnknownTask("there is no such answer to see")

    def gold(self, task_id: str) -> Table:
        """Return the gold, once the own answer is sealed.

        Raises:
            UnknownTask: it is not revealed yet.
        """
        return self.office.table(self._revealed(task_id).gold)

    def gold_sql(self, task_id: str) -> str:
        """Return the gold's SQL, once the own answer is sealed."""
        return self.office.text(self._revealed(task_id).gold_sql)

    def _revealed(self, task_id: str) -> Revealed:
        revealed = self.view(task_id).revealed
        if revealed is None:
            raise UnknownTask("the gold is shown after you have sealed your answer")
        return revealed

    def diff(self, task_id: str, rules: Rules) -> Diff | None:
        """Return the own answer against the gold under rules, None where the gold does not read under them."""
        return tables.difference(self.gold(task_id), self.my_answer(task_id), rules)

    def gold_change(self, task_id: str, before: Revision, after: Revision) -> GoldChange | None:
        """Return how the gold differs between two revisions that the discussion shows, None if it does not."""
        talk = self.view(task_id).discussion
        allowed = shown_in(talk.contributions, talk.reviewed, talk.revision) if talk else frozenset()
        return gold_change(self.office, allowed, before, after)

    # --- drafts ------------------------------------------------------------------------------------------------

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

    # --- what is decided ---------------------------------------------------------------------------------------

    def seal(self, task_id: str, answer: Table) -> None:
        """Fix the answer; the gold is shown from now on. The SQL that gave it, if one did, is sealed with it.

        Raises:
            ReviewError: not the seat's holder, sealed already, or the disk refused; then nothing is sealed.
        """
        self.view(task_id)  # nothing of a stranger's is stored
        digest, derivation, source, problem = "", "", "", ""
        try:
            digest = self.office.put_table(answer)
            sql = self.origin(task_id, derivations.PART, answer)
            derivation = self.office.put(sql.encode()) if sql else ""
            source = self.origin(task_id, SOURCE, answer)
        except TableError as error:
            problem = f"the table is no valid answer: {error}"

        def make(session: Session, task: Task, profile: Profile, now: datetime) -> tuple[Event, Facts]:
            active = self._active(session, task, profile, Step.SOLVE)
            shape = len(answer.rows), len(answer.header)
            return AnswerSealed(profile.id, now, digest, *shape, active, derivation, source), Facts(problem=problem)

        self._record(task_id, make)

    def submit_review(
        self,
        task_id: str,
        verdict: Verdict,
        findings: tuple[Finding, ...],
        rules: Rules | None,
        origins: tuple[FieldOrigin, ...] = (),
    ) -> None:
        """Hand in the review. Finding ids are given here.

        Rules under which the gold does not read are left out of a review that does not accept the gold.
        `origins` says where each field of the rules came from (see `verifying.hand_in`).

        Raises:
            ReviewError: the seat is not in that phase, or verdict, findings and rules do not go together.
        """
        # Compared before the transaction: a large table must not keep other writers waiting. Neither the sealed
        # answer nor the gold can change while the seat is verifying.
        problem, outcome = self._judged(task_id, rules)
        kept = rules if not problem or verdict is Verdict.ACCEPT else None

        def make(session: Session, task: Task, profile: Profile, now: datetime) -> tuple[Event, Facts]:
            event = ReviewSubmitted(
                actor=profile.id,
                at=now,
                verdict=verdict,
                findings=_numbered(task, profile.id, "review", findings),
                rules=tables.rules_text(kept) if kept else "",
                rules_meaning=tables.meaning(kept) if kept else "",
                outcome=outcome,
                active_seconds=self._active(session, task, profile, Step.VERIFY),
                rules_origins=origins if kept else (),
            )
            return event, Facts(problem=problem if verdict is Verdict.ACCEPT else "")

        self._record(task_id, make)

    def _judged(self, task_id: str, rules: Rules | None) -> tuple[str, Outcome | None]:
        """Why the gold does not read under the rules (empty if it does), and the outcome of the own answer."""
        view = self.view(task_id)
        if rules is None or view.revealed is None or view.answer is None:
            return "", None
        gold = self.office.table(view.revealed.gold)
        problem = tables.misfit(gold, rules)
        return problem, None if problem else tables.outcome(gold, self.office.table(view.answer.answer), rules)

    def post_message(self, task_id: str, text: str, evidence: tuple[Evidence, ...] = (), about: str = "") -> None:
        """Say something in the discussion, or in the thread of one finding (`about`, its id)."""
        self._act(task_id, lambda me, now: MessagePosted(me, now, text.strip(), evidence, about))

    def propose_repair(self, task_id: str, change: repairs.Change) -> None:
        """Propose a minimal change of the task."""
        with self.office.read() as session:
            _, task, _ = self._view(session, task_id)
        self._record(task_id, repairs.proposal(self.office, task, change))

    def accept_repair(self, task_id: str, proposal: int, reason: str) -> None:
        """Accept the lead's repair that was proposed at this version."""
        self._act(task_id, lambda me, now: RepairAccepted(me, now, proposal, reason.strip()))

    def withdraw_repair(self, task_id: str, proposal: int, reason: str) -> None:
        """Take the own proposal back."""
        self._act(task_id, lambda me, now: RepairDeclined(me, now, proposal, reason.strip()))

    def recheck(self, task_id: str, revision: str, confirm: bool, findings: tuple[Finding, ...] = ()) -> None:
        """Confirm the revision that was shown (its digest), or object."""

        def make(session: Session, task: Task, profile: Profile, now: datetime) -> tuple[Event, Facts]:
            numbered = _numbered(task, profile.id, f"recheck {task.objections}", findings)
            return RecheckSubmitted(profile.id, now, revision, confirm, numbered), Facts()

        self._record(task_id, make)

    def _act(self, task_id: str, event: Callable[[str, datetime], Event]) -> None:
        def make(session: Session, task: Task, profile: Profile, now: datetime) -> tuple[Event, Facts]:
            return event(profile.id, now), Facts()

        self._record(task_id, make)

    def _record(self, task_id: str, make: MakeEvent) -> None:
        """Record the event of somebody who has part in the task.

        Whoever has none is told the one sentence of `view`, whatever the task's state: refusals would tell
        where it stands.
        """

        def known(session: Session, task: Task, profile: Profile, now: datetime) -> tuple[Event, Facts]:
            view_for(task, profile.id)
            return make(session, task, profile, now)

        try:
            self.office.act(self.viewer, Role.EXPERT, task_id, known)
        except UnknownTask as error:
            raise UnknownTask(NOT_MINE.format(task_id=task_id)) from error


def _numbered(task: Task, expert: str, entry: str, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Give the findings ids that are unique in the task and depend on nothing that the other seat did."""
    origin = f"{task.task_id}/{task.round.number}/{entry}/{expert}"
    stem = hashlib.sha256(origin.encode()).hexdigest()[:6]
    return tuple(replace(finding, id=f"{stem}-{place}") for place, finding in enumerate(findings, start=1))
