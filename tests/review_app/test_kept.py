"""Diffs that were just made are not made again, and never taken for another's."""

from dataclasses import replace

from evaluator.diff import explain
from evaluator.infer import infer_from_table
from evaluator.rules import ColumnType
from evaluator.tables import Table
from review_app import comparing
from review_app.kept import Kept

GOLD = Table(("a", "b"), (("x", "1.25"), ("y", "2.5")))
NEAR = Table(("a", "b"), (("x", "1.26"), ("y", "2.5")))
RULES = infer_from_table(GOLD, "task_1").rules


def counted(kept, made, gold=GOLD, answer=NEAR, rules=RULES, way="gold"):
    def make():
        made.append((gold, answer))
        return explain(gold, answer, rules)

    return kept.get((gold, answer), rules, way, make)


def test_the_same_question_is_answered_once():
    kept, made = Kept(4), []
    assert counted(kept, made) == counted(kept, made) == explain(GOLD, NEAR, RULES)
    assert len(made) == 1


def test_another_table_other_rules_and_another_way_are_other_questions():
    kept, made = Kept(9), []
    loose = replace(RULES, order_sensitive=True)
    for change in ({}, {"answer": GOLD}, {"gold": NEAR}, {"rules": loose}, {"way": "answers"}):
        counted(kept, made, **change)
    assert len(made) == 5


def test_cells_that_only_look_alike_when_joined_are_told_apart():
    kept, made = Kept(9), []
    for row in (("x", "1"), ("x1", "")):
        counted(kept, made, answer=Table(("a", "b"), (row,)))
    assert len(made) == 2


def test_only_the_last_few_stay():
    kept, made = Kept(1), []
    for answer in (NEAR, GOLD, NEAR):
        counted(kept, made, answer=answer)
    assert len(made) == 3


def test_a_gold_that_does_not_read_has_no_diff_the_second_time_either():
    dates = replace(RULES, columns=tuple(replace(rule, type=ColumnType.DATE) for rule in RULES.columns))
    assert [comparing.difference(GOLD, NEAR, dates) for _ in range(2)] == [None, None]
