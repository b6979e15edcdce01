"""Diffs: one golden text a taxonomy entry, and what holds for every pair of tables.

After an intended change run with WRITE_DIFFS=1 and read what git shows.
"""

import json
import os
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evaluator import align
from evaluator.compare import compare, compare_answers
from evaluator.diff import explain, explain_answers, explain_bytes, explain_file, explain_html, explain_text
from evaluator.diff_model import TITLES
from evaluator.errors import GoldError
from evaluator.rules import ColumnRule, ColumnType, NumberMode, Rules
from evaluator.tables import Table, parse_table

DIFFS = Path(__file__).parent / "diffs"
KINDS = {"t": ColumnType.TEXT, "d": ColumnType.DATE, "m": ColumnType.DATETIME, "b": ColumnType.BOOLEAN}


def rules(letters: str, *, ordered: bool = False) -> Rules:
    """t text, d date, m datetime, b boolean, n number with two places, i integer, s six significant digits."""
    numbers = {
        "n": (NumberMode.DECIMAL_PLACES, 2),
        "i": (NumberMode.INTEGER, None),
        "s": (NumberMode.SIGNIFICANT_DIGITS, 6),
    }
    columns = [
        ColumnRule(i, "", ColumnType.NUMBER, *numbers[kind]) if kind in numbers else ColumnRule(i, "", KINDS[kind])
        for i, kind in enumerate(letters)
    ]
    return Rules("task_1", ordered, tuple(columns))


TN = rules("tn")
AB = "k,v\na,1\nb,2\n"
CASES = {
    "F3_gbk": (TN, AB, "k,v\n中文,1\nb,2\n".encode("gbk")),
    "F3_utf16": (TN, AB, AB.encode("utf-16")),
    "F4_nul": (TN, AB, "k,v\na\0,1\n"),
    "F5_open_quote": (TN, AB, 'k,v\n"a,1\nb,2\n'),
    "F6_trailing_blank_line": (TN, AB, AB + "\n"),
    "F6_blank_line_inside": (TN, AB, "k,v\na,1\n\nb,2\n"),
    "F6_cr_cr_lf": (TN, AB, "k,v\r\r\na,1\r\r\nb,2\r\r\n"),
    "F6_lone_cr": (TN, AB, "k,v\na\rx,1\nb,2\n"),
    "F6_too_many_cells": (TN, AB, "k,v\na,1,000\nb,2\n"),
    "F7_columns": (TN, AB, ",".join(["c"] * 65)),
    "F8_semicolons": (TN, AB, "k;v\na;1\nb;2\n"),
    "F8_fence": (TN, AB, f"```csv\n{AB}```\n"),
    "F8_markdown": (TN, AB, "| k | v |\n|---|---|\n| a | 1 |\n| b | 2 |\n"),
    "F8_json": (TN, AB, '[{"k": "a", "v": 1}]'),
    "S1_row_numbers": (TN, AB, "x,k,v\n0,a,1\n1,b,2\n"),
    "S1_duplicate": (TN, AB, "k,v,w\na,1,1\nb,2,2\n"),
    "S2_missing_column": (TN, AB, "k\na\nb\n"),
    "S3_duplicates_removed": (TN, "k,v\na,1\nb,2\nb,2\n", AB),
    "S3_first_row_taken_as_header": (TN, AB, "a,1\nb,2\n"),
    "S3_cut_off": (TN, "k,v\na,1\nb,2\nc,3\n", AB),
    "S4_total_row": (TN, AB, AB + "Total,3\n"),
    "S4_header_repeated": (rules("tt"), AB, "k,v\na,1\nk,v\nb,2\n"),
    "S4_join_fan_out": (TN, AB, AB + "b,2\n"),
    "S3_S4_other_rows": (TN, AB, "k,v\na,1\nq,77\n"),
    "T1_slash_dates": (rules("td"), "k,d\na,2024-01-02\nb,2024-02-03\n", "k,d\na,2024/1/2\nb,2024/2/3\n"),
    "T1_chinese_dates": (rules("d"), "d\n2024-01-02\n", "d\n2024年1月2日\n"),
    "T1_percent": (TN, AB, "k,v\na,1%\nb,2%\n"),
    "T1_full_width_percent": (TN, AB, "k,v\na,1％\nb,2％\n"),
    "T1_currency": (TN, AB, "k,v\na,$1\nb,$2\n"),
    "T1_parentheses": (TN, "k,v\na,-1\nb,2\n", "k,v\na,(1)\nb,2\n"),
    "T1_unit_text": (TN, AB, "k,v\na,1 kg\nb,2 kg\n"),
    "T1_truth_words": (rules("tb"), "k,v\na,true\nb,false\n", "k,v\na,1.0\nb,0.0\n"),
    "T1_null_word": (TN, "k,v\na,\nb,2\n", "k,v\na,N/A\nb,2\n"),
    "T2_hall": (rules("tdd"), "k,a,b\nx,2024-01-01,2024-01-02\n", "k,a,b\nx,2024-01-01,soon\n"),
    "O1_reversed": (rules("tn", ordered=True), "k,v\na,1\nb,2\nc,3\n", "k,v\nc,3\nb,2\na,1\n"),
    "O1_ties_only": (rules("tn", ordered=True), "k,v\na,1\nb,1\nc,2\n", "k,v\nb,1\na,1\nc,2\n"),
    "O1_sorted_as_text": (rules("n", ordered=True), "v\n2\n9\n10\n", "v\n10\n2\n9\n"),
    "A1_other_column_order": (TN, AB, "v,k\n1,a\n3,b\n"),
    "A2_joined_wrongly": (TN, "k,v\na,1\nb,2\nc,3\n", "k,v\na,2\nb,3\nc,1\n"),
    "A3_several_mappings": (rules("nn"), "a,b\n1,1\n", "x,y\n1,1\n"),
    "A4_headers_crossed": (rules("nn"), "male,female\n5,7\n", "male,female\n7,5\n"),
    "V1_null": (TN, AB, "k,v\na,1\nb,\n"),
    "V2_null_and_zero": (TN, "k,v\na,1\nb,\n", "k,v\na,1\nb,0\n"),
    "V3_null_word": (rules("tt"), "k,v\na,\nb,2\n", "k,v\na,None\nb,2\n"),
    "V4_case": (TN, "k,v\nAnn,1\nBob,2\n", "k,v\nann,1\nBOB,2\n"),
    "V4_width": (TN, "k,v\n１２,1\nb,2\n", "k,v\n12,1\nb,2\n"),
    "V4_invisible": (TN, AB, "k,v\n\u200ba,1\nb,2\n"),
    "V4_white_space": (TN, "k,v\na b,1\nc,2\n", "k,v\na  b,1\nc,2\n"),
    "V4_punctuation": (TN, "k,v\na-b,1\nc,2\n", "k,v\na_b,1\nc,2\n"),
    "V4_number_formatting": (rules("tt"), "k,v\na,1000\n", "k,v\na,1000.0\n"),
    "V4_date_formatting": (rules("tt"), "k,v\na,2024-01-02\n", "k,v\na,2024/1/2\n"),
    "V4_prefix": (TN, "k,v\nBeijing,1\nc,2\n", "k,v\nBeijing City,1\nc,2\n"),
    "V5_rounding_boundary": (TN, "k,v\na,0.125\n", "k,v\na,0.12499999999999999\n"),
    "V5_fewer_digits": (TN, "k,v\na,1.26\nb,2.34\n", "k,v\na,1.3\nb,2.3\n"),
    "V5_truncated": (TN, "k,v\na,1.26\nb,2.39\n", "k,v\na,1.2\nb,2.3\n"),
    "V5_half_even": (TN, "k,v\na,0.125\nb,0.5\n", "k,v\na,0.12\nb,0.5\n"),
    "V5_one_step": (TN, "k,v\na,0.13\nb,0.5\n", "k,v\na,0.12\nb,0.5\n"),
    "V5_float_noise": (TN, "k,v\na,1234567.89\n", "k,v\na,1234567.91\n"),
    "V5_sign": (TN, "k,v\na,1.5\nb,2\n", "k,v\na,-1.5\nb,-2\n"),
    "V5_times_100": (TN, "k,v\na,0.12\nb,0.5\n", "k,v\na,12\nb,50\n"),
    "V5_wan": (TN, "k,v\na,12000\nb,50000\n", "k,v\na,1.2\nb,5\n"),
    "V5_factor": (TN, "k,v\na,10\nb,20\n", "k,v\na,11\nb,22\n"),
    "V5_offset": (TN, "k,v\na,10\nb,20\n", "k,v\na,17\nb,27\n"),
    "V5_other": (TN, AB, "k,v\na,1\nb,7\n"),
    "V6_hours": (rules("m"), "v\n2024-01-02T08:00:00\n2024-01-03T09:00:00\n", "v\n2024-01-02\n2024-01-03 01:00\n"),
    "V6_zone_missing": (rules("tm"), "k,v\na,2024-01-02T08:00:00Z\n", "k,v\na,2024-01-02T08:00:00\n"),
    "V6_one_day": (rules("td"), "k,v\na,2024-01-02\nb,2024-01-05\n", "k,v\na,2024-01-03\nb,2024-01-06\n"),
    "V6_swapped": (rules("td"), "k,v\na,2024-01-02\nb,2024-03-05\n", "k,v\na,2024-02-01\nb,2024-05-03\n"),
    "V6_time_lost": (rules("tm"), "k,v\na,2024-01-02T08:30:10\n", "k,v\na,2024-01-02\n"),
    "V6_month_edges": (rules("td"), "k,v\na,2024-02-01\nb,2024-03-01\n", "k,v\na,2024-02-29\nb,2024-03-31\n"),
    "V7_flipped": (rules("tb"), "k,v\na,true\nb,no\n", "k,v\na,false\nb,yes\n"),
}  # fmt: skip


# What lies where a prediction should lie.
FILES = {
    "F1_missing": lambda path: None,
    "F2_folder": lambda path: path.mkdir(),
    "F2_link": lambda path: path.symlink_to("gold.csv"),
    "F2_pipe": os.mkfifo,
}


def diff_of(name: str):
    found, gold, prediction = CASES[name]
    data = prediction if isinstance(prediction, bytes) else prediction.encode()
    return explain_bytes(parse_table(gold.encode()), data, found)


@pytest.mark.parametrize("name", sorted(CASES))
def test_each_kind_of_difference_is_explained_as_agreed(name):
    agreed(name, explain_text(diff_of(name)))


def agreed(name: str, said: str) -> None:
    text = said + "\n"
    path = DIFFS / f"{name}.txt"
    if os.environ.get("WRITE_DIFFS"):
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


@pytest.mark.parametrize("name", sorted(name for name in CASES if not name.startswith("A")))
def test_the_primary_difference_is_the_one_that_was_made(name):
    assert diff_of(name).primary.code == name[:2]


@pytest.mark.parametrize("name", sorted(FILES))
def test_what_is_no_file_is_explained_as_agreed(name, tmp_path):
    path = tmp_path / "prediction.csv"
    (tmp_path / "gold.csv").write_text(AB)
    FILES[name](path)
    diff = explain_file(parse_table(AB.encode()), path, TN)
    assert diff.primary.code == name[:2]
    agreed(name, explain_text(diff))


def test_each_entry_of_the_taxonomy_has_a_golden_text():
    assert TITLES.keys() - {name[:2] for name in (*CASES, *FILES)} == set()
    assert {path.stem for path in DIFFS.iterdir()} == {*CASES, *FILES}


def test_a_broken_gold_is_an_error_and_no_difference():
    with pytest.raises(GoldError):
        explain_bytes(parse_table(b"k,v\na,x\n"), b"", TN)


def test_a_broken_gold_is_named_with_its_cell_as_people_read_it():
    with pytest.raises(GoldError, match=r"row 2: '约十万\\u200b' cannot be read as number"):
        explain_bytes(parse_table("k,v\na,约十万\u200b\n".encode()), b"", TN)


def test_json_of_a_diff_is_plain_and_the_same_every_time():
    once, again = (json.dumps(diff_of("V5_times_100").to_json()) for _ in range(2))
    assert once == again
    assert json.loads(once)["cells"][0]["kind"] == "V5 scale x100"


def test_two_answers_with_unreadable_cells_differ_and_do_not_crash():
    answer = parse_table(b"k,v\na,about 3\n")
    diff = explain_answers(answer, answer, TN)
    assert (diff.outcome.passed, diff.primary.code) == (False, "T1")


def test_two_answers_agree_whatever_their_columns_order():
    first, second = parse_table(b"v,k\n1,a\n2,b\n"), parse_table(b"k,v\nb,2.00\na,1\n")
    assert explain_answers(first, second, TN).outcome.passed
    assert compare_answers(first, second, TN).column_mapping == (1, 0)


def test_rows_that_share_nothing_are_missing_and_extra_not_changed():
    codes = [found.code for found in diff_of("S3_S4_other_rows").differences]
    assert codes == ["S3", "S4"]


def test_columns_that_hold_the_same_values_are_told_apart_by_the_rows():
    rows = [(f"k{n}", str(n % 7), str((3 * n) % 7)) for n in range(14)]
    gold = Table(("k", "a", "b"), tuple(rows))
    prediction = Table(("x", "y", "z"), (*((b, a, k) for k, a, b in rows[:-1]), ("99", rows[-1][1], rows[-1][0])))
    diff = explain(gold, prediction, rules("tnn"))
    assert diff.mapping == (2, 1, 0)
    assert [cell.kind[:2] for cell in diff.cells] == ["V5"]


POOL = st.sampled_from(
    [
        "",
        "0",
        "1",
        "2",
        "100",
        "1.005",
        "1e98",
        "1e400",
        "5%",
        "$5",
        "null",
        "N/A",
        "a",
        "A",
        "ａ",
        "\u200ba",
        "true",
        "no",
        "2024-01-01",
        "2024/1/2",
        "2024-01-01T08:00:00Z",
        "0001-01-01",
        "9999-12-31",
        "inf",
        "1e999999999999",
    ]
)


@st.composite
def any_case(draw):
    letters = draw(st.text("tdmbnis", min_size=1, max_size=3))
    row = st.tuples(*[POOL] * len(letters))
    width = draw(st.integers(1, 3))
    gold = Table(tuple(letters), tuple(draw(st.lists(row, max_size=4))))
    prediction = Table(("x",) * width, tuple(draw(st.lists(st.tuples(*[POOL] * width), max_size=4))))
    same = draw(st.booleans())
    return gold, gold if same else prediction, rules(letters, ordered=draw(st.booleans()))


@given(any_case())
def test_answers_are_always_explained_and_never_crash(case):
    first, second, found = case
    diff = explain_answers(first, second, found)
    assert (diff.primary is None) is diff.outcome.passed
    assert explain_answers(second, first, found).outcome.passed is diff.outcome.passed
    assert json.dumps(diff.to_json()) and explain_text(diff)


@given(any_case())
def test_an_explanation_never_changes_the_verdict(case):
    gold, prediction, found = case
    try:
        outcome = compare(gold, prediction, found)
    except GoldError:
        return
    assert explain(gold, prediction, found).outcome == outcome


def test_a_page_escapes_what_the_tables_hold_and_refers_to_nothing_outside():
    prediction = Table(("<b>", "v"), (("<script>alert(1)</script>", "1"), ("b", "2")))
    page = explain_html(explain(parse_table(AB.encode()), prediction, TN))
    assert "&lt;script&gt;" in page
    assert not any(part in page for part in ("<script", "<b>", "src=", "href="))
    assert page.count("<tr>") == 2


def test_of_an_undecided_outcome_nothing_is_claimed(monkeypatch):
    monkeypatch.setattr(align, "STEPS", 0)
    monkeypatch.setattr(align, "STEPS_PER_CELL", 0)
    edges = (((0, 1), (1, 2), (2, 3), (3, 0)), ((0, 1), (0, 1), (2, 3), (2, 3)))
    ring, pairs = ([tuple(str(int(k in edge)) for k in range(4)) for edge in graph] for graph in edges)
    diff = explain(Table(("g",) * 4, tuple(ring)), Table(("p",) * 4, tuple(pairs)), rules("tttt"))
    assert (diff.outcome.error_code, diff.primary, diff.cells) == ("undecided", None, ())
    assert explain_text(diff).startswith("undecided: ")


@example(b'\r";')
@given(st.binary(max_size=40) | st.text('kv,"\r\n;|0123456789ab\0\ufeff', max_size=30).map(str.encode))
def test_any_bytes_as_prediction_are_explained(data):
    diff = explain_bytes(parse_table(AB.encode()), data, TN)
    assert (diff.primary is None) is diff.outcome.passed


def test_nearly_all_rows_are_not_said_to_be_all_and_hardly_any_not_to_be_none():
    gold = Table(("a", "b"), tuple((str(n), str(n)) for n in range(1_000)))
    answer = Table(("a", "b"), (*gold.rows[:-1], ("999", "0")))
    assert "rows: precision 0.99, recall 0.99, F1 0.99; cells: 0.99" in explain_text(explain(gold, answer, rules("ii")))
    other = Table(("a", "b"), (*((f"-{n}", "-1") for n in range(1, 1_000)), gold.rows[0]))
    assert "rows: precision 0.01, recall 0.01" in explain_text(explain(gold, other, rules("ii")))
