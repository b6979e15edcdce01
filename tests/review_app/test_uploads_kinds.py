"""An answer as a workbook or as JSON: cells as they are stored, and what is odd is said."""

import io
import json
import zipfile

import pytest
from workbooks import error, number, text, truth, workbook

from review_app.workspace.uploads import Encoding, Note, UploadError, parse_upload

HEAD = [text("name"), text("size")]


def test_a_sheet_reads_as_it_is_stored():
    rows = [[text("007"), number("12")], [text("b"), number("1E-7")], [text("c"), truth(True)]]
    parsed = parse_upload(workbook(funds=[HEAD, *rows]))
    assert parsed.table.header == ("name", "size")
    assert parsed.table.rows == (("007", "12"), ("b", "0.0000001"), ("c", "true"))
    assert (parsed.encoding, parsed.sheets) == (None, ("funds",))
    assert Note.SHEET in parsed.notes


def test_another_sheet_can_be_chosen_and_a_wrong_one_is_refused():
    data = workbook(first=[HEAD, [text("a"), number("1")]], second=[HEAD, [text("b"), number("2")]])
    assert parse_upload(data, sheet="second").table.rows == (("b", "2"),)
    with pytest.raises(UploadError):
        parse_upload(data, sheet="third")


def test_an_error_in_a_cell_is_said_since_it_comes_empty():
    parsed = parse_upload(workbook(funds=[HEAD, [text("a"), error()]]))
    assert parsed.table.rows == (("a", ""),)
    assert Note.SHEET_ERRORS in parsed.notes
    assert Note.SHEET_ERRORS not in parse_upload(workbook(funds=[HEAD, [text('t="e"'), number("1")]])).notes


@pytest.mark.parametrize("data", [b"PK\x03\x04 broken", workbook(funds=[])])
def test_a_broken_or_empty_workbook_is_refused(data):
    with pytest.raises(UploadError, match=r"save|choose"):
        parse_upload(data)


FUNDS = [{"name": "甲", "size": 12.50}, {"name": "乙", "size": None}]
ROWS = [["甲", 12.5], ["乙", None]]


@pytest.mark.parametrize(
    "document",
    [
        FUNDS,
        [["name", "size"], ["甲", 12.5], ["乙", None]],
        {"columns": ["name", "size"], "rows": [["甲", 12.5], ["乙", None]]},
    ],
    ids=["objects", "lists", "columns and rows"],
)
def test_each_form_of_json_gives_the_table(document):
    parsed = parse_upload(json.dumps(document, ensure_ascii=False).encode())
    assert (parsed.table.header, parsed.table.rows) == (("name", "size"), (("甲", "12.5"), ("乙", "")))
    assert Note.JSON_NULL in parsed.notes


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-16-le", "gb18030"])
def test_json_reads_in_every_encoding(codec):
    parsed = parse_upload(json.dumps(FUNDS, ensure_ascii=False).encode(codec))
    assert parsed.table.rows == (("甲", "12.5"), ("乙", ""))


def test_json_in_an_encoding_that_the_person_chose():
    data = json.dumps(FUNDS, ensure_ascii=False).encode("big5")
    assert parse_upload(data, Encoding.BIG5).table.rows[0] == ("甲", "12.5")


def test_numbers_of_json_keep_the_digits_that_are_written():
    assert parse_upload(b'[{"a": 1.50, "b": 12345678901234567890}]').table.rows == (("1.50", "12345678901234567890"),)


@pytest.mark.parametrize("head", ["[a]", "{a}"])
def test_a_csv_whose_header_begins_with_a_bracket_is_a_csv(head):
    parsed = parse_upload(f"{head},b\n1,2\n".encode())
    assert (parsed.table.header, parsed.table.rows) == ((head, "b"), (("1", "2"),))


@pytest.mark.parametrize("data", [b'[{"a": 1}, {"a": 2', b'{"name": "Alpha"}', b'[{"a": [1]}]', b"[1, 2]"])
def test_json_without_a_table_is_refused_and_taken_for_nothing_else(data):
    with pytest.raises(UploadError, match=r"JSON|table"):
        parse_upload(data)


@pytest.mark.parametrize("data", [b'[{"a": 1, "b": 2}, {"a": 3, "b": [4]}]', b'[["a", "b"], [1, 2], [3, {"c": 4}]]'])
def test_a_cell_that_is_a_list_or_an_object_is_named(data):
    with pytest.raises(UploadError, match=r"^row 2, column 'b' holds a list or an object"):
        parse_upload(data)


def test_json_that_is_nested_too_deep_is_refused_in_words():
    with pytest.raises(UploadError, match=r"^the file is nested too deep for a table; write a list of objects"):
        parse_upload(b"[" * 100_000 + b"]" * 100_000)


def test_json_whose_rows_each_have_other_names_is_refused_before_cells_are_made():
    data = json.dumps([{f"n{number}": 1} for number in range(50_000)]).encode()
    with pytest.raises(UploadError, match="50000 columns"):
        parse_upload(data)


def hidden_from_a_search(data):
    """The same workbook with its sheet under another name and a blank before the cell's place."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            content = old.read(name).replace(b"worksheets/sheet1.xml", b"other/one.xml")
            content = content.replace(b'r="XFD1048576"', b"r = 'XFD1048576'")
            new.writestr(name.replace("worksheets/sheet1.xml", "other/one.xml"), content)
    return out.getvalue()


@pytest.mark.parametrize("change", [bytes, hidden_from_a_search])
def test_a_small_workbook_that_spans_a_whole_sheet_is_refused(change):
    far = '<c r="XFD1048576"><v>1</v></c>'
    with pytest.raises(UploadError, match="save the cells of the table as CSV"):
        parse_upload(change(workbook(funds=[['<c r="A1"><v>1</v></c>'], [far]])))


def test_a_workbook_that_unpacks_to_a_disk_full_is_refused():
    out = io.BytesIO(workbook(funds=[HEAD]))
    with zipfile.ZipFile(out, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/media/blank", bytes(201 << 20))
    with pytest.raises(UploadError, match="too large; save the one sheet as CSV"):
        parse_upload(out.getvalue())
