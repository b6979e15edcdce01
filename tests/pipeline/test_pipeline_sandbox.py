import time

import pytest

from pipeline.content import Reason
from pipeline.sandbox import Blob, Kind, QueryFailed

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
ONE_LONG_STEP = "SELECT length(replace(hex(zeroblob(8000000)), '0', hex(zeroblob(8000000))))"


def ask(sandbox, shop, sql, rows=10, seconds=2.0):
    return sandbox.run(shop.path, sql, seconds=seconds, rows=rows)


def test_cells_come_back_with_their_types(sandbox, shop):
    answer = ask(sandbox, shop, "SELECT 1, 2.0, 'ä', NULL, x'00ff', 9223372036854775807, 1e999")
    assert answer.rows == ((1, 2.0, "ä", None, Blob("00ff", 2), 9223372036854775807, float("inf")),)
    assert [type(cell) for cell in answer.rows[0][:2]] == [int, float]


def test_the_tables_that_sqlite_read_are_named(sandbox, shop):
    assert ask(sandbox, shop, "SELECT count(*) FROM shop WHERE city IN (SELECT id FROM CITY)").tables == (
        "city",
        "shop",
    )


def test_rows_beyond_those_asked_for_are_announced(sandbox, shop):
    answer = ask(sandbox, shop, "SELECT name FROM city", rows=2)
    assert len(answer.rows) == 2 and answer.more


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM city",
        "INSERT INTO city VALUES (4, 'Rom', 1)",
        "DROP TABLE city",
        "CREATE TEMP TABLE t (x)",
        "ATTACH '/etc/passwd' AS other",
        "PRAGMA writable_schema = 1",
        "SELECT * FROM pragma_table_info('city')",
        "SELECT load_extension('x')",
        "VACUUM INTO 'elsewhere.sqlite'",
    ],
)
def test_only_reading_is_allowed(sandbox, shop, sql):
    before = shop.path.read_bytes()
    with pytest.raises(QueryFailed):
        ask(sandbox, shop, sql)
    assert shop.path.read_bytes() == before


def test_two_statements_are_refused(sandbox, shop):
    with pytest.raises(QueryFailed, match="one statement"):
        ask(sandbox, shop, "SELECT 1; SELECT 2")


def test_an_endless_query_meets_the_time_limit_and_the_next_one_works(sandbox, shop):
    with pytest.raises(QueryFailed) as failure:
        ask(sandbox, shop, ENDLESS, seconds=0.3)
    assert failure.value.reason is Reason.TIME_LIMIT
    assert ask(sandbox, shop, "SELECT 1").rows == ((1,),)


@pytest.mark.parametrize(
    "sql",
    [
        ONE_LONG_STEP,
        "SELECT zeroblob(400000000)",
        "SELECT length(printf('%.*c', 400000000, 'x'))",
        "SELECT group_concat(hex(zeroblob(9000000))) FROM shop",
    ],
)
def test_a_single_greedy_step_is_survived(sandbox, shop, sql):
    started = time.monotonic()
    try:
        ask(sandbox, shop, sql, seconds=1.0)
    except QueryFailed as failure:
        assert failure.kind in {Kind.MEMORY, Kind.TIME}
    assert ask(sandbox, shop, "SELECT 1").rows == ((1,),)
    assert time.monotonic() - started < 60  # it ended at all


def test_a_child_that_was_killed_is_started_again(sandbox, shop):
    ask(sandbox, shop, "SELECT 1")
    sandbox._child.kill()
    with pytest.raises(QueryFailed) as failure:
        ask(sandbox, shop, "SELECT 1")
    assert failure.value.kind is Kind.CRASH
    assert ask(sandbox, shop, "SELECT 2").rows == ((2,),)


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("SELEC 1", Reason.DOES_NOT_PARSE),
        ("SELECT 'Xi'an'", Reason.DOES_NOT_PARSE),
        ("SELECT (", Reason.DOES_NOT_PARSE),
        ("SELECT '\0'", Reason.DOES_NOT_PARSE),
        ("SELECT mayor FROM city", Reason.DOES_NOT_EXECUTE),
        ("SELECT * FROM nowhere", Reason.DOES_NOT_EXECUTE),
    ],
)
def test_a_failure_says_whether_it_is_the_grammar_or_the_schema(sandbox, shop, sql, reason):
    with pytest.raises(QueryFailed) as failure:
        ask(sandbox, shop, sql)
    assert failure.value.reason is reason


def test_a_path_with_signs_of_a_uri_is_opened(sandbox, shop):
    odd = shop.path.with_name("50% of #1? yes.sqlite")
    odd.write_bytes(shop.path.read_bytes())
    assert sandbox.run(odd, "SELECT count(*) FROM city", seconds=1, rows=1).rows == ((3,),)


def test_a_database_that_was_replaced_is_read_anew(sandbox, shop):
    ask(sandbox, shop, "SELECT 1 FROM city")
    replaced = shop.path.with_name("new")
    replaced.write_bytes(shop.path.read_bytes().replace(b"Bern", b"Genf"))
    replaced.replace(shop.path)
    assert ("Genf",) in ask(sandbox, shop, "SELECT name FROM city").rows


def test_a_query_asked_again_still_names_its_tables(sandbox, shop):
    assert [ask(sandbox, shop, "SELECT name FROM city").tables for _ in range(3)] == [("city",)] * 3
