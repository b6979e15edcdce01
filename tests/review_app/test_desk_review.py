"""The desk from end to end: what two experts and a lead do, on both databases."""

from dataclasses import replace

import pytest
from candidates_folder import GOLD, QUESTION, rules

from evaluator.rules import parse_rules
from evaluator.tables import Table, parse_table
from review_app import store
from review_app.desk.repairs import Change
from review_app.domain.blindness import Step
from review_app.domain.content import Evidence, Finding, FindingKind, Part, RepairCategory, Reply, Verdict
from review_app.domain.disagreement import Kind
from review_app.domain.errors import (
    Incomplete,
    NotAllowed,
    NotPossible,
    SignedOut,
    StaleDraft,
    Unfit,
    UnknownTask,
)
from review_app.domain.task import State

RIGHT = parse_table(GOLD)
WRONG = Table(("name", "size"), (("Alpha", "99"),))
RULES = parse_rules(rules("task_1"))
FINDING = Finding("", Part.QUESTION, FindingKind.AMBIGUOUS, "in which currency?", (Evidence("fund.csv", "row 2"),))


def review(desk, verdict=Verdict.ACCEPT, answer=RIGHT, findings=None, given=RULES):
    task_id = desk.next_task()
    desk.seal(task_id, answer)
    found = (() if verdict is Verdict.ACCEPT else (FINDING,)) if findings is None else findings
    desk.submit_review(task_id, verdict, found, given)
    return task_id


def dispute(staff):
    review(staff.expert("ann"))
    return review(staff.expert("bob"), Verdict.REVISE, WRONG)


def state(staff, task_id):
    return staff.lead().task(task_id).state


def digest(staff, task_id):
    return staff.lead().task(task_id).revision.digest


def accept(desk, staff, task_id, reason="clear now"):
    desk.accept_repair(task_id, staff.lead().task(task_id).proposed_at, reason)


def change(staff, task_id, **edits):
    replies = tuple(Reply(one.id, True, "now it says so") for one in staff.lead().task(task_id).open_findings)
    return Change(digest(staff, task_id), RepairCategory.QUESTION_CLARIFIED, "say the currency", replies, **edits)


def test_two_experts_who_agree_approve_the_task(staff, filled):
    filled()
    task_id = review(staff.expert("ann"))
    assert staff.expert("ann").view(task_id).step is Step.WAIT
    review(staff.expert("bob"))
    assert state(staff, task_id) is State.APPROVED


def test_the_gold_opens_with_the_own_seal_and_not_before(staff, filled):
    filled()
    ann = staff.expert("ann")
    task_id = ann.next_task()
    for peek in (ann.gold, ann.gold_sql, ann.my_answer, lambda one: ann.answer(one, "A")):
        with pytest.raises(UnknownTask):
            peek(task_id)
    ann.seal(task_id, WRONG)
    assert ann.gold(task_id) == RIGHT
    with pytest.raises(UnknownTask):
        ann.answer(task_id, "B")


def test_rules_under_which_the_gold_does_not_read_are_refused(staff, filled):
    filled()
    ann = staff.expert("ann")
    task_id = ann.next_task()
    ann.seal(task_id, RIGHT)
    dates = parse_rules({**rules("task_1"), "columns": [{"gold_index": 0, "gold_name": "n", "type": "date"}] * 1})
    with pytest.raises(Unfit, match="columns"):
        ann.submit_review(task_id, Verdict.ACCEPT, (), dates)
    wrong_type = replace(RULES, columns=(replace(RULES.columns[1], gold_index=0), RULES.columns[1]))
    with pytest.raises(Unfit, match="does not read"):
        ann.submit_review(task_id, Verdict.ACCEPT, (), wrong_type)
    assert ann.view(task_id).step is Step.VERIFY


def test_the_disagreement_names_what_differs(staff, filled):
    filled()
    task_id = dispute(staff)
    kinds = {one.kind for one in staff.lead().task(task_id).disagreements}
    assert kinds == {Kind.VERDICT, Kind.ANSWER_AGAINST_GOLD, Kind.ANSWER_AGAINST_ANSWER}


def test_rules_that_differ_without_effect_are_equal(staff, filled):
    filled()
    named = replace(RULES, columns=(replace(RULES.columns[0], gold_name="other name"), RULES.columns[1]))
    review(staff.expert("ann"))
    task_id = review(staff.expert("bob"), given=named)
    assert state(staff, task_id) is State.APPROVED


def test_a_question_is_repaired_and_both_confirm(staff, filled):
    filled()
    task_id = dispute(staff)
    staff.expert("bob").propose_repair(task_id, change(staff, task_id, question=QUESTION + " In euros."))
    accept(staff.lead(), staff, task_id)
    for login in ("ann", "bob"):
        assert staff.expert(login).view(task_id).question.endswith("In euros.")
        staff.expert(login).recheck(task_id, digest(staff, task_id), confirm=True)
    assert state(staff, task_id) is State.APPROVED


def test_a_gold_is_repaired_by_sql_on_the_sampled_database(staff, filled):
    filled()
    task_id = dispute(staff)
    sql = "SELECT name, size * 2 AS size FROM fund ORDER BY size DESC"
    staff.lead().propose_repair(task_id, change(staff, task_id, gold_sql=sql))
    accept(staff.expert("ann"), staff, task_id)
    assert staff.expert("ann").gold(task_id).rows == (("Alpha", "25.0"), ("Beta", "14.5"))
    assert staff.lead().gold_sql(task_id).strip() == sql


@pytest.mark.parametrize("sql", ["SELECT nothing FROM fund", "DELETE FROM fund", "SELECT 1; SELECT 2"])
def test_a_repair_whose_sql_fails_changes_nothing(staff, filled, sql):
    filled()
    task_id = dispute(staff)
    with pytest.raises(Unfit, match="SQL"):
        staff.lead().propose_repair(task_id, change(staff, task_id, gold_sql=sql))
    assert staff.lead().task(task_id).proposal is None


def test_a_gold_edited_by_hand_is_marked_not_re_executable(staff, filled):
    filled()
    task_id = dispute(staff)
    edited = Table(("name", "size"), (("Alpha", "1"),))
    staff.lead().propose_repair(task_id, change(staff, task_id, gold_table=edited))
    assert staff.lead().task(task_id).proposal.re_executable is False


def test_what_was_approved_by_mistake_is_undone_by_the_lead_who_did_it(staff, filled):
    filled()
    task_id = dispute(staff)
    lead = staff.lead()
    lead.remove(task_id, "slip")
    with pytest.raises(NotPossible, match="something happened"):
        lead.undo(task_id, 3, "slip")
    lead.undo(task_id, lead.task(task_id).version, "slip")
    assert state(staff, task_id) is State.DISPUTED


def test_a_returned_seat_keeps_its_draft(staff, filled):
    filled()
    ann = staff.expert("ann")
    task_id = ann.next_task()
    ann.save_draft(task_id, "answer", "a,b\n1,2\n", 0)
    ann.return_seat(task_id, "meeting")
    with pytest.raises(UnknownTask):
        ann.view(task_id)
    assert ann.next_task() == task_id
    assert ann.drafts(task_id)["answer"].body == "a,b\n1,2\n"


def test_a_stale_draft_is_refused_and_the_newer_stays(staff, filled):
    filled()
    ann = staff.expert("ann")
    task_id = ann.next_task()
    ann.save_draft(task_id, "answer", "one", 0)
    ann.save_draft(task_id, "answer", "two", 1)
    with pytest.raises(StaleDraft):
        ann.save_draft(task_id, "answer", "late", 1)
    assert ann.drafts(task_id)["answer"].body == "two"


def test_active_time_leaves_out_pauses(staff, filled, clock):
    filled()
    ann = staff.expert("ann")
    task_id = ann.next_task()
    for minutes in (0, 1, 60, 1):
        clock.forward(minutes=minutes)
        ann.touch(task_id)
    ann.seal(task_id, RIGHT)
    assert ann.view(task_id).answer.active_seconds == 120


def test_an_outsider_sees_and_does_nothing(staff, filled):
    filled()
    task_id = staff.expert("ann").next_task()
    cho = staff.expert("cho")
    for look in (cho.view, cho.gold, cho.drafts, lambda one: cho.file(one, "fund.csv")):
        with pytest.raises(UnknownTask):
            look(task_id)
    with pytest.raises(UnknownTask):
        cho.seal(task_id, RIGHT)


def test_a_task_that_is_not_there_and_one_of_others_are_told_alike(staff, filled):
    filled()
    task_id = staff.expert("ann").next_task()
    said = []
    for name in (task_id, "task_999"):
        with pytest.raises(UnknownTask) as refused:
            staff.expert("cho").view(name)
        said.append(str(refused.value).replace(name, "X"))
    assert said[0] == said[1]


def test_only_workspace_files_are_served(staff, filled):
    filled()
    ann = staff.expert("ann")
    task_id = ann.next_task()
    assert ann.file(task_id, "fund.csv").read_bytes().startswith(b"name,size")
    for path in ("../private/gold.csv", "private/gold.csv", "gold.csv", "/etc/passwd", ""):
        with pytest.raises(UnknownTask):
            ann.file(task_id, path)


def test_roles_are_checked_at_every_call(staff, filled):
    filled()
    task_id = staff.expert("ann").next_task()
    as_expert = type(staff.lead())(staff.office, staff.viewer("ann"))
    for look in (as_expert.counts, as_expert.experts, as_expert.releases, lambda: as_expert.task(task_id)):
        with pytest.raises(NotAllowed):
            look()
    as_lead = type(staff.expert("ann"))(staff.office, staff.viewer("lea"))
    for look in (as_lead.my_tasks, as_lead.next_task, lambda: as_lead.view(task_id)):
        with pytest.raises(NotAllowed):
            look()
    with pytest.raises(NotAllowed):
        type(staff.admin())(staff.office, staff.viewer("lea")).users()


def test_a_disabled_person_is_out_at_once(staff, filled):
    filled()
    ann = staff.expert("ann")
    task_id = ann.next_task()
    staff.admin().set_active("ann", False)
    with pytest.raises(SignedOut, match="drafts are kept"):
        ann.seal(task_id, RIGHT)


def test_a_sign_in_ends_by_the_clock(staff, filled, clock):
    filled()
    ann = staff.expert("ann")
    clock.forward(hours=10_001)
    with pytest.raises(SignedOut):
        ann.my_tasks()


def test_a_lead_sees_nothing_sealed_before_both_are_done(staff, filled):
    filled()
    task_id = review(staff.expert("ann"), Verdict.REVISE, WRONG)
    view = staff.lead().task(task_id)
    assert (view.reviews, view.disagreements, view.open_findings) == ((), (), ())
    with pytest.raises(UnknownTask):
        staff.lead().table(task_id, staff.expert("ann").view(task_id).answer.answer)


def test_whoever_saw_the_gold_as_lead_gets_no_seat(staff, filled):
    filled()
    staff.lead().task("task_1")
    with staff.office.read() as session:
        task = store.load(session, "task_1")
        assert store.knows_gold(session, task, staff.id("lea"))


@pytest.mark.parametrize("text", ["in euros?\x00", "in \ud800 euros?"])
def test_a_text_that_cannot_be_stored_is_refused_in_words(staff, filled, text):
    filled()
    task_id = dispute(staff)
    try:
        staff.expert("bob").propose_repair(task_id, change(staff, task_id, question=text))
    except Unfit as refused:
        assert "cannot be stored" in str(refused)
    else:  # SQLite takes a NUL
        assert staff.lead().task(task_id).proposal is not None


def test_an_admin_does_not_disable_the_own_account_in_capitals(staff):
    with pytest.raises(NotAllowed, match="your own"):
        staff.admin().set_active("MO", False)


def test_an_objections_finding_must_be_answered_by_the_next_repair(staff, filled):
    filled()
    task_id = dispute(staff)
    staff.expert("bob").propose_repair(task_id, change(staff, task_id, question=QUESTION + " In euros."))
    accept(staff.lead(), staff, task_id)
    staff.expert("bob").recheck(task_id, digest(staff, task_id), False, (FINDING,))
    assert len(staff.lead().task(task_id).open_findings) == 1


def test_a_repair_written_on_an_older_revision_is_refused(staff, filled):
    filled()
    task_id = dispute(staff)
    old = change(staff, task_id, question="An old wording?")
    staff.expert("bob").propose_repair(task_id, change(staff, task_id, question=QUESTION + " In euros."))
    accept(staff.lead(), staff, task_id)
    staff.expert("bob").recheck(task_id, digest(staff, task_id), False, (FINDING,))
    with pytest.raises(NotPossible, match="changed since"):
        staff.expert("ann").propose_repair(task_id, old)


def test_an_empty_repair_is_refused_whatever_rules_were_agreed(staff, filled):
    filled()
    review(staff.expert("ann"), given=replace(RULES, order_sensitive=False))
    task_id = review(staff.expert("bob"), Verdict.REVISE, given=None)
    with pytest.raises(Incomplete, match="nothing changes"):
        staff.lead().propose_repair(task_id, change(staff, task_id))


def test_rules_under_which_the_gold_does_not_read_never_get_into_an_approved_task(staff, filled):
    filled()
    unfit = replace(RULES, columns=(replace(RULES.columns[1], gold_index=0), RULES.columns[1]))
    review(staff.expert("ann"), Verdict.REVISE, given=unfit)
    task_id = review(staff.expert("bob"), Verdict.REJECT, given=None)
    assert [reviewed.review.rules for reviewed in staff.lead().task(task_id).reviews] == ["", ""]


def test_an_expert_who_left_learns_nothing_of_where_the_task_stands(staff, filled):
    filled()
    ann = staff.expert("ann")
    task_id = ann.next_task()
    ann.return_seat(task_id, "no time")
    said = set()
    for seated in (False, True):
        if seated:
            staff.expert("bob").next_task()
        for press in (
            lambda: ann.post_message(task_id, "hello"),
            lambda: ann.recheck(task_id, "0" * 64, confirm=True),
            lambda: ann.accept_repair(task_id, 3, "yes"),
            lambda: ann.seal(task_id, RIGHT),
            lambda: ann.extend_lease(task_id),
        ):
            with pytest.raises(UnknownTask) as refused:
                press()
            said.add(str(refused.value))
    assert len(said) == 1


def test_a_task_removed_while_it_is_solved_is_closed_for_its_experts(staff, filled):
    filled()
    ann = staff.expert("ann")
    task_id = ann.next_task()
    staff.lead().remove(task_id, "not ours")
    assert ann.view(task_id).step is Step.CLOSED


def test_a_lead_who_unblinds_sees_what_is_sealed_in_that_round_only(staff, filled):
    filled()
    ann = staff.expert("ann")
    task_id = ann.next_task()
    ann.seal(task_id, WRONG)
    staff.lead().unblind(task_id, "fire")
    seen = staff.lead().task(task_id).reviews
    assert [(one.letter, one.review) for one in seen] == [("A", None)]
    assert staff.lead("mo").task(task_id).reviews == ()


def test_the_lead_reads_why_a_seat_was_given_back(staff, filled):
    filled()
    ann = staff.expert("ann")
    ann.return_seat(ann.next_task(), "the PDF is missing")
    assert [change.event.reason for change in staff.lead().task("task_1").history] == ["the PDF is missing"]


def test_a_table_that_cannot_be_written_is_refused_in_words(staff, filled):
    filled()
    ann = staff.expert("ann")
    task_id = ann.next_task()
    with pytest.raises(Unfit, match="NUL"):
        ann.seal(task_id, Table(("a",), (("x\0",),)))
    assert ann.view(task_id).step is Step.SOLVE


def test_a_reader_sees_one_moment_whatever_is_written_meanwhile(staff, filled):
    filled()
    ann = staff.expert("ann")
    with staff.office.read() as session:
        before = store.load(session, "task_1").version
        ann.next_task()
        session.expire_all()
        assert store.load(session, "task_1").version == before
