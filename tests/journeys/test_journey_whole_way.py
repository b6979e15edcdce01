"""The main job, as people do it: from text-to-SQL instances to a released, scored task."""

import json
import re
import shutil
import sqlite3
import time
from pathlib import Path

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("whole-way")]

PEOPLE = {"ann": ("expert",), "bob": ("expert",), "lea": ("lead",), "mo": ("lead", "admin")}


@pytest.fixture
def candidates(system, shared, tmp_path):
    """Candidates of bird-dev-lite, or of our demo corpus in a clone without the shared folder."""
    source = shared / "corpora" / "bird-dev-lite"
    if not source.is_dir():
        from pipeline.demo import write_demo_corpus

        source = tmp_path / "demo"
        write_demo_corpus(source)
    out = tmp_path / "candidates"
    built = json.loads(system.command("build", "--source", source, "--out", out, "--limit", 4).stdout)
    assert built["total"] == 4
    ready = json.loads(system.command("import", out).stdout)["imported"]
    assert len(ready) >= 3
    for task_id in ready[3:]:
        shutil.rmtree(out / task_id)
    return {task_id: (out / task_id / "private" / "gold.csv").read_bytes() for task_id in ready[:3]}


def take(person) -> str:
    """Next task; its id stands in the address."""
    person.open("")
    person.press("next")
    found = re.search(r"task=(task_\d+)", person.page.url)
    assert found, person.text()
    return found.group(1)


def solve(person, task_id: str, table: bytes) -> None:
    person.upload(f"upload-{task_id}", "answer.csv", table)
    person.click("Take this as my answer")
    person.sees("Draft saved")
    person.tick(f"sure-{task_id}")
    person.press("seal")
    person.sees("How the two compare")


def add_finding(person, task_id: str, text: str) -> None:
    person.fill(f"finding-{task_id}-text", text)
    person.click("Cite by hand")
    person.fill(f"finding-{task_id}-where", "its first row")
    person.click("Add the citation")
    person.click("Add the finding")
    person.sees(text)


def submit(person, task_id: str, verdict: str) -> None:
    if verdict == "accept":
        person.take_rules(task_id)
    person.choose(f"verdict-{task_id}", verdict)
    person.press("submit-review")


def test_from_instances_to_a_released_and_scored_task(system, candidates, tmp_path):
    for login, roles in PEOPLE.items():
        system.add(login, *roles)
    ann, bob, lea = (system.sign_in(login) for login in ("ann", "bob", "lea"))

    agreed, differed, rejected = (take(ann) for _ in range(3))
    assert [take(bob) for _ in range(3)] == [agreed, differed, rejected]

    # one task on which both agree
    for person in (ann, bob):
        person.open(f"task?task={agreed}")
        solve(person, agreed, candidates[agreed])
        person.sees("Equal so far.")
        submit(person, agreed, "accept")
        person.sees("Your review is submitted." if person is ann else "approved")
    bob.shoot("approved")

    # one on which they differ: the question is repaired, both confirm
    ann.open(f"task?task={differed}")
    solve(ann, differed, candidates[differed])
    submit(ann, differed, "accept")
    bob.open(f"task?task={differed}")
    header = candidates[differed].split(b"\n")[0]
    wrong = header + b"\n" + b",".join([b"x"] * (header.count(b",") + 1)) + b"\n"
    solve(bob, differed, wrong)
    bob.sees("Different so far.")
    bob.shoot("diff")
    add_finding(bob, differed, "The question does not say which period is meant.")
    submit(bob, differed, "revise")
    bob.sees("The two reviews")
    bob.shoot("disputed-expert")
    repaired = "Asked more clearly: what was asked before, over all periods?"
    bob.write(differed, "repair-question-", repaired)
    bob.write(differed, f"reply-{open_finding(bob)}", "the question now says it")
    bob.write(differed, "repair-reason-", "the question was ambiguous")
    bob.click("Propose the repair")
    bob.sees("A repair is proposed")
    lea.open(f"review?task={differed}")
    lea.sees("A repair is proposed")
    lea.shoot("disputed-lead")
    lea.write(differed, "accept-reason", "clear now")
    lea.click("Accept the repair")
    lea.sees("in recheck")
    for person in (ann, bob):
        person.open(f"task?task={differed}")
        person.sees(repaired)
        person.shoot(f"recheck-{person.login}")
        person.page.get_by_role("button", name=re.compile("^Confirm")).click()  # its name ends with its keys
        person.settle()
    bob.sees("approved")

    # one that both reject: the lead removes it
    for person in (ann, bob):
        person.open(f"task?task={rejected}")
        solve(person, rejected, candidates[rejected])
        add_finding(person, rejected, "Nobody would ask this.")
        submit(person, rejected, "reject")
    lea.open(f"review?task={rejected}")
    lea.sees("disputed")
    lea.click("Remove the task")
    lea.write(rejected, "remove-reason", "both experts reject it")
    lea.page.locator(f"[class*='st-key-remove-{rejected}-'] button").click()
    lea.settle()
    lea.sees("removed")

    # the worker makes the release that the lead asks for
    lea.open("work")
    lea.fill("release-name", "v1")
    lea.click("Make the release")
    release = released(system.var / "releases" / "v1")
    lea.open("work")
    lea.sees("What the worker does")
    lea.shoot("work")
    assert {path.name for path in (release / "input").iterdir()} == {agreed, differed}
    assert json.loads((release / "input" / differed / "task.json").read_text())["question"] == repaired

    assert score(system, release, release / "output", tmp_path) == 1.0
    (tmp_path / "none").mkdir()
    assert score(system, release, tmp_path / "none", tmp_path) == 0.0

    system.command("ledger", "verify")
    damage(system.var / "review.db", differed)
    said = system.command("ledger", "verify", fine=False)
    assert f"{differed} version 3" in said.stderr


def open_finding(person) -> str:
    """The id of the finding that a repair must answer, as shown."""
    field = person.page.locator("[class*='st-key-reply-task_']").first.get_attribute("class") or ""
    found = re.search(r"st-key-reply-task_\d+-(\S+)", field)
    assert found, field
    return found.group(1)


def released(folder: Path) -> Path:
    deadline = time.monotonic() + 60
    while not (folder / "manifest.json").exists():
        assert time.monotonic() < deadline, f"the worker made no {folder}"
        time.sleep(0.3)
    return folder


def score(system, release: Path, predictions: Path, tmp_path: Path) -> float:
    """Evaluate; golds are copied under the predictions' name."""
    root = tmp_path / f"predictions-{predictions.name}"
    for gold in predictions.glob("task_*/gold.csv"):
        target = root / gold.parent.name / "prediction.csv"
        target.parent.mkdir(parents=True)
        target.write_bytes(gold.read_bytes())
    root.mkdir(exist_ok=True)
    out = tmp_path / f"summary-{predictions.name}.json"
    places = ("--prediction-root", root, "--gold-root", release / "output")
    system.command("evaluate", *places, "--config-root", release / "evaluation" / "configs", "--output", out)
    return json.loads(out.read_text())["task_accuracy"]


def damage(database: Path, task_id: str) -> None:
    """Change one byte of an entry, as somebody with the file could, after dropping the triggers."""
    with sqlite3.connect(database) as connection:
        connection.execute("DROP TRIGGER ledger_no_update")
        connection.execute(
            'UPDATE ledger SET payload = replace(payload, \'"guidelines":"1"\', \'"guidelines":"2"\') '
            "WHERE task_id = ? AND version = 3",
            (task_id,),
        )
        assert connection.total_changes == 1
