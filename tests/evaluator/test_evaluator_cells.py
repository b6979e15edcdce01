"""Cells: what is read, what is equal, and that no cell can grow or stall."""

import sys
import unicodedata
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evaluator.cells import CellFault, ColumnReader, read_boolean, reader_for, text_reader
from evaluator.dates import parse_moment, read_date, read_datetime
from evaluator.numbers import CellError
from evaluator.rules import ColumnRule, ColumnType, NumberMode, Unit
from evaluator.texts import nfc, read_text

SHARED = Path(__file__).parents[2].parent / "shared" / "vectors"


def number(cell: str, mode: str = "decimal_places", digits: int | None = 2, **fields) -> str | None:
    return text_reader(ColumnRule(0, "", ColumnType.NUMBER, NumberMode(mode), digits, **fields))(cell)


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("-0.125", "-0.13"),
        ("-0", "0"),
        ("1,234.5", "1234.5"),
        ("0,123", "123"),
        ("１２.5", "12.5"),
        ("1e400000000", "1E+400000000"),
        ("1e-999999999999", "0"),
        (" NaN ", None),
        ("<NA>", None),
    ],
)
def test_numbers_are_read_exactly_and_never_written_out(cell, value):
    assert number(cell) == value


@pytest.mark.parametrize("cell", ["5%", "1_000", "1,23", "1,234.", "∞", "0x1", "−1", "1 000", "+", ".", "5％", "(5)"])
def test_what_is_no_number_is_refused(cell):
    with pytest.raises(CellError):
        number(cell)


@pytest.mark.parametrize(
    ("cell", "digits", "value"),
    [("9.995", 3, "1E+1"), ("4.9", 0, "0"), ("5", 0, "1E+1"), ("0.00012345", 2, "0.00012"), ("1e-1000099", 12, "0")],
)
def test_significant_digits_round_at_the_place_of_this_value(cell, digits, value):
    assert number(cell, "significant_digits", digits) == value


def test_whole_numbers_are_recognised_whatever_their_spelling():
    assert [number(cell, "integer", None) for cell in ("5.0", "50e-1", "1e20")] == ["5", "5", "1E+20"]
    with pytest.raises(CellError, match="whole"):
        number("1.5", "integer", None)


def test_a_percent_sign_divides_only_in_a_fraction_column():
    fraction = {"unit": Unit.FRACTION, "allow_percent_sign": True}
    assert (number("12 %", **fraction), number("0.12", **fraction)) == ("0.12", "0.12")
    assert number("12%", unit=Unit.PERCENTAGE_POINTS, allow_percent_sign=True) == "12"


@given(st.decimals(allow_nan=False, allow_infinity=False, places=2, min_value=-(10**12), max_value=10**12))
def test_reading_a_formatted_number_is_the_identity(value):
    grouped = format(value, ",f")
    assert Decimal(number(grouped)) == Decimal(number(str(value))) == value


@given(st.text("0123456789.,eE+-% ", max_size=12), st.sampled_from(["integer", "decimal_places", "significant_digits"]))
def test_a_canonical_number_reads_as_itself(cell, mode):
    try:
        value = number(cell, mode, None if mode == "integer" else 3)
    except CellError:
        return
    assert value is None or number(value, mode, None if mode == "integer" else 3) == value


@given(st.text(max_size=20))
@example("e\u0301\u0323" * 100)
@example("\uac00\u11a8" * 200)
@example("a" + "\u0301" * 300 + "\u0316" * 300)
def test_long_texts_are_normalised_as_the_library_does(text):
    for long in (text, text * 40):
        assert nfc(long) == unicodedata.normalize("NFC", long)


def test_a_run_of_a_million_combining_marks_is_read():
    cell = "a" + "\u0301" * 500_000 + "\u0316" * 500_000
    assert len(read_text(cell)) == 1_000_000


@pytest.mark.parametrize(
    ("cell", "value"), [(" a\r\nb\rc ", "a\nb\nc"), ("\u3000", None), ("null", "null"), ("\u200b", "\u200b")]
)
def test_text_keeps_all_but_line_ends_and_outer_space(cell, value):
    assert read_text(cell) == value


@pytest.mark.parametrize(("cell", "value"), [("是", "true"), ("yeſ", "true"), (" N ", "false"), ("null", None)])
def test_ten_words_are_truth_values(cell, value):
    assert read_boolean(cell) == value


@pytest.mark.parametrize("cell", ["1.0", "t", "on", "真", "１"])
def test_other_words_are_no_truth_values(cell):
    with pytest.raises(CellError):
        read_boolean(cell)


def read_or_none(read, cell: str) -> str | None:
    try:
        return read(cell)
    except CellError:
        return None


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared folder with the date forms is absent")
def test_every_listed_date_form_is_read_as_listed():
    lines = (SHARED / "date_forms.tsv").read_text("utf-8").splitlines()[1:]
    wrong = []
    for line in lines:
        cell, day, moment, *_ = line.split("\t")
        expected = [None if value == "-" or value.startswith("CRASH") else value for value in (day, moment)]
        if [read_or_none(read_date, cell), read_or_none(read_datetime, cell)] != expected:
            wrong.append(cell)
    assert (wrong, len(lines)) == ([], 93)


DAYS = ["2024-01-01", "20240101", "2024-W01-1", "2024W011", "2024-W01", "2024W01", "0001-01-01", "2023-02-29"]
CLOCKS = ["08", "0830", "08:30", "083015", "08:30:15", "24:00", "23:59:60", "8:30", "08:3015", "08:30:15:12"]
FRACTIONS = ["", ".5", ",5", ".1234567", ".", " ", "x", ".123456 "]
OFFSETS = ["", "Z", "+08", "-0800", "+08:00", "+08:00:30.5", "+24:00", "+08:60", "+8", " Z", "+00:00:00.1"]


def by_the_library(text: str):
    try:
        moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
        if moment.tzinfo is None:
            return moment, False
        return moment.astimezone(UTC).replace(tzinfo=None), True
    except (ValueError, OverflowError):
        return None


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="this interpreter's own parser reads other forms")
@given(
    st.sampled_from(DAYS),
    st.sampled_from(["T", " ", "+", "-", "5", "x", "😀", "", "W"]),
    st.sampled_from(CLOCKS),
    st.sampled_from(FRACTIONS),
    st.sampled_from(OFFSETS),
    st.integers(0, 30),
    st.sampled_from(["", "0", "9", ":", "-", "Z"]),
)
def test_the_grammar_reads_what_the_interpreters_up_to_3_13_read(day, separator, clock, fraction, offset, at, typo):
    text = day + separator + clock + fraction + offset
    for spelling in (text, day, text[:at] + typo + text[at:]):
        assert read_or_none(parse_moment, spelling) == by_the_library(spelling)


def test_moments_outside_the_calendar_are_unreadable_not_fatal():
    for cell in ("0001-01-01T00:00:00+08:00", "9999-12-31T23:59:59-05:00"):
        assert read_or_none(read_datetime, cell) is None


def test_a_column_names_its_first_unreadable_cell():
    reader = ColumnReader(ColumnRule(0, "", ColumnType.BOOLEAN))
    assert reader.read(["yes", "1", "no"]) == ["true", "true", "false"]
    fault = reader.read(["yes", "perhaps", "never"])
    assert isinstance(fault, CellFault)
    assert (fault.row, fault.cell) == (1, "perhaps")


PLAIN = st.sampled_from(["0", "-0", "-0.00", "5", "100", "1.50", "-1.005", "0.125", "123456789012345.12345678", "007"])
ODD = st.sampled_from(["", "null", "1e3", "+1", "1,000", ".5", "x", "1.123456789", "5%", "１", "a\nb", " e\u0301 "])
TIMES = st.sampled_from(
    ["2024-01-01", "2023-02-29", "2024-01-01 08:00:00", "2024-01-01T23:59:59", "2024-01-01T24:00:00"]
)
COLUMN_RULES = [
    *(ColumnRule(0, "", kind) for kind in ColumnType if kind is not ColumnType.NUMBER),
    ColumnRule(0, "", ColumnType.NUMBER, NumberMode.INTEGER),
    *(ColumnRule(0, "", ColumnType.NUMBER, NumberMode.DECIMAL_PLACES, digits) for digits in (0, 2, 8, 12)),
    *(ColumnRule(0, "", ColumnType.NUMBER, NumberMode.SIGNIFICANT_DIGITS, digits) for digits in (0, 3, 12, 30)),
]


@pytest.mark.parametrize("rule", COLUMN_RULES, ids=str)
@given(st.lists(PLAIN, max_size=12), st.lists(PLAIN | ODD | TIMES, max_size=12))
def test_a_column_read_at_once_has_the_keys_of_its_cells(rule, plain, mixed):
    single = reader_for(rule)
    for cells in (plain * 2, mixed * 2, ["2024-01-01"] * 9 + plain[:1]):
        keys = [read_or_none(lambda cell: ("key", single(cell)), cell) for cell in cells]
        expected = None if None in keys else [key for _, key in keys]
        reader = ColumnReader(rule)
        assert reader.fits(cells) is (expected is not None)
        assert reader.keys(cells) == expected


@pytest.mark.parametrize("rule", [rule for rule in COLUMN_RULES if rule.type is ColumnType.NUMBER], ids=str)
@given(PLAIN | ODD, PLAIN | ODD)
def test_two_keys_are_equal_exactly_when_the_canonical_texts_are(rule, one, other):
    texts = [read_or_none(lambda cell: ("text", text_reader(rule)(cell)), cell) for cell in (one, other)]
    keys = [read_or_none(lambda cell: ("key", reader_for(rule)(cell)), cell) for cell in (one, other)]
    assert (texts[0] == texts[1]) is (keys[0] == keys[1])
