import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pipeline.errors import SourceError
from pipeline.sql.tree import parse
from pipeline.translate.flow import LABEL, flow_of
from pipeline.translate.glossary import Entry, Glossary, read_glossary, shipped
from pipeline.translate.injective import one_to_one
from pipeline.translate.model import Kind, Maps
from pipeline.translate.patterns import _like, translated_pattern
from pipeline.translate.rewrite import normal, rewritten

TEXTS = {"name": 1, "place": 1}
MAPS = Maps({"t": "表", "u": "乙"}, {"t": {"name": "名", "place": "地"}, "u": {"name": "名"}}, {"x": "甲", "y": "乙'"})
word = st.text("ab甲乙 ", min_size=1, max_size=3)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT name FROM t ORDER BY 1",
        "SELECT name AS n FROM t ORDER BY n",
        "SELECT MAX(name) FROM t",
        "SELECT 1 FROM t WHERE name > 'm'",
        "SELECT 1 FROM t WHERE name BETWEEN 'a' AND 'b'",
        "SELECT 1 FROM t WHERE substr(name, 1, 1) = 'x'",
        "SELECT 1 FROM t WHERE name GLOB 'x*'",
        "SELECT 1 FROM t WHERE name LIKE 'a!_%' ESCAPE '!'",
        "SELECT name || place FROM t",
        "SELECT CASE WHEN 1 THEN name END AS c FROM t ORDER BY c",
        "SELECT ROW_NUMBER() OVER (ORDER BY name) FROM t",
        "SELECT upper(first_value(name) OVER ()) FROM t",
        "WITH r(q) AS (SELECT name FROM t) SELECT 1 FROM r WHERE q < 'b'",
        "SELECT 1 FROM t WHERE (name, place) IN (SELECT 'x', 'y')",
        "SELECT 1 FROM t WHERE name = lower('X')",
        "SELECT group_concat(name) FROM t",
        "SELECT CAST(name AS INTEGER) FROM t",
        "SELECT name + 0 FROM t",
    ],
)
def test_a_text_whose_spelling_matters_is_frozen(sql):
    assert "name" in flow_of(parse(sql), TEXTS).spelled


@pytest.mark.parametrize(
    ("sql", "new"),
    [
        ("SELECT name FROM t WHERE name = 'x'", "SELECT 名 FROM 表 WHERE 名 = '甲'"),
        ("SELECT name FROM t WHERE 'y' <> name", "SELECT 名 FROM 表 WHERE '乙''' <> 名"),
        ("SELECT Name FROM T AS a WHERE a.NAME IN ('x', 'z')", "SELECT 名 FROM 表 AS a WHERE a.名 IN ('甲', 'z')"),
        ("SELECT COUNT(DISTINCT name) FROM t GROUP BY place", "SELECT COUNT(DISTINCT 名) FROM 表 GROUP BY 地"),
        ("SELECT CASE place WHEN 'x' THEN 1 END FROM t", "SELECT CASE 地 WHEN '甲' THEN 1 END FROM 表"),
        ("SELECT coalesce(name, 'x') AS c FROM t", "SELECT coalesce(名, '甲') AS c FROM 表"),
        ("SELECT t.name FROM t JOIN u USING (name)", "SELECT 表.名 FROM 表 JOIN 乙 USING (名)"),
        ("SELECT name FROM t UNION SELECT 'y'", "SELECT 名 FROM 表 UNION SELECT '乙'''"),
        ("SELECT 1 FROM (SELECT name q FROM t) WHERE q = 'x'", "SELECT 1 FROM (SELECT 名 q FROM 表) WHERE q = '甲'"),
        ("SELECT strftime('%Y', 'x') FROM t", "SELECT strftime('%Y', 'x') FROM 表"),
        ("SELECT name FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.name = t.name)",
         "SELECT 名 FROM 表 WHERE EXISTS (SELECT 1 FROM 乙 WHERE 乙.名 = 表.名)"),
    ],
)  # fmt: skip
def test_names_and_texts_are_exchanged_and_come_back(sql, new):
    assert not flow_of(parse(sql), TEXTS).spelled
    assert normal(rewritten(sql, MAPS, TEXTS)) == normal(new)
    assert normal(rewritten(new, MAPS.inverse(), {"名": 1, "地": 1})) == normal(sql)


def test_labels_that_the_gold_orders_by_stay():
    flow = flow_of(parse("SELECT CASE WHEN 1 THEN 'x' ELSE 'y' END AS c FROM t ORDER BY c"), TEXTS)
    assert flow.spelled.keys() == {LABEL} and all(columns == {LABEL} for _, columns in flow.texts)


def test_a_text_beside_a_frozen_column_stays():
    maps = Maps(MAPS.tables, MAPS.columns, MAPS.values, frozen={"name": "codes"})
    assert "= 'x' AND" in rewritten("SELECT 1 FROM t WHERE name = 'x' AND place = 'y'", maps, TEXTS)
    assert "= '乙'''" in rewritten("SELECT 1 FROM t WHERE name = 'x' AND place = 'y'", maps, TEXTS)


def test_columns_that_meet_in_a_gold_are_linked():
    for sql in (
        "SELECT 1 FROM t WHERE name = place",
        "SELECT name FROM t UNION SELECT place FROM t",
        "SELECT 1 FROM t WHERE name IN (SELECT place FROM t)",
        "SELECT coalesce(name, place) FROM t",
    ):
        assert flow_of(parse(sql), TEXTS).linked == {("name", "place")}, sql


@given(st.sets(word, max_size=8), st.dictionaries(word, word, max_size=8), st.sets(word, max_size=3))
@example({"a", "b", "c"}, {"a": "b", "b": "甲", "c": "甲"}, {"甲"})
def test_a_map_is_one_to_one_whatever_was_wished(words, wanted, kept):
    found, collisions = one_to_one(Kind.VALUE, words, wanted, kept)
    images = [found.get(each, each) for each in words]
    assert len(set(images)) == len(words) and not set(found.values()) & (kept - words)
    missed = {each for each in words & wanted.keys() if found.get(each, each) != wanted[each]}
    assert missed == {collision.word for collision in collisions}


def test_a_collision_keeps_both_words_apart_and_is_reported():
    found, collisions = one_to_one(Kind.VALUE, ["Kabol", "Kabul"], {"Kabol": "喀布尔", "Kabul": "喀布尔"})
    assert found == {"Kabol": "喀布尔", "Kabul": "喀布尔（Kabul）"}
    assert [(collision.word, collision.became) for collision in collisions] == [("Kabul", "喀布尔（Kabul）")]


def test_no_translation_reads_as_a_number():
    assert one_to_one(Kind.VALUE, ["seven"], {"seven": "7"})[0] == {"seven": "7 (seven)"}


@given(st.text("aA%_é甲\n", max_size=5), st.text("aA_é甲\n", max_size=5))
def test_a_pattern_matches_what_sqlite_matches(pattern, text):
    with closing(sqlite3.connect(":memory:")) as connection:
        assert _like(pattern, text) == bool(connection.execute("SELECT ? LIKE ?", (text, pattern)).fetchone()[0])


def test_a_pattern_that_would_find_other_rows_is_given_up():
    values = {"East Asia": "东亚", "Asia Minor": "小亚细亚", "Oceania": "大洋洲"}
    assert translated_pattern("%Asia%", values, values, {"Asia": "亚"}.get) == "%亚%"
    assert translated_pattern("Asia%", values, values, {"Asia": "亚"}.get) is None


def test_a_word_of_the_database_goes_before_a_common_one():
    glossary = Glossary([Entry("name", "", "Name", "名称"), Entry("column", "school", "name", "姓名")])
    assert glossary.find("en", Kind.COLUMN, "school", "NAME") == "姓名"
    assert glossary.find("en", Kind.COLUMN, "shop", "name") == "名称"
    assert glossary.find("zh", Kind.LABEL, "school", "姓名") == "name"
    assert glossary.find("en", Kind.VALUE, "shop", "name") is None


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("en,zh\na,b\n", "first line"),
        ("kind,database,en,zh\nverb,,a,b\n", "line 2"),
        ("kind,database,en,zh\nvalue,,a\n", "line 2"),
    ],
)
def test_a_broken_glossary_is_refused_with_its_line(tmp_path: Path, text, problem):
    (tmp_path / "words.csv").write_text(text)
    with pytest.raises(SourceError, match=problem):
        read_glossary(tmp_path / "words.csv")


def test_a_missing_glossary_is_refused_by_name(tmp_path: Path):
    with pytest.raises(SourceError, match=r"none\.csv"):
        read_glossary(tmp_path / "none.csv")


def test_the_shipped_glossaries_are_english_on_one_side_and_chinese_on_the_other():
    chinese = re.compile("[\u4e00-\u9fff]")
    assert len(shipped()) > 4000
    assert [entry for entry in shipped() if chinese.search(entry.en) or not chinese.search(entry.zh)] == []
    assert all(entry.en == entry.en.strip() and entry.zh == entry.zh.strip() for entry in shipped())
