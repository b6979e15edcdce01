"""A workspace is loaded once: its tables by page, sorted and filtered, and a search over all texts."""

import json
import os
import signal
import sqlite3
import threading
import time
from contextlib import suppress
from pathlib import Path

import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from review_app.workspace.finding import find_in, search
from review_app.workspace.index import Condition, Filter, rows
from review_app.workspace.load_child import PROBLEM
from review_app.workspace.load_csv import HEAD_ROWS
from review_app.workspace.loading import AGAIN, IndexFailed, Source, build
from review_app.workspace.query import run_query

KINDS = {".csv": "csv", ".json": "json", ".sqlite": "sqlite", ".md": "markdown", ".pdf": "pdf", ".bin": "other"}


def sources(folder):
    return sources_of(*sorted(folder.iterdir()))


def sources_of(*paths):
    return [Source(path.name, KINDS[path.suffix], path) for path in paths]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    at = tmp_path_factory.mktemp("workspace")
    (at / "fund.csv").write_text(
        'code,size,day,note\n000017,9.95,2024-02-01,\n004128,6.150,2024-01-31,"a, b\nc"\n', encoding="utf-8"
    )
    (at / "基金.csv").write_bytes("名称,规模\n甲,1\n乙,22\n丙,3\n".encode("gb18030"))
    (at / "wide.csv").write_bytes("a;b\n1;x\n".encode("utf-16"))
    (at / "ragged.csv").write_text('a,b\n1,2\n3\n"4\n5",6\n', encoding="utf-8")
    (at / "bad_day.csv").write_text("day\n2024-02-30\n2024-02-01\n", encoding="utf-8")
    (at / "people.json").write_text(json.dumps([{"id": 1, "name": "Ann"}, {"id": 2, "tags": ["x"]}]), encoding="utf-8")
    (at / "broken.json").write_text("{[", encoding="utf-8")
    with sqlite3.connect(at / "db.sqlite") as connection:
        connection.execute('CREATE TABLE "or""der" (id INTEGER, big INTEGER, amount REAL, mixed, ID2 TEXT)')
        connection.execute("INSERT INTO \"or\"\"der\" VALUES (1, 9007199254740993, NULL, 'x', '')")
        connection.execute('INSERT INTO "or""der" VALUES (2, 7, 1.5, x\'00ff\', NULL)')
        connection.execute("CREATE TABLE fund (empty TEXT)")
    connection.close()
    (at / "notes.md").write_text("# Notes\n\nThe 规模 of 甲 is small.\n", encoding="utf-8")
    document = pypdfium2.PdfDocument.new()
    document.new_page(200, 200)
    document.save(at / "empty.pdf")
    (at / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    (at / "x.bin").write_bytes(b"\0\1")
    return at


@pytest.fixture(scope="module")
def index(folder, tmp_path_factory):
    return build(tmp_path_factory.mktemp("cache"), sources(folder))


def table(index, name):
    return next(one for one in index.tables if one.name == name)


def test_every_table_is_there_with_its_types_and_rows(index):
    found = {one.name: (dict(one.columns), one.rows) for one in index.tables}
    assert found["fund_2"] == ({"code": "VARCHAR", "size": "DOUBLE", "day": "DATE", "note": "VARCHAR"}, 2)
    assert found["基金"] == ({"名称": "VARCHAR", "规模": "BIGINT"}, 3)
    assert found["wide"] == ({"a": "BIGINT", "b": "VARCHAR"}, 1)
    assert found["ragged"] == ({"a": "VARCHAR", "b": "BIGINT"}, 3)
    assert found["bad_day"] == ({"day": "VARCHAR"}, 2)
    assert found["people"] == ({"id": "BIGINT", "name": "VARCHAR", "tags": "VARCHAR"}, 2)
    order = {"id": "BIGINT", "big": "BIGINT", "amount": "DOUBLE", "mixed": "VARCHAR", "ID2": "VARCHAR"}
    assert found['or"der'] == (order, 2)
    assert found["fund"] == ({"empty": "VARCHAR"}, 0)


def test_cells_are_shown_as_they_stand_in_the_file(index):
    shown = rows(index, table(index, "fund_2"))
    assert shown.rows == (("000017", "9.95", "2024-02-01", ""), ("004128", "6.150", "2024-01-31", "a, b\nc"))
    assert rows(index, table(index, 'or"der')).rows == (
        ("1", "9007199254740993", None, "x", ""),
        ("2", "7", "1.5", "00ff", None),
    )


def test_a_file_that_does_not_read_says_why_and_stops_no_other(index):
    problems = {file.path: file.problem for file in index.files if file.problem}
    assert problems.keys() == {"broken.json", "broken.pdf"}
    assert index.file("empty.pdf").pages == 1
    assert index.file("x.bin").tables == ()


def test_numbers_are_sorted_as_numbers_and_rows_keep_their_place_in_the_file(index):
    shown = rows(index, table(index, "基金"), sort="规模", descending=True)
    assert [row[0] for row in shown.rows] == ["乙", "丙", "甲"]
    assert shown.numbers == (3, 4, 2)


@pytest.mark.parametrize(
    ("one", "found"),
    [
        (Filter("规模", Condition.GREATER, "2"), (3, 4)),
        (Filter("规模", Condition.LESS, "3"), (2,)),
        (Filter("规模", Condition.EQUAL, "22.0"), (3,)),
        (Filter("规模", Condition.CONTAINS, "2"), (3,)),
        (Filter("规模", Condition.GREATER, "many"), ()),
        (Filter("名称", Condition.EQUAL, "甲"), (2,)),
        (Filter("名称", Condition.EMPTY), ()),
        (Filter("名称", Condition.FILLED), (2, 3, 4)),
    ],
)
def test_rows_are_filtered_by_type(index, one, found):
    shown = rows(index, table(index, "基金"), filters=(one,))
    assert (shown.numbers, shown.matching) == (found, len(found))


def test_a_page_holds_its_rows_only(index):
    shown = rows(index, table(index, "基金"), 1, 1)
    assert (shown.numbers, shown.matching) == ((3,), 3)


@pytest.mark.parametrize("value", ["' OR 1=1 --", '"', "%", "甲'; DROP TABLE raw.fund; --"])
def test_what_is_typed_into_a_filter_is_a_value_and_no_sql(index, value):
    assert rows(index, table(index, "基金"), filters=(Filter("名称", Condition.EQUAL, value),)).rows == ()


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("规模", {("notes.md", "line 3")}),
        ("甲", {("notes.md", "line 3"), ("基金.csv", "row 2")}),
        ("ANN", {("people.json", "row 1")}),
        ("FUND", {("fund.csv", "")}),
        ("2024-01-31", {("fund.csv", "row 3")}),
        ("nowhere", set()),
        ("  ", set()),
        ("%", set()),
    ],
)
def test_a_search_finds_names_lines_and_cells(index, text, places):
    assert {(hit.path, hit.place) for hit in search(index, text)} == places


def test_a_document_is_searched_alone(index):
    assert [hit.place for hit in find_in(index, "notes.md", "notes")] == ["line 1"]
    assert find_in(index, "notes.md", " ") == find_in(index, "fund.csv", "17") == []


def test_a_workspace_is_loaded_once_also_by_two_at_once(folder, tmp_path):
    found = []
    both = [threading.Thread(target=lambda: found.append(build(tmp_path, sources(folder)))) for _ in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert found[0] == found[1] == build(tmp_path, sources(folder))
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".duckdb", ".json"]


def test_a_cache_that_cannot_be_written_is_said(folder, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(IndexFailed, match="cannot be loaded"):
        build(tmp_path / "file" / "cache", sources(folder))


cells = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=8)


@given(cells, cells)
def test_a_search_for_anything_never_fails(index, one, other):
    assert isinstance(search(index, one + other), tuple)


def test_one_cell_far_down_decides_the_type_of_a_column(tmp_path):
    lines = [f"{row},{row},2024-01-01,{row}" for row in range(3 * HEAD_ROWS)]
    lines += ["007,1.5,2024-02-30,"]
    (tmp_path / "far.csv").write_text("\n".join(["code,size,day,count", *lines]) + "\n", encoding="utf-8")
    (found,) = build(tmp_path / "cache", sources_of(tmp_path / "far.csv")).tables
    assert dict(found.columns) == {"code": "VARCHAR", "size": "DOUBLE", "day": "VARCHAR", "count": "BIGINT"}


@given(columns=st.lists(st.tuples(*[st.text("0123456789.-eE+: T", max_size=6)] * 3), min_size=20, max_size=40))
@settings(max_examples=4, deadline=None)  # each example is a table of many columns: a process costs more than they do
def test_a_typed_column_reads_every_cell(columns, tmp_path_factory):
    folder = tmp_path_factory.mktemp("typed")
    lines = [",".join(f'"{cell}"' for cell in row) for row in zip(*columns, strict=True)]
    header = ",".join(f"c{place}" for place in range(len(columns)))
    (folder / "t.csv").write_text("\n".join([header, *lines]) + "\n", encoding="utf-8")
    index = build(folder / "cache", sources_of(folder / "t.csv"))
    read = zip(*run_query(index, "SELECT * FROM t").rows, strict=True)
    for (_, kind), cells, values in zip(index.tables[0].columns, columns, read, strict=True):
        assert [value is not None for value in values] == [cell != "" for cell in cells]
        if kind == "VARCHAR":
            assert [value or "" for value in values] == list(cells)


def test_a_document_of_endless_depth_is_said_to_be_unreadable(tmp_path):
    (tmp_path / "deep.json").write_text("[" * 200_000)
    (tmp_path / "fine.csv").write_text("a\n1\n")
    index = build(tmp_path / "cache", sources_of(tmp_path / "deep.json", tmp_path / "fine.csv"))
    assert index.file("deep.json").problem
    assert [one.name for one in index.tables] == ["fine"]


def kill_readers_of(fifo, done):
    """Kill the loading process as often as it opens the fifo, which gives it nothing to read."""
    while not done.is_set():
        try:
            writer = os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)  # refused until somebody reads
        except OSError:
            time.sleep(0.02)
            continue
        for line in Path("/proc").glob("[0-9]*/cmdline"):
            with suppress(OSError):
                status = (line.parent / "status").read_text()
                if b"load_child" in line.read_bytes() and f"PPid:\t{os.getpid()}\n" in status:
                    os.kill(int(line.parent.name), signal.SIGKILL)
        os.close(writer)


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="finds the process by /proc, which is absent")
def test_a_file_that_kills_its_reader_is_left_out_and_the_others_are_there(tmp_path):
    (tmp_path / "fine.csv").write_text("a\n1\n")
    os.mkfifo(tmp_path / "bad.md")
    done = threading.Event()
    killer = threading.Thread(target=kill_readers_of, args=(tmp_path / "bad.md", done))
    killer.start()
    try:
        index = build(tmp_path / "cache", sources_of(tmp_path / "fine.csv", tmp_path / "bad.md"))
    finally:
        done.set()
        killer.join()
    assert index.file("bad.md").problem == PROBLEM
    assert [one.name for one in index.tables] == ["fine"]
    assert run_query(index, "SELECT a FROM fine").rows == (("1",),)


def test_a_workspace_that_failed_is_tried_again_after_a_while_only(tmp_path):
    (tmp_path / "fine.csv").write_text("a\n1\n")
    found = sources_of(tmp_path / "fine.csv")
    name = build(tmp_path / "cache", found).database.with_suffix(".failed")
    name.touch()
    with pytest.raises(IndexFailed, match="limits of time and memory"):
        build(tmp_path / "cache", found)
    os.utime(name, (0, time.time() - AGAIN - 1))
    assert [one.name for one in build(tmp_path / "cache", found).tables] == ["fine"]
