"""A task's ledger as a lead sees it: nothing that is still blind, everything once the review is over."""

import pytest
from candidates_folder import GOLD, rules

from evaluator.rules import parse_rules
from evaluator.tables import Table, parse_table
from review_app.desk.repairs import Change
from review_app.domain.content import Evidence, Finding, FindingKind, Part, RepairCategory, Reply, Verdict
from review_app.domain.errors import UnknownTask

RIGHT, RULES = parse_table(GOLD), parse_rules(rules("task_1"))
WRONG = Table(("name", "size"), (("Alpha", "99"),))
UNCLEAR = Finding("", Part.QUESTION, FindingKind.AMBIGUOUS, "in which currency?", (Evidence("fund.csv", "row 2"),))
QUESTION = "How large is each fund, in dollars?"
EDITED = Table(("name", "size"), (("Alpha", "12.50"), ("Beta", "7.30")))


def review(desk, verdict, answer, *findings):
    task_id = desk.next_task()
    desk.seal(task_id, answer)
    desk.submit_review(task_id, verdict, findings, RULES)


def dispute(staff):
    review(staff.expert("ann"), Verdict.ACCEPT, RIGHT)
    review(staff.expert("bob"), Verdict.REVISE, WRONG, UNCLEAR)


def repair(staff, **edits):
    """Bob's repair, accepted by the lead and confirmed by both."""
    lead = staff.lead()
    shown = lead.task("task_1")
    replies = tuple(Reply(one.id, True, "now it says so") for one in shown.open_findings)
    category = RepairCategory.QUESTION_CLARIFIED
    staff.expert("bob").propose_repair("task_1", Change(shown.revision.digest, category, "say it", replies, **edits))
    lead.accept_repair("task_1", lead.task("task_1").proposed_at, "clear now")
    for login in ("ann", "bob"):
        desk = staff.expert(login)
        desk.recheck("task_1", desk.view("task_1").discussion.revision.digest, True)


def told(lines):
    return " ".join(value for line in lines for value in line.fields.values())


@pytest.mark.parametrize("finish", [lambda staff: None, dispute])
def test_under_review_answers_and_judgements_are_withheld(staff, filled, finish):
    filled()
    staff.expert("ann").next_task()
    staff.expert("ann").seal("task_1", WRONG)
    sealed = staff.expert("ann").my_answer("task_1")
    assert sealed == WRONG
    if finish is dispute:
        staff.expert("ann").submit_review("task_1", Verdict.REVISE, (UNCLEAR,), RULES)
        review(staff.expert("bob"), Verdict.ACCEPT, RIGHT)
    lines, _ = staff.lead().ledger("task_1")
    kinds = {line.kind: line for line in lines}
    assert "answer" in kinds["AnswerSealed"].withheld
    assert "in which currency" not in told(lines)
    assert all("verdict" not in line.fields and line.changed is None for line in lines)


def test_after_the_review_each_entry_tells_its_values_and_what_it_changed(staff, filled):
    filled()
    dispute(staff)
    repair(staff, question=QUESTION)
    lines, names = staff.lead().ledger("task_1")
    assert [line.version for line in lines] == list(range(1, len(lines) + 1))
    assert all(line.withheld == () for line in lines)
    assert [line.fields["verdict"] for line in lines if line.kind == "ReviewSubmitted"] == ["accept", "revise"]
    assert [names.get(line.actor, line.actor) for line in lines if line.kind == "RepairAccepted"] == ["Lea"]
    ((before, after),) = [line.changed for line in lines if line.changed is not None]
    assert (after.question, before.question == QUESTION) == (QUESTION, False)


def test_the_gold_before_and_after_a_repair_can_be_compared_though_the_round_is_over(staff, filled):
    filled()
    dispute(staff)
    repair(staff, gold_table=EDITED)
    lead = staff.lead()
    lines, _ = lead.ledger("task_1")
    ((before, after),) = [line.changed for line in lines if line.changed is not None]
    lead.reopen("task_1", "again")
    lead.remove("task_1", "not ours")
    change = lead.gold_change("task_1", before, after)
    assert (change.before.rows, change.after.rows) == (RIGHT.rows, EDITED.rows)


def test_while_a_task_with_the_same_gold_is_under_review_its_ledger_is_withheld(staff, filled):
    filled(2, sibling="the same")
    review(staff.expert("ann"), Verdict.ACCEPT, RIGHT)
    review(staff.expert("bob"), Verdict.ACCEPT, RIGHT)
    lines, _ = staff.lead().ledger("task_1")
    assert any("verdict" in line.withheld for line in lines)
    staff.lead().remove("task_2", "the same")
    lines, _ = staff.lead().ledger("task_1")
    assert all(line.withheld == () for line in lines)


def test_whoever_reads_a_ledger_gets_no_seat_on_the_task(staff, filled, office):
    from review_app import store

    filled()
    staff.lead().ledger("task_1")
    with office.read() as session:
        assert store.is_involved(session, "task_1", staff.id("lea"))


def test_there_is_no_ledger_of_no_task(staff, filled):
    filled()
    with pytest.raises(UnknownTask):
        staff.lead().ledger("task_9")
