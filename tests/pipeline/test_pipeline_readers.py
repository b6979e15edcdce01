import json
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from pipeline.build import BuildParams, build
from pipeline.content import BadEntry, Instance, Reason
from pipeline.errors import SourceError
from pipeline.sources import open_source
from pipeline.sources.check import check_corpus


def written(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return path.parent


def test_bull_freezes_the_present_and_pairs_its_languages(tmp_path):
    fields = {"q_id": 7, "db_name": "f", "sql_query": "select date('now')"}
    written(tmp_path / "bull/cn/dev.json", [{**fields, "question": "基金"}])
    source = open_source(written(tmp_path / "bull/en/dev.json", [{**fields, "question": "Funds "}]))
    (english,), (chinese,) = source.entries(), open_source(tmp_path / "bull/cn").entries()
    assert (source.layout, english.id, chinese.language) == ("bull", "bull-en-dev-7", "zh")
    assert english.sql == "select date('2022-12-31')" and "2022-12-31" in english.evidence
    assert english.pair == chinese.pair


def test_bull_names_columns_by_its_labels(tmp_path):
    root = written(tmp_path / "dev.json", [{"db_name": "f", "question": "?", "sql_query": "select 1"}])
    info = {"db_name": "f", "column_info": [{"table": "t", "columns": ["*", "a"], "column_chiName": [None, "价格"]}]}
    written(tmp_path / "db_info.json", [info])
    assert open_source(root).notes("f")["t"][1].long_name == "价格"
    assert open_source(root).notes("g") == {}


def ehrsql(root, *questions):
    base = {"db_id": "eicu", "question": "?", "is_impossible": False}
    return written(root / "eicu/valid.json", [{**base, "id": n, "query": sql} for n, sql in enumerate(questions)])


def test_ehrsql_is_read_as_upstream_runs_it(tmp_path):
    ehrsql(tmp_path, "select strftime('%y', current_time) > sao2_lower and x like '%yes%'", "null")
    (instance, impossible) = open_source(tmp_path).entries()
    assert instance.sql == "select strftime('%Y', '2105-12-31 23:59:00') > 95.0 and x like '%yes%'"
    assert "2105-12-31 23:59:00" in instance.evidence and "95.0 to 100.0" in instance.evidence
    assert isinstance(impossible, BadEntry) and impossible.reason is Reason.NO_GOLD


def test_a_chase_turn_that_refers_to_others_is_named(tmp_path):
    turns = [
        {"utterance": "多少店？", "query": "select 1"},
        {"utterance": "它们在哪？", "query": "select 2"},
        {"query": ""},
    ]
    dialogues = [{"database_id": "shop", "interaction": turns}, {"interaction": 3}, 7]
    source = open_source(written(tmp_path / "chase/chase_dev.json", dialogues))
    first, second, *bad = source.entries()
    assert first == Instance("chase-chase_dev-0-0", "chase", "shop", "多少店？", "zh", "select 1")
    assert second.reason is Reason.NEEDS_DIALOGUE
    assert [entry.reason for entry in bad] == [Reason.UNREADABLE_LINE] * 3


def test_chase_says_itself_which_turns_stand_alone(tmp_path):
    alone = {"utterance": "甲", "query": "select 1", "contextual_phenomena": ["Context Independent"]}
    turns = [{**alone, "contextual_phenomena": ["Ellipsis"]}, {**alone, "question_id": "ex_1"}]
    source = open_source(written(tmp_path / "dev.json", [{"database_id": "a", "interaction": turns}]))
    assert [type(entry) for entry in source.entries()] == [BadEntry, Instance]


def test_archer_pairs_its_languages_and_tells_its_knowledge(tmp_path):
    fields = {"db_id": "a", "sql": "select 1", "commonsense_knowledge": "k", "reasoning_type": "+"}
    english = open_source(written(tmp_path / "en_data/dev.json", [{**fields, "question": "How?"}])).entries()
    chinese = open_source(written(tmp_path / "zh_data/dev.json", [{**fields, "question": "如何？"}])).entries()
    assert (english[0].evidence, english[0].tags, english[0].pair) == ("k", ("reasoning +",), chinese[0].pair)
    assert english[0].id != chinese[0].id


def test_a_chinese_spider_is_told_from_the_english_one(tmp_path):
    root = written(tmp_path / "dev.json", [{"db_id": "a", "question": "多少？", "query": "select 1"}])
    assert open_source(root).layout == "cspider" and open_source(root).entries()[0].language == "zh"


def generic(root, *lines):
    root.mkdir(exist_ok=True)
    (root / "asked.jsonl").write_text("\n".join(json.dumps(line) for line in lines))
    return root


def test_a_generic_folder_needs_question_and_sql_only(tmp_path):
    (tmp_path / "any/deep").mkdir(parents=True)
    with closing(sqlite3.connect(tmp_path / "any/deep/shop.db")) as connection:
        connection.execute("CREATE TABLE shop (code TEXT)")
    root = generic(tmp_path / "any", {"nl": "How many?", "query": "SELECT count(*) FROM shop"}, {"nl": "?"}, 7)
    report = check_corpus(root)
    assert (report.layout, report.usable, report.reasons()) == ("generic", 1, {"unreadable line": 2})
    assert "asked.jsonl, line 2" in report.unusable[0].message


def duck(path, script):
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(duckdb.connect(str(path))) as connection:
        connection.execute(script)
    return path


def test_a_duckdb_file_is_read_into_sqlite_value_by_value(tmp_path):
    script = """CREATE TABLE "a b" (n BIGINT, x DOUBLE, d DATE, t TIMESTAMP, s VARCHAR, b BOOLEAN, m DECIMAL(9, 2));
    INSERT INTO "a b" VALUES (7, 0.5, '2020-01-31', '2020-01-31 10:00:00', '007', true, 1.25),
                             (NULL, NULL, NULL, NULL, '', NULL, NULL)"""
    duck(tmp_path / "g/shop.duckdb", script)
    source = open_source(generic(tmp_path / "g", {"question": "?", "sql": 'SELECT "x" FROM "a b"'}))
    with closing(sqlite3.connect(source.database("shop"))) as connection:
        rows = connection.execute('SELECT * FROM "a b"').fetchall()
    assert rows == [(7, 0.5, "2020-01-31", "2020-01-31 10:00:00", "007", 1, 1.25), (None,) * 4 + ("", None, None)]
    assert source.entries()[0].db == "shop"


def test_a_question_on_duckdb_becomes_a_candidate(tmp_path):
    duck(tmp_path / "g/shop.duckdb", "CREATE TABLE t AS SELECT i AS n, i * i AS m FROM range(5) r(i)")
    root = generic(tmp_path / "g", {"question": "Squares?", "sql": "SELECT m FROM t WHERE n > 1"})
    assert build(root, tmp_path / "out", BuildParams()).candidates == 1


def test_a_broken_duckdb_file_is_named(tmp_path):
    root = generic(tmp_path / "g", {"question": "?", "sql": "SELECT 1", "db": "x"})
    (root / "x.duckdb").write_bytes(b"no database at all" * 300)
    report = check_corpus(root)
    assert (report.exit_code, report.reasons()) == (1, {"database broken": 1}) and "x.duckdb" in report.to_text()


def test_several_files_of_questions_must_be_named(tmp_path):
    generic(tmp_path, {}).joinpath("other.jsonl").touch()
    with pytest.raises(SourceError, match="2 files of JSON Lines"):
        open_source(tmp_path)
    assert open_source(tmp_path / "asked.jsonl").layout == "generic"


def test_a_check_says_why_each_instance_is_not_usable(corpus):
    for sql in ("SELECT name FROM city", "SELECT mayor FROM city", "SELECT date('now')", "SELECT", "SELEC 1"):
        corpus.ask(sql)
    corpus.ask("SELECT 1", db="gone")
    corpus.ask("SELECT 1", id="q0")
    report = check_corpus(corpus.root)
    assert (report.usable, report.total, report.exit_code) == (1, 7, 0)
    assert Counter(report.reasons()) == {
        "does not execute": 1,
        "reads the clock": 1,
        "does not parse": 2,
        "database missing": 1,
        "duplicate id": 1,
    }
    assert report.databases["shop"] == "readable" and "gone.sqlite" in report.databases["gone"]


SOURCES = {"bull/en": (1000, {"database missing": 1000}), "bull/cn": (1000, {"database missing": 1000})}
SOURCES["ehrsql"] = (2239, {"database missing": 1515, "no gold": 724})


@pytest.mark.shared
@pytest.mark.parametrize("name", SOURCES)
def test_sources_without_databases_are_read_whole_and_said_to_be_unusable(name):
    folder = Path(__file__).parents[2].parent / "shared" / "sources" / name
    report = check_corpus(folder)
    assert (report.total, report.reasons(), report.exit_code) == (*SOURCES[name], 1)
    assert open_source(folder).schemas()
