import pytest

from evaluator.compare import compare
from evaluator.rules import canonical_json
from evaluator.tables import Table
from pipeline.content import Reason, Rejected
from pipeline.judge import judge
from pipeline.sandbox import Answer
from pipeline.sources import open_source
from pipeline.sql.outputs import outputs
from pipeline.sql.tree import parse
from pipeline.stages.execute import Limits, cell_text, gold_table
from pipeline.stages.infer_rules import check_rules, infer_rules


def rules_for(sql, *rows, question="?", order=None, names=("x",)):
    answer = Answer(names, rows, False, ())
    return infer_rules("task_1", question, answer, names, outputs(parse(sql), len(names)), order)


def meaning(inferred):
    rule = inferred.rules.columns[0]
    return " ".join(str(part) for part in (rule.type, rule.mode, rule.digits) if part is not None)


@pytest.mark.parametrize(
    ("sql", "cells", "expected"),
    [
        ("SELECT COUNT(*) FROM t", [3], "number integer"),
        ("SELECT a FROM t", [3, None, -4], "number integer"),
        ("SELECT ROUND(AVG(a), 3) FROM t", [3.5], "number decimal_places 3"),
        ("SELECT ROUND(a) FROM t", [3.0], "number decimal_places 0"),
        ("SELECT b FROM (SELECT ROUND(a, 1) AS b FROM t)", [3.14159], "number decimal_places 1"),
        ("WITH c AS (SELECT ROUND(a, 4) AS b FROM t) SELECT c.b FROM c", [3.14159], "number decimal_places 4"),
        ("SELECT price FROM t", [1.5, 2.25], "number decimal_places 2"),
        ("SELECT price FROM t", [1.5, 2.125], "number decimal_places 3"),
        ("SELECT SUM(price) FROM t", [0.1 + 0.2], "number decimal_places 2"),
        ("SELECT AVG(a) FROM t", [732.125], "number decimal_places 2"),
        ("SELECT AVG(a) FROM t", [10 / 3, 1e6 / 7], "number decimal_places 2"),
        ("SELECT a * 1.0 / b FROM t", [1 / 30, 1 / 7], "number significant_digits 3"),
        ("SELECT a FROM t", ["2020-01-31", None, "1999-12-01"], "date"),
        ("SELECT a FROM t", ["2020-01-31", "2020-01-31 08:30:00"], "datetime"),
        ("SELECT a FROM t", ["2020-01-31", "31.01.2020"], "text"),
        ("SELECT a FROM t", ["2020-02-30"], "text"),
        ("SELECT a FROM t", ["20200131"], "number integer"),
        ("SELECT a FROM t", ["007", "123"], "text"),
        ("SELECT a FROM t", ["A7", "123"], "text"),
        ("SELECT a FROM t", ["12.50", "3"], "number decimal_places 2"),
        ("SELECT a FROM t", ["12.5%", "3 %"], "number decimal_places 1"),
        ("SELECT a FROM t", ["abc", 3], "text"),
        ("SELECT a FROM t", [None, None], "text"),
        ("SELECT * FROM t", [1.5], "number decimal_places 2"),
        ("SELECT ROUND(a, 1) FROM t UNION SELECT 2", [1.0], "number decimal_places 1"),
    ],
)
def test_a_rule_follows_from_sql_and_values(sql, cells, expected):
    inferred = rules_for(sql, *[(cell,) for cell in cells])
    assert meaning(inferred) == expected
    check_rules(gold_table(Answer(("x",), tuple((c,) for c in cells), False, ())), inferred.rules)


@pytest.mark.parametrize("name", ["zip_code", "id", "phone", "股票代码", "employee_no"])
def test_digits_under_the_name_of_a_code_are_text(name):
    assert meaning(rules_for("SELECT a FROM t", ("600519",), names=(name,))) == "text"


@pytest.mark.parametrize(
    ("sql", "value", "unit"),
    [
        ("SELECT SUM(a) * 100.0 / COUNT(*) FROM t", 12.5, "percentage_points"),
        ("SELECT CAST(SUM(a) AS REAL) / COUNT(*) * 100 FROM t", 12.5, "percentage_points"),
        ("SELECT SUM(a) * 1.0 / COUNT(*) FROM t", 0.125, "fraction"),
    ],
)
def test_a_percentage_may_be_written_with_its_sign(sql, value, unit):
    rule = rules_for(sql, (value,), question="What percentage is closed?").rules.columns[0]
    assert (rule.unit, rule.allow_percent_sign) == (unit, True)
    assert not rules_for(sql, (value,), question="How much?").rules.columns[0].allow_percent_sign


def test_a_share_and_its_percentage_are_one_answer():
    inferred = rules_for("SELECT SUM(a) * 1.0 / COUNT(*) FROM t", (0.125,), question="What percentage is closed?")
    assert compare(Table(("x",), (("0.125",),)), Table(("x",), (("12.5%",),)), inferred.rules).passed


@pytest.mark.parametrize(("order", "sensitive"), [(None, False), (False, False), (True, True)])
def test_the_row_order_counts_if_the_sql_fixes_it(order, sensitive):
    assert rules_for("SELECT a FROM t", (1,), (2,), order=order).rules.order_sensitive is sensitive


def test_every_rule_and_the_order_have_a_reason():
    inferred = rules_for("SELECT a, b FROM t", (1, "x"), names=("a", "b"))
    assert [reason.partition(":")[0] for reason in inferred.reasons] == ["a", "b", "row order"]


def test_a_gold_that_its_rules_cannot_read_is_refused():
    number = rules_for("SELECT a FROM t", (1,)).rules
    with pytest.raises(Rejected) as rejected:
        check_rules(Table(("x",), (("abc",),)), number)
    assert rejected.value.reason is Reason.RULES_DO_NOT_FIT
    assert "abc" in rejected.value.evidence


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (None, ""),
        (7, "7"),
        (7.0, "7.0"),
        (0.1 + 0.2, "0.30000000000000004"),
        (1e-7, "0.0000001"),
        (1e300, "1e+300"),
        ("a", "a"),
    ],
)
def test_a_cell_of_the_gold_is_the_shortest_text_that_reads_back(cell, text):
    assert cell_text(cell) == text
    assert not isinstance(cell, float) or float(text) == cell


def test_names_of_columns_are_made_unique():
    answer = Answer(("name", "NAME", "", "name_2"), ((1, 2, 3, 4),), False, ())
    assert gold_table(answer).header == ("name", "NAME_2", "column_3", "name_2_2")


def test_the_rules_of_an_instance_are_the_official_document(sandbox, shop, corpus):
    corpus.ask("SELECT opened, COUNT(*) AS n FROM shop GROUP BY opened ORDER BY n DESC, opened")
    (instance,) = open_source(corpus.root).entries()
    judged = judge("task_9", instance, shop, lambda _: shop.path, sandbox, Limits())
    assert '"order_sensitive":true' in canonical_json(judged.inferred.rules)
    assert [rule.type for rule in judged.inferred.rules.columns] == ["date", "number"]
    assert judged.gold.rows[0] == ("2020-01-31", "2")
