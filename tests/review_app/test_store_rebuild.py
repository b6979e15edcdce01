"""What is stored beside the ledger follows from it, after any history: status rows, claims, involvements."""

import itertools
import random
import shutil
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from candidates_folder import GOLD, rules, write_candidates
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlmodel import select

from db import ledger
from db.blobs import Blobs
from db.engine import open_engine
from db.tables import Claim, Involvement
from evaluator.rules import parse_rules
from evaluator.tables import Table, parse_table
from review_app import accounts, store
from review_app.accounts import NewAccount
from review_app.candidates import import_candidates
from review_app.desk import ExpertDesk, LeadDesk, Office, Viewer
from review_app.desk.repairs import Change
from review_app.domain.content import Evidence, Finding, FindingKind, Part, RepairCategory, Reply, Verdict
from review_app.domain.errors import ReviewError
from review_app.domain.events import KINDS
from review_app.domain.people import Role
from review_app.release import make_release
from review_app.settings import Settings

TASK = "task_1"
EXPERTS, LEADS = ("ann", "bob", "cho", "dan"), ("lea", "mo")
RIGHT, RULES = parse_table(GOLD), parse_rules(rules(TASK))
WRONG = Table(("name", "size"), (("Alpha", "99"),))
FINDING = Finding("", Part.QUESTION, FindingKind.AMBIGUOUS, "in which currency?", (Evidence("fund.csv", "row 2"),))
OWN_ERROR = Finding("", Part.GOLD, FindingKind.OWN_ERROR, "I misread it")
START = datetime(2026, 3, 1, 9, tzinfo=UTC)


class World:
    """An office with everybody's desk, and a clock that the walk moves."""

    def __init__(self, engine, var, viewers, ids):
        self.now, self.numbers = START, itertools.count(1)
        config = Settings(var=var, sign_in_hours=1e6, max_open_seats=100)
        self.office = Office(engine, Blobs(config.blobs), config, lambda: self.now)
        self.viewers, self.ids = viewers, ids

    @classmethod
    def fresh(cls, engine, var):
        """Hire everybody and import two candidates."""
        world = cls(engine, var, {}, {})
        for login in (*EXPERTS, *LEADS):
            roles = (Role.EXPERT,) if login in EXPERTS else (Role.LEAD,)
            with world.office.write() as session:
                new = NewAccount(login, login, "correct horse battery", roles)
                world.ids[login] = accounts.add(session, new, START).id
                token = accounts.sign_in(session, login, True, START, 1e6)
            world.viewers[login] = Viewer(accounts.hash_token(token))
        import_candidates(world.office, write_candidates(var / "candidates", 2))
        return world

    def expert(self, login):
        return ExpertDesk(self.office, self.viewers[login])

    def lead(self, login):
        return LeadDesk(self.office, self.viewers[login])

    def task(self):
        with self.office.read() as session:
            return store.load(session, TASK)

    def replies(self):
        return tuple(Reply(finding.id, True, "said so") for finding in self.task().open_findings)

    def change(self):
        question = f"Which funds are there? ({next(self.numbers)})"
        return Change(self.digest(), RepairCategory.QUESTION_CLARIFIED, "clearer", self.replies(), question=question)

    def digest(self):
        return self.task().revision.digest

    def at(self):
        return self.task().proposed_at

    def wait(self):
        self.now += timedelta(hours=25)

    def review(self, expert, lead, verdict=Verdict.ACCEPT):
        """The usual way through a seat."""
        self.lead(lead).assign(TASK, self.ids[expert])
        self.expert(expert).seal(TASK, RIGHT)
        self.expert(expert).submit_review(TASK, verdict, () if verdict is Verdict.ACCEPT else (FINDING,), RULES)

    def release(self):
        make_release(self.office, f"v{next(self.numbers)}", self.office.settings.var / "out")


# What can be pressed: (world, an expert, another expert, a lead). Most presses are refused; that is part of the walk.
PRESSES = {
    "review": lambda world, one, other, lead: world.review(one, lead),
    "review by two": lambda world, one, other, lead: (world.review(one, lead), world.review(other, lead)),
    "dispute": lambda world, one, other, lead: (world.review(one, lead), world.review(other, lead, Verdict.REVISE)),
    "take": lambda world, one, other, lead: world.expert(one).next_task(),
    "wait": lambda world, one, other, lead: world.wait(),
    "assign": lambda world, one, other, lead: world.lead(lead).assign(TASK, world.ids[one]),
    "return": lambda world, one, other, lead: world.expert(one).return_seat(TASK, "ill"),
    "take back": lambda world, one, other, lead: world.lead(lead).return_seat(TASK, world.ids[one], "ill"),
    "vacate": lambda world, one, other, lead: world.lead(lead).vacate(TASK, world.ids[one], "gone"),
    "seal": lambda world, one, other, lead: world.expert(one).seal(TASK, RIGHT),
    "seal wrong": lambda world, one, other, lead: world.expert(one).seal(TASK, WRONG),
    "accept": lambda world, one, *_: world.expert(one).submit_review(TASK, Verdict.ACCEPT, (OWN_ERROR,), RULES),
    "reject": lambda world, one, *_: world.expert(one).submit_review(TASK, Verdict.REJECT, (FINDING,), None),
    "message": lambda world, one, other, lead: world.expert(one).post_message(TASK, "why?"),
    "lead's message": lambda world, one, other, lead: world.lead(lead).post_message(TASK, "because"),
    "propose": lambda world, one, other, lead: world.expert(one).propose_repair(TASK, world.change()),
    "lead proposes": lambda world, one, other, lead: world.lead(lead).propose_repair(TASK, world.change()),
    "accept repair": lambda world, one, other, lead: world.expert(one).accept_repair(TASK, world.at(), "clear"),
    "lead accepts": lambda world, one, other, lead: world.lead(lead).accept_repair(TASK, world.at(), "clear"),
    "withdraw": lambda world, one, other, lead: world.expert(one).withdraw_repair(TASK, world.at(), "slip"),
    "decline": lambda world, one, other, lead: world.lead(lead).decline_repair(TASK, world.at(), "worse"),
    "settle": lambda world, one, other, lead: world.lead(lead).settle(
        TASK, world.digest(), "conceded", world.replies()
    ),
    "confirm": lambda world, one, other, lead: world.expert(one).recheck(TASK, world.digest(), True),
    "object": lambda world, one, other, lead: world.expert(one).recheck(TASK, world.digest(), False, (FINDING,)),
    "replace": lambda world, one, other, lead: world.lead(lead).replace_reviewer(
        TASK, world.ids[one], world.ids[other], "ill"
    ),
    "fresh round": lambda world, one, other, lead: world.lead(lead).fresh_round(TASK, "much changed"),
    "remove": lambda world, one, other, lead: world.lead(lead).remove(TASK, "no sense"),
    "reopen": lambda world, one, other, lead: world.lead(lead).reopen(TASK, "doubts"),
    "unblind": lambda world, one, other, lead: world.lead(lead).unblind(TASK, "emergency"),
    "undo": lambda world, one, other, lead: world.lead(lead).undo(TASK, world.task().version, "slip"),
    "look": lambda world, one, other, lead: world.lead(lead).task(TASK),
    "release": lambda world, one, other, lead: world.release(),
}


def walk(world, presses):
    for name, one, other, lead in presses:
        with suppress(ReviewError):
            PRESSES[name](world, one, other, lead)


def holds(world):
    """Assert that all that is stored beside the ledger is what the ledger gives."""
    with world.office.read() as session:
        assert store.verify(session)[1] == []
        for task_id in (TASK, "task_2"):
            task = store.load(session, task_id)
            query = select(Claim).where(
                Claim.task_id == task_id,
                Claim.round == task.round.number,
                Claim.released_at == None,  # noqa: E711
            )
            claims = {(claim.account_id, claim.seat, claim.phase) for claim in session.exec(query).all()}
            assert claims == {(seat.expert, seat.number, seat.phase.value) for seat in task.round.seats}
            rows = session.exec(select(Involvement).where(Involvement.task_id == task_id)).all()
            involved = {row.account_id: row.why for row in rows}
            assert set(involved) >= task.participants | task.saw_gold | {seat.expert for seat in task.round.seats}
            assert all(involved[person] != store.SEATED for person in task.participants | task.saw_gold)
    with world.office.write() as session:
        assert store.rebuild(session) == store.Rebuilt(2, ())


@pytest.fixture(scope="module")
def kept(tmp_path_factory, sqlite_template):
    """A database with people and two candidates, to be copied."""
    var = tmp_path_factory.mktemp("kept")
    path = shutil.copy(sqlite_template, var / "review.db")
    engine = open_engine(f"sqlite:///{path}")
    world = World.fresh(engine, var)
    with engine.connect() as connection:
        connection.exec_driver_sql("ROLLBACK")
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    engine.dispose()
    return SimpleNamespace(var=var, world=world, numbers=itertools.count())


def copied(kept):
    """A world of its own in a copy of the database; blobs are shared, for they never change."""
    path = shutil.copy(kept.var / "review.db", kept.var / f"copy{next(kept.numbers)}.db")
    engine = open_engine(f"sqlite:///{path}")
    return World(engine, kept.var, kept.world.viewers, kept.world.ids)


def presses():
    """Each press is one of any kind by anybody; beginnings that lead far are drawn more often."""
    people = st.tuples(st.sampled_from(EXPERTS), st.sampled_from(EXPERTS), st.sampled_from(LEADS))
    press = st.tuples(st.sampled_from(sorted(PRESSES)), people).map(lambda drawn: (drawn[0], *drawn[1]))
    start = st.sampled_from(["dispute", "review by two", "assign", "take"]).map(
        lambda name: (name, "ann", "bob", "lea")
    )
    return st.tuples(start, st.lists(press, min_size=5, max_size=25)).map(lambda drawn: [drawn[0], *drawn[1]])


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(presses())
def test_after_any_history_a_rebuild_changes_nothing(kept, drawn):
    world = copied(kept)
    try:
        walk(world, drawn)
        holds(world)
    finally:
        world.office.engine.dispose()


@pytest.mark.parametrize("database_url", [pytest.param("postgres", marks=pytest.mark.postgres)], indirect=True)
def test_after_long_histories_a_rebuild_changes_nothing_on_postgres_either(engine, tmp_path):
    world = World.fresh(engine, tmp_path)
    for seed in range(4):
        chance = random.Random(seed)
        names = ["dispute", *chance.choices(sorted(PRESSES), k=40)]
        walk(world, [(name, *chance.sample(EXPERTS, 2), chance.choice(LEADS)) for name in names])
        holds(world)


STRAIGHT = [
    "dispute, propose, lead accepts, confirm, confirm bob, release, reopen",
    "dispute, propose, decline, settle, message, object, replace ann cho, fresh round, remove, undo",
    "take, take bob, wait, take cho, return bob, assign dan, seal dan, vacate dan",
    "assign, unblind",
]


def test_the_presses_reach_every_kind_of_event(kept):
    """Or the property would be about less than it says."""
    seen = set()
    for script in STRAIGHT:
        world = copied(kept)
        for press in script.split(", "):
            name = max((name for name in PRESSES if press.startswith(name)), key=len)
            one, other = [*press.removeprefix(name).split(), *EXPERTS][:2]
            PRESSES[name](world, one, "bob" if one == other else other, "lea")
        holds(world)
        with world.office.read() as session:
            seen |= {entry.kind for _, entries in ledger.read_all(session) for entry in entries}
        world.office.engine.dispose()
    assert seen == set(KINDS)


def test_a_rebuild_mends_what_was_changed_by_hand(kept):
    world = copied(kept)
    with world.office.write() as session:
        row = session.get(store.TaskStatus, TASK)
        row.state, row.version = "approved", 9
        session.add(row)
    with world.office.write() as session:
        assert store.rebuild(session).differed == (TASK,)
    holds(world)
    world.office.engine.dispose()
