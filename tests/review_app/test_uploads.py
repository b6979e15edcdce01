"""What an expert uploads, pastes or types becomes a table, cell for cell, or a sentence that says what to do."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.tables import MAX_BYTES, MAX_ROWS, Table
from review_app.workspace.uploads import (
    DELIMITERS,
    Encoding,
    Gap,
    Note,
    UploadError,
    gaps,
    parse_paste,
    parse_upload,
    table_from_cells,
)

FUNDS = "名称,规模\n甲基金,12.5\n乙基金,7\n"
FUND_TABLE = Table(("名称", "规模"), (("甲基金", "12.5"), ("乙基金", "7")))


def refused(data, *arguments):
    with pytest.raises(UploadError) as error:
        (parse_paste if isinstance(data, str) else parse_upload)(data, *arguments)
    return str(error.value)


# --- encodings --------------------------------------------------------------------------------------------------------


def test_the_gaps_of_each_column_are_counted_and_told_apart():
    table = parse_upload(b'a,b\n,null\n"",NULL \nnone,\n').table
    assert gaps(table) == (Gap(2, 1, "none"), Gap(1, 2, "null"))
    assert gaps(Table(("a",), ())) == (Gap(0, 0, ""),)


@pytest.mark.parametrize(
    ("codec", "found"),
    [
        ("utf-8", Encoding.UTF8),
        ("utf-8-sig", Encoding.UTF8),
        ("gbk", Encoding.GB18030),
        ("gb18030", Encoding.GB18030),
        ("utf-16", Encoding.UTF16),
    ],
)
def test_chinese_reads_alike_in_every_encoding_a_spreadsheet_writes(codec, found):
    parsed = parse_upload(FUNDS.encode(codec))
    assert (parsed.table, parsed.encoding) == (FUND_TABLE, found)
    assert (Note.NOT_UTF8 in parsed.notes) is (found is not Encoding.UTF8)


def test_characters_outside_gbk_read_as_gb18030():
    assert parse_upload("code,name\n007,𠮷田\n".encode("gb18030")).table.rows == (("007", "𠮷田"),)


def test_a_byte_order_mark_is_removed_and_said():
    parsed = parse_upload(b"\xef\xbb\xbfname\nAlpha\n")
    assert (parsed.table.header, parsed.notes) == (("name",), (Note.BOM,))


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_either_byte_order_of_utf_16_reads_without_a_mark(codec):
    assert parse_upload("name,size\nAlpha,1\n".encode(codec)).table == Table(("name", "size"), (("Alpha", "1"),))


def test_windows_1252_is_taken_where_nothing_else_reads():
    parsed = parse_upload("name,price\ncafé,5\n".encode("cp1252"))
    assert (parsed.table.rows, parsed.encoding) == ((("café", "5"),), Encoding.CP1252)
    assert Note.NOT_UTF8 in parsed.notes


@pytest.mark.parametrize("encoding", list(Encoding))
def test_the_encoding_that_the_person_chose_is_used(encoding):
    assert parse_upload("name\nZoo\n".encode(encoding.value), encoding).encoding is encoding


def test_bytes_that_do_not_read_as_the_chosen_encoding_are_refused():
    assert "utf-8; choose another encoding" in refused(FUNDS.encode("gbk"), Encoding.UTF8)


# --- shape ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a,b\n1,2\n3\n", "row 3 has 1 cells, the header has 2"),
        (b"a,b\n1,2\n\n3\n", "row 4 has 1 cells"),
        (b"a,b\n1,2,3\n", "row 2 has 3 cells.*hold a comma in double quotes"),
        (b"a;b\n1;2;3\n", "row 2 has 3 cells, the header has 2.*hold a semicolon in double quotes"),
        (b"a\tb\n1\n", "row 2 has 1 cells.*hold a tab"),
    ],
)
def test_a_ragged_table_is_refused_with_its_row_and_the_remedy(data, message):
    with pytest.raises(UploadError, match=message):
        parse_upload(data)


@pytest.mark.parametrize("data", [b"", b" \n\t\n", b"\xef\xbb\xbf \r\n ", "　 \n".encode(), "\n \n".encode("utf-16")])
def test_nothing_but_blanks_is_no_table(data):
    assert "empty" in refused(data) or "only blanks" in refused(data)


def test_pasting_nothing_says_what_to_paste():
    assert "copy the table with its header row" in refused(" \n ")


def test_a_header_alone_is_a_table_without_rows_and_said():
    parsed = parse_upload(b"name,size\n")
    assert (parsed.table.rows, parsed.notes) == ((), (Note.NO_ROWS,))


@pytest.mark.parametrize("end", ["", "\n", "\r\n", "\r", "\n\n\n"])
def test_blank_lines_at_the_end_do_not_count(end):
    parsed = parse_upload(f"name,size\nAlpha,1{end}".encode())
    assert (parsed.table.rows, parsed.notes) == ((("Alpha", "1"),), ())


@pytest.mark.parametrize("data", [b"\na,b\n1,2\n", b"a,b\n\n1,2\n", b"a,b\n\n1,2\n\n"])
def test_blank_lines_above_rows_are_left_out_and_said(data):
    parsed = parse_upload(data)
    assert (parsed.table, parsed.notes) == (Table(("a", "b"), (("1", "2"),)), (Note.BLANK_LINES,))


def test_one_column_keeps_its_empty_cells():
    assert parse_upload(b'code\n""\n007\n""\n').table.rows == (("",), ("007",), ("",))


@pytest.mark.parametrize(("mark", "noted"), [(",", False), (";", True), ("\t", True), ("|", True)])
def test_cells_may_be_separated_by_comma_semicolon_tab_or_bar(mark, noted):
    parsed = parse_upload(f"name{mark}size\nAlpha{mark}1\n".encode())
    assert (parsed.table, parsed.delimiter) == (Table(("name", "size"), (("Alpha", "1"),)), mark)
    assert (Note.DELIMITER in parsed.notes) is noted


def test_decimal_commas_do_not_split_a_table_with_semicolons():
    assert parse_upload(b"name;size\nA;1,5\nB;2,5\n").table.rows == (("A", "1,5"), ("B", "2,5"))


def test_tabs_win_over_commas_inside_pasted_cells():
    pasted = "Last, First, Title\tAge\nDoe, Jane, Dr\t40\nRoe, Max, Mr\t50"
    assert parse_paste(pasted).table.rows == (("Doe, Jane, Dr", "40"), ("Roe, Max, Mr", "50"))


def test_line_breaks_inside_quotes_belong_to_the_cell():
    assert parse_upload(b'name\tnote\nA\t"one\ntwo"\n').table.rows == (("A", "one\ntwo"),)


def test_a_cell_of_many_lines_does_not_hide_the_delimiter():
    note = "\n".join("line" for _ in range(200))
    assert parse_upload(f'name;note\nA;"{note}"\nB;x\n'.encode()).table.rows == (("A", note), ("B", "x"))


def test_an_open_quote_is_refused_with_its_place():
    assert "line 3" in refused(b'a,b\n1,"2\n3,4\n')


# --- cells ------------------------------------------------------------------------------------------------------------


def test_cells_stay_text_as_written():
    cells = ("007", "1.50", "1e5", "2024-01-02", " x ", "TRUE", "NULL", "½")
    header = ",".join("abcdefgh")
    assert parse_upload(f"{header}\n{','.join(cells)}\n".encode()).table.rows == (cells,)


@pytest.mark.parametrize("cell", ["=A1+B1", "@SUM(A1)", "+cmd|x", "-2+3", '=HYPERLINK("http://example.org")'])
def test_formulas_are_kept_as_text_and_said(cell):
    parsed = parse_paste(f'a\tb\n1\t"{cell.replace(chr(34), chr(34) * 2)}"')
    assert parsed.table.rows == (("1", cell),)
    assert Note.FORMULA in parsed.notes


@pytest.mark.parametrize("cell", ["-5", "+5", "-0.5%", "-1,234.50", "-", "+", "1e-5"])
def test_signed_numbers_and_dashes_are_no_formulas(cell):
    assert Note.FORMULA not in parse_paste(f"a\tb\nx\t{cell}").notes


@pytest.mark.parametrize(
    ("cell", "note"), [("1,234", Note.GROUPED), ("-1,234.5", Note.GROUPED), (" x", Note.BLANKS), ("x ", Note.BLANKS)]
)
def test_what_a_person_should_look_at_is_said(cell, note):
    assert parse_paste(f"a\tb\nx\t{cell}").notes == (Note.DELIMITER, note)


@pytest.mark.parametrize("data", [b"a,b\n1,\x002\n", b"a,b\n" + b"1,x\n" * 50 + b"1,\x00\n"])
def test_a_nul_is_refused(data):
    assert "NUL" in refused(data)


def test_half_a_character_from_a_grid_is_refused():
    with pytest.raises(UploadError, match="no valid answer"):
        table_from_cells(["a"], [["\ud800"]])


# --- limits -----------------------------------------------------------------------------------------------------------


def test_the_longest_cell_of_an_answer_can_be_uploaded_whatever_was_read_before():
    before = csv.field_size_limit(131_072)
    try:
        assert parse_upload(b"a,b\n1," + b"x" * 1_000_000).table.rows[0][1] == "x" * 1_000_000
    finally:
        csv.field_size_limit(max(before, csv.field_size_limit()))


class Unread(bytes):
    """Bytes of any size that nobody may look into."""

    def __new__(cls, size):
        made = super().__new__(cls, b"a")
        made.size = size
        return made

    def __len__(self):
        return self.size

    def strip(self, *_):
        raise AssertionError("looked into")

    decode = startswith = strip


@pytest.mark.parametrize("size", [MAX_BYTES + 1, 200 * 1024 * 1024])
def test_a_file_that_is_too_large_is_refused_by_its_length_alone(size):
    assert f"the file has {size:,} bytes; an answer may have 20,971,520" in refused(Unread(size))


def test_a_paste_that_is_too_large_is_sent_to_the_upload():
    assert "upload a table of this size as a file" in refused("a" * (MAX_BYTES + 1))


def test_a_table_that_is_too_large_only_as_utf_8_is_refused():
    rows = "甲\n" * 80_000
    wide = ("名\n" + rows.replace("甲", "甲" * 100)).encode("gbk")
    assert len(wide) < MAX_BYTES < len(wide) * 3 // 2
    assert "bytes; at most 20,971,520 are allowed" in refused(wide)


def test_the_last_allowed_row_and_column_are_taken_and_the_next_refused():
    rows = b"1\n" * MAX_ROWS
    assert len(parse_upload(b"a\n" + rows).table.rows) == MAX_ROWS
    assert "more than 100,000 rows" in refused(b"a\n" + rows + b"1\n")
    for width, fine in ((64, True), (65, False)):
        line = ",".join(str(number) for number in range(width))
        if fine:
            assert len(parse_upload(f"{line}\n{line}\n".encode()).table.header) == width
        else:
            assert "65 columns, an answer may have 64" in refused(f"{line}\n{line}\n".encode())


def test_the_grid_is_kept_to_the_same_limits():
    with pytest.raises(UploadError, match="65 columns"):
        table_from_cells(["a"] * 65, [])
    with pytest.raises(UploadError, match="row 3 has 1 cells"):
        table_from_cells(["a", "b"], [["1", "2"], ["3"]])


def test_rows_of_the_grid_without_text_are_left_out():
    assert table_from_cells(["a", "b"], [["1", ""], ["", ""], ["", "2"]]).rows == (("1", ""), ("", "2"))


# --- what is written comes back ---------------------------------------------------------------------------------------


def cells_without(marks):
    letters = st.characters(codec="utf-8", exclude_characters=f"\0\ufeff{''.join(marks)}")
    return st.text(letters | st.sampled_from('"\n\r 0='), max_size=8)


@st.composite
def written(draw):
    """A table, the mark it is written with, and the bytes. No cell holds another mark: that is the guess's promise.

    A single column is written with a comma, since no guess can tell a mark that is not there.
    """
    width = draw(st.integers(1, 5))
    mark = draw(st.sampled_from(sorted(DELIMITERS))) if width > 1 else ","
    cell = cells_without(set(DELIMITERS) - {mark})
    header = ["h" + draw(cell), *(draw(cell) for _ in range(width - 1))]
    rows = draw(st.lists(st.lists(cell, min_size=width, max_size=width), max_size=5))
    # With bare line feeds the writer leaves a lone CR unquoted, which no reader takes for part of the cell.
    end, quoting = draw(st.sampled_from([("\r\n", csv.QUOTE_MINIMAL), ("\n", csv.QUOTE_ALL)]))
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=mark, lineterminator=end, quoting=quoting).writerows([header, *rows])
    return Table(tuple(header), tuple(map(tuple, rows))), mark, out.getvalue()


@given(written(), st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
def test_a_table_with_any_delimiter_comes_back_cell_for_cell(table, codec):
    expected, mark, text = table
    parsed = parse_upload(text.encode(codec))
    assert (parsed.table, parsed.delimiter) == (expected, mark)
    assert parse_paste(text).table == expected
