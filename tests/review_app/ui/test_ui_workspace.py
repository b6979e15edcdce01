"""The workspace beside the answer: tables sorted, filtered, opened at a row; SQL whose result becomes the answer."""

import json

import pytest
from screens import problems

from evaluator.tables import Table
from review_app.desk.asking import Asking
from review_app.domain.citations import Query, Rows, read, result_digest, written
from review_app.domain.content import Verdict
from review_app.ui import sql_box

TASK = "task_1"


@pytest.fixture
def seated(house):
    house.seat("ann", "bob")
    return house


def shown(at, columns):
    """The grid that has these columns, as rows of texts."""
    return next(one.value for one in at.dataframe if list(one.value.columns) == columns)


def the(widgets, start):
    """The widget whose key begins so."""
    return next(one for one in widgets if one.key and one.key.startswith(start))


def ask(house, sql, to_the_end=True):
    """Open the task with a statement in the box, run it, and wait for its result."""
    desk = house.expert("ann")
    kept = desk.drafts(TASK).get(sql_box.PART)
    desk.save_draft(TASK, sql_box.PART, sql, kept.version if kept else 0)
    at = house.screen("ann", "task", TASK).button(key=f"sql-run-{TASK}").click().run()
    while to_the_end and any(button.key == f"sql-cancel-{TASK}" for button in at.button):
        at.run()
    return at


def test_a_table_is_shown_with_the_row_numbers_of_its_file(seated):
    frame = shown(seated.screen("ann", "task", TASK), ["name", "size"])
    assert frame.index.tolist() == [2, 3]
    assert frame.to_numpy().tolist() == [["Alpha", "12.5"], ["Beta", "7.25"]]


def test_a_table_is_sorted_and_filtered_on_the_server(seated):
    at = seated.screen("ann", "task", TASK)
    the(at.selectbox, "sort-").select("size").run()
    assert shown(at, ["name", "size"]).index.tolist() == [3, 2]
    the(at.selectbox, "filter-column-").select("size").run()
    the(at.selectbox, "filter-test-").select("greater").run()
    the(at.text_input, "filter-value-").input("10").run()
    the(at.button, "filter-add-").click().run()
    assert problems(at) == []
    assert shown(at, ["name", "size"]).index.tolist() == [2]
    the(at.button, "filter-drop-").click().run()
    assert shown(at, ["name", "size"]).index.tolist() == [3, 2]


@pytest.mark.parametrize(("row", "first"), [(3, 2), (900, 2), (1, 2)])
def test_a_link_to_a_row_opens_its_table_whatever_the_number(seated, row, first):
    at = seated.screen("ann", "task", TASK)
    at.session_state[f"place-{TASK}"] = ["fund.csv", written(Rows(row, row)), 1]
    at.run()
    assert problems(at) == []
    assert shown(at, ["name", "size"]).index.tolist()[0] == first


def test_a_search_hit_opens_its_file(seated):
    at = seated.screen("ann", "task", TASK)
    at.text_input(key=f"search-files-{TASK}").input("millions").run()
    at.button(key=f"hit-{TASK}-0").click().run()
    assert problems(at) == []
    assert at.selectbox(key=f"file-{TASK}").value == "notes.md"


def test_a_result_is_shown_with_null_apart_from_the_empty_text(seated):
    at = ask(seated, "SELECT name, NULL AS nothing, '' AS empty FROM fund ORDER BY name")
    assert problems(at) == []
    frame = shown(at, ["name", "nothing", "empty"])
    assert frame["empty"].tolist() == ["", ""]
    assert frame["nothing"].isna().all()


def test_a_result_becomes_the_answer_and_keeps_its_sql(seated):
    sql = "SELECT name, size FROM fund WHERE size > 10"
    at = ask(seated, sql).button(key=f"sql-use-{TASK}").click().run()
    assert problems(at) == []
    assert seated.expert("ann").drafts(TASK)["answer"].body == "name,size\nAlpha,12.5\n"
    assert sql in [code.value for code in at.code]
    at.checkbox(key=f"sure-{TASK}").check().run()
    at.button(key="seal").click().run()
    assert seated.expert("ann").my_answer(TASK) == Table(("name", "size"), (("Alpha", "12.5"),))
    assert seated.expert("ann").derivation(TASK) == sql
    assert sql in [code.value for code in at.code]


def test_what_the_engine_refuses_is_shown_and_the_statement_stays(seated):
    at = ask(seated, "SELECT * FROM nowhere")
    assert any("nowhere" in text for text in problems(at))
    assert seated.expert("ann").drafts(TASK)[sql_box.PART].body == "SELECT * FROM nowhere"


def test_an_earlier_statement_comes_back_from_the_history(seated):
    ask(seated, "SELECT 1 AS one")
    at = ask(seated, "SELECT 2 AS two").run()
    at.button(key=f"sql-history-{TASK}-1").click().run()
    assert problems(at) == []
    assert seated.expert("ann").drafts(TASK)[sql_box.PART].body == "SELECT 1 AS one"


def test_a_cited_query_is_put_into_the_box_and_what_stood_there_is_kept(seated):
    at = ask(seated, "SELECT 1 AS one")
    at.session_state[f"place-{TASK}"] = ["fund.csv", written(Query("SELECT 3 AS three", 1)), 1]
    at.run()
    assert problems(at) == []
    assert seated.expert("ann").drafts(TASK)[sql_box.PART].body == "SELECT 3 AS three"
    assert [button.label for button in at.button if button.key and button.key.startswith("sql-history")] == [
        "SELECT 1 AS one"
    ]


def test_a_result_is_cited_with_its_digest_and_the_link_brings_the_statement_back(seated):
    at = ask(seated, "SELECT 1 AS one")
    at.button(key=f"sql-cite-{TASK}").click().run()
    ((path, where),) = json.loads(seated.expert("ann").drafts(TASK)["citations"].body)
    assert (path, read(where)) == ("", Query("SELECT 1 AS one", 1, result_digest(["one"], [["1"]])))
    at = ask(seated, "SELECT 2 AS two")
    at.button(key=f"link-{TASK}-shelf-0-0").click().run()
    assert problems(at) == []
    assert seated.expert("ann").drafts(TASK)[sql_box.PART].body == "SELECT 1 AS one"


def test_a_long_running_query_is_cancelled(seated, monkeypatch):
    monkeypatch.setattr(sql_box, "AT_ONCE", 0)
    at = ask(seated, "SELECT count(*) FROM range(100000000000) a, range(1000000) b", to_the_end=False)
    at.button(key=f"sql-cancel-{TASK}").click().run()
    assert (problems(at), [box.value for box in at.info]) == ([], ["The query was cancelled."])


def test_a_result_of_many_rows_is_sent_page_by_page(seated, sent):
    at = ask(seated, "SELECT 'row ' || range AS name FROM range(1000)")
    at.number_input(key=f"sql-page-{TASK}").set_value(3).run()
    frame = shown(at, ["name"])
    assert (frame.index[0], frame["name"].iloc[0], len(frame)) == (401, "row 400", 200)
    assert not any("row 650" in text for text in sent())


def test_the_sql_of_an_answer_is_shown_beside_it_once_both_reviews_are_in(seated):
    sql = "SELECT 'Alpha' AS name, '99' AS size"
    box = Asking(seated.expert("bob"), TASK)
    seated.review("bob", Verdict.REVISE, box.take(box.start(sql)))
    assert sql not in [code.value for code in seated.screen("lea", "review", TASK).code]
    seated.review("ann")
    for login, page in (("lea", "review"), ("ann", "task"), ("bob", "task")):
        assert sql in [code.value for code in seated.screen(login, page, TASK).code]
