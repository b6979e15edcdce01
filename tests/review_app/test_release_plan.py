"""Before a release is made, the plan says what would go in and what keeps the rest out."""

from dataclasses import replace

import pytest
from builders import both_done, both_seated, disputed, imported, in_recheck, reviewed, sealed, task_of

from review_app.domain.task import State
from review_app.release_plan import blocked_by, plan

QUEUED = [imported()]
HALF = [*both_seated(), sealed("ann"), reviewed("ann")]
APPROVED = both_done(reviewed("ann"), reviewed("bob"))


@pytest.mark.parametrize(
    ("history", "said"),
    [
        (QUEUED, "no expert has begun"),
        (HALF, "2 of 2 seats are taken, 1 of 2 reviews submitted"),
        (disputed(), "disputed, open findings: 1"),
        (in_recheck(), "in recheck, 0 of 2 experts have confirmed"),
        (APPROVED, ""),
    ],
)
def test_each_state_says_what_has_to_happen_first(history, said):
    assert blocked_by(task_of(history)) == said


def test_a_removed_task_says_why():
    removed = replace(task_of(QUEUED), state=State.REMOVED, removed_because="two questions in one")
    assert blocked_by(removed) == "removed: two questions in one"


def test_every_task_is_either_in_the_plan_or_blocked():
    tasks = [
        replace(task_of(history), task_id=f"task_{number}", sibling=f"s{number}")
        for number, history in enumerate((QUEUED, HALF, APPROVED, disputed()))
    ]
    made = plan(tasks)
    assert made.tasks == ("task_2",)
    assert sorted(made.blocked) == ["task_0", "task_1", "task_3"]
    assert made.would_tell == {}


def test_a_gold_that_would_tell_a_sibling_under_review_is_named():
    ready = replace(task_of(APPROVED), task_id="task_1", sibling="twins")
    waiting = replace(task_of(HALF), task_id="task_2", sibling="twins")
    assert plan([ready, waiting]).would_tell == {"task_1": ("task_2",)}


def test_without_tasks_the_plan_is_empty():
    assert plan([]).to_json() == {"tasks": (), "blocked": {}, "would_tell": {}}
