"""Databases as they are found: each kind is handled, or rejected with its reason, and the others go on."""

import json
import sqlite3
from contextlib import closing

import pytest

from evaluator.tables import read_table
from pipeline.build import BuildParams, build
from pipeline.stages.sample import Mode

WIDE = ", ".join(f"c{n} INTEGER" for n in range(300))
CANDIDATE = "candidate"

# what is odd, the database, the gold, what becomes of it
KINDS = {
    "cyclic foreign keys": (
        "CREATE TABLE a (id INTEGER PRIMARY KEY, b INTEGER REFERENCES b (id), v TEXT);"
        "CREATE TABLE b (id INTEGER PRIMARY KEY, a INTEGER REFERENCES a (id));"
        "INSERT INTO a VALUES (1, 1, 'x'), (2, 2, 'y'); INSERT INTO b VALUES (1, 2), (2, 1);",
        "SELECT v FROM a JOIN b ON a.b = b.id WHERE b.a = 2",
        CANDIDATE,
    ),
    "a key to its own table": (
        "CREATE TABLE p (id INTEGER PRIMARY KEY, boss INTEGER REFERENCES p, n TEXT);"
        "INSERT INTO p VALUES (1, 1, 'a'), (2, 1, 'b');",
        "SELECT q.n FROM p JOIN p q ON p.boss = q.id WHERE p.id = 2",
        CANDIDATE,
    ),
    "composite foreign keys": (
        "CREATE TABLE a (x INTEGER, y TEXT, v REAL, PRIMARY KEY (x, y));"
        "CREATE TABLE b (x INTEGER, y TEXT, w TEXT, FOREIGN KEY (x, y) REFERENCES a (x, y));"
        "INSERT INTO a VALUES (1, 'p', 2.5), (1, 'q', 3); INSERT INTO b VALUES (1, 'q', 'w');",
        "SELECT v, w FROM a JOIN b USING (x, y)",
        CANDIDATE,
    ),
    "no primary key, and rows twice": (
        "CREATE TABLE a (x INTEGER, y TEXT); INSERT INTO a VALUES (1, 'p'), (1, 'p'), (2, NULL);",
        "SELECT x, y FROM a WHERE y = 'p'",
        CANDIDATE,
    ),
    "a foreign key to what is not unique": (
        "CREATE TABLE a (x INTEGER); CREATE TABLE b (x INTEGER REFERENCES a (x), w TEXT);"
        "INSERT INTO a VALUES (1), (1); INSERT INTO b VALUES (1, 'w'), (9, 'broken');",
        "SELECT w FROM b WHERE x = 9",
        CANDIDATE,
    ),
    "a foreign key to a table that is not there": (
        "CREATE TABLE b (x INTEGER REFERENCES gone (x), w TEXT); INSERT INTO b VALUES (1, 'w');",
        "SELECT w FROM b",
        CANDIDATE,
    ),
    "a view that the gold does not read": (
        "CREATE TABLE a (x INTEGER); INSERT INTO a VALUES (7); CREATE VIEW v AS SELECT x FROM a;",
        "SELECT x FROM a",
        CANDIDATE,
    ),
    "a view that the gold reads": (
        "CREATE TABLE a (x INTEGER); INSERT INTO a VALUES (7); CREATE VIEW v AS SELECT x FROM a;",
        "SELECT x FROM v",
        "reads a view",
    ),
    "a trigger": (
        "CREATE TABLE a (x INTEGER); CREATE TABLE log (x INTEGER);"
        "CREATE TRIGGER t AFTER INSERT ON a BEGIN INSERT INTO log VALUES (new.x); END; INSERT INTO a VALUES (7);",
        "SELECT a.x, count(*) FROM a JOIN log ON a.x = log.x GROUP BY a.x",
        CANDIDATE,
    ),
    "generated columns": (
        "CREATE TABLE a (x INTEGER, y INTEGER AS (x * 2), z INTEGER AS (x + 1) STORED);"
        "INSERT INTO a (x) VALUES (7), (8);",
        "SELECT y, z FROM a WHERE x = 8",
        CANDIDATE,
    ),
    "WITHOUT ROWID": (
        "CREATE TABLE a (k TEXT PRIMARY KEY, v INTEGER) WITHOUT ROWID; INSERT INTO a VALUES ('p', 1), ('q', 2);",
        "SELECT v FROM a WHERE k = 'q'",
        CANDIDATE,
    ),
    "bytes that the gold does not read": (
        "CREATE TABLE a (x INTEGER, raw BLOB); INSERT INTO a VALUES (7, x'00FF10');",
        "SELECT x FROM a",
        CANDIDATE,
    ),
    "bytes in the result": (
        "CREATE TABLE a (x INTEGER, raw BLOB); INSERT INTO a VALUES (7, x'00FF10');",
        "SELECT raw FROM a",
        "not representable",
    ),
    "text that is no UTF-8 beside the result": (
        "CREATE TABLE a (x INTEGER, t TEXT); INSERT INTO a VALUES (7, CAST(x'C328' AS TEXT));",
        "SELECT x FROM a",
        CANDIDATE,
    ),
    "text that is no UTF-8 in the result": (
        "CREATE TABLE a (x INTEGER, t TEXT); INSERT INTO a VALUES (7, CAST(x'C328' AS TEXT));",
        "SELECT t FROM a",
        "not representable",
    ),
    "three hundred columns": (
        f"CREATE TABLE a ({WIDE}); INSERT INTO a (c0, c299) VALUES (1, 9);",
        "SELECT c299 FROM a WHERE c0 = 1",
        CANDIDATE,
    ),
    "names with quotes, spaces, emoji and keywords": (
        'CREATE TABLE "select" ("group" INTEGER, "say ""hi""" TEXT, "a b" TEXT, "🐈" REAL, "a.b/c" TEXT);'
        "INSERT INTO \"select\" VALUES (1, 'x', 'y', 2.5, 'z');",
        'SELECT "say ""hi""", "a b", "🐈", "a.b/c" FROM "select" WHERE "group" = 1',
        CANDIDATE,
    ),
    "dates in five spellings": (
        "CREATE TABLE a (x INTEGER, d TEXT); INSERT INTO a VALUES (1, '2020-01-31'), (2, '31/01/2020'),"
        "(3, 'Jan 31, 2020'), (4, '20200131'), (5, '2020年1月31日');",
        "SELECT d FROM a ORDER BY x",
        CANDIDATE,
    ),
    "a table without rows beside the result": (
        "CREATE TABLE a (x INTEGER); CREATE TABLE none (x INTEGER REFERENCES a (x)); INSERT INTO a VALUES (7);",
        "SELECT x FROM a WHERE x NOT IN (SELECT x FROM none)",
        CANDIDATE,
    ),
    "a table without rows": ("CREATE TABLE a (x INTEGER);", "SELECT x FROM a", "no row"),
}


@pytest.mark.parametrize("mode", [Mode.COPY, Mode.PRESERVE])
def test_each_kind_is_handled_or_rejected_with_its_reason_and_the_others_go_on(corpus, tmp_path, mode):
    for number, (script, sql, _) in enumerate(KINDS.values()):
        corpus.database(f"d{number}", script)
        corpus.ask(sql, f"d{number}")
    out = tmp_path / "out"
    report = build(corpus.root, out, BuildParams(sampling=mode, whole_table_rows=0, noise_rows=0))
    became = dict.fromkeys((f"q{n}" for n in range(len(KINDS))), CANDIDATE)
    became |= {rejection.instance: str(rejection.reason) for rejection in report.rejected}
    assert dict(zip(KINDS, became.values(), strict=True)) == {kind: wanted for kind, (_, _, wanted) in KINDS.items()}


def test_golds_on_odd_databases_are_what_the_source_gives(corpus, tmp_path):
    wanted = {}
    for number, (script, sql, fate) in enumerate(KINDS.values(), 1):
        path = corpus.database(f"d{number}", script)
        corpus.ask(sql, f"d{number}")
        if fate == CANDIDATE:
            with closing(sqlite3.connect(path)) as connection:
                wanted[f"task_{number}"] = connection.execute(sql).fetchall()
    build(corpus.root, tmp_path / "out", BuildParams(sampling=Mode.PRESERVE, whole_table_rows=0, noise_rows=0))
    for task_id, rows in wanted.items():
        found = read_table(tmp_path / "out" / task_id / "private/gold.csv").rows
        assert sorted(found) == sorted(tuple("" if c is None else str(c) for c in row) for row in rows), task_id
        provenance = json.loads((tmp_path / "out" / task_id / "private/provenance.json").read_text())
        assert all("problem" not in one for one in provenance["checks"]["lints"]), "every gold could be linted"


def test_a_table_named_like_those_of_sqlite_is_left_out_and_the_rest_is_built(corpus, tmp_path):
    path = corpus.database(
        "odd", "CREATE TABLE a (x INTEGER); INSERT INTO a VALUES (7); CREATE TABLE other_x (y TEXT);"
    )
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA writable_schema = 1")  # SQLite itself refuses to make such a table
        connection.execute(
            "UPDATE sqlite_master SET name = 'sqlite_x', tbl_name = 'sqlite_x',"
            " sql = 'CREATE TABLE sqlite_x (y TEXT)' WHERE name = 'other_x'"
        )
    corpus.ask("SELECT x FROM a", "odd")
    corpus.ask("SELECT code FROM shop WHERE sales > 3")
    report = build(corpus.root, tmp_path / "out", BuildParams())
    assert report.candidates == 2
    provenance = json.loads((tmp_path / "out/task_1/private/provenance.json").read_text())
    assert set(provenance["names"]) == {"a"}
