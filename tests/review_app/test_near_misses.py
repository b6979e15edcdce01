"""Rules by example: each change is judged by the evaluator itself."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.compare import compare
from evaluator.infer import infer_from_table
from evaluator.rules import NumberMode, Unit
from evaluator.tables import Table, parse_table
from review_app.near_misses import Change, near_misses

GOLD = parse_table(
    b"name,size,day,seen,ok\nAlpha,1234.56,2024-01-02,2024-01-02T10:00,yes\nBeta,7.25,2024-02-03,2024-02-03T11:30,no\n"
)
RULES = infer_from_table(GOLD, "task_1").rules


def judged(gold, rules):
    return {(miss.change, miss.column): miss.accepted for miss in near_misses(gold, rules)}


def with_size(**fields):
    columns = list(RULES.columns)
    columns[1] = replace(columns[1], **fields)
    return replace(RULES, columns=tuple(columns))


def test_every_kind_of_change_is_shown_for_a_gold_that_has_every_type():
    assert {change for change, _ in judged(GOLD, RULES)} == set(Change)


@pytest.mark.parametrize(
    ("digits", "change", "accepted"),
    [
        (2, Change.ONE_DIGIT_LESS, False),
        (1, Change.LAST_DIGIT, True),
        (2, Change.LAST_DIGIT, False),
        (2, Change.NOISE, True),
        (12, Change.NOISE, False),
        (2, Change.THOUSANDS, True),
    ],
)
def test_digits_decide_what_is_accepted(digits, change, accepted):
    assert judged(GOLD, with_size(digits=digits))[change, 1] is accepted


def test_a_percent_sign_and_its_meaning_decide():
    assert not judged(GOLD, RULES)[Change.PERCENT_SIGN, 1]
    assert judged(GOLD, with_size(allow_percent_sign=True))[Change.PERCENT_SIGN, 1]
    assert not judged(GOLD, with_size(allow_percent_sign=True, unit=Unit.FRACTION))[Change.PERCENT_SIGN, 1]


def test_swapped_rows_are_accepted_unless_order_counts():
    assert judged(GOLD, RULES)[Change.ROWS_SWAPPED, None]
    assert not judged(GOLD, replace(RULES, order_sensitive=True))[Change.ROWS_SWAPPED, None]


def test_of_unfinished_columns_and_then_of_the_table_nothing_is_said():
    found = near_misses(GOLD, RULES, frozenset({2}))
    assert {miss.column for miss in found} == {2}


def test_a_column_that_the_gold_does_not_fit_has_no_examples():
    found = near_misses(GOLD, with_size(mode=NumberMode.INTEGER, digits=None))
    assert 1 not in {miss.column for miss in found}


cells = st.sampled_from(["", "0", "1", "12.50", "-3", "1e5", "007", "NULL", "abc", "2024-01-02", "yes", "名", "9" * 70])


@given(st.lists(st.tuples(cells, cells), max_size=4))
def test_what_is_said_of_a_changed_cell_holds_for_the_whole_gold(rows):
    gold = Table(("a", "b"), tuple(rows))
    rules = infer_from_table(gold, "task_1").rules
    found = near_misses(gold, rules)
    assert found == near_misses(gold, rules)
    for miss in found:
        if miss.column is None:
            continue
        changed = [list(row) for row in gold.rows]
        assert changed[miss.row - 2][miss.column] == miss.before
        changed[miss.row - 2][miss.column] = miss.after
        alone = Table(("a",), tuple((row[miss.column],) for row in gold.rows))
        after = Table(("a",), tuple((row[miss.column],) for row in changed))
        one = replace(rules, order_sensitive=True, columns=(replace(rules.columns[miss.column], gold_index=0),))
        assert compare(alone, after, one).passed is miss.accepted


def test_a_percentage_keeps_its_sign_unless_it_becomes_a_share_of_1():
    gold = parse_table(b"share\n80.2%\n")
    found = {miss.change: miss.after for miss in near_misses(gold, infer_from_table(gold, "task_1").rules)}
    assert (found[Change.ONE_DIGIT_LESS], found[Change.HUNDREDTH]) == ("80%", "0.802")
