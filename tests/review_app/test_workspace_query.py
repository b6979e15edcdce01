"""The SQL box reads the workspace's tables and nothing else, in bounded time."""

import json
import sqlite3

import pytest

from review_app.workspace.query import MAX_ROWS, QueryError, Source, run_query


@pytest.fixture
def sources(tmp_path):
    (tmp_path / "fund.csv").write_text('code,size,note\n000017,9.95,\n004128,6.15,"a, b"\n', encoding="utf-8")
    (tmp_path / "基金.csv").write_bytes("名称,规模\n甲,1\n".encode("gb18030"))
    (tmp_path / "people.json").write_text(json.dumps([{"id": 1, "name": "Ann"}, {"id": 2, "tags": ["x"]}]))
    with sqlite3.connect(tmp_path / "db.sqlite") as connection:
        connection.execute('CREATE TABLE "or""der" (id INTEGER, big INTEGER, amount REAL)')
        connection.execute('INSERT INTO "or""der" VALUES (1, 9007199254740993, NULL)')
    (tmp_path / "notes.md").write_text("# notes")
    kinds = {".csv": "csv", ".json": "json", ".sqlite": "sqlite", ".md": "markdown"}
    return [Source(path.name, kinds[path.suffix], path) for path in sorted(tmp_path.iterdir())]


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("SELECT code, size FROM fund ORDER BY size", (("004128", "6.15"), ("000017", "9.95"))),
        ("SELECT note IS NULL FROM fund", (("true",), ("false",))),
        ('SELECT "名称" FROM "基金"', (("甲",),)),
        ("SELECT count(*) FROM people", (("2",),)),
        ("SELECT tags FROM people WHERE id = 2", (('["x"]',),)),
        ('SELECT big, amount FROM "or""der"', (("9007199254740993", ""),)),
        ("WITH a AS (SELECT size FROM fund) SELECT round(sum(size), 1) FROM a", (("16.1",),)),
    ],
)
def test_a_select_reads_the_tables_as_they_are(sources, sql, rows):
    assert run_query(sources, sql).rows == rows


@pytest.mark.parametrize(
    "sql",
    [
        "",
        "nonsense",
        "DROP TABLE fund",
        "SELECT 1; SELECT 2",
        "COPY (SELECT 1) TO '/tmp/evil'",
        "ATTACH '/tmp/x.db'",
        "INSTALL httpfs",
        "SET enable_external_access = true",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM read_text('/proc/self/environ')",
        "SELECT * FROM glob('/etc/*')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM nowhere",
    ],
)
def test_anything_else_is_refused_with_a_reason(sources, sql):
    with pytest.raises(QueryError) as refused:
        run_query(sources, sql)
    assert str(refused.value)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT count(*) FROM range(100000000000) a, range(1000000) b",
        "SELECT length(repeat('x', 4000000000))",
        "WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t",
    ],
)
def test_an_endless_or_greedy_query_ends(sources, sql):
    with pytest.raises(QueryError):
        run_query(sources, sql, seconds=2)


def test_a_long_result_is_cut_and_says_so(sources):
    result = run_query(sources, "SELECT * FROM range(100000)")
    assert (len(result.rows), result.truncated) == (MAX_ROWS, True)


def test_the_tables_that_can_be_asked_are_named(sources):
    tables = dict(run_query(sources, "SELECT 1").tables)
    assert tables["fund"] == ("code", "size", "note")
    assert set(tables) == {"fund", "基金", "people", 'or"der'}
