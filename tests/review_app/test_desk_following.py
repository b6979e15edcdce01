"""What waits for an expert, on both databases: unread contributions, questions, their own figures."""

from candidates_folder import GOLD, rules

from evaluator.rules import parse_rules
from evaluator.tables import Table, parse_table
from review_app.desk.repairs import Change
from review_app.domain.content import Evidence, Finding, FindingKind, Part, RepairCategory, Reply, SkipReason, Verdict
from review_app.domain.events import SeatReturned

RIGHT, RULES = parse_table(GOLD), parse_rules(rules("task_1"))
WRONG = Table(("name", "size"), (("Alpha", "99"),))
FINDING = Finding("", Part.QUESTION, FindingKind.AMBIGUOUS, "in which currency?", (Evidence("fund.csv", "row 2"),))


def review(desk, verdict=Verdict.ACCEPT, answer=RIGHT, findings=()):
    task_id = desk.next_task()
    desk.seal(task_id, answer)
    desk.submit_review(task_id, verdict, findings, RULES)
    return task_id


def dispute(staff):
    review(staff.expert("ann"))
    return review(staff.expert("bob"), Verdict.REVISE, WRONG, (FINDING,))


def my_task(staff, login, task_id):
    return next(task for task in staff.expert(login).my_tasks() if task.task_id == task_id)


def test_a_message_is_unread_until_its_page_was_drawn(staff, filled):
    filled()
    task_id = dispute(staff)
    staff.expert("bob").post_message(task_id, "@A which currency?")
    assert (my_task(staff, "ann", task_id).unread, my_task(staff, "bob", task_id).unread) == (1, 0)
    ann = staff.expert("ann")
    ann.mark_read(ann.view(task_id))
    assert my_task(staff, "ann", task_id).unread == 0
    assert my_task(staff, "ann", task_id).my_turn
    ann.post_message(task_id, "dollars", about=ann.view(task_id).discussion.open_findings[0].id)
    assert not my_task(staff, "ann", task_id).my_turn
    assert my_task(staff, "bob", task_id).unread == 1


def test_a_mark_never_goes_back(staff, filled):
    filled()
    task_id = dispute(staff)
    ann, bob = staff.expert("ann"), staff.expert("bob")
    bob.post_message(task_id, "one")
    old = ann.view(task_id)
    bob.post_message(task_id, "two")
    ann.mark_read(ann.view(task_id))
    ann.mark_read(old)
    assert my_task(staff, "ann", task_id).unread == 0


def test_what_waits_for_the_expert_stands_first(staff, filled):
    filled(3)
    ann = staff.expert("ann")
    done = review(ann)
    taken = ann.next_task()
    assert [(task.task_id, task.my_turn) for task in ann.my_tasks()] == [(taken, True), (done, False)]


def test_own_figures_count_what_the_expert_did_and_name_nobody(staff, filled):
    filled()
    task_id = dispute(staff)
    lead = staff.lead()
    shown = lead.task(task_id)
    replies = tuple(Reply(one.id, True, "says so now") for one in shown.open_findings)
    change = Change(
        shown.revision.digest, RepairCategory.QUESTION_CLARIFIED, "say it", replies, question="Which, in dollars?"
    )
    lead.propose_repair(task_id, change)
    staff.expert("ann").accept_repair(task_id, lead.task(task_id).proposed_at, "clear")
    for login in ("ann", "bob"):
        desk = staff.expert(login)
        desk.recheck(task_id, desk.view(task_id).discussion.revision.digest, True)
    ann, bob = staff.expert("ann").my_numbers(), staff.expert("bob").my_numbers()
    assert (ann.sealed, ann.closed, ann.compared, ann.agreeing, ann.findings) == (1, 1, 1, 1, 0)
    assert (bob.agreeing, bob.findings, bob.fixed) == (0, 1, 1)


def test_figures_say_nothing_of_a_task_that_is_still_blind(staff, filled):
    filled()
    review(staff.expert("ann"))
    before = staff.expert("ann").my_numbers()
    staff.expert("bob").seal(staff.expert("bob").next_task(), WRONG)
    assert staff.expert("ann").my_numbers() == before
    assert (before.sealed, before.closed) == (1, 0)


def test_a_seat_is_given_back_with_a_reason_from_the_list(staff, filled):
    filled()
    ann = staff.expert("ann")
    task_id = ann.next_task()
    ann.return_seat(task_id, "page 3 does not open", SkipReason.BROKEN_WORKSPACE)
    [change] = staff.lead().task(task_id).history
    assert isinstance(change.event, SeatReturned)
    assert change.event.category is SkipReason.BROKEN_WORKSPACE
