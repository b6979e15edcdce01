import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pipeline.checks import CheckError, reread
from pipeline.render import csv, json, markdown
from pipeline.render.typed import number_in, number_text
from pipeline.stages.route import Modality
from pipeline.stages.shape import shape_of

TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=12)
NUMBERS = st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False)
CELLS = st.none() | TEXT | NUMBERS
NASTY = [
    "|",
    "\\",
    "\\|",
    "a\nb",
    "`x`",
    "*a* _b_",
    "<br>",
    "&amp;",
    "&#32;",
    " a ",
    "a  b",
    "1. x",
    "# x",
    "$x$",
    "~~x~~",
]
NASTY += [
    "[a](b)",
    "![a](b)",
    "<b>x</b>",
    "http://a.b",
    "a@b.c",
    "007",
    "1e5",
    "-",
    "---",
    "\\\\",
    "　x　",
    "\u00a0",
    "王",
    "😀",
    "“",
]
LINES = TEXT | st.sampled_from(NASTY)


def tables(cell):
    return st.integers(1, 4).flatmap(lambda n: st.lists(st.tuples(*[cell] * n), max_size=6).map(lambda r: (n, r)))


@given(NUMBERS)
def test_a_number_reads_back_with_its_type(number):
    found = number_in(number_text(number))
    assert type(found) is type(number) and math.copysign(1, found) == math.copysign(1, number) and found == number


@given(tables(CELLS), st.lists(TEXT, min_size=4, max_size=4))
def test_csv_reads_back_with_types_and_missing_values(table, names):
    width, rows = table
    rows = [row for row in rows if row != (None,)]
    header, found = csv.read(csv.write(names[:width], rows))
    assert header == names[:width] and found == rows
    assert [list(map(type, row)) for row in found] == [list(map(type, row)) for row in rows]


@given(tables(CELLS))
def test_json_reads_back_with_types_and_missing_values(table):
    width, rows = table
    header = [f"column {n}" for n in range(width)]
    assert json.read(json.write(header, rows), header) == (header, rows)


def one_type(rows, width):
    """Keep what Markdown can hold: no control characters, one type a column, not NULL and empty text."""
    shape = shape_of(rows, width)
    return not (shape.has_control or shape.mixed or (shape.has_null and shape.has_empty_text) or width == 1)


@given(tables(st.none() | LINES), st.lists(LINES.filter(lambda t: t and "\n" not in t), min_size=4, max_size=4))
def test_markdown_reads_back_text_and_missing_values(table, names):
    width, rows = table
    if one_type(rows, width) and not shape_of([tuple(names)], 4).has_control:
        assert markdown.read(markdown.write("t", names[:width], rows)) == (names[:width], rows)


@given(st.lists(st.tuples(st.none() | st.integers(-99, 99), st.none() | st.floats(-9, 9)), max_size=5))
def test_markdown_reads_back_numbers(rows):
    assert markdown.read(markdown.write("t", ["a", "b"], rows)) == (["a", "b"], rows)


def as_a_browser_shows(page):
    """Return the cells of the page's table as another program reads them."""
    tokens = MarkdownIt("commonmark").enable("table").parse(page.decode())
    start = next(n for n, t in enumerate(tokens) if t.type == "table_open")
    cells = [t for t in tokens[start:] if t.type == "inline"]
    return ["".join("\n" if c.type == "html_inline" else c.content for c in t.children or []) for t in cells]


@pytest.mark.parametrize("text", [t for t in NASTY if t == t.strip(" ")])
def test_another_reader_of_markdown_sees_the_same_text(text):
    page = markdown.write("t", ["a", "b"], [("x", text)])
    assert as_a_browser_shows(page)[-1] == text


PLANTS = {
    "a swapped row": lambda t: t.replace("Ann", "@").replace("Bob", "Ann").replace("@", "Bob"),
    "a rounded number": lambda t: t.replace("2.25", "2.3"),
    "a lost minus": lambda t: t.replace("-7", "7"),
    "a lost leading zero": lambda t: t.replace("007", "07"),
    "another year": lambda t: t.replace("2020", "2021"),
    "a missing value filled": lambda t: t.replace("null", '""').replace(",,", ',"",').replace("|  |", "| ? |"),
    "a dropped row": lambda t: "\n".join(line for line in t.split("\n") if "Bob" not in line),
    "a number that became text": lambda t: t.replace("-7", '"-7"'),
    "another name of a column": lambda t: t.replace("day", "date"),
}


@pytest.mark.parametrize("plant", PLANTS)
@pytest.mark.parametrize("modality", [Modality.CSV, Modality.JSON, Modality.MARKDOWN])
def test_a_planted_fault_is_caught(tmp_path, modality, plant):
    header = ["name", "day", "code", "x", "n", "y"]
    rows = [("Ann", "2020-01-31", "007", 2.25, None, -7), ("Bob", "2020-02-01", "010", 0.5, 3, 1)]
    write = {Modality.CSV: csv.write, Modality.JSON: json.write}.get(modality)
    page = write(header, rows) if write else markdown.write("t", header, rows)
    path = tmp_path / "table"
    path.write_bytes(page)
    reread(path, modality, "t", header, rows)
    changed = PLANTS[plant](page.decode())
    assert changed != page.decode()
    path.write_text(changed)
    with pytest.raises(CheckError, match="table"):
        reread(path, modality, "t", header, rows)


@pytest.mark.parametrize("data", [b"a,b\n1", b'a\n"x', b'a\n"x"y\n'])
def test_a_csv_that_is_cut_off_does_not_read(data):
    with pytest.raises(ValueError):
        csv.read(data)
