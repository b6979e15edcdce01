import os
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator import tables
from evaluator.tables import Table, TableError, TableFault, parse_table, read_table, to_csv

CELLS = st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), max_size=6)
CELLS |= st.sampled_from(["", "\r", "\n", '"', ",", "\ufeff", '"A"x', " ", "\x85", "\u2028", "a\r\nb"])


@st.composite
def any_table(draw):
    width = draw(st.integers(1, 4))
    row = st.tuples(*[CELLS] * width)
    return Table(draw(row), tuple(draw(st.lists(row, max_size=5))))


@given(any_table())
def test_a_written_table_reads_back_unchanged(table):
    assert parse_table(to_csv(table)) == table


@given(st.binary(max_size=60) | st.text(',"\r\n\ufeff\0a', max_size=30).map(str.encode))
def test_any_bytes_are_a_table_or_a_named_error(data):
    try:
        table = parse_table(data)
    except TableError as error:
        assert error.kind in TableFault
    else:
        assert all(len(row) == len(table.header) for row in table.rows)


@pytest.mark.parametrize(
    ("data", "kind", "line"),
    [
        (b"", TableFault.EMPTY, None),
        (b"\xef\xbb\xbf", TableFault.EMPTY, None),
        (b"\na\n", TableFault.NO_COLUMNS, 1),
        (b"a\n\n", TableFault.RAGGED, 2),
        (b"a,b\n1,2\n3\n", TableFault.RAGGED, 3),
        (b"a\n\xff\n", TableFault.ENCODING, 2),
        (b"a\n\0\n", TableFault.NUL, 2),
        (b'a\n"b\n', TableFault.QUOTING, 2),
        (b'a\n"b"c\n', TableFault.QUOTING, 2),
        (b",".join([b"a"] * 65), TableFault.TOO_MANY_COLUMNS, 1),
        (b"a\n" * 100_002, TableFault.TOO_MANY_ROWS, 100_002),
        (b"a\n" + b"x" * (2 * 1024 * 1024 + 1), TableFault.CELL_TOO_LONG, 2),
        (b"a" * (20 * 1024 * 1024 + 1), TableFault.TOO_MANY_BYTES, None),
    ],
)
def test_each_breach_of_the_contract_has_its_name_and_place(data, kind, line):
    with pytest.raises(TableError) as caught:
        parse_table(data)
    assert (caught.value.kind, caught.value.line) == (kind, line)


def test_the_largest_cell_and_the_most_rows_are_read():
    cell = "x" * (2 * 1024 * 1024)
    assert parse_table(f"a\n{cell}".encode()).rows == ((cell,),)
    assert len(parse_table(b"a\n" * 100_001).rows) == 100_000


def test_only_the_first_of_two_byte_order_marks_is_dropped():
    assert parse_table("\ufeff\ufeffa\n".encode()).header == ("\ufeffa",)


def test_a_quote_inside_an_unquoted_cell_is_text():
    assert parse_table(b'A"b, "c"\n').header == ('A"b', ' "c"')


def test_a_table_of_unequal_rows_cannot_be_made():
    with pytest.raises(TableError, match="row 3 has 2 cells where the header has 1"):
        Table(("a",), (("1",), ("1", "2")))


def test_a_table_with_a_nul_is_not_written():
    with pytest.raises(TableError, match="NUL"):
        to_csv(Table(("a",), (("\0",),)))


def test_a_table_that_utf_8_cannot_hold_is_not_written():
    with pytest.raises(TableError, match="surrogate"):
        to_csv(Table(("a",), (("\ud800",),)))


def test_a_link_is_refused_unless_the_caller_allows_it(tmp_path):
    (tmp_path / "real.csv").write_bytes(b"a\n1\n")
    link = tmp_path / "link.csv"
    link.symlink_to("real.csv")
    with pytest.raises(TableError, match="symbolic link"):
        read_table(link)
    assert read_table(link, allow_symlink=True).rows == (("1",),)


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda path: None, TableFault.MISSING),
        (lambda path: path.symlink_to("nothing"), TableFault.MISSING),
        (lambda path: path.symlink_to(path.name), TableFault.MISSING),
        (lambda path: path.mkdir(), TableFault.NOT_A_FILE),
        (os.mkfifo, TableFault.NOT_A_FILE),
        (lambda path: path.symlink_to("/dev/zero"), TableFault.NOT_A_FILE),
    ],
)
def test_what_is_no_regular_file_is_refused_without_opening_it(make, kind, tmp_path):
    path = tmp_path / "t.csv"
    make(path)
    with pytest.raises(TableError) as caught:
        read_table(path)
    assert caught.value.kind is kind


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX file times")
def test_a_file_that_grows_while_it_is_read_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "t.csv"
    path.write_bytes(b"a\n1\n")
    bounded = tables._bounded

    def read_then_grow(file, status):
        data = bounded(file, status)
        path.write_bytes(b"a\n1\n2\n")
        return data

    monkeypatch.setattr(tables, "_bounded", read_then_grow)
    with pytest.raises(TableError, match="changed while it was read"):
        read_table(path)
