"""The lead's list of tasks: what it is narrowed to, in which order, and what it tells of each."""

import pytest
from candidates_folder import GOLD, rules

from evaluator.rules import parse_rules
from evaluator.tables import Table, parse_table
from review_app.desk import lead
from review_app.domain.content import Evidence, Finding, FindingKind, Part, Verdict
from review_app.domain.disagreement import Kind
from review_app.domain.errors import NotAllowed
from review_app.domain.task import State
from review_app.task_list import Wanted

RIGHT = parse_table(GOLD)
WRONG = Table(("name", "size"), (("Alpha", "99"),))
UNCLEAR = Finding("", Part.QUESTION, FindingKind.AMBIGUOUS, "in which currency?", (Evidence("fund.csv", "row 2"),))


def review(desk, verdict, answer, *findings):
    task_id = desk.next_task()
    desk.seal(task_id, answer)
    desk.submit_review(task_id, verdict, findings, parse_rules(rules(task_id)))
    return task_id


def ids(staff, first=0, kind=None, **wanted):
    total, found = staff.lead().tasks(Wanted(**wanted), first, kind)
    assert total >= len(found)
    return [task.task_id for task, _ in found]


@pytest.fixture
def three(staff, filled, clock):
    """task_1 is disputed, task_2 is Ann's, task_3 is nobody's; each was changed later than the one before it."""
    filled(3)
    clock.forward(hours=1)
    review(staff.expert("ann"), Verdict.ACCEPT, RIGHT)
    assert review(staff.expert("bob"), Verdict.REVISE, WRONG, UNCLEAR) == "task_1"
    clock.forward(hours=1)
    assert staff.expert("ann").next_task() == "task_2"
    clock.forward(hours=1)
    staff.lead().remove("task_3", "not ours")
    return staff


def test_the_list_is_narrowed_by_each_choice_and_by_all_of_them(three):
    assert ids(three) == ["task_1", "task_2", "task_3"]
    assert ids(three, states=(State.DISPUTED, State.REMOVED)) == ["task_1", "task_3"]
    assert ids(three, expert=three.id("ann")) == ["task_1", "task_2"]
    assert ids(three, expert=three.id("bob")) == ["task_1"]
    assert ids(three, expert=three.id("ann"), states=(State.IN_REVIEW,)) == ["task_2"]
    assert ids(three, domain="fund", language="en", search="  HOW large ") == ["task_1", "task_2", "task_3"]
    assert ids(three, domain="stock") == ids(three, language="zh") == ids(three, search="task\\_1") == []


def test_what_has_not_moved_for_longest_comes_first_on_request(three, clock):
    clock.forward(hours=1)
    three.expert("bob").post_message("task_1", "look again")
    assert ids(three, oldest_first=True) == ["task_2", "task_3", "task_1"]


def test_a_seat_that_was_given_back_is_held_by_nobody(three):
    three.expert("ann").return_seat("task_2", "too hard")
    assert ids(three, expert=three.id("ann")) == ["task_1"]
    _, found = three.lead().tasks(Wanted())
    assert [task.holders for task, _ in found] == [("Ann", "Bob"), (), ()]


def test_a_disputed_task_tells_how_its_reviews_differ_and_is_found_by_it(three):
    _, found = three.lead().tasks(Wanted())
    kinds = (Kind.VERDICT, Kind.ANSWER_AGAINST_GOLD, Kind.ANSWER_AGAINST_ANSWER)
    assert [said for _, said in found] == [kinds, (), ()]
    assert ids(three, kind=Kind.VERDICT) == ids(three, kind=Kind.VERDICT, states=(State.REMOVED,)) == ["task_1"]
    assert ids(three, kind=Kind.RULES) == ids(three, kind=Kind.VERDICT, domain="stock") == []


def test_of_a_task_that_is_not_disputed_nothing_of_the_reviews_is_told(staff, filled):
    filled()
    review(staff.expert("ann"), Verdict.REVISE, WRONG, UNCLEAR)
    staff.expert("bob").next_task()
    staff.expert("bob").seal("task_1", RIGHT)
    _, found = staff.lead().tasks(Wanted())
    assert [said for _, said in found] == [()]
    assert ids(staff, kind=Kind.ANSWER_AGAINST_GOLD) == []


def test_the_list_comes_in_pages_with_the_number_of_all(three, monkeypatch):
    monkeypatch.setattr(lead, "PAGE", 2)
    assert three.lead().tasks(Wanted(), 0)[0] == 3
    assert (ids(three), ids(three, first=2), ids(three, first=4)) == (["task_1", "task_2"], ["task_3"], [])
    assert ids(three, first=1, kind=Kind.VERDICT) == []


def test_there_is_to_choose_what_tasks_and_experts_have(three):
    found = three.lead().choices()
    assert (found.domains, found.languages) == (("fund",), ("en",))
    assert found.experts == {three.id("ann"): "Ann", three.id("bob"): "Bob"}


def test_only_a_lead_sees_the_list(three):
    desk = lead.LeadDesk(three.office, three.viewer("ann"))
    for look in (desk.counts, desk.choices, lambda: desk.tasks(Wanted())):
        with pytest.raises(NotAllowed):
            look()
