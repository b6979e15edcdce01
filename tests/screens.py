"""Screens of an office on a folder of its own: who is signed in, which page, which task."""

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from candidates_folder import GOLD, rules
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

import review_app
from db.blobs import Blobs
from db.engine import migrate, open_engine
from evaluator.rules import parse_rules
from evaluator.tables import Table, parse_table
from review_app import accounts, rules_draft
from review_app.accounts import NewAccount
from review_app.desk import AdminDesk, ExpertDesk, LeadDesk, Office, Viewer, verifying
from review_app.desk.repairs import Change
from review_app.domain.content import Evidence, Finding, FindingKind, Part, RepairCategory, Reply, Verdict
from review_app.domain.people import Role
from review_app.requests import prepare
from review_app.settings import Settings

APP = Path(review_app.__file__).with_name("app.py")
NOW = datetime(2026, 3, 1, 9, tzinfo=UTC)
PASSWORD = "correct horse battery"
PEOPLE = {
    "ann": (Role.EXPERT,),
    "bob": (Role.EXPERT,),
    "cho": (Role.EXPERT,),
    "lea": (Role.LEAD,),
    "ada": (Role.ADMIN,),
    "bea": (Role.BUILDER,),
}
RIGHT = parse_table(GOLD)
WRONG = Table(("name", "size"), (("Alpha", "99"),))
RULES = parse_rules(rules("task_1"))
FINDING = Finding("", Part.QUESTION, FindingKind.AMBIGUOUS, "in which currency?", (Evidence("fund.csv", "row 2"),))


@dataclass
class House:
    """An office under a clock that stands still. `show` makes an office the one that the screens work on."""

    folder: Path
    show: Callable[[Office], None]
    tokens: dict[str, str] = field(default_factory=dict)
    ids: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        settings = Settings(var=self.folder, database_url="", sign_in_hours=10_000)
        self.office = Office(open_engine(settings.database), Blobs(settings.blobs), settings, lambda: NOW)

    @classmethod
    def build(cls, folder: Path, show: Callable[[Office], None]) -> "House":
        """Make an empty office with everybody of PEOPLE signed in."""
        made = cls(folder, show)
        folder.mkdir(parents=True, exist_ok=True)
        migrate(made.office.engine)
        prepare(made.office.settings)
        for login, roles in PEOPLE.items():
            made.hire(NewAccount(login, login.title(), PASSWORD, roles))
        return made

    def hire(self, new: NewAccount) -> None:
        """Make an account and sign it in."""
        with self.office.write() as session:
            self.ids[new.login] = accounts.add(session, new, NOW).id
        with self.office.write() as session:
            token = accounts.sign_in(session, new.login, True, NOW, 10_000)
        assert token is not None
        self.tokens[new.login] = token

    def copy(self, folder: Path, show: Callable[[Office], None]) -> "House":
        """Return the same office on another folder, from now on apart."""
        self.office.engine.dispose()
        shutil.copytree(self.folder, folder)
        return House(folder, show, dict(self.tokens), dict(self.ids))

    def viewer(self, login: str) -> Viewer:
        return Viewer(accounts.hash_token(self.tokens[login]))

    def expert(self, login: str) -> ExpertDesk:
        return ExpertDesk(self.office, self.viewer(login))

    def types(self, login: str, part: str, text: str, task_id: str = "task_1") -> None:
        """Type into a text that saves itself: its component hands what is typed over to the person's draft."""
        desk = self.lead(login) if login == "lea" else self.expert(login)
        desk.save_draft(task_id, part, text, desk.draft(task_id, part).version)

    def lead(self, login: str = "lea") -> LeadDesk:
        return LeadDesk(self.office, self.viewer(login))

    def admin(self, login: str = "ada") -> AdminDesk:
        return AdminDesk(self.office, self.viewer(login))

    def screen(self, login: str, page: str = "", task: str = "", **address: str) -> AppTest:
        """Return a page as it looks to who opened its address; "" is the first page, an unknown login a stranger."""
        self.show(self.office)
        at = AppTest.from_file(str(APP), default_timeout=30)
        at.user = {"sign_in": self.viewer(login).sign_in} if login in self.tokens else {}
        if page:
            at._page_hash = calc_hash(page)  # switch_page() finds files only; a page's hash is that of its address
        for name, value in (({"task": task} if task else {}) | address).items():
            at.query_params[name] = value
        return at.run()

    def seat(self, *logins: str, task: str = "task_1") -> None:
        """Give the task's seats to these experts, in this order."""
        for login in logins:
            self.lead().assign(task, self.ids[login])

    def review(
        self,
        login: str,
        verdict: Verdict = Verdict.ACCEPT,
        answer: Table = RIGHT,
        findings: tuple[Finding, ...] | None = None,
        task: str = "task_1",
    ) -> None:
        """Seal an answer and hand in a review."""
        found = (() if verdict is Verdict.ACCEPT else (FINDING,)) if findings is None else findings
        self.expert(login).seal(task, answer)
        self.expert(login).submit_review(task, verdict, found, RULES)

    def write_rules(self, login: str, task: str = "task_1") -> None:
        """Let the expert have written RULES into the form, not yet handed in."""
        columns = tuple(rules_draft.of_rule(rule) for rule in RULES.columns)
        draft = rules_draft.RulesDraft(columns, RULES.order_sensitive)
        _, receipt = verifying.load(self.expert(login), task, len(columns))
        verifying.save(self.expert(login), task, draft, receipt.version)

    def dispute(self, task: str = "task_1") -> None:
        """Let ann accept the task and bob ask for a repair."""
        self.seat("ann", "bob", task=task)
        self.review("ann", task=task)
        self.review("bob", Verdict.REVISE, WRONG, task=task)

    def change(self, task: str = "task_1", **edits: object) -> Change:
        """Return a repair that answers every finding."""
        replies = tuple(Reply(one.id, True, "now it says so") for one in self.lead().task(task).open_findings)
        return Change(self.digest(task), RepairCategory.QUESTION_CLARIFIED, "say the currency", replies, **edits)

    def digest(self, task: str = "task_1") -> str:
        """Return the digest of the revision as it stands."""
        return self.lead().task(task).revision.digest

    def accept(self, task: str = "task_1") -> None:
        """Let the lead accept the open repair."""
        self.lead().accept_repair(task, self.lead().task(task).proposed_at, "clear now")

    def propose(self, task: str = "task_1", question: str = "Which funds are there, in euros?") -> None:
        """Let bob propose another question."""
        self.expert("bob").propose_repair(task, self.change(task, question=question))


def problems(at: AppTest) -> list[str]:
    """What went wrong on a page: texts of exceptions and refusals. That two tables differ is no fault."""
    return [box.value for box in (*at.exception, *at.error) if getattr(box, "icon", "") != ":material/difference:"]


_ID = re.compile(r"^\$\$ID-[0-9a-f]+-")  # what the framework puts before the key of a component of ours


def keys(at: AppTest) -> set[str]:
    """The keys of all widgets on a page."""
    found = set()
    for node in at._tree:
        found.add(getattr(node, "key", None) or getattr(getattr(node, "proto", None), "id", "") or "")
    return {_ID.sub("", key) for key in found if key}
