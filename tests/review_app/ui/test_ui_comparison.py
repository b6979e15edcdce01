"""Two reviews against each other: rules field by field, both answers with the gold."""

from dataclasses import replace

from screens import FINDING, RIGHT, RULES, Table, problems

from evaluator.rules import ColumnRule, ColumnType, Rules
from review_app.desk import verifying
from review_app.domain.content import Verdict

TASK = "task_1"
OTHER_RULES = Rules(TASK, False, (RULES.columns[0], ColumnRule(1, "size", ColumnType.TEXT)))


def disputed(house, first=RIGHT, second=RIGHT, rules=RULES):
    house.seat("ann", "bob")
    for login, answer, wrote in (("ann", first, RULES), ("bob", second, rules)):
        house.expert(login).seal(TASK, answer)
        house.expert(login).submit_review(TASK, Verdict.REVISE, (FINDING,), wrote)


def frames(at):
    return [frame.value for frame in at.dataframe]


def test_rules_are_compared_field_by_field_in_words(house):
    disputed(house, rules=OTHER_RULES)
    at = house.screen("ann", "task", TASK)
    assert problems(at) == []
    shown = next(frame for frame in frames(at) if "Field" in frame.columns)
    rows = dict(zip(shown["Field"], zip(shown.iloc[:, 1], shown.iloc[:, 2], strict=True), strict=True))
    assert set(rows["2. size · Type"]) == {"number", "text"}
    assert set(rows["The order of the rows counts"]) == {"yes", "no"}
    assert "—" in rows["2. size · Digits"]


def test_rules_that_one_left_out_are_said_to_be_so_and_equal_ones_too(house):
    disputed(house, rules=None)
    assert any("wrote no rules" in box.value for box in house.screen("ann", "task", TASK).caption)


def test_equal_rules_are_said_to_be_equal(house):
    disputed(house)
    assert "Both wrote the same rules." in [box.value for box in house.screen("lea", "review", TASK).success]


def test_cells_in_which_an_answer_parts_from_the_gold_stand_beside_each_other(house):
    near, far = (Table(("name", "size"), (("Alpha", size), ("Beta", "7.25"))) for size in ("12.51", "99"))
    disputed(house, near, far)
    at = house.screen("lea", "review", TASK)
    shown = next(frame for frame in frames(at) if "answer A" in frame.columns)
    assert {shown["answer A"][0], shown["answer B"][0]} == {"12.51", "99"}
    assert (shown["the gold"][0], len(shown)) == ("12.50", 1)


def test_other_rules_and_a_closer_look_are_chosen(house):
    disputed(house, RIGHT, Table(("name", "size"), (("Alpha", "12.5"), ("Beta", "7.25"))), OTHER_RULES)
    at = house.screen("ann", "task", TASK)
    verdicts = next(box.value for box in at.markdown if "Answer A and answer B" in box.value)
    assert verdicts.count("the same") == 3
    other = next(letter for letter in "AB" if _types(at, house, letter))
    at.segmented_control(key=f"three-{TASK}-rules").set_value(other).run()
    assert any("Answer A and answer B: :red[different]" in box.value for box in at.markdown)
    at.segmented_control(key=f"three-{TASK}-pair").set_value("A-B").run()
    assert "Different under these rules." in [box.value for box in at.error]
    assert problems(at) == []


def _types(at, house, letter):
    """Whether the reviewer of this letter wrote the other rules."""
    reviews = house.expert("ann").view(TASK).discussion.reviews
    return next('"text"' in one.review.rules_meaning.split("},")[1] for one in reviews if one.letter == letter)


def test_before_both_reviews_are_in_nothing_is_compared(house, sent):
    house.seat("ann", "bob")
    house.review("ann")
    house.expert("bob").seal(TASK, RIGHT)
    house.screen("ann", "task", TASK)
    assert "How the two reviews differ" not in "".join(sent())


def test_a_review_says_how_many_fields_of_its_rules_were_set_alone(house):
    house.seat("ann", "bob")
    house.review("ann")
    house.expert("bob").seal(TASK, RIGHT)
    house.write_rules("bob")
    draft, _ = verifying.load(house.expert("bob"), TASK, 2)
    shown = replace(draft, order_shown={}, columns=(draft.columns[0], replace(draft.columns[1], shown={})))
    verifying.hand_in(house.expert("bob"), TASK, Verdict.REVISE, (FINDING,), shown)
    said = " ".join(box.value for box in house.screen("lea", "review", TASK).caption)
    assert "set alone: 1 · proposal taken: 5" in said


def test_a_lead_who_looks_before_both_reviews_are_in_gets_no_comparison(house):
    house.seat("ann", "bob")
    house.review("ann")
    house.expert("bob").seal(TASK, RIGHT)
    house.lead().unblind(TASK, "an emergency")
    at = house.screen("lea", "review", TASK)
    assert problems(at) == []
    assert "How the two reviews differ" not in [box.label for box in at.expander]
