"""The expert's desk. Everything shown comes from `view_for`; every write is decided anew in its transaction."""

import hashlib
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from sqlmodel import Session

from evaluator.rules import Rules
from evaluator.tables import Table, TableError
from review_app import comparing, leases
from review_app.accounts import Profile
from review_app.desk import derivations, following, repairs, taking
from review_app.desk.drafting import SOURCE, Drafting
from review_app.desk.following import MyTask
from review_app.desk.office import MakeEvent
from review_app.desk.workspace import load_ahead
from review_app.domain.blindness import NOT_MINE, Step, View, view_for
from review_app.domain.closing import Numbers
from review_app.domain.content import Evidence, FieldOrigin, Finding, Outcome, SkipReason, Verdict
from review_app.domain.decide import Facts
from review_app.domain.errors import UnknownTask
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


class ExpertDesk(Drafting):
    """One expert's desk: their tasks, and what they decide. `Reading` and `Drafting` hold the rest of it."""

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
        load_ahead(self.office, lambda: self.view(task_id).files)
        return task_id

    def expect_next_task(self) -> None:
        """Load the workspace of the task that would be next, so that it is there when the task is taken."""
        with self.office.read() as session:
            self.office.who(session, self.viewer, Role.EXPERT)
        load_ahead(self.office, lambda: taking.workspace_of_next(self.office, self.viewer))

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

    # --- what is decided ---------------------------------------------------------------------------------------

    def seal(self, task_id: str, answer: Table) -> None:
        """Fix the answer; the gold is shown from now on. The SQL that gave it, if one did, is sealed with it.

        Raises:
            ReviewError: not the seat's holder, sealed already, or the disk refused; then nothing is sealed.
        """
        self.view(task_id)  # nothing of a stranger's is stored
        digest, derivation, source, read_as, problem = "", "", "", "", ""
        try:
            digest = self.office.put_table(answer)
            sql = self.origin(task_id, derivations.PART, answer)
            derivation = self.office.put(sql.encode()) if sql else ""
            source, _, read_as = self.origin(task_id, SOURCE, answer).partition(" ")
        except TableError as error:
            problem = f"the table is no valid answer: {error}"

        def make(session: Session, task: Task, profile: Profile, now: datetime) -> tuple[Event, Facts]:
            active = self._active(session, task, profile, Step.SOLVE)
            shape = len(answer.rows), len(answer.header)
            came_of = (derivation, source, read_as)
            return AnswerSealed(profile.id, now, digest, *shape, active, *came_of), Facts(problem=problem)

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
                rules=comparing.rules_text(kept) if kept else "",
                rules_meaning=comparing.meaning(kept) if kept else "",
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
        problem = comparing.misfit(gold, rules)
        return problem, None if problem else comparing.outcome(gold, self.office.table(view.answer.answer), rules)

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
