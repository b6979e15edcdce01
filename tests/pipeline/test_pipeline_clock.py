import pytest

from pipeline.sql.clock import clock_reading


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT date('now')",
        "SELECT DATE(' NOW ')",
        'SELECT strftime ( "%Y" , "now" ) - age FROM singer',
        "SELECT datetime('now', '-7 days')",
        "SELECT julianday(opened) - julianday('now') FROM shop",
        "SELECT strftime('%Y', coalesce(opened, 'now')) FROM shop",
        "SELECT datetime(opened, 'localtime') FROM shop",
        "SELECT date()",
        "SELECT strftime('%Y')",
        "SELECT CURRENT_DATE",
        "SELECT * FROM shop WHERE opened < current_timestamp",
        "SELECT name FROM city ORDER BY random() LIMIT 1",
        "SELECT hex(randomblob(4))",
    ],
)
def test_what_changes_with_the_day_or_the_run_is_found(sql):
    assert clock_reading(sql) in sql and clock_reading(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT date(opened) FROM shop",
        "SELECT * FROM shop WHERE zone = 'localtime'",
        "SELECT strftime('%Y', '2024-06-14')",
        "SELECT * FROM song WHERE name = 'now'",
        "SELECT time, date FROM train",
        "SELECT t.current_date FROM t",
        'SELECT "random" FROM t',
        "SELECT random FROM t",
        "SELECT 'select date(''now'')'",
        "SELECT 1 -- date('now')",
        "SELECT date('2024-01-01', '+1 day')",
    ],
)
def test_what_only_looks_like_the_clock_is_left_alone(sql):
    assert clock_reading(sql) is None


def test_an_open_quote_is_left_to_sqlite():
    assert clock_reading("SELECT date('now") is None
