"""The lead's desk: see where work stands, settle disagreements on evidence, release."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from sqlmodel import Session

from evaluator.compare import arrangement, compare_answers
from evaluator.diff import Diff
from evaluator.rules import Rules
from evaluator.tables import Table
from review_app import accounts, comparing, store, task_ledger, task_list
from review_app.accounts import Profile
from review_app.agreement.report import Report, report
from review_app.desk import repairs, taking
from review_app.desk.cases import cases
from review_app.desk.changes import GoldChange, gold_change, shown_in
from review_app.desk.keeping import Keeping
from review_app.desk.office import Office, Viewer
from review_app.desk.workspace import index_of, load_ahead
from review_app.domain.blindness import LEAD, Contribution, Reviewed, contributions_of, letters, reviews_of
from review_app.domain.consensus import agreed_rules
from review_app.domain.content import Evidence, Finding, Reply, Revision, WorkspaceFile
from review_app.domain.decide import Facts
from review_app.domain.disagreement import Disagreement, Kind, disagreements
from review_app.domain.errors import Incomplete, NotPossible, UnknownTask
from review_app.domain.events import (
    DisputeSettled,
    Event,
    FreshRoundCalled,
    LeadActionUndone,
    MessagePosted,
    RepairAccepted,
    RepairDeclined,
    RepairProposed,
    ReviewerReplaced,
    SeatReturned,
    SeatVacated,
    TaskRemoved,
    TaskReopened,
    Unblinded,
)
from review_app.domain.people import Role
from review_app.domain.task import Phase, State, Task
from review_app.requests import Request, Work
from review_app.workspace.index import Index

PAGE = 100


@dataclass(frozen=True)
class SeatShown:
    """A seat as a lead sees it: who holds it and how far they are, nothing of what they entered."""

    letter: str
    account_id: str
    name: str
    phase: Phase


@dataclass(frozen=True)
class SeatChange:
    """A seat given back or freed, an unblinding or an undone action, with who did it; for leads only."""

    kind: type[Event]
    name: str
    event: Event


@dataclass(frozen=True)
class LeadView:
    """A task on the lead's desk. Reviews, disagreements and discussion are empty until both seats are done."""

    task_id: str
    state: State
    version: int
    round: int
    domain: str
    language: str
    instance: str
    reviewed: Revision
    revision: Revision
    seats: tuple[SeatShown, ...]
    history: tuple[SeatChange, ...]
    reviews: tuple[Reviewed, ...]
    disagreements: tuple[Disagreement, ...]
    contributions: tuple[Contribution, ...]
    proposal: RepairProposed | None
    proposed_at: int
    proposal_by: str
    open_findings: tuple[Finding, ...]
    objections: int
    max_rechecks: int
    releases: tuple[str, ...]
    can_undo: bool


@dataclass(frozen=True)
class Folders:
    """What lies ready on the server to be built or imported, by name."""

    corpora: list[str]
    candidates: list[str]


class LeadDesk(Keeping):
    """One lead's desk."""

    def __init__(self, office: Office, viewer: Viewer) -> None:
        self.office = office
        self.viewer = viewer

    def _kept_under(self, session: Session, task_id: str) -> tuple[str, int, str]:
        viewer = self.office.who(session, self.viewer, Role.LEAD)
        return task_id, store.load(session, task_id).round.number, viewer.id

    # --- what is shown -----------------------------------------------------------------------------------------

    def counts(self) -> dict[State, int]:
        """Return how many tasks are in each state; all states are named."""
        with self.office.read() as session:
            self.office.who(session, self.viewer, Role.LEAD)
            return task_list.counts(session)

    def choices(self) -> task_list.Choices:
        """Return what the list of tasks can be narrowed to."""
        with self.office.read() as session:
            self.office.who(session, self.viewer, Role.LEAD)
            return task_list.choices(session)

    def tasks(
        self, wanted: task_list.Wanted, first: int = 0, kind: Kind | None = None
    ) -> tuple[int, list[tuple[task_list.Listed, tuple[Kind, ...]]]]:
        """Return how many tasks are wanted, and a page of them from the `first` on, each with how its reviews differ.

        Args:
            kind: only disputed tasks whose reviews differ in this; every disputed task is then looked at.
        """
        with self.office.read() as session:
            self.office.who(session, self.viewer, Role.LEAD)
            if kind is None:
                total, found = task_list.listed(session, wanted, first, PAGE)
                return total, [(task, self._kinds(task)) for task in found]
            _, disputed = task_list.listed(session, replace(wanted, states=(State.DISPUTED,)), 0, None)
        differing = [(task, kinds) for task in disputed if kind in (kinds := self._kinds(task))]
        return len(differing), differing[first : first + PAGE]

    def _kinds(self, task: task_list.Listed) -> tuple[Kind, ...]:
        return _kinds(self.office, task.task_id, task.head) if task.state is State.DISPUTED else ()

    def task(self, task_id: str) -> LeadView:
        """Return the task; whoever sees it has seen the gold, and gets no seat on it."""
        task, viewer = self._seen(task_id)
        with self.office.read() as session:
            names, history = accounts.names(session), store.seat_history(session, task_id)
        return self._lead_view(task, names, viewer, history)

    def _seen(self, task_id: str) -> tuple[Task, str]:
        """The task, and who looks at it: remembered as somebody who knows the gold."""
        with self.office.read() as session:
            viewer = self.office.who(session, self.viewer, Role.LEAD).id
            task = store.load(session, task_id)
            known = store.is_involved(session, task_id, viewer)
        if not known:
            with self.office.write() as session:
                store.involve(session, task_id, viewer, store.SAW_GOLD)
        return task, viewer

    def _lead_view(self, task: Task, names: dict[str, str], viewer: str, history: list[Event]) -> LeadView:
        called = letters(task.round)
        people = {seat.expert: seat.phase for seat in task.round.seats}
        people |= {new: Phase.DONE for _, new in task.round.replaced}
        proposer = task.proposal.actor if task.proposal else ""
        return LeadView(
            task_id=task.task_id,
            state=task.state,
            version=task.version,
            round=task.round.number,
            domain=task.domain,
            language=task.language,
            instance=task.instance,
            reviewed=task.reviewed,
            revision=task.revision,
            seats=tuple(
                SeatShown(called[person], person, names.get(person, "?"), phase) for person, phase in people.items()
            ),
            history=tuple(SeatChange(type(event), names.get(event.actor, "?"), event) for event in history),
            reviews=reviews_of(task.round) if _open_to(task, viewer) else (),
            disagreements=disagreements(task.round, _answers_match(self.office, task)),
            contributions=contributions_of(task, viewer),
            proposal=task.proposal,
            proposed_at=task.proposed_at,
            proposal_by=called.get(proposer, LEAD) if proposer else "",
            open_findings=task.open_findings if _open_to(task, viewer) else (),
            objections=task.objections,
            max_rechecks=task.max_rechecks,
            releases=task.releases,
            can_undo=task.undo is not None and task.last is not None and task.last.actor == viewer,
        )

    def ledger(self, task_id: str) -> tuple[list[task_ledger.Line], dict[str, str]]:
        """Return the task's entries, oldest first, and the names of those who wrote them, by their ids."""
        self._seen(task_id)
        with self.office.read() as session:
            return task_ledger.chain(session, task_id), accounts.names(session)

    def workspace(self, task_id: str) -> tuple[WorkspaceFile, ...]:
        """Return the files of the task's workspace."""
        with self.office.read() as session:
            self.office.who(session, self.viewer, Role.LEAD)
            return store.load(session, task_id).revision.workspace

    def derivation(self, task_id: str, letter: str) -> str:
        """Return the SQL that was sealed with an answer which the lead's view shows; empty for none."""
        sealed = {reviewed.letter: reviewed.answer for reviewed in self.task(task_id).reviews}.get(letter)
        return self.office.text(sealed.derivation) if sealed and sealed.derivation else ""

    def index(self, task_id: str) -> Index:
        """Return the task's workspace as loaded tables and texts."""
        return index_of(self.office, self.workspace(task_id))

    def table(self, task_id: str, digest: str) -> Table:
        """Return a gold or sealed answer that the lead's view of the task names.

        Raises:
            UnknownTask: the view does not name that table.
        """
        task, viewer = self._seen(task_id)
        shown = reviews_of(task.round) if _open_to(task, viewer) else ()
        allowed = {task.revision.gold} | {reviewed.answer.answer for reviewed in shown}
        allowed |= {task.proposal.after.gold} if task.proposal else set()
        if digest not in allowed:
            raise UnknownTask(f"{task_id} shows no such table")
        return self.office.table(digest)

    def gold_sql(self, task_id: str) -> str:
        """Return the SQL of the gold."""
        return self.office.text(self._seen(task_id)[0].revision.gold_sql)

    def diff(self, task_id: str, answer: str, rules: Rules) -> Diff | None:
        """Return a sealed answer (digest) against the gold."""
        gold = self.table(task_id, self._seen(task_id)[0].revision.gold)
        return comparing.difference(gold, self.table(task_id, answer), rules)

    def gold_change(self, task_id: str, before: Revision, after: Revision) -> GoldChange | None:
        """Return how the gold differs between two revisions that the task shows, None if it does not."""
        task, viewer = self._seen(task_id)
        with self.office.read() as session:
            changes = [line.changed for line in task_ledger.chain(session, task_id) if line.changed is not None]
        earlier = [revision for change in changes for revision in change]
        allowed = shown_in(contributions_of(task, viewer), task.reviewed, task.revision, *earlier)
        return gold_change(self.office, allowed, before, after)

    # --- what is decided ---------------------------------------------------------------------------------------

    def assign(self, task_id: str, account_id: str) -> None:
        """Give an expert a free seat, or one whose lease ran out."""
        taking.assign(self.office, self.viewer, task_id, account_id)
        load_ahead(self.office, lambda: self.workspace(task_id))

    def return_seat(self, task_id: str, account_id: str, reason: str) -> None:
        """Take an unsealed seat from an expert."""
        self._act(task_id, lambda me, now, _: SeatReturned(me, now, account_id, reason.strip()))

    def vacate(self, task_id: str, account_id: str, reason: str) -> None:
        """Free the seat of an expert who vanished, sealed or not."""
        self._act(task_id, lambda me, now, _: SeatVacated(me, now, account_id, reason.strip()))

    def post_message(self, task_id: str, text: str, evidence: tuple[Evidence, ...] = (), about: str = "") -> None:
        """Say something in the discussion, or in the thread of one finding (`about`, its id)."""
        self._act(task_id, lambda me, now, _: MessagePosted(me, now, text.strip(), evidence, about))

    def propose_repair(self, task_id: str, change: repairs.Change) -> None:
        """Propose a minimal change of the task."""
        with self.office.read() as session:
            self.office.who(session, self.viewer, Role.LEAD)
            task = store.load(session, task_id)
        self.office.act(self.viewer, Role.LEAD, task_id, repairs.proposal(self.office, task, change))

    def accept_repair(self, task_id: str, proposal: int, reason: str) -> None:
        """Accept the expert's repair that was proposed at this version."""
        self._act(task_id, lambda me, now, _: RepairAccepted(me, now, proposal, reason.strip()))

    def decline_repair(self, task_id: str, proposal: int, reason: str) -> None:
        """Decline a repair, or withdraw the own one."""
        self._act(task_id, lambda me, now, _: RepairDeclined(me, now, proposal, reason.strip()))

    def settle(self, task_id: str, revision: str, reason: str, replies: tuple[Reply, ...]) -> None:
        """Settle the dispute on the revision that was shown, without a change; both experts must still confirm."""

        def make(session: Session, task: Task, profile: Profile, now: datetime) -> tuple[Event, Facts]:
            rules = agreed_rules(task)
            gold = self.office.table(task.revision.gold)
            problem = comparing.misfit(gold, comparing.rules_from(rules)) if rules else ""
            return DisputeSettled(profile.id, now, revision, reason.strip(), replies), Facts(problem=problem)

        self.office.act(self.viewer, Role.LEAD, task_id, make)

    def replace_reviewer(self, task_id: str, old: str, new: str, reason: str) -> None:
        """Let another expert discuss and recheck."""

        def make(session: Session, task: Task, profile: Profile, now: datetime) -> tuple[Event, Facts]:
            person = accounts.by_id(session, new).person
            accounts.lock(session, new)
            facts = Facts(assignee=person, knows_gold=store.knows_gold(session, task, new))
            return ReviewerReplaced(profile.id, now, old, new, reason.strip()), facts

        self.office.act(self.viewer, Role.LEAD, task_id, make)

    def fresh_round(self, task_id: str, reason: str) -> None:
        """Two new experts, blind again."""
        self._act(task_id, lambda me, now, _: FreshRoundCalled(me, now, reason.strip()))

    def remove(self, task_id: str, reason: str) -> None:
        """Take the task out of the benchmark."""
        self._act(task_id, lambda me, now, _: TaskRemoved(me, now, reason.strip()))

    def reopen(self, task_id: str, reason: str) -> None:
        """Give a closed task another round."""
        self._act(task_id, lambda me, now, _: TaskReopened(me, now, reason.strip()))

    def unblind(self, task_id: str, reason: str) -> None:
        """Look at sealed content early (emergency)."""
        self._act(task_id, lambda me, now, _: Unblinded(me, now, reason.strip()))

    def undo(self, task_id: str, version: int, reason: str) -> None:
        """Take the own last action back, if nothing happened since the lead saw `version`."""

        def event(me: str, now: datetime, task: Task) -> Event:
            if task.version != version:
                raise NotPossible("something happened on the task since; reload the page")
            return LeadActionUndone(me, now, version, reason.strip())

        self._act(task_id, event)

    def _act(self, task_id: str, event: Callable[[str, datetime, Task], Event]) -> None:
        def make(session: Session, task: Task, profile: Profile, now: datetime) -> tuple[Event, Facts]:
            return event(profile.id, now, task), Facts()

        self.office.act(self.viewer, Role.LEAD, task_id, make)

    def agreement(self) -> Report:
        """Return how far the experts agree, over all tasks whose first round is done."""
        with self.office.read() as session:
            self.office.who(session, self.viewer, Role.LEAD)
            entries = store.entries(session)
        return _agreement(self.office, entries)

    # --- people and releases -----------------------------------------------------------------------------------

    def experts(self) -> list[Profile]:
        """Return the active experts, by name."""
        with self.office.read() as session:
            self.office.who(session, self.viewer, Role.LEAD)
            found = [profile for profile in accounts.everyone(session) if profile.person.has(Role.EXPERT)]
        return sorted(found, key=lambda profile: profile.name)

    def releases(self) -> list[store.Release]:
        """Return what was released, newest first."""
        with self.office.read() as session:
            self.office.who(session, self.viewer, Role.LEAD)
            return store.releases(session)

    # --- what the worker is asked for --------------------------------------------------------------------------

    def folders(self) -> Folders:
        """Return the names of corpora and candidates that lie ready on the server."""
        with self.office.read() as session:
            self.office.who(session, self.viewer, Role.LEAD)
        var = self.office.settings
        return Folders(_names(var.corpora), _names(var.candidates))

    def ask(self, work: Work, about: str) -> None:
        """Ask the worker for a build, an import or a release."""
        with self.office.read() as session:
            profile = self.office.who(session, self.viewer, Role.LEAD)
        if not about:
            raise Incomplete("name what it is about")
        if work is Work.RELEASE and any(release.name == about for release in self.releases()):
            raise NotPossible(f"a release is called {about!r} already; choose another name")
        self.office.requests.ask(work, about, profile.id)

    def requests(self) -> list[Request]:
        """Return the newest requests and what became of them."""
        with self.office.read() as session:
            self.office.who(session, self.viewer, Role.LEAD)
        return self.office.requests.recent()


def _open_to(task: Task, viewer: str) -> bool:
    """Whether the lead may see what is sealed in the current round."""
    return task.round.done or viewer in task.round.unblinded_by


@lru_cache(maxsize=2048)
def _kinds(office: Office, task_id: str, head: str) -> tuple[Kind, ...]:
    """How the reviews of a disputed task differ; kept, since it stays the same until the chain has another `head`."""
    with office.read() as session:
        task = store.load(session, task_id)
    return tuple(dict.fromkeys(one.kind for one in disagreements(task.round, _answers_match(office, task))))


def _answers_match(office: Office, task: Task) -> bool | None:
    """One sealed answer against the other, under the first rules that read either; None if none do."""
    if not task.round.done:
        return None
    written = [seat.review.rules for seat in task.round.seats if seat.review and seat.review.rules]
    sealed = [seat.answer.answer for seat in task.round.seats if seat.answer]
    return _same_tables(office, sealed[0], sealed[1], (*written, task.revision.rules))


@lru_cache(maxsize=256)
def _same_tables(office: Office, one: str, other: str, rules: tuple[str, ...]) -> bool | None:
    """Compare two tables by their digests; kept, since a page asks again at every click and content never changes."""
    first, second = office.table(one), office.table(other)
    if len(first.header) != len(second.header):
        return False
    read = [comparing.rules_from(text) for text in rules]
    either = (found for found in read if any(arrangement(table, found) is not None for table in (first, second)))
    chosen = next(either, None)
    return None if chosen is None else compare_answers(first, second, chosen).passed


@lru_cache(maxsize=2)
def _agreement(office: Office, entries: int) -> Report:
    """The report takes seconds; it stays the same until the ledger has one more entry."""
    return report(cases(office))


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []
