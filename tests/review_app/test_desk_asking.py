"""An expert asks the workspace in SQL; the SQL that gave the answer is sealed with it and shown where the answer is."""

import threading
from dataclasses import replace

import pytest

from evaluator.tables import Table
from review_app.desk import LeadDesk
from review_app.desk.asking import MOST_REMEMBERED, Asking
from review_app.desk.derivations import PART
from review_app.desk.workspace import LOADER
from review_app.domain.content import Evidence, Finding, FindingKind, Part, Verdict
from review_app.domain.errors import NotAllowed, UnknownTask
from review_app.workspace.query import QueryError
from review_app.workspace.runs import MOST_CHARACTERS, MOST_RUNNING

TASK = "task_1"
SQL = "SELECT name, NULL AS size FROM fund ORDER BY name"
ENDLESS = "SELECT count(*) FROM range(100000000000) a, range(1000000) b"


@pytest.fixture
def desks(staff, filled):
    filled(1)
    for login in ("ann", "bob"):
        staff.lead().assign(TASK, staff.id(login))
    return staff


def asking(desks, login="ann"):
    return Asking(desks.expert(login), TASK)


def taken(desks, sql=SQL, login="ann"):
    box = asking(desks, login)
    return box.take(box.start(sql))


def test_a_query_is_watched_by_its_own_person_only(desks):
    run_id = asking(desks).start(SQL)
    assert asking(desks).running(run_id).result().columns == ("name", "size")
    assert asking(desks, "bob").running(run_id) is None
    with pytest.raises(UnknownTask):
        asking(desks, "cho").running(run_id)
    with pytest.raises(UnknownTask):
        asking(desks, "cho").start(SQL)


def test_a_lead_asks_too_and_what_is_kept_is_the_leads_alone(desks):
    box = Asking(desks.lead("lea"), TASK)
    run_id = box.start(SQL)
    assert box.running(run_id).result().columns == ("name", "size")
    assert box.history() == (SQL,)
    assert Asking(desks.lead("mo"), TASK).history() == asking(desks).history() == ()
    assert asking(desks).running(run_id) is None
    with pytest.raises(NotAllowed):
        Asking(LeadDesk(desks.office, desks.expert("ann").viewer), TASK).start(SQL)


def test_what_was_run_is_remembered_for_its_own_person_newest_first(desks):
    for sql in ("SELECT 1", "SELECT 2", "SELECT 1"):
        asking(desks).start(sql)
    assert asking(desks).history() == ("SELECT 1", "SELECT 2")
    assert asking(desks, "bob").history() == ()


def test_the_history_is_bounded(desks):
    desks.office.runs.start = lambda *_: "none"  # only what is remembered matters here
    for number in range(MOST_REMEMBERED + 3):
        asking(desks).start(f"SELECT {number}")
    assert len(asking(desks).history()) == MOST_REMEMBERED


def test_another_query_of_the_same_person_ends_the_one_before(desks):
    box = asking(desks)
    first = box.running(box.start(ENDLESS))
    box.start("SELECT 1")
    with pytest.raises(QueryError, match="cancelled"):
        first.result()


def test_too_many_queries_at_once_are_refused(desks):
    index = desks.expert("ann").index(TASK)
    runs = desks.office.runs
    started = [runs.get(str(one), runs.start(str(one), index, ENDLESS)) for one in range(MOST_RUNNING)]
    try:
        with pytest.raises(QueryError, match="try again"):
            asking(desks).start(SQL)
    finally:
        for running in started:
            running.cancel()


@pytest.mark.parametrize("sql", ["SELECT '\0'", "SELECT '\ud800'", "SELECT 1" + " " * MOST_CHARACTERS])
def test_what_cannot_be_stored_is_refused_in_words(desks, sql):
    with pytest.raises(QueryError, match=r"NUL|half a character|at most"):
        asking(desks).start(sql)


def test_a_result_becomes_an_answer_with_empty_cells_for_null(desks):
    table = taken(desks)
    assert table == Table(("name", "size"), (("Alpha", ""), ("Beta", "")))
    ann = desks.expert("ann")
    assert ann.origin(TASK, PART, table) == SQL
    assert ann.origin(TASK, PART, Table(table.header, table.rows[:1])) == ""


def test_a_result_that_was_cut_is_no_answer(desks):
    with pytest.raises(QueryError, match="cut"):
        taken(desks, "SELECT * FROM range(200000)")


def test_a_result_that_is_gone_is_no_answer(desks):
    with pytest.raises(QueryError, match="run the query again"):
        asking(desks).take("unknown")


def test_the_sql_is_sealed_with_the_very_table_that_it_gave(desks):
    ann = desks.expert("ann")
    ann.seal(TASK, taken(desks))
    assert ann.derivation(TASK) == SQL
    bob = desks.expert("bob")
    bob.seal(TASK, Table(("name", "size"), (*taken(desks, login="bob").rows, ("Gamma", "1"))))
    assert bob.derivation(TASK) == ""


def test_the_sealed_sql_is_seen_when_the_answer_is_seen(desks):
    ann, bob, lead = desks.expert("ann"), desks.expert("bob"), desks.lead()
    ann.seal(TASK, taken(desks))
    bob.seal(TASK, taken(desks, "SELECT 'Beta' AS name, '1' AS size", "bob"))
    assert (ann.derivation(TASK, "A"), ann.derivation(TASK, "B"), lead.derivation(TASK, "A")) == ("", "", "")
    for one in (ann, bob):
        one.submit_review(TASK, *rejected())
    assert ann.derivation(TASK, "B") == lead.derivation(TASK, "B") == "SELECT 'Beta' AS name, '1' AS size"
    assert bob.derivation(TASK, "A") == lead.derivation(TASK, "A") == SQL


def rejected():
    finding = Finding("", Part.QUESTION, FindingKind.AMBIGUOUS, "in which currency?", (Evidence("fund.csv", "row 2"),))
    return Verdict.REJECT, (finding,), None


def test_a_workspace_whose_cache_was_emptied_is_loaded_anew(desks):
    ann = desks.expert("ann")
    first = ann.index(TASK)
    for path in first.database.parent.iterdir():
        path.unlink()
    assert ann.index(TASK) == first
    assert first.database.exists()


def test_a_workspace_is_loaded_when_a_seat_is_taken(staff, filled):
    filled(1)
    staff.office = replace(staff.office, loads_ahead=True)
    staff.expert("ann").next_task()
    assert loaded(staff) == 1


def test_the_workspace_of_the_next_task_is_loaded_before_it_is_taken(staff, filled):
    filled(1)
    staff.office = replace(staff.office, loads_ahead=True)
    staff.expert("ann").expect_next_task()
    assert loaded(staff) == 1
    assert staff.expert("ann").my_tasks() == []


def test_nothing_is_loaded_where_nothing_would_be_next(staff):
    staff.office = replace(staff.office, loads_ahead=True)
    staff.expert("ann").expect_next_task()
    assert loaded(staff) == 0


def loaded(staff):
    for thread in threading.enumerate():
        if thread.name == LOADER:
            thread.join(20)
    return len(list(staff.office.settings.workspaces.glob("*.duckdb")))
