"""Workspace files are shown bounded and read-only, whatever they hold; a file that cannot be shown says why."""

import csv
import json
import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from review_app.workspace import preview
from review_app.workspace.preview import MAX_CELL, MAX_TEXT, PAGE_ROWS, PreviewError


@pytest.fixture
def file(tmp_path):
    """Write a file and return its path."""

    def write(data):
        path = tmp_path / "f"
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    return write


@pytest.fixture
def database(tmp_path):
    """Make a SQLite file from a script and return its path."""

    def make(script):
        path = tmp_path / "f.sqlite"
        with sqlite3.connect(path) as connection:
            connection.executescript(script)
        connection.close()
        return path

    return make


SHOWN_AS = (preview.csv_page, preview.json_tables, preview.sqlite_tables, preview.pdf_page)


@pytest.mark.parametrize("show", [preview.json_tables, preview.sqlite_tables, preview.pdf_page])
@pytest.mark.parametrize("data", [b"\xff\xfe\x00\x01" * 3000, b"SQLite format 3\0" + b"\1" * 5000, b"{[" * 9])
def test_bytes_of_another_kind_are_refused_in_words(file, show, data):
    with pytest.raises(PreviewError, match="does not read as"):
        show(file(data))


@pytest.mark.parametrize("show", [*SHOWN_AS, preview.text_of])
def test_a_missing_file_is_refused_in_words(tmp_path, show):
    with pytest.raises(PreviewError):
        show(tmp_path / "gone")


# --- CSV and text -----------------------------------------------------------------------------------------------------


def test_rows_of_a_csv_file_come_by_the_page(file):
    path = file("n\n" + "\n".join(map(str, range(1000))))
    page = preview.csv_page(path, 400, 3)
    assert (page.columns, page.rows, page.first, page.total) == (("n",), (("400",), ("401",), ("402",)), 400, 1000)


def test_a_page_beyond_the_end_is_empty_and_counts_right(file):
    page = preview.csv_page(file("n\n1\n2\n"), 400)
    assert (page.rows, page.total) == ((), 2)


def test_huge_cells_and_names_are_cut(file):
    before = csv.field_size_limit(131_072)
    try:
        page = preview.csv_page(file(f"{'n' * 500_000},b\n1,{'x' * 500_000}\n"))
    finally:
        csv.field_size_limit(max(before, csv.field_size_limit()))
    assert (page.columns, page.rows) == (("n" * MAX_CELL, "b"), (("1", "x" * MAX_CELL),))


@pytest.mark.parametrize("shift", range(4))
@pytest.mark.parametrize("codec", ["utf-8", "gb18030"])
def test_a_character_on_the_edge_of_the_first_bytes_does_not_garble_the_file(file, shift, codec):
    text = "a" * shift + "数据\n" * 30_000
    assert preview.text_of(file(text.encode(codec))) == text
    assert preview.csv_page(file(text.encode(codec))).rows[-1] == ("数据",)


def test_a_text_is_read_no_further_than_is_shown(file):
    assert len(preview.text_of(file("x" * (MAX_TEXT + 1)))) == MAX_TEXT


# --- JSON -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("document", ["42", '"text"', "null", "true", '{"a": 1}', '{"a": {"b": [1]}}'])
def test_json_without_a_list_gives_no_table(file, document):
    assert preview.json_tables(file(document)) == {}


@pytest.mark.parametrize(
    ("document", "columns", "rows"),
    [
        ("[1, null, true]", ("value",), (("1",), ("",), ("true",))),
        ('[{"a": 1}, {"b": "x"}]', ("a", "b"), (("1", ""), ("", "x"))),
        ('[{"a": {"b": [1, "\u89c4"]}}]', ("a",), (('{"b": [1, "规"]}',),)),
        ('[{"a": 1, "b": 2}, 7]', ("a", "b"), (("1", "2"), ("7", ""))),
        ("[{}, []]", ("value",), (("{}",), ("[]",))),
        ("[]", ("value",), ()),
    ],
)
def test_lists_in_json_become_tables_with_a_cell_for_every_column(file, document, columns, rows):
    shown = preview.json_tables(file(document))["[]"]
    assert (shown.columns, shown.rows) == (columns, rows)


def test_lists_by_name_become_tables_by_name(file):
    shown = preview.json_tables(file('{"fund": [{"a": 1}], "note": "x", "stock": []}'))
    assert list(shown) == ["fund", "stock"]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_json_lines_become_one_table(file, end):
    shown = preview.json_tables(file(end.join(['{"a": "x\u2028y"}', "", '{"a": 2}', ""])))["[]"]
    assert shown.rows == (("x\u2028y",), ("2",))


def test_long_lists_and_cells_in_json_are_cut_and_counted(file):
    shown = preview.json_tables(file(json.dumps([{"a": "x" * 9000}] * 1000)))["[]"]
    assert (len(shown.rows), shown.total, shown.rows[0]) == (PAGE_ROWS, 1000, ("x" * MAX_CELL,))


@pytest.mark.parametrize("document", ["[" * 100_000, "[" * 100_000 + "]" * 100_000, '{"a": 1}\n{"a"', "1" * 10_000])
def test_json_that_is_broken_deep_or_monstrous_is_refused_in_words(file, document):
    with pytest.raises(PreviewError, match="does not read as JSON"):
        preview.json_tables(file(document))


def test_json_nested_to_any_depth_is_shown_or_refused(file):
    for depth in range(100, 3000, 25):
        try:
            preview.json_tables(file('[{"a":' + "[" * depth + "]" * depth + "}]"))
        except PreviewError:
            return
    pytest.fail("no depth was refused: raise the range until the recursion limit is met")


# --- SQLite -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ['say "hi"', "x'; DROP TABLE fund; --", "a.b", "规模", "select", "sqlitebrowser", "../x", "  ", "a\nb"]
)
def test_a_table_of_any_name_is_shown(database, name):
    quoted = '"' + name.replace('"', '""') + '"'
    path = database(f"CREATE TABLE {quoted} (v); INSERT INTO {quoted} VALUES ('007');")
    assert preview.sqlite_tables(path) == [name]
    assert preview.sqlite_page(path, name).rows == (("007",),)


@pytest.mark.parametrize("name", ["gone", "sqlite_master", "fund; DROP TABLE fund", 'fund" UNION SELECT 1 --', "v"])
def test_what_is_no_table_of_the_file_is_refused(database, name):
    path = database("CREATE TABLE fund (v); CREATE VIEW v AS SELECT 1;")
    with pytest.raises(PreviewError, match="no table"):
        preview.sqlite_page(path, name)


def test_cells_of_every_kind_are_shown_as_text(database):
    path = database(
        "CREATE TABLE t (a, b, c, d, e);"
        "INSERT INTO t VALUES (NULL, 1.5, CAST(x'ff41' AS TEXT), zeroblob(5000000), hex(zeroblob(5000)));"
    )
    page = preview.sqlite_page(path, "t")
    assert (page.columns, page.rows[0][:3]) == (("a", "b", "c", "d", "e"), ("", "1.5", "\ufffdA"))
    assert [len(cell) for cell in page.rows[0][3:]] == [MAX_CELL, MAX_CELL]


def test_rows_of_a_table_come_by_the_page(database):
    path = database(
        "CREATE TABLE t (n); WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n+1 FROM c LIMIT 1000)"
        "INSERT INTO t SELECT n FROM c;"
    )
    page = preview.sqlite_page(path, "t", 998)
    assert (page.rows, page.total) == ((("998",), ("999",)), 1000)


def test_a_database_that_is_damaged_in_the_middle_is_refused_in_words(database):
    path = database(
        "CREATE TABLE t (n); WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n+1 FROM c LIMIT 5000)"
        "INSERT INTO t SELECT n FROM c;"
    )
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xaa" * (len(data) - 4096)
    path.write_bytes(data)
    with pytest.raises(PreviewError, match="does not read as a SQLite database"):
        preview.sqlite_page(path, "t")


def test_looking_leaves_the_file_and_its_folder_as_they_were(database):
    path = database("PRAGMA journal_mode=WAL; CREATE TABLE t (n); INSERT INTO t VALUES (1);")
    before = path.read_bytes()
    preview.sqlite_page(path, "t")
    assert path.read_bytes() == before
    assert [one.name for one in path.parent.iterdir()] == [path.name]


# --- Markdown ---------------------------------------------------------------------------------------------------------


def images(text):
    """How many images a CommonMark reader would load."""
    tokens = MarkdownIt("commonmark").parse(text)
    return sum(child.type == "image" for token in tokens for child in token.children or ())


IMAGES = [
    "![x](http://example.org/x.png)",
    "![](http://example.org/x.png 'title')",
    "![x][ref]\n\n[ref]: http://example.org/x.png",
    "![ref][]\n\n[ref]: http://example.org/x.png",
    "![ref]\n\n[ref]: http://example.org/x.png",
    "[![x](http://example.org/x.png)](http://example.org)",
    "![a ![b](http://example.org/b.png) c](http://example.org/a.png)",
    "!![x](http://example.org/x.png)",
    "\\\\![x](http://example.org/x.png)",
    "> - ![x](<http://example.org/x.png>)",
]


@pytest.mark.parametrize("text", IMAGES)
def test_no_form_of_an_image_stays_active(text):
    assert images(text) > 0
    assert images(preview.markdown_without_images(text)) == 0


@given(st.lists(st.sampled_from(["!", "[", "]", "(", ")", "\\", "x", "[x]: /u", "\n", "&#33;", "`", *IMAGES])))
def test_no_mixture_of_signs_makes_an_image(pieces):
    assert images(preview.markdown_without_images("".join(pieces))) == 0


def test_text_without_images_stays_as_it_is():
    text = "# Notes\n\n[link](http://example.org) costs 5! [sic] `a[0]`\n"
    assert preview.markdown_without_images(text) == text
