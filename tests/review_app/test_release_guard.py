"""Two processes at one release: nothing that is recorded is ever discarded."""

import fcntl

import pytest
from candidates_folder import GOLD, rules

from evaluator.rules import parse_rules
from evaluator.tables import parse_table
from review_app import release
from review_app.domain.content import Verdict
from review_app.domain.task import State
from review_app.release import ReleaseError, existing, make_release, settle


@pytest.fixture
def approved(staff, filled, office):
    filled()
    for login in ("ann", "bob"):
        task_id = staff.expert(login).next_task()
        staff.expert(login).seal(task_id, parse_table(GOLD))
        staff.expert(login).submit_review(task_id, Verdict.ACCEPT, (), parse_rules(rules(task_id)))
    assert staff.lead().task(task_id).state is State.APPROVED
    return office


def test_a_release_that_somebody_else_recorded_meanwhile_keeps_its_folder(approved, tmp_path):
    made = make_release(approved, "v1", tmp_path / "out")
    again = release._record(approved, "v1", tmp_path / "out", made.manifest, release.COMMAND_LINE)
    assert again == made
    assert (made.folder / "manifest.json").is_file()


def test_a_release_under_way_is_left_alone(approved, tmp_path):
    approved.settings.var.mkdir(parents=True, exist_ok=True)
    with (approved.settings.var / ".release-v1.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for press in (make_release, settle):
            with pytest.raises(ReleaseError, match="another process"):
                press(approved, "v1", tmp_path / "out")
    assert make_release(approved, "v1", tmp_path / "out").tasks == ("task_1",)


def test_a_release_is_found_again_in_its_folder_only(approved, tmp_path):
    made = make_release(approved, "v1", tmp_path / "out")
    assert existing(approved, "v1", tmp_path / "out") == made
    assert existing(approved, "v1", tmp_path / "elsewhere") is None
    assert existing(approved, "v2", tmp_path / "out") is None
