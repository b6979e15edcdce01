"""Whatever the evaluator can say of two tables has words of its own on the page, in both languages."""

import pytest
from streamlit.testing.v1 import AppTest

from evaluator.diff_causes import cause_of
from evaluator.diff_model import NOTES, TITLES
from evaluator.diff_words import _SAID
from evaluator.rules import ColumnRule, ColumnType, NumberMode
from review_app.ui import diff_words

CELL_CODES = ("T1", "V")
UNREADABLE = [
    ("12%", ColumnType.NUMBER),
    ("12％", ColumnType.NUMBER),
    ("(12)", ColumnType.NUMBER),
    ("$12", ColumnType.NUMBER),
    ("1 200", ColumnType.NUMBER),
    ("−3", ColumnType.NUMBER),
    ("3 kg", ColumnType.NUMBER),
    ("2.5", ColumnType.NUMBER),
    ("n/a", ColumnType.NUMBER),
    ("2024/1/2", ColumnType.DATE),
    ("13.2.2024", ColumnType.DATE),
    ("2024-01-02T10:00", ColumnType.DATE),
    ("２０２４-01-02", ColumnType.DATE),
    ("T", ColumnType.BOOLEAN),
]


def test_every_entry_of_the_taxonomy_that_is_no_cell_has_a_sentence():
    left = {code for code in TITLES if not code.startswith((*CELL_CODES, "F")) and code not in diff_words.SENTENCES}
    assert left <= NOTES == {"A1", "A3", "A4"}


def test_every_class_of_cells_has_a_sentence():
    assert set(_SAID) - {"T1 other"} - set(diff_words.CELLS) == set()


@pytest.mark.parametrize(("cell", "kind"), UNREADABLE)
def test_every_cause_of_an_unreadable_cell_has_a_sentence(cell, kind):
    mode = NumberMode.INTEGER if kind is ColumnType.NUMBER else None
    cause = cause_of(cell, ColumnRule(0, "x", kind, mode))
    assert cause != "other"
    assert cause in diff_words.CAUSES


def test_what_is_folded_as_formatting_is_known_to_the_evaluator():
    known = {key.partition(" ")[2] for key in _SAID} | set(diff_words.CAUSES)
    assert known >= diff_words.FORMATTING


def drawn():
    from types import SimpleNamespace

    from evaluator.compare import ErrorCode, failed
    from evaluator.diff_model import NO_SCORES, Diff
    from evaluator.infer import infer_from_table
    from evaluator.tables import Table
    from review_app.ui import diff_view
    from review_app.ui.diff_words import Two
    from review_app.ui.page import Page

    table = Table(("a",), (("1",),))
    outcome = failed(table, table, ErrorCode.UNDECIDED, "too much alike")
    diff = Diff(outcome, None, (), (), False, NO_SCORES, (None,))
    two = Two(table, table, infer_from_table(table, "task_1").rules, "the gold", "your answer")
    diff_view.draw(Page(None, None, SimpleNamespace(locale="en"), {}), diff, two, "diff")


def test_of_an_undecided_comparison_neither_equality_nor_a_difference_is_claimed():
    at = AppTest.from_function(drawn).run()
    assert not at.exception
    assert "Undecided" in at.warning[0].value
    assert not [*at.success, *at.error, *at.button]
