"""After the seal: rules written field by field, the tool's proposal on asking only, differences one by one."""

import candidates_folder
import pytest
from screens import RIGHT, RULES, WRONG, problems

from evaluator.infer import infer_from_table
from evaluator.rules import to_document
from evaluator.tables import Table, to_csv
from review_app.candidates import import_candidates
from review_app.comparing import rules_from
from review_app.desk import verifying
from review_app.domain.blindness import Step
from review_app.domain.content import FieldOrigin, Origin, Verdict

TASK = "task_1"
NEAR = Table(("name", "size"), (("alpha", "12.52"), ("Gamma", "1"), ("Beta", "7.25")))


@pytest.fixture
def sealed(house):
    """Ann has sealed an answer and looks at the gold."""
    house.seat("ann")
    house.expert("ann").seal(TASK, RIGHT)
    return house


def choose(at, key, value):
    at.segmented_control(key=f"rules-{TASK}-{key}").set_value(value).run()
    assert problems(at) == []


def write_all(at):
    choose(at, "order", "no")
    choose(at, "0-type", "text")
    choose(at, "1-type", "number")
    choose(at, "1-mode", "decimal_places")
    at.number_input(key=f"rules-{TASK}-1-digits").set_value(2).run()
    choose(at, "1-percent", "no")


def captions(at):
    return " ".join(box.value for box in at.caption)


def test_every_field_of_the_rules_starts_empty_and_nothing_of_the_proposal_is_on_the_page(sealed, sent):
    at = sealed.screen("ann", "task", TASK)
    fields = [box for box in at.segmented_control if box.key.startswith(f"rules-{TASK}-")]
    assert len(fields) == 3
    assert [box.value for box in fields] == [None] * 3
    proposal = verifying.proposal(sealed.expert("ann"), TASK)
    assert not [reason for reason in proposal.reasons if reason in "".join(sent())]
    assert "The tool proposes" not in "".join(sent())


def test_rules_written_on_the_page_are_kept_and_go_into_the_review_with_their_origins(sealed):
    write_all(sealed.screen("ann", "task", TASK))
    at = sealed.screen("ann", "task", TASK)
    assert at.segmented_control(key=f"rules-{TASK}-1-mode").value == "decimal_places"
    assert "Equal under these rules." in [box.value for box in at.success]
    at.radio(key=f"verdict-{TASK}").set_value(Verdict.ACCEPT).run()
    at.button(key="submit-review").click().run()
    review = sealed.expert("ann").view(TASK).review
    assert FieldOrigin("columns.2.digits", Origin.OWN) in review.rules_origins
    assert {one.origin for one in review.rules_origins} == {Origin.OWN}
    assert len(review.rules_origins) == 6


def test_a_proposal_is_shown_for_one_column_with_its_reason_and_taken(sealed):
    at = sealed.screen("ann", "task", TASK)
    at.button(key=f"rules-show-{TASK}-1").click().run()
    (shown,) = [box.value for box in at.info if "The tool proposes" in box.value]
    assert "no cell has more than 2" in shown
    at.button(key=f"rules-{TASK}-1-take").click().run()
    assert at.number_input(key=f"rules-{TASK}-1-digits").value == 2
    at.number_input(key=f"rules-{TASK}-1-digits").set_value(1).run()
    choose(at, "order", "yes")
    choose(at, "0-type", "text")
    at.radio(key=f"verdict-{TASK}").set_value(Verdict.ACCEPT).run()
    at.button(key="submit-review").click().run()
    found = {one.field: one.origin for one in sealed.expert("ann").view(TASK).review.rules_origins}
    assert found["columns.2.mode"] is Origin.TAKEN
    assert found["columns.2.digits"] is Origin.CHANGED
    assert found["columns.1.type"] is Origin.OWN


def test_incomplete_rules_name_what_is_missing_and_accepting_is_refused(sealed):
    at = sealed.screen("ann", "task", TASK)
    choose(at, "order", "no")
    choose(at, "1-type", "number")
    assert "Still to be set:" in captions(at)
    at.radio(key=f"verdict-{TASK}").set_value(Verdict.ACCEPT).run()
    at.button(key="submit-review").click().run()
    (refusal,) = problems(at)
    assert "type of name" in refusal
    assert "mode of size" in refusal
    assert sealed.expert("ann").view(TASK).step is Step.VERIFY


def test_until_the_rules_are_complete_the_comparison_says_so_and_reads_the_rest_as_text(house):
    house.seat("ann")
    house.expert("ann").seal(TASK, Table(("name", "size"), (("Alpha", "12.5"), ("Beta", "7.25"))))
    at = house.screen("ann", "task", TASK)
    assert "Different so far." in [box.value for box in at.error]
    write_all(at)
    assert "Equal under these rules." in [box.value for box in at.success]


def test_rules_that_another_window_wrote_are_not_overwritten(sealed):
    first, second = (sealed.screen("ann", "task", TASK) for _ in range(2))
    choose(first, "order", "yes")
    choose(second, "0-type", "text")
    stored, _ = verifying.load(sealed.expert("ann"), TASK, 2)
    assert (stored.order_sensitive, stored.columns[0].type) == (True, None)
    second.button(key=f"rules-reload-{TASK}").click().run()
    assert second.segmented_control(key=f"rules-{TASK}-order").value == "yes"


def test_a_rule_that_the_gold_does_not_fit_is_said_beside_it(sealed):
    at = sealed.screen("ann", "task", TASK)
    choose(at, "0-type", "date")
    choose(at, "1-type", "boolean")
    assert ["column 1 " in at.warning[0].value, "column 2 " in at.warning[1].value] == [True, True]


def test_examples_say_what_the_rules_accept_and_refuse(sealed):
    sealed.write_rules("ann")
    at = sealed.screen("ann", "task", TASK)
    accepted, refused = (next(one for one in at.markdown if title in one.value) for title in ("Accepted", "Refused"))
    texts = [box.value for box in at.markdown]
    assert "the columns in another order" in texts[texts.index(accepted.value) + 1]
    assert "one digit less" in texts[texts.index(refused.value) + 1]
    assert '"order_sensitive": true' in "".join(box.value for box in at.code)


def test_one_walks_from_difference_to_difference(house):
    house.seat("ann")
    house.expert("ann").seal(TASK, NEAR)
    house.write_rules("ann")
    at = house.screen("ann", "task", TASK)
    assert at.button(key=f"diff-{TASK}-previous").disabled
    seen = []
    while not at.button(key=f"diff-{TASK}-next").disabled:
        seen.append(" ".join(box.value for box in at.markdown))
        at.button(key=f"diff-{TASK}-next").click().run()
    assert "Only capitals and small letters differ" in seen[0]
    assert "Difference: \\+0\\.02" in seen[1]
    assert "equal at 1 (decimal places" in seen[1]
    assert "your answer, row 3: the other side lacks it" in " ".join(box.value for box in at.markdown)


def test_the_diff_speaks_chinese(house):
    house.seat("ann")
    house.expert("ann").seal(TASK, WRONG)
    house.write_rules("ann")
    at = house.screen("ann", "task", TASK)
    at.button(key="locale").click().run()
    shown = " ".join(box.value for box in at.markdown)
    assert "标准答案中有而您的答案缺少的行：1 行" in shown
    assert "Rows of" not in shown


def test_rules_of_the_review_are_those_of_the_form(sealed):
    sealed.write_rules("ann")
    at = sealed.screen("ann", "task", TASK)
    at.radio(key=f"verdict-{TASK}").set_value(Verdict.ACCEPT).run()
    at.button(key="submit-review").click().run()
    assert rules_from(sealed.expert("ann").view(TASK).review.rules) == RULES


def test_many_columns_are_written_page_by_page_and_none_is_lost(staffed, fork, tmp_path, monkeypatch):
    header = tuple(f"c{number}" for number in range(20))
    gold = Table(header, (tuple("abcdefghijklmnopqrst"),))
    proposed = to_document(infer_from_table(gold, TASK).rules)
    monkeypatch.setattr(candidates_folder, "rules", lambda task_id: proposed)
    house = fork(staffed)
    import_candidates(house.office, candidates_folder.write_candidates(tmp_path / "wide", gold=to_csv(gold)))
    house.seat("ann")
    house.expert("ann").seal(TASK, gold)
    at = house.screen("ann", "task", TASK)
    choose(at, "7-type", "text")
    assert f"rules-{TASK}-8-type" not in {box.key for box in at.segmented_control}
    at.pagination(key=f"rules-page-{TASK}").set_value(3).run()
    choose(at, "19-type", "text")
    draft, _ = verifying.load(house.expert("ann"), TASK, 20)
    assert [place for place, column in enumerate(draft.columns) if column.type] == [7, 19]


def test_the_verdict_that_was_chosen_is_there_again_after_a_reload(sealed):
    sealed.screen("ann", "task", TASK).radio(key=f"verdict-{TASK}").set_value(Verdict.REVISE).run()
    assert sealed.screen("ann", "task", TASK).radio(key=f"verdict-{TASK}").value is Verdict.REVISE


def test_of_many_differences_those_of_one_column_are_looked_at_alone(staffed, fork, tmp_path):
    rows = [(f"the fund with the number {number}", f"{number}.25") for number in range(12)]
    gold = Table(("name", "size"), tuple(rows))
    answer = Table(
        ("name", "size"), tuple((f"{name}!", size if place else "9.5") for place, (name, size) in enumerate(rows))
    )
    house = fork(staffed)
    import_candidates(house.office, candidates_folder.write_candidates(tmp_path / "many", gold=to_csv(gold)))
    house.seat("ann")
    house.expert("ann").seal(TASK, answer)
    house.write_rules("ann")
    at = house.screen("ann", "task", TASK)
    assert "1 of 13" in [box.value for box in at.markdown]
    at.selectbox(key=f"diff-{TASK}-only").set_value("0").run()
    assert "1 of 12" in [box.value for box in at.markdown]
    assert any("green-background" in box.value for box in at.markdown)
    assert problems(at) == []
