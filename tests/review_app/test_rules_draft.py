"""Rules while they are written: what is missing, what counts meanwhile, and where each field came from."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from evaluator.rules import ColumnRule, ColumnType, NumberMode, Rules, Unit, canonical
from review_app import rules_draft
from review_app.domain.content import FieldOrigin, Origin
from review_app.rules_draft import ColumnDraft, Missing, RulesDraft

NUMBER = ColumnDraft(ColumnType.NUMBER, NumberMode.DECIMAL_PLACES, 2, False)
PROPOSED = Rules("task_1", False, (ColumnRule(0, "size", ColumnType.NUMBER, NumberMode.DECIMAL_PLACES, 2),))

columns = st.builds(
    ColumnDraft,
    st.none() | st.sampled_from(ColumnType),
    st.none() | st.sampled_from(NumberMode),
    st.none() | st.integers(0, 30),
    st.none() | st.booleans(),
    st.none() | st.sampled_from(Unit),
    st.none() | st.just({"type": "number", "digits": 2}),
)
drafts = st.builds(
    RulesDraft, st.lists(columns, min_size=1, max_size=4).map(tuple), st.none() | st.booleans(), st.none() | st.just({})
)


def names(draft):
    return tuple(f"c{place}" for place in range(len(draft.columns)))


@given(drafts)
def test_a_stored_draft_reads_back_as_it_was(draft):
    assert rules_draft.from_text(rules_draft.to_text(draft), len(draft.columns)) == draft


@given(drafts)
def test_rules_are_finished_exactly_when_nothing_is_missing(draft):
    rules = rules_draft.finished(draft, "task_1", names(draft))
    assert (rules is None) == bool(rules_draft.missing(draft))
    if rules is not None:
        again = RulesDraft(tuple(rules_draft.of_rule(rule) for rule in rules.columns), rules.order_sensitive)
        assert canonical(rules_draft.finished(again, "task_1", names(draft))) == canonical(rules)


@given(drafts)
def test_every_field_that_is_set_and_matters_has_one_origin(draft):
    proposed = Rules("task_1", True, tuple(ColumnRule(i, "", ColumnType.TEXT) for i in range(len(draft.columns))))
    found = [one.field for one in rules_draft.origins(draft, proposed)]
    set_fields = sum(len(column.values()) for column in draft.columns) + (draft.order_sensitive is not None)
    assert len(found) == len(set(found)) == set_fields


def test_what_is_missing_is_named_field_by_field():
    draft = RulesDraft((ColumnDraft(), replace(NUMBER, digits=None, allow_percent_sign=True)))
    assert rules_draft.missing(draft) == (
        Missing(None, "order_sensitive"),
        Missing(0, "type"),
        Missing(1, "digits"),
        Missing(1, "unit"),
    )


def test_meanwhile_an_unfinished_column_is_text_and_the_order_does_not_count():
    rules = rules_draft.so_far(RulesDraft((ColumnDraft(ColumnType.NUMBER), NUMBER)), "task_1", ("a", "b"))
    assert (rules.order_sensitive, [rule.type for rule in rules.columns]) == (False, ["text", "number"])


def origin(column, field="digits"):
    found = rules_draft.origins(RulesDraft((column,), False), PROPOSED)
    return next(one.origin for one in found if one.field == f"columns.1.{field}")


def test_without_a_look_at_the_proposal_a_field_is_the_experts_own():
    assert origin(NUMBER) is Origin.OWN


def test_what_was_set_before_the_look_and_stands_is_own_too():
    assert origin(replace(NUMBER, shown={"digits": 2})) is Origin.OWN


def test_after_a_look_the_same_value_is_taken_and_another_is_changed():
    seen = replace(NUMBER, shown={"type": "number"})
    assert origin(seen) is Origin.TAKEN
    assert origin(replace(seen, digits=1)) is Origin.CHANGED
    assert origin(replace(seen, digits=1), "type") is Origin.OWN


def test_the_row_order_has_its_own_look():
    draft = RulesDraft((NUMBER,), True, {})
    assert rules_draft.origins(draft, PROPOSED)[0] == FieldOrigin("order_sensitive", Origin.CHANGED)


def test_a_draft_of_another_gold_is_not_taken_over():
    assert rules_draft.from_text(rules_draft.to_text(RulesDraft((NUMBER,), True)), 2) == rules_draft.empty(2)
