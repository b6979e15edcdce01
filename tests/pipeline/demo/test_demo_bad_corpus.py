"""Each bad question is bad for the reason that its line names."""

import sqlite3
from contextlib import closing

import pytest

from pipeline.content import Reason
from pipeline.demo import write_bad_corpus
from pipeline.demo.bad import BAD
from pipeline.demo.corpus import DOMAINS


@pytest.fixture(scope="module")
def bad_corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpora") / "bad"
    write_bad_corpus(folder)
    return folder


@pytest.fixture(scope="module")
def line_of(bad_corpus, read_questions):
    """A function from a reason to the first line that expects it."""
    lines = read_questions(bad_corpus)
    return lambda reason: next(line for line in lines if line["expected_reason"] == reason)


@pytest.fixture(scope="module")
def rows_of(bad_corpus, ask_corpus, line_of):
    """A function from a reason to the rows that its line gives, with the SQL changed on the way."""

    def rows(reason, change=lambda sql: sql):
        line = line_of(reason)
        return ask_corpus(bad_corpus, line["db"], change(line["sql"]))

    return rows


def test_every_domain_has_bad_questions():
    assert {bad.domain for bad in BAD} == set(DOMAINS)


def test_every_line_names_a_reason_of_the_builder(bad_corpus, read_questions):
    for line in read_questions(bad_corpus):
        assert line["expected_reason"] is None or Reason(line["expected_reason"])


def test_the_same_seed_gives_the_same_bad_bytes(bad_corpus, tmp_path, contents):
    write_bad_corpus(tmp_path / "again")
    assert contents(tmp_path / "again") == contents(bad_corpus)


def test_the_limit_cuts_a_tie(rows_of):
    rows = rows_of(Reason.LIMIT_CUTS_A_TIE, lambda sql: sql.replace("LIMIT 3", "LIMIT 4"))
    assert rows[2][1] == rows[3][1]


def test_the_bare_column_has_several_values_in_a_group(rows_of):
    first = rows_of(Reason.BARE_COLUMN, lambda sql: sql.replace("fund_name", "MIN(fund_name)"))
    last = rows_of(Reason.BARE_COLUMN, lambda sql: sql.replace("fund_name", "MAX(fund_name)"))
    assert first != last


def test_the_clock_is_read(line_of):
    assert "'now'" in line_of(Reason.READS_THE_CLOCK)["sql"]


def test_nothing_is_found(rows_of):
    assert rows_of(Reason.NO_ROW) == []
    assert rows_of(Reason.ONLY_NULL_OR_ZERO) == [(None,)]


def test_too_much_is_found(rows_of):
    assert len(rows_of(Reason.TOO_MANY_ROWS)) > 5000


def test_unreadable_sql_is_unreadable(rows_of):
    with pytest.raises(sqlite3.OperationalError, match="syntax error"):
        rows_of(Reason.DOES_NOT_PARSE)
    with pytest.raises(sqlite3.OperationalError, match="no such column"):
        rows_of(Reason.DOES_NOT_EXECUTE)


def test_the_endless_query_is_still_running_after_a_million_steps(line_of):
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.set_progress_handler(lambda: 1, 1_000_000)
        with pytest.raises(sqlite3.OperationalError, match="interrupted"):
            connection.execute(line_of(Reason.TIME_LIMIT)["sql"]).fetchall()


def test_the_broken_database_is_no_database(rows_of):
    with pytest.raises(sqlite3.DatabaseError, match="not a database"):
        rows_of(Reason.DATABASE_BROKEN)


def test_the_unsafe_name_leads_out_of_the_folder(bad_corpus, line_of):
    path = bad_corpus / "db" / f"{line_of(Reason.UNSAFE_NAME)['db']}.sqlite"
    assert path.resolve().parent == bad_corpus and not path.exists()


def test_the_hostile_table_has_an_answer(rows_of):
    assert rows_of(None) == [("A", 2), ("B", 1)]
