import pytest
from builders import (
    ANN,
    BOB,
    CHO,
    accepted,
    at,
    both_done,
    both_seated,
    disputed,
    finding,
    imported,
    in_recheck,
    proposed,
    rechecked,
    reviewed,
    sealed,
    task_of,
    tried,
)

from review_app.domain.content import FindingKind, Part, Reply, Verdict
from review_app.domain.decide import Facts
from review_app.domain.errors import (
    ConflictOfInterest,
    CorruptHistory,
    Incomplete,
    NotAllowed,
    NotAssigned,
    NotPossible,
    Unfit,
)
from review_app.domain.events import (
    DisputeSettled,
    ExpertAssigned,
    FreshRoundCalled,
    LeadActionUndone,
    LeaseExpired,
    RepairDeclined,
    ReviewerReplaced,
    SeatReturned,
    SeatVacated,
    TaskReleased,
    TaskRemoved,
    TaskReopened,
    Unblinded,
)
from review_app.domain.folding import apply
from review_app.domain.task import State

OWN_ERROR = (finding("x-1", Part.GOLD, FindingKind.OWN_ERROR),)
BOBS_ERROR = (finding("y-1", Part.GOLD, FindingKind.OWN_ERROR),)


@pytest.mark.parametrize(
    ("first", "second", "state"),
    [
        (reviewed("ann"), reviewed("bob"), State.APPROVED),
        (reviewed("ann", Verdict.REVISE), reviewed("bob", Verdict.REVISE), State.DISPUTED),
        (reviewed("ann"), reviewed("bob", Verdict.REVISE), State.DISPUTED),
        (reviewed("ann"), reviewed("bob", Verdict.REJECT), State.DISPUTED),
        (reviewed("ann"), reviewed("bob", meaning="{}"), State.DISPUTED),
        (reviewed("ann"), reviewed("bob", passed=False), State.DISPUTED),
        (reviewed("ann"), reviewed("bob", passed=False, findings=OWN_ERROR), State.APPROVED),
        (
            reviewed("ann", passed=False, findings=OWN_ERROR),
            reviewed("bob", passed=False, findings=BOBS_ERROR),
            State.DISPUTED,
        ),
    ],
)
def test_two_reviews_decide_the_next_state(first, second, state):
    assert task_of(both_done(first, second)).state is state


def test_consensus_makes_a_revision_with_the_experts_rules():
    task = task_of(both_done(reviewed("ann"), reviewed("bob")))
    assert task.revision.rules == reviewed("ann").rules


def test_a_seat_is_given_once():
    task = task_of(both_seated())
    event = ExpertAssigned("cho", at(4), "cho", 1, 3600, "1")
    with pytest.raises(NotPossible, match="taken"):
        tried(task, event, Facts(assignee=CHO))


def test_nobody_holds_both_seats():
    task = task_of(both_seated()[:2])
    with pytest.raises(ConflictOfInterest, match="already holds"):
        tried(task, ExpertAssigned("ann", at(4), "ann", 2, 3600, "1"), Facts(assignee=ANN))


def test_whoever_saw_a_sibling_gets_no_seat():
    task = task_of([imported()])
    with pytest.raises(ConflictOfInterest, match="sibling"):
        tried(task, ExpertAssigned("ann", at(4), "ann", 1, 3600, "1"), Facts(assignee=ANN, knows_gold=True))


def test_an_expert_of_another_domain_gets_no_seat():
    from dataclasses import replace

    stock = replace(BOB, domains=frozenset({"stock"}))
    with pytest.raises(ConflictOfInterest, match="fund"):
        tried(task_of([imported()]), ExpertAssigned("bob", at(4), "bob", 1, 3600, "1"), Facts(assignee=stock))


def test_a_returned_seat_can_be_taken_again_by_the_same_person():
    task = tried(task_of(both_seated()), SeatReturned("ann", at(2), "ann", "no time today"))
    assert task.round.free_seats == (1,)
    again = ExpertAssigned("ann", at(3), "ann", 1, 3600, "1")
    assert tried(task, again, Facts(assignee=ANN)).round.seat_of("ann") is not None


def test_a_seat_is_not_returned_without_a_reason():
    with pytest.raises(Incomplete):
        tried(task_of(both_seated()), SeatReturned("ann", at(2), "ann", "  "))


def test_a_sealed_answer_is_never_changed():
    task = task_of([*both_seated(), sealed("ann")])
    with pytest.raises(NotPossible, match="already sealed"):
        tried(task, sealed("ann", "e"))


def test_a_table_that_breaks_the_contract_is_not_sealed():
    with pytest.raises(Unfit, match="ragged"):
        tried(task_of(both_seated()), sealed("ann"), Facts(problem="ragged"))


def test_a_seat_with_a_sealed_answer_does_not_expire():
    task = task_of([*both_seated(), sealed("ann")])
    with pytest.raises(NotPossible):
        tried(task, LeaseExpired("cho", at(99), "ann"), Facts(lease_over=True))


def test_a_lease_that_has_not_run_out_does_not_expire():
    with pytest.raises(NotPossible):
        tried(task_of(both_seated()), LeaseExpired("cho", at(5), "ann"), Facts(lease_over=False))


def test_a_vacated_answer_stays_stored_and_its_author_cannot_come_back():
    task = tried(task_of([*both_seated(), sealed("ann")]), SeatVacated("lea", at(5), "ann", "gone"))
    assert [seat.expert for seat in task.round.vacated] == ["ann"]
    with pytest.raises(ConflictOfInterest, match="took part"):
        tried(task, ExpertAssigned("ann", at(6), "ann", 1, 3600, "1"), Facts(assignee=ANN))


def test_a_review_needs_a_sealed_answer():
    with pytest.raises(NotPossible, match="seal your answer first"):
        tried(task_of(both_seated()), reviewed("ann"))


def test_a_verdict_against_the_gold_needs_a_finding():
    task = task_of([*both_seated(), sealed("ann")])
    with pytest.raises(Incomplete, match="finding"):
        tried(task, reviewed("ann", Verdict.REJECT, findings=()))


def test_an_outsider_submits_nothing():
    with pytest.raises(NotAssigned):
        tried(task_of(both_seated()), sealed("cho"))


def test_an_expert_decides_nothing_that_is_a_leads():
    with pytest.raises(NotAllowed):
        tried(task_of(disputed()), TaskRemoved("ann", at(9), "bad"))


def test_a_repair_must_answer_every_finding():
    from dataclasses import replace

    task = task_of(disputed())
    with pytest.raises(Incomplete, match="bob-1"):
        tried(task, replace(proposed("ann", task), replies=()))


def test_a_repair_must_change_something():
    task = task_of(disputed())
    with pytest.raises(Incomplete, match="nothing changes"):
        tried(task, proposed("ann", task, question=task.revision.question))


def test_a_repair_of_what_has_changed_meanwhile_is_refused():
    from dataclasses import replace

    task = task_of(disputed())
    with pytest.raises(NotPossible, match="changed since"):
        tried(task, replace(proposed("ann", task), before="0" * 64))


@pytest.mark.parametrize(
    ("proposer", "accepter", "error"),
    [
        ("ann", "lea", None),
        ("ann", "bob", NotAllowed),
        ("ann", "ann", ConflictOfInterest),
        ("lea", "ann", None),
        ("lea", "bob", None),
        ("lea", "lea", ConflictOfInterest),
        ("lea", "mo", ConflictOfInterest),
        ("lea", "cho", NotAllowed),
    ],
)
def test_who_accepts_a_repair(proposer, accepter, error):
    task = task_of(disputed())
    task = tried(task, proposed(proposer, task))
    accept = accepted(accepter, task)
    if error is None:
        assert tried(task, accept).state is State.IN_RECHECK
    else:
        with pytest.raises(error):
            tried(task, accept)


def test_a_proposer_may_withdraw_and_another_expert_may_not_decline():
    task = task_of(disputed())
    task = tried(task, proposed("ann", task))
    with pytest.raises(NotAllowed):
        tried(task, RepairDeclined("bob", at(10), task.proposed_at, "no"))
    assert tried(task, RepairDeclined("ann", at(10), task.proposed_at, "better idea")).proposal is None


def test_both_confirmations_approve_the_repaired_revision():
    task = task_of(in_recheck())
    once = tried(task, rechecked("ann", task))
    assert once.state is State.IN_RECHECK
    twice = tried(once, rechecked("bob", once))
    assert (twice.state, twice.revision.question) == (State.APPROVED, "Which fund has the largest size?")


def test_nobody_confirms_twice():
    task = task_of(in_recheck())
    once = tried(task, rechecked("ann", task))
    with pytest.raises(NotPossible, match="already given"):
        tried(once, rechecked("ann", once))


def test_one_objection_reopens_the_dispute_and_earlier_confirmations_lapse():
    task = task_of(in_recheck())
    task = tried(tried(task, rechecked("ann", task)), rechecked("bob", task, confirm=False))
    assert (task.state, task.objections) == (State.DISPUTED, 1)
    task = tried(task, proposed("lea", task, question="Third wording?"))
    task = tried(task, accepted("ann", task))
    assert task.rechecks == ()


def test_after_three_objections_only_removal_or_a_fresh_round_is_left():
    task = task_of(in_recheck())
    for number in range(3):
        task = tried(task, rechecked("bob", task, confirm=False))
        if number < 2:
            task = tried(task, proposed("ann", task, question=f"Wording {number}?"))
            task = tried(task, accepted("lea", task))
    with pytest.raises(NotPossible, match="fresh round"):
        tried(task, proposed("ann", task, question="Wording 9?"))
    assert tried(task, FreshRoundCalled("lea", at(30), "substance changed")).state is State.QUEUED
    assert tried(task, TaskRemoved("lea", at(30), "hopeless")).state is State.REMOVED


def test_a_dispute_is_settled_only_if_the_rules_agree():
    task = task_of(both_done(reviewed("ann"), reviewed("bob", meaning="{}")))
    with pytest.raises(NotPossible, match="rules differ"):
        tried(task, DisputeSettled("lea", at(9), task.revision.digest, "conceded", ()))


def test_a_settlement_keeps_the_revision_and_asks_both_to_confirm():
    task = task_of(disputed())
    settled = tried(
        task, DisputeSettled("lea", at(9), task.revision.digest, "conceded", (Reply("bob-1", False, "clear"),))
    )
    assert (settled.state, settled.revision.question) == (State.IN_RECHECK, task.revision.question)


def test_a_replaced_reviewer_leaves_the_review_and_the_new_one_must_confirm():
    task = task_of(in_recheck())
    task = tried(task, ReviewerReplaced("lea", at(11), "bob", "cho", "bob is away"), Facts(assignee=CHO))
    task = tried(tried(task, rechecked("ann", task)), rechecked("cho", task))
    assert task.state is State.APPROVED
    assert {seat.expert for seat in task.round.seats} == {"ann", "bob"}


def test_a_fresh_round_takes_only_new_experts():
    task = tried(task_of(disputed()), FreshRoundCalled("lea", at(9), "gold was wrong"))
    with pytest.raises(ConflictOfInterest):
        tried(task, ExpertAssigned("ann", at(10), "ann", 1, 3600, "1"), Facts(assignee=ANN))
    seated = tried(task, ExpertAssigned("cho", at(10), "cho", 1, 3600, "1"), Facts(assignee=CHO))
    assert seated.round.number == 2


def test_a_lead_who_unblinded_decides_nothing_more():
    task = tried(task_of([*both_seated(), sealed("ann")]), Unblinded("lea", at(5), "fire"))
    assert task.round.unblinded_by == {"lea"}
    with pytest.raises(ConflictOfInterest, match="unblinded"):
        tried(task, TaskRemoved("lea", at(6), "no"))
    assert tried(task, TaskRemoved("mo", at(6), "no")).state is State.REMOVED


def test_a_task_is_released_once_under_one_name_and_can_be_reopened():
    task = task_of(both_done(reviewed("ann"), reviewed("bob")))
    release = TaskReleased("lea", at(20), "v1", "0" * 64, task.revision.digest)
    released = tried(task, release)
    assert released.state is State.RELEASED
    with pytest.raises(NotPossible, match="v1"):
        tried(released, release)
    assert tried(released, TaskReopened("lea", at(21), "error found")).state is State.QUEUED


def test_undo_gives_back_what_was_before_and_only_at_once():
    before = task_of(disputed())
    removed = tried(before, TaskRemoved("lea", at(9), "slip"))
    undone = tried(removed, LeadActionUndone("lea", at(10), removed.version, "slip"))
    assert (undone.state, undone.open_findings) == (before.state, before.open_findings)
    with pytest.raises(NotPossible):
        tried(undone, LeadActionUndone("lea", at(11), undone.version, "again"))


def test_undo_is_the_acting_leads_own():
    removed = tried(task_of(disputed()), TaskRemoved("lea", at(9), "slip"))
    with pytest.raises(ConflictOfInterest):
        tried(removed, LeadActionUndone("mo", at(10), removed.version, "no"))


def test_impossible_histories_are_refused_when_read():
    with pytest.raises(CorruptHistory, match="begins with"):
        task_of([sealed("ann")])
    with pytest.raises(CorruptHistory, match="twice"):
        task_of([imported(), imported()])
    with pytest.raises(CorruptHistory, match="cannot follow"):
        apply(task_of(both_seated()), reviewed("ann"))


def test_a_disabled_account_does_nothing():
    from dataclasses import replace

    from review_app.domain.decide import decide

    with pytest.raises(NotAllowed, match="disabled"):
        decide(task_of(both_seated()), sealed("ann"), replace(ANN, active=False))


def test_a_confirmation_counts_for_the_revision_that_was_shown():
    task = task_of(in_recheck())
    shown = rechecked("ann", task)
    moved = tried(task, rechecked("bob", task, confirm=False))
    moved = tried(moved, proposed("lea", moved, question="Another wording?"))
    moved = tried(moved, accepted("bob", moved))
    with pytest.raises(NotPossible, match="changed since you opened it"):
        tried(moved, shown)


def test_a_decision_counts_for_the_proposal_that_was_shown():
    task = task_of(disputed())
    first = tried(task, proposed("ann", task))
    stale = accepted("lea", first)
    gone = tried(first, RepairDeclined("ann", at(10), first.proposed_at, "better idea"))
    second = tried(gone, proposed("ann", gone, question="Another wording?"))
    with pytest.raises(NotPossible, match="another repair"):
        tried(second, stale)


def test_a_replaced_proposers_repair_stays_an_experts():
    task = task_of(disputed())
    task = tried(task, proposed("ann", task))
    task = tried(task, ReviewerReplaced("lea", at(10), "ann", "cho", "away"), Facts(assignee=CHO))
    with pytest.raises(NotAllowed):
        tried(task, accepted("bob", task))
    assert tried(task, accepted("lea", task)).state is State.IN_RECHECK


def test_an_unblinding_opens_its_own_round_only():
    task = tried(task_of([*both_seated(), sealed("ann")]), Unblinded("lea", at(5), "fire"))
    done = tried(tried(tried(task, reviewed("ann")), sealed("bob")), reviewed("bob", Verdict.REVISE))
    fresh = tried(done, FreshRoundCalled("mo", at(9), "start again"))
    assert fresh.round.unblinded_by == frozenset()
    assert fresh.unblinders == {"lea"}


def test_an_open_repair_is_not_dropped_by_a_settlement():
    task = task_of(disputed())
    task = tried(task, proposed("ann", task))
    replies = (Reply("bob-1", False, "clear"),)
    with pytest.raises(NotPossible, match="decline it first"):
        tried(task, DisputeSettled("lea", at(10), task.revision.digest, "conceded", replies))


def test_a_participant_seated_again_is_an_impossible_history():
    history = [*disputed(), FreshRoundCalled("lea", at(9), "again"), ExpertAssigned("ann", at(10), "ann", 1, 60, "1")]
    with pytest.raises(CorruptHistory):
        task_of(history)


def test_experts_of_an_earlier_round_are_no_leads():
    from review_app.domain.blindness import contributions_of
    from review_app.domain.events import MessagePosted

    task = tried(task_of(disputed()), MessagePosted("ann", at(8), "look at row 2"))
    task = tried(task, FreshRoundCalled("lea", at(9), "again"))
    assert [entry.author for entry in contributions_of(task)] == ["A1", "Lead"]
