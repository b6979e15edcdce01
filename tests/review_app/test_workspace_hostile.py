"""A workspace of files that nobody should write: each loads as it is or says why, and is left as it was."""

import json
import sqlite3

import pytest

from review_app.workspace.finding import search
from review_app.workspace.index import MAX_CELL, rows
from review_app.workspace.loading import Source, build
from review_app.workspace.query import run_query

NAMES = [
    'say "hi"',
    "x'; DROP TABLE fund; --",
    "a.b",
    "规模",
    "select",
    "sqlitebrowser",
    "../x",
    "  ",
    " lines",
    "a\nb",
]
COUNT = "WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n+1 FROM c LIMIT 5000) INSERT INTO t SELECT n FROM c;"
JSON = {
    "number": "42",
    "word": '"text"',
    "null": "null",
    "deep": "[" * 100_000 + "]" * 100_000,
    "broken_lines": '{"a": 1}\n{"a"',
    "monstrous": "1" * 10_000,
    "empty": "",
    "of_numbers": "[1, 2]",
    "mixed": '[{"a": 1}, 2]',
    "lines": '{"a": "x\u2028y"}\n\n{"a": 2}\n',
    "named": '{"fund": [{"a": 1}], "note": "x", "stock": []}',
    "same": '[{"A": 1, "a": 2, "": 3}]',
    "half": '[{"a": "\\ud800x"}, {"a": 1}, {"a": null}]',
    "long": json.dumps([{"a": "x" * 9000}] * 3),
}


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def sqlite(path, script):
    with sqlite3.connect(path) as connection:
        connection.executescript(script)
    connection.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    at = tmp_path_factory.mktemp("hostile")
    sqlite(
        at / "names.sqlite",
        "".join(f"CREATE TABLE {quoted(name)} (v); INSERT INTO {quoted(name)} VALUES ('007');" for name in NAMES),
    )
    sqlite(
        at / "kinds.sqlite",
        "CREATE TABLE t (a, b, c, d, e, f); INSERT INTO t VALUES "
        "(NULL, 1.5, CAST(x'ff41' AS TEXT), zeroblob(5000), hex(zeroblob(5000)), 9e999);"
        "CREATE VIEW v AS SELECT * FROM t;",
    )
    sqlite(at / "wal.sqlite", "PRAGMA journal_mode=WAL; CREATE TABLE w (n); INSERT INTO w VALUES (1);")
    sqlite(at / "damaged.sqlite", f"CREATE TABLE t (n); {COUNT}")
    data = bytearray((at / "damaged.sqlite").read_bytes())
    data[4096:] = b"\xaa" * (len(data) - 4096)
    (at / "damaged.sqlite").write_bytes(data)
    for name, text in JSON.items():
        (at / f"{name}.json").write_text(text, encoding="utf-8")
    (at / "binary.csv").write_bytes(b"\xff\xfe\x00\x01" * 3000)
    (at / "none.csv").write_bytes(b"")
    (at / "header.csv").write_text("a,b\n")
    (at / "same.csv").write_text("a,A,,a\n1,2,3,4\n")
    (at / "cells.csv").write_text(f"a,b\n1,{'x' * 500_000}\n")
    (at / "names.csv").write_text(f"{'n' * 500_000},b\n1,2\n")
    (at / "quotes.csv").write_text('a,b\n"say ""hi""","1\n2"\n=1+1,\'\n')
    (at / "gb.md").write_bytes("# 说明\n\n规模以百万计。\n".encode("gb18030"))
    return at


@pytest.fixture(scope="module")
def index(folder, tmp_path_factory):
    kinds = {".csv": "csv", ".json": "json", ".sqlite": "sqlite", ".md": "markdown"}
    files = [Source(path.name, kinds[path.suffix], path) for path in sorted(folder.iterdir())]
    before = {one.name: one.path.read_bytes() for one in files}
    built = build(tmp_path_factory.mktemp("cache"), [*files, Source("gone.csv", "csv", folder / "gone.csv")])
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before  # and no file beside them
    return built


def tables(index, path):
    return {one.inside: one for one in index.file(path).tables}


@pytest.mark.parametrize("name", NAMES)
def test_a_table_of_any_name_is_shown_and_asked(index, name):
    table = tables(index, "names.sqlite")[name]
    assert rows(index, table).rows == (("007",),)
    assert run_query(index, f"SELECT v FROM {quoted(table.name)}").rows == (("007",),)


def test_cells_of_every_kind_are_shown_as_text_and_cut(index):
    (row,) = rows(index, tables(index, "kinds.sqlite")["t"]).rows
    assert (row[:3], row[5]) == ((None, "1.5", "\ufffdA"), "inf")
    assert [len(cell) for cell in row[3:5]] == [MAX_CELL, MAX_CELL]
    assert set(tables(index, "kinds.sqlite")) == {"t"}  # a view may do anything


@pytest.mark.parametrize(
    "path",
    [
        "damaged.sqlite",
        "deep.json",
        "broken_lines.json",
        "monstrous.json",
        "binary.csv",
        "names.csv",
        "gone.csv",
    ],
)
def test_what_does_not_read_says_so_without_a_place_on_the_server(index, folder, path):
    said = index.file(path).problem
    assert said
    assert str(folder) not in said


@pytest.mark.parametrize(
    "path", ["number.json", "word.json", "null.json", "empty.json", "of_numbers.json", "mixed.json", "none.csv"]
)
def test_what_holds_no_table_gives_none(index, path):
    assert index.file(path).tables == ()


@pytest.mark.parametrize(
    ("path", "inside", "columns", "shown"),
    [
        ("lines.json", "", ["a"], (("x\u2028y",), ("2",))),
        ("named.json", "fund", ["a"], (("1",),)),
        ("same.json", "", ["A", "a_2", "column"], (("1", "2", "3"),)),
        ("half.json", "", ["a"], (("?x",), ("1",), (None,))),
        ("long.json", "", ["a"], (("x" * MAX_CELL,),) * 3),
        ("header.csv", "", ["a", "b"], ()),
        ("cells.csv", "", ["a", "b"], (("1", "x" * MAX_CELL),)),
        ("quotes.csv", "", ["a", "b"], (('say "hi"', "1\n2"), ("=1+1", "'"))),
        ("wal.sqlite", "w", ["n"], (("1",),)),
    ],
)
def test_odd_tables_are_shown_as_they_are(index, path, inside, columns, shown):
    table = tables(index, path)[inside]
    assert [name for name, _ in table.columns] == columns
    assert rows(index, table).rows == shown


def test_columns_of_one_name_are_told_apart(index):
    assert rows(index, tables(index, "same.csv")[""]).rows == (("1", "2", "3", "4"),)


def test_a_chinese_document_in_an_old_encoding_is_searched(index):
    assert ("gb.md", "line 3") in {(hit.path, hit.place) for hit in search(index, "百万")}
