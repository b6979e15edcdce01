"""The SQL box reads the workspace's tables and nothing else, in bounded time."""

import json
import sqlite3

import duckdb
import pytest

from review_app.workspace.loading import Source, build
from review_app.workspace.query import MAX_ROWS, QueryError, Running, run_query
from review_app.workspace.query_child import answer


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    tmp_path = tmp_path_factory.mktemp("workspace")
    (tmp_path / "fund.csv").write_text('code,size,note\n000017,9.95,\n004128,6.15,"a, b"\n', encoding="utf-8")
    (tmp_path / "基金.csv").write_bytes("名称,规模\n甲,1\n".encode("gb18030"))
    (tmp_path / "people.json").write_text(json.dumps([{"id": 1, "name": "Ann"}, {"id": 2, "tags": ["x"]}]))
    with sqlite3.connect(tmp_path / "db.sqlite") as connection:
        connection.execute('CREATE TABLE "or""der" (id INTEGER, big INTEGER, amount REAL)')
        connection.execute('INSERT INTO "or""der" VALUES (1, 9007199254740993, NULL)')
    (tmp_path / "notes.md").write_text("# notes")
    kinds = {".csv": "csv", ".json": "json", ".sqlite": "sqlite", ".md": "markdown"}
    found = [Source(path.name, kinds[path.suffix], path) for path in sorted(tmp_path.iterdir())]
    return build(tmp_path_factory.mktemp("cache"), found)


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("SELECT code, size FROM fund ORDER BY size", (("004128", "6.15"), ("000017", "9.95"))),
        ("SELECT note IS NULL FROM fund", (("true",), ("false",))),
        ('SELECT "名称" FROM "基金"', (("甲",),)),
        ("SELECT count(*) FROM people", (("2",),)),
        ("SELECT tags FROM people WHERE id = 2", (('["x"]',),)),
        ('SELECT big, amount FROM "or""der"', (("9007199254740993", None),)),
        ("FROM fund SELECT code LIMIT 1", (("000017",),)),
        ("SELECT table_name FROM information_schema.tables WHERE table_name = 'fund'", (("fund",), ("fund",))),
        ("WITH a AS (SELECT size FROM fund) SELECT round(sum(size), 1) FROM a", (("16.1",),)),
    ],
)
def test_a_select_reads_the_tables_as_they_are(index, sql, rows):
    assert run_query(index, sql).rows == rows


@pytest.mark.parametrize(
    "sql",
    [
        "",
        "nonsense",
        "DROP TABLE fund",
        "INSERT INTO fund VALUES ('1', 1, '')",
        "CREATE TABLE t (a int)",
        "DELETE FROM raw.fund",
        "UPDATE raw.fund SET code = ''",
        "CHECKPOINT",
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
        "SELECT * FROM read_parquet('http://127.0.0.1:1/x')",
        "SELECT * FROM 'https://127.0.0.1/x.csv'",
        "SELECT * FROM sniff_csv('/etc/passwd')",
        "SELECT * FROM read_json('/etc/passwd')",
        "SELECT * FROM read_blob('/etc/passwd')",
        "SELECT * FROM parquet_scan('/etc/passwd')",
        "SELECT * FROM query('ATTACH ''/tmp/x.db''')",
        "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('COPY (SELECT 1) TO ''/tmp/evil'''))",
        "LOAD httpfs",
        "FORCE INSTALL sqlite",
        "CREATE SECRET s (TYPE s3)",
        "EXPORT DATABASE '/tmp/evil'",
        "PRAGMA enable_external_access",
        "PRAGMA temp_directory='/tmp'",
        "SET lock_configuration = false",
        "RESET enable_external_access",
        "SET memory_limit = '100GB'",
        "USE memory",
        "CREATE TEMP TABLE t (a int)",
        "CREATE MACRO m() AS 1",
        "CALL force_checkpoint()",
        "DETACH fresh",
        "VACUUM",
        "BEGIN",
        "EXPLAIN ANALYZE SELECT 1; DROP TABLE fund",
        "PREPARE p AS SELECT 1",
    ],
)
def test_anything_else_is_refused(index, sql):
    """Asked of the child's own function, in this process: fifty processes would say the same, slower."""
    before = index.database.read_bytes()
    with pytest.raises((ValueError, duckdb.Error)):
        answer(str(index.database), sql, MAX_ROWS)
    assert index.database.read_bytes() == before


@pytest.mark.parametrize("sql", ["SELECT * FROM read_text('/proc/self/environ')", "ATTACH '/tmp/x.db'"])
def test_a_refusal_says_why(index, sql):
    with pytest.raises(QueryError, match=r"disabled|one SELECT"):
        run_query(index, sql)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT count(*) FROM range(100000000000) a, range(1000000) b",
        "SELECT length(repeat('x', 4000000000))",
        "WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t",
    ],
)
def test_an_endless_or_greedy_query_ends(index, sql):
    with pytest.raises(QueryError):
        run_query(index, sql, seconds=1)


def test_a_long_result_is_cut_and_says_so(index):
    result = run_query(index, "SELECT * FROM range(200000)")
    assert (len(result.rows), result.truncated) == (MAX_ROWS, True)


def test_a_result_is_read_page_by_page(index):
    result = run_query(index, "SELECT range AS a, NULL AS b, '' AS b FROM range(5000)")
    assert (result.columns, result.total) == (("a", "b", "b"), 5000)
    assert result.page(4998, 200) == (("4998", None, ""), ("4999", None, ""))


def test_an_empty_result_keeps_its_columns(index):
    result = run_query(index, "SELECT code, size FROM fund WHERE false")
    assert (result.columns, result.rows) == (("code", "size"), ())


def test_a_result_that_is_too_large_to_keep_is_refused(index):
    with pytest.raises(QueryError, match="32 MiB"):
        run_query(index, "SELECT repeat('x', 1000) FROM range(40000)")


def test_a_running_query_can_be_cancelled(index):
    running = Running(index, "SELECT count(*) FROM range(100000000000) a, range(1000000) b")
    assert not running.wait(0.2)
    running.cancel()
    with pytest.raises(QueryError, match="cancelled"):
        running.result()


def test_rows_keep_their_place_in_the_file(index):
    assert run_query(index, "SELECT name FROM people").rows == (("Ann",), (None,))
