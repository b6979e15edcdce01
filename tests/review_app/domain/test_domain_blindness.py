"""Blindness as properties: whatever the other seat did, and whatever gold there is, the view is the same."""

from dataclasses import fields, replace

import pytest
from builders import assigned, at, both_done, digest, finding, imported, reviewed, revision, sealed, task_of
from hypothesis import given
from hypothesis import strategies as st

from review_app.domain.blindness import Step, view_for
from review_app.domain.content import Verdict
from review_app.domain.errors import UnknownTask
from review_app.domain.events import SeatReturned, SeatVacated

letters = st.sampled_from("0123456789abcdef")
verdicts = st.sampled_from(Verdict)


@st.composite
def others(draw, done: bool = True):
    """What bob, or bob and then cho, did in the other seat."""
    moves = [assigned("bob", 2, draw(st.integers(1, 50)))]
    length = draw(st.integers(0, 3 if done else 2))
    if length == 0:
        return []
    if draw(st.booleans()):
        moves += [SeatReturned("bob", at(5), "bob", draw(st.text(min_size=1)))]
        moves += [assigned("cho", 2)]
    who = moves[-1].actor
    if length > 1:
        moves.append(sealed(who, draw(letters), draw(st.integers(1, 99))))
        if draw(st.booleans()) and length == 2:
            moves.append(SeatVacated("lea", at(7), who, "gone"))
    if length > 2:
        verdict = draw(verdicts)
        found = (replace(finding("x"), text=draw(st.text(min_size=1))),)
        moves.append(reviewed(who, verdict, passed=draw(st.booleans()), findings=found))
    return moves


def mine(*moves):
    return [imported(), assigned("ann", 1), *moves]


@given(others(), others())
def test_while_ann_solves_her_view_is_the_same_whatever_happened_in_the_other_seat(one, other):
    views = [view_for(task_of([*mine(), *moves]), "ann") for moves in (one, other)]
    assert views[0] == views[1]
    assert views[0].step is Step.SOLVE


@given(others(), others())
def test_while_ann_verifies_her_view_is_the_same_whatever_happened_in_the_other_seat(one, other):
    views = [view_for(task_of([*mine(sealed("ann")), *moves]), "ann") for moves in (one, other)]
    assert views[0] == views[1]
    assert views[0].step is Step.VERIFY


@given(others(done=False), others(done=False))
def test_while_ann_waits_her_view_is_the_same_whatever_happened_in_the_other_seat(one, other):
    start = mine(sealed("ann"), reviewed("ann"))
    views = [view_for(task_of([*start, *moves]), "ann") for moves in (one, other)]
    assert views[0] == views[1]
    assert views[0].step is Step.WAIT


HIDDEN = {
    "gold": digest("1"),
    "gold_columns": ("other", "names"),
    "gold_rows": 77,
    "gold_sql": digest("2"),
    "sampled_db": digest("3"),
    "provenance": digest("4"),
    "rules": "{}",
}


@given(st.sets(st.sampled_from(sorted(HIDDEN)), min_size=1))
def test_before_the_seal_the_view_does_not_depend_on_gold_sql_rules_or_provenance(names):
    changed = revision(**{name: HIDDEN[name] for name in names})
    views = [
        view_for(task_of([imported(revision=content), assigned("ann", 1)]), "ann") for content in (revision(), changed)
    ]
    assert views[0] == views[1]


def test_every_field_of_a_revision_is_either_shown_from_the_start_or_tested_as_hidden():
    assert {field.name for field in fields(revision())} == {"question", "workspace", *HIDDEN}


def test_source_tables_of_a_file_are_the_builders_knowledge():
    assert "tables" not in {field.name for field in fields(view_for(task_of(mine()), "ann").files[0])}


def test_the_seal_opens_the_gold():
    assert view_for(task_of(mine()), "ann").revealed is None
    revealed = view_for(task_of(mine(sealed("ann"))), "ann").revealed
    assert revealed is not None
    assert revealed.gold == revision().gold


def test_after_both_are_done_the_experts_are_letters_to_each_other():
    task = task_of(both_done(reviewed("ann"), reviewed("bob", Verdict.REVISE)))
    talk = view_for(task, "ann").discussion
    assert talk is not None
    assert [(one.letter, one.mine) for one in talk.reviews] == [("A", True), ("B", False)]


@pytest.mark.parametrize("stranger", ["cho", "lea", ""])
def test_who_holds_no_seat_sees_nothing(stranger):
    with pytest.raises(UnknownTask):
        view_for(task_of(mine(sealed("ann"))), stranger)
