"""The heartbeat of an open task, on both databases: lease, sign-in, other windows."""

import pytest

from evaluator.tables import Table
from review_app.desk import admin
from review_app.domain.errors import SignedOut, UnknownTask


@pytest.fixture
def ann(staff, filled):
    filled()
    desk = staff.expert("ann")
    desk.next_task()
    return desk


def beats(ann, clock, *windows):
    """How many others each window is told of, one beat after the other."""
    told = []
    for window in windows:
        clock.forward(seconds=10)
        told.append(ann.beat("task_1", window).other_windows)
    return told


def test_an_open_window_tells_of_the_others_and_forgets_those_that_closed(ann, clock):
    assert beats(ann, clock, "one", "two", "one", "two") == [0, 0, 1, 1]
    clock.forward(minutes=2)
    assert beats(ann, clock, "one") == [0]


def test_a_page_that_was_loaded_anew_is_no_other_window(ann, clock):
    assert beats(ann, clock, "one", "one", "anew", "anew", "anew") == [0, 0, 0, 0, 0]


def test_the_lease_is_renewed_while_somebody_works(ann, clock):
    start = ann.lease_until("task_1")
    clock.forward(hours=13)
    ann.save_draft("task_1", "answer", "a\n1\n", 0)
    assert ann.beat("task_1", "one").lease_until == ann.lease_until("task_1") > start


def test_an_open_window_alone_does_not_keep_the_seat(ann, clock):
    start = ann.lease_until("task_1")
    for _ in range(13):
        clock.forward(hours=1)
        assert ann.beat("task_1", "one").lease_until == start


def test_after_sealing_there_is_no_lease_to_show(ann, staff):
    ann.seal("task_1", Table(("a",), (("1",),)))
    assert ann.beat("task_1", "one").lease_until is None


def test_a_beat_after_the_sign_in_ended_is_refused(ann, office, staff):
    admin.sign_out(office, staff.viewer("ann"))
    with pytest.raises(SignedOut):
        ann.beat("task_1", "one")


def test_a_beat_on_a_strangers_task_says_no_more_than_for_none(ann, staff):
    for task_id in ("task_1", "task_9"):
        with pytest.raises(UnknownTask):
            staff.expert("bob").beat(task_id, "one")


def test_a_beat_tells_nothing_of_the_other_seat(ann, staff):
    before = ann.beat("task_1", "one")
    bob = staff.expert("bob")
    bob.next_task()
    bob.beat("task_1", "one")
    assert ann.beat("task_1", "one") == before
