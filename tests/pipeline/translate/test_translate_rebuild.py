import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.content import Rejected
from pipeline.database import Database, describe, quoted, read_rows, reading
from pipeline.translate.model import Maps
from pipeline.translate.rebuild import rebuild
from pipeline.translate.verify import check_databases, check_golds, check_way_back

ODD = """
CREATE TABLE "a ""b"" `c`" ("select" INTEGER, "x y" TEXT, half AS ("select" / 2.0));
INSERT INTO "a ""b"" `c`" ("select", "x y") VALUES (3, '😀'), (1, NULL), (2, x'00ff'), (4, CAST(x'ff61' AS TEXT));
CREATE TABLE w (a TEXT, b INT, PRIMARY KEY (a, b)) WITHOUT ROWID;
INSERT INTO w VALUES ('b', 1), ('A', 2), ('1', 3);
CREATE UNIQUE INDEX i ON w (b);
CREATE TABLE loop1 (id INTEGER PRIMARY KEY, o INTEGER REFERENCES loop2 (id), a, b, FOREIGN KEY (a, b) REFERENCES w);
CREATE TABLE loop2 (id INTEGER PRIMARY KEY, o INTEGER REFERENCES loop1 (id));
INSERT INTO loop1 VALUES (7, 1, 'b', 1); INSERT INTO loop2 VALUES (1, 7);
CREATE VIEW v AS SELECT * FROM w;
CREATE TABLE empty (x);
"""
RENAMED = Maps(
    tables={'a "b" `c`': "表", "w": "loop1", "loop1": "w", "loop2": "loop2", "empty": "空 的"},
    columns={
        'a "b" `c`': {"select": "x y", "x y": "select", "half": "一半"},
        "w": {"a": "b", "b": "a"},
        "loop1": {"a": "b", "b": "a", "o": "向"},
        "loop2": {"o": "向"},
        "empty": {},
    },
    values={"b": "A", "A": "b", "😀": "笑"},
)
name = st.text(st.sampled_from("abAZ 0_\"'[`表名é😀"), min_size=1, max_size=6)
cell = st.one_of(
    st.none(),
    st.integers(-9, 9),
    st.floats(allow_nan=False, width=16),
    st.binary(max_size=3),
    st.text("aAb1'😀表", max_size=3),
)


@st.composite
def databases(draw):
    """A script's worth of tables: names, declared types, rows."""
    tables = draw(st.lists(name, min_size=1, max_size=3, unique_by=str.lower))
    made = []
    for table in tables:
        columns = draw(st.lists(name, min_size=1, max_size=4, unique_by=str.lower))
        types = [draw(st.sampled_from(["TEXT", "INTEGER", "REAL", ""])) for _ in columns]
        rows = draw(st.lists(st.tuples(*[cell for _ in columns]), max_size=5))
        made.append((table, list(zip(columns, types, strict=True)), rows))
    return made


def written(path: Path, tables) -> Database:
    with closing(sqlite3.connect(path)) as connection, connection:
        for table, columns, rows in tables:
            connection.execute(f"CREATE TABLE {quoted(table)} ({', '.join(f'{quoted(c)} {t}' for c, t in columns)})")
            marks = ", ".join("?" * len(columns))
            connection.executemany(f"INSERT INTO {quoted(table)} VALUES ({marks})", rows)
    return describe(path, "made", 1 << 30)


def contents(database: Database) -> list[list[list[tuple[type, object]]]]:
    with reading(database.path) as connection:
        return [[[(type(c), c) for c in row] for row in read_rows(connection, t)] for t in database.tables]


def there(source: Database, folder: Path, maps: Maps) -> Database:
    rebuild(source, folder / "there.sqlite", maps)
    return describe(folder / "there.sqlite", "there", 1 << 30)


def test_names_may_change_places_and_every_key_follows(tmp_path, database):
    target = there(database(ODD), tmp_path, RENAMED)
    swapped = target.table("w")
    assert [column.name for column in swapped.columns] == ["id", "向", "b", "a"]
    assert {key.parent for key in swapped.foreign_keys} == {"loop2", "loop1"}
    with reading(target.path) as connection:
        assert connection.execute("SELECT b, a FROM loop1 ORDER BY a").fetchall() == [("A", 1), ("b", 2), ("1", 3)]
        assert connection.execute(
            'SELECT typeof(select_), 一半 FROM (SELECT "select" select_, 一半 FROM 表)'
        ).fetchall()[2] == ("blob", 1.0)


def test_an_odd_database_comes_back_with_every_byte(tmp_path, database):
    source = database(ODD)
    target = there(source, tmp_path, RENAMED)
    assert check_databases(source, target, RENAMED)["loop1"] == 3
    check_way_back(source, target, RENAMED)
    back = Maps.from_json(RENAMED.to_json()).inverse()
    rebuild(target, tmp_path / "back.sqlite", back)
    assert contents(describe(tmp_path / "back.sqlite", "back", 1 << 30)) == contents(source)


@settings(max_examples=60, deadline=None)
@given(databases(), st.data())
def test_any_database_comes_back_from_any_one_to_one_maps(tables, data):
    with TemporaryDirectory() as folder:
        source = written(Path(folder) / "source.sqlite", tables)
        names = sorted({c.name.lower() for t in source.tables for c in t.columns})
        shuffled = dict(zip(names, data.draw(st.permutations([f"列 {n}" for n in range(len(names))])), strict=True))
        texts = sorted({c for table in contents(source) for row in table for kind, c in row if kind is str})
        # texts change places among each other, so that no order of single steps would do
        values = {
            a: b for a, b in zip(texts, data.draw(st.permutations(texts)), strict=True) if not looks_numeric(a + b)
        }
        values = values if set(values) == set(values.values()) else {}
        maps = Maps(
            {t.name: f"表'{n}" for n, t in enumerate(source.tables)},
            {t.name: {c.name: shuffled[c.name.lower()] for c in t.columns} for t in source.tables},
            values,
        )
        target = there(source, Path(folder), maps)
        check_databases(source, target, maps)
        rebuild(target, Path(folder) / "back.sqlite", maps.inverse())
        assert contents(describe(Path(folder) / "back.sqlite", "back", 1 << 30)) == contents(source)


def looks_numeric(text: str) -> bool:
    return any(c.isdigit() for c in text)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE 城 SET 名 = '伯尔尼' WHERE 名 = '西安'",
        "UPDATE 城 SET people = '9 x' WHERE id = 1",
        "INSERT INTO 城 (id) VALUES (9)",
        "DELETE FROM 城 WHERE id = 3",
        "ALTER TABLE 城 RENAME COLUMN 名 TO 字",
        "DROP TABLE shop",
        "CREATE INDEX more ON 城 (名)",
    ],
)
def test_a_damaged_translation_is_noticed(tmp_path, shop, damage):
    maps = Maps(
        {"city": "城", "shop": "shop"}, {"city": {"name": "名"}, "shop": {}}, {"Xi'an": "西安", "Bern": "伯尔尼"}
    )
    there(shop, tmp_path, maps)
    with closing(sqlite3.connect(tmp_path / "there.sqlite")) as connection, connection:
        connection.execute("PRAGMA legacy_alter_table = ON")
        connection.execute(damage)
    target = describe(tmp_path / "there.sqlite", "damaged", 1 << 30)
    with pytest.raises(Rejected, match=r"schema|rows|way back"):
        check_databases(shop, target, maps)
        check_way_back(shop, target, maps)


def test_texts_that_differ_in_case_only_or_are_no_texts_are_told_apart(tmp_path, database):
    source = database("CREATE TABLE t (x); INSERT INTO t VALUES ('a'), ('A'), (1), ('1'), (x'61');")
    target = there(source, tmp_path, Maps({"t": "t"}, {"t": {}}, {"a": "甲", "1": "一"}))
    assert [row[0][1] for row in contents(target)[0]] == ["甲", "A", 1, "一", b"a"]


def test_a_whole_number_that_became_a_fraction_is_noticed(tmp_path, database):
    source = database("CREATE TABLE t (x); INSERT INTO t VALUES (1);")
    target = there(source, tmp_path, Maps({"t": "表"}, {"t": {}}, {}))
    check_way_back(source, target, Maps({"t": "表"}, {"t": {}}, {}))
    with closing(sqlite3.connect(target.path)) as connection, connection:
        connection.execute("UPDATE 表 SET x = 1.0")
    with pytest.raises(Rejected, match="row 1 of t"):
        check_way_back(source, target, Maps({"t": "表"}, {"t": {}}, {}))


GOLD = "SELECT name, people FROM city ORDER BY people DESC"


@pytest.mark.parametrize(
    ("rows", "holds"),
    [
        ([("西安", 9), ("伯尔尼", 1), ("Ulm", 1)], True),
        ([("西安", 9), ("Ulm", 1), ("伯尔尼", 1)], True),
        ([("伯尔尼", 1), ("西安", 9), ("Ulm", 1)], False),
        ([("Xi'an", 9), ("伯尔尼", 1), ("Ulm", 1)], False),
        ([("西安", 9), ("伯尔尼", 1)], False),
    ],
)
def test_the_gold_must_give_the_translation_of_what_it_gave(shop, sandbox, rows, holds):
    maps = Maps({"city": "城"}, {"city": {"name": "名"}}, {"Xi'an": "西安", "Bern": "伯尔尼"})
    before = sandbox.run(shop.path, GOLD, seconds=5, rows=9)
    after = replace(before, rows=tuple(rows))
    if holds:
        check_golds(GOLD, maps, {"name": 1}, before, after)
    else:
        with pytest.raises(Rejected, match="another result"):
            check_golds(GOLD, maps, {"name": 1}, before, after)


def test_maps_lead_back_to_themselves():
    maps = replace(RENAMED, labels={"n": "数"}, patterns={"%x": "%某"}, frozen={"o": "codes"})
    assert maps.inverse().inverse() == maps
    assert maps.inverse().frozen == {"向": "codes"}
