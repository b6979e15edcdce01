"""How far apart two numbers are, and how coarse a rule would have to be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.cells import reader_for
from evaluator.rules import ColumnRule, ColumnType, NumberMode
from review_app.precision import delta, equal_at, factor

PLACES = ColumnRule(0, "x", ColumnType.NUMBER, NumberMode.DECIMAL_PLACES, 4)
DIGITS = ColumnRule(0, "x", ColumnType.NUMBER, NumberMode.SIGNIFICANT_DIGITS, 6)
TEXT = ColumnRule(0, "x", ColumnType.TEXT)


@pytest.mark.parametrize(
    ("gold", "answer", "said"),
    [("1.5", "1.52", "+0.02"), ("1,000", "999", "-1"), ("", "1", None), ("x", "1", None), ("1e9999", "1", None)],
)
def test_a_delta_is_the_answer_less_the_gold(gold, answer, said):
    assert delta(gold, answer, PLACES) == said


def test_text_has_no_delta_and_no_precision():
    assert delta("1", "2", TEXT) is None
    assert equal_at((("1", "2"),), TEXT) is None


def test_a_factor_is_the_answer_over_the_gold():
    assert factor("4", "1", PLACES) == "0.25"
    assert factor("0", "1", PLACES) is None


def test_the_precision_named_is_the_finest_at_which_all_pairs_are_equal():
    assert equal_at((("1.2341", "1.2339"),), PLACES) == 3
    assert equal_at((("1.2341", "1.2339"), ("7.10", "7.14")), PLACES) == 1
    assert equal_at((("1", "2"),), PLACES) is None
    assert equal_at((("123456", "123470"),), DIGITS) == 4


@given(st.decimals(-1000, 1000, places=5), st.decimals(-1, 1, places=5), st.sampled_from([PLACES, DIGITS]))
def test_at_the_precision_named_the_cells_agree_and_one_digit_finer_they_do_not(gold, gap, rule):
    pair = (str(gold), str(gold + gap))
    found = equal_at((pair,), rule)
    if found is None:
        return

    def agree(digits):
        read = reader_for(ColumnRule(0, "x", rule.type, rule.mode, digits))
        return read(pair[0]) == read(pair[1])

    assert agree(found)
    assert found == rule.digits - 1 or not agree(found + 1)
