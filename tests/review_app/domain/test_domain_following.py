"""What waits for an expert in a discussion, and how a task ended for them."""

import pytest
from builders import ANN, accepted, at, both_done, disputed, in_recheck, proposed, rechecked, reviewed, task_of

from review_app.domain.blindness import LEAD, view_for
from review_app.domain.closing import Ending, ending, my_findings
from review_app.domain.content import Verdict
from review_app.domain.decide import decide
from review_app.domain.errors import NotPossible
from review_app.domain.events import MessagePosted, TaskRemoved
from review_app.domain.following import asked, my_turn, named_in, unread


def said(by, text, about=""):
    return MessagePosted(by, at(20), text, (), about)


def view(history, who="ann"):
    return view_for(task_of(history), who)


def talk(history, who="ann"):
    return view(history, who).discussion


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("@A look at page 3", {"A"}),
        ("what do @a and @B say?", {"A", "B"}),
        ("请 @B 看第三页", {"B"}),
        ("（@lead）", {LEAD}),
        ("@Lead, please", {LEAD}),
        ("write to a@b.org or @Anna", set()),
        ("@@A", set()),
        ("A and B", set()),
    ],
)
def test_a_message_names_reviewers_by_letter_and_leads_by_their_role(text, named):
    assert named_in(text) == named


def test_what_others_said_after_the_last_look_is_unread():
    history = [*disputed(), said("bob", "one"), said("ann", "two"), said("lea", "three")]
    entries = talk(history).contributions
    assert unread(entries, 0) == 2
    assert unread(entries, entries[0].version) == 1
    assert unread(entries, entries[-1].version) == 0


def test_a_question_waits_until_the_person_answers():
    history = [*disputed(), said("ann", "see page 3"), said("bob", "@A which column?")]
    assert asked(talk(history).contributions, "A")
    assert my_turn(view(history))
    assert not my_turn(view([*history, said("ann", "the second")]))
    assert not asked(talk(history, "bob").contributions, "B")


def test_a_question_to_the_leads_is_answered_by_any_lead():
    history = [*disputed(), said("bob", "@lead may we drop it?")]
    assert asked(talk(history).contributions, LEAD)
    assert not asked(talk([*history, said("mo", "no")]).contributions, LEAD)


def test_a_dispute_waits_for_the_first_word_of_each_expert():
    history = [*disputed(), said("ann", "my page 3 says otherwise")]
    assert not my_turn(view(history, "ann"))
    assert my_turn(view(history, "bob"))


def test_an_experts_repair_waits_for_a_lead_and_a_leads_repair_for_the_experts():
    by_ann = [*disputed(), proposed("ann", task_of(disputed()))]
    by_lea = [*disputed(), proposed("lea", task_of(disputed()))]
    assert [my_turn(view(by_ann, who)) for who in ("ann", "bob")] == [False, False]
    assert [my_turn(view(by_lea, who)) for who in ("ann", "bob")] == [True, True]


def test_a_recheck_waits_for_whoever_has_not_given_it():
    history = in_recheck()
    history.append(rechecked("ann", task_of(history)))
    assert [my_turn(view(history, who)) for who in ("ann", "bob")] == [False, True]


@pytest.mark.parametrize("other", [0, 1])
def test_before_both_are_done_nothing_of_the_other_seat_makes_a_task_wait(other):
    done = both_done(reviewed("ann"), reviewed("bob"))
    mine = done[:3] + [event for event in done[3:] if event.actor == "ann"]
    theirs = [event for event in done[3:] if event.actor == "bob"][:other]
    assert view([*mine, *theirs]) == view(mine)
    assert not my_turn(view([*mine, *theirs]))


def test_a_thread_needs_a_finding_of_the_task():
    task = task_of(disputed())
    decide(task, said("ann", "why?", task.findings[0].id), ANN)
    with pytest.raises(NotPossible, match="no finding 'bob-9'"):
        decide(task, said("ann", "why?", "bob-9"), ANN)


def confirmed(history):
    for who in ("ann", "bob"):
        history = [*history, rechecked(who, task_of(history))]
    return history


def test_how_a_task_ended_is_read_from_its_discussion():
    agreed = both_done(reviewed("ann"), reviewed("bob"))
    assert ending(talk(agreed)) is Ending.AGREED
    assert ending(talk(confirmed(in_recheck()))) is Ending.REPAIRED
    assert ending(talk([*disputed(), TaskRemoved("lea", at(30), "no way")])) is Ending.REMOVED
    assert ending(talk(disputed())) is None


def test_each_own_finding_comes_with_the_reply_of_the_repair_that_was_accepted():
    [answered] = my_findings(talk(confirmed(in_recheck()), "bob"))
    assert answered.finding.id == "bob-1"
    assert answered.reply is not None
    assert answered.reply.fixed
    assert my_findings(talk(confirmed(in_recheck()), "ann")) == ()


def test_a_repair_that_was_not_accepted_answers_nothing():
    history = [*disputed(), proposed("ann", task_of(disputed()))]
    [answered] = my_findings(talk(history, "bob"))
    assert answered.reply is None
    accepted_now = [*history, accepted("lea", task_of(history))]
    assert my_findings(talk(accepted_now, "bob"))[0].reply is not None


def test_the_reviewed_revision_stays_known_after_a_repair():
    shown = talk(in_recheck())
    assert shown.reviewed.question == "Which fund is the largest?"
    assert shown.revision.question == "Which fund has the largest size?"
    assert Verdict.ACCEPT in {one.review.verdict for one in shown.reviews}
