import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.errors import RulesError
from evaluator.rules import (
    ColumnRule,
    ColumnType,
    NumberMode,
    Rules,
    Unit,
    canonical,
    canonical_json,
    load_rules,
    parse_rules,
    to_document,
)


@st.composite
def any_column(draw, index):
    kind = draw(st.sampled_from(ColumnType))
    if kind is not ColumnType.NUMBER:
        return ColumnRule(index, draw(st.text(max_size=3)), kind)
    mode = draw(st.sampled_from(NumberMode))
    digits = None if mode is NumberMode.INTEGER else draw(st.integers(0, 30))
    return ColumnRule(index, "n", kind, mode, digits, draw(st.sampled_from(Unit)), draw(st.booleans()))


@st.composite
def any_rules(draw):
    width = draw(st.integers(1, 4))
    return Rules("task_7", draw(st.booleans()), tuple(draw(any_column(index)) for index in range(width)))


def number(**changes):
    values = {"mode": NumberMode.DECIMAL_PLACES, "digits": 2, **changes}
    return Rules("task_1", False, (ColumnRule(0, "n", ColumnType.NUMBER, **values),))


@given(any_rules())
def test_a_written_config_reads_back_as_the_same_rules(rules):
    assert parse_rules(json.loads(json.dumps(to_document(rules))), task_id="task_7") == rules


@given(any_rules())
def test_names_and_ids_do_not_change_what_rules_mean(rules):
    columns = tuple(
        ColumnRule(c.gold_index, "other", c.type, c.mode, c.digits, c.unit, c.allow_percent_sign) for c in rules.columns
    )
    assert canonical(Rules("task_8", rules.order_sensitive, columns)) == canonical(rules)


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (number(unit=Unit.FRACTION), number(unit=Unit.PLAIN), True),
        (number(unit=Unit.PERCENTAGE_POINTS, allow_percent_sign=True), number(allow_percent_sign=True), True),
        (number(unit=Unit.FRACTION, allow_percent_sign=True), number(allow_percent_sign=True), False),
        (number(allow_percent_sign=True), number(), False),
        (number(digits=3), number(), False),
        (number(mode=NumberMode.INTEGER, digits=3), number(mode=NumberMode.INTEGER, digits=None), True),
        (number(mode=NumberMode.INTEGER), number(digits=0), False),
    ],
)
def test_only_fields_with_an_effect_make_rules_different(one, other, equal):
    assert (canonical_json(one) == canonical_json(other)) is equal


def test_canonical_json_is_compact_and_sorted():
    assert canonical_json(Rules("task_1", True, (ColumnRule(0, "a", ColumnType.TEXT),))) == (
        '{"columns":[{"type":"text"}],"order_sensitive":true}'
    )


@pytest.mark.parametrize("values", [{}, {"mode": NumberMode.DECIMAL_PLACES}, {"mode": "x", "digits": 31}])
def test_a_number_rule_without_mode_or_digits_cannot_be_made(values):
    with pytest.raises(RulesError, match="needs"):
        ColumnRule(0, "n", ColumnType.NUMBER, **values)


def test_a_refused_config_names_file_field_and_remedy(tmp_path):
    document = to_document(number())
    document["columns"][0]["comparison"]["digits"] = 31
    path = tmp_path / "task_1.json"
    path.write_text(json.dumps(document))
    with pytest.raises(
        RulesError, match=r"task_1\.json: columns\[0\]\.comparison\.digits must be an integer from 0 to 30"
    ):
        load_rules(path)


def test_a_config_under_another_name_is_refused(tmp_path):
    path = tmp_path / "task_2.json"
    path.write_text(json.dumps(to_document(number())))
    with pytest.raises(RulesError, match="rename the file or the id"):
        load_rules(path)


def test_a_config_may_have_a_name_that_names_no_task(tmp_path):
    path = tmp_path / "rules.json"
    path.write_text(json.dumps(to_document(number())))
    assert load_rules(path) == number()


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda x: (
            st.lists(x)
            | st.dictionaries(st.sampled_from(["schema_version", "task_id", "columns", "type", "order_sensitive"]), x)
        ),
    )
)
def test_any_document_is_rules_or_a_named_error(document):
    with pytest.raises(RulesError):
        parse_rules(document)
