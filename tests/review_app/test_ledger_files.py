"""The ledger carried out and told: what an export holds, what it keeps blind, and which damage is named."""

import hashlib
import json

import pytest
from candidates_folder import GOLD, QUESTION, rules

from db import ledger
from evaluator.rules import parse_rules
from evaluator.tables import parse_table
from review_app import ledger_files
from review_app.desk.repairs import Change
from review_app.domain.content import Evidence, Finding, FindingKind, Part, RepairCategory, Reply, Verdict
from review_app.domain.errors import ReviewError
from review_app.ledger_story import story

GOLD_DIGEST = hashlib.sha256(GOLD).hexdigest()
RIGHT, RULES = parse_table(GOLD), parse_rules(rules("task_1"))
FINDING = Finding("", Part.QUESTION, FindingKind.AMBIGUOUS, "in which currency?", (Evidence("fund.csv", "row 2"),))
ON_SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def review(staff, task_id, *findings):
    for login in ("ann", "bob"):
        desk = staff.expert(login)
        staff.lead().assign(task_id, staff.id(login))
        desk.seal(task_id, RIGHT)
    for login in ("ann", "bob"):
        verdict = Verdict.REVISE if findings else Verdict.ACCEPT
        staff.expert(login).submit_review(task_id, verdict, findings, RULES)


@pytest.fixture
def reviewed(office, staff, filled):
    """Task 1 is approved, task 2 has both answers, one review and a repair to come, task 3 waits."""
    filled(3)
    review(staff, "task_1")
    review(staff, "task_2", FINDING)
    return office


def exported(office, out, whole=False):
    with office.read() as session:
        ledger_files.export(session, out, whole)
    return out


def test_an_export_holds_every_chain_and_verifies(reviewed, tmp_path):
    out = exported(reviewed, tmp_path / "copy", whole=True)
    with reviewed.read() as session:
        count = sum(len(entries) for _, entries in ledger.read_all(session))
    assert ledger_files.verify(out) == (count, [])
    assert sorted(path.name for path in out.iterdir()) == ["heads.json", *(f"task_{n}.jsonl" for n in (1, 2, 3))]


@ON_SQLITE
def test_tasks_under_review_keep_golds_answers_and_judgements_to_themselves(reviewed, tmp_path):
    out = exported(reviewed, tmp_path / "copy")
    closed, open_ = ((out / f"task_{number}.jsonl").read_text() for number in (1, 2))
    assert QUESTION in closed
    assert GOLD_DIGEST in closed
    for secret in (GOLD_DIGEST, QUESTION, "in which currency?", '"verdict": "revise"', '"rows"'):
        assert secret not in json.dumps([json.loads(line)["payload"] for line in open_.splitlines()])
    count, problems = ledger_files.verify(out)
    assert (count > 0, problems) == (True, [])


@ON_SQLITE
def test_a_closed_sibling_of_an_open_task_stays_blind_with_it(office, staff, filled, tmp_path):
    filled(2, sibling="twins")
    review(staff, "task_1")
    told = (exported(office, tmp_path / "copy") / "task_1.jsonl").read_text()
    assert QUESTION not in told
    assert GOLD_DIGEST not in told


@ON_SQLITE
def test_a_folder_that_is_there_is_not_written_over(reviewed, tmp_path):
    (tmp_path / "copy").mkdir()
    with pytest.raises(ReviewError, match="choose another folder"):
        exported(reviewed, tmp_path / "copy")
    assert list((tmp_path / "copy").iterdir()) == []


def last_line_gone(folder):
    path = folder / "task_1.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))


def cut_within_a_line(folder):
    (folder / "task_1.jsonl").write_text((folder / "task_1.jsonl").read_text()[:-40])


def gap(folder):
    lines = (folder / "task_1.jsonl").read_text().splitlines(keepends=True)
    (folder / "task_1.jsonl").write_text("".join(lines[:2] + lines[3:]))


def swapped_pair(folder):
    lines = (folder / "task_1.jsonl").read_text().splitlines(keepends=True)
    lines[1], lines[2] = lines[2], lines[1]
    (folder / "task_1.jsonl").write_text("".join(lines))


def forged_hash(folder):
    path = folder / "task_1.jsonl"
    first = json.loads(path.read_text().splitlines()[0])
    path.write_text(path.read_text().replace(first["hash"], "0" * 64))


def forged_head(folder):
    heads = json.loads((folder / "heads.json").read_text())
    (folder / "heads.json").write_text(json.dumps({**heads, "task_1": "0" * 64}))


def changed_verdict(folder):
    path = folder / "task_1.jsonl"
    path.write_text(path.read_text().replace('"verdict": "accept"', '"verdict": "reject"', 1))


def file_gone(folder):
    (folder / "task_1.jsonl").unlink()


def file_added(folder):
    (folder / "task_9.jsonl").write_text((folder / "task_1.jsonl").read_text())


@ON_SQLITE
@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (last_line_gone, "task_1.jsonl: the chain ends before"),
        (cut_within_a_line, "task_1.jsonl: it does not read"),
        (gap, "task_1.jsonl: version 3: an entry is missing"),
        (swapped_pair, "task_1.jsonl: version 2: an entry is missing"),
        (forged_hash, "task_1.jsonl: version 1: it was changed"),
        (forged_head, "task_1.jsonl: the chain ends before"),
        (changed_verdict, "the field 'verdict' was changed"),
        (file_gone, "task_1.jsonl: it does not read"),
        (file_added, "task_9.jsonl: heads.json does not name it"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_each_damage_of_an_export_is_named(reviewed, tmp_path, damage, said):
    out = exported(reviewed, tmp_path / "copy")
    damage(out)
    _, problems = ledger_files.verify(out)
    assert len(problems) == 1
    assert said in problems[0]


@pytest.mark.parametrize("text", ["", "[]", "{"])
def test_a_folder_without_readable_heads_is_no_export(tmp_path, text):
    (tmp_path / "heads.json").write_text(text)
    with pytest.raises(ReviewError, match="name a folder of `ledger export`"):
        ledger_files.verify(tmp_path)


@ON_SQLITE
def test_the_story_of_a_repair_tells_what_it_changed_and_nothing_else(reviewed, staff):
    lead = staff.lead()
    view = lead.task("task_2")
    replies = tuple(Reply(finding.id, True, "so it is") for finding in view.open_findings)
    change = Change(view.revision.digest, RepairCategory.QUESTION_CLARIFIED, "unit", replies, QUESTION + " In euros.")
    lead.propose_repair("task_2", change)
    with reviewed.read() as session:
        told = story(ledger.read(session, "task_2"), hidden=False)
    repair = told[told.index("RepairProposed") :]
    assert f'after.question: "{QUESTION}" -> "{QUESTION} In euros."' in repair
    assert "after.gold" not in repair
    assert "after.workspace" not in repair


@ON_SQLITE
def test_the_hidden_story_tells_steps_and_commitments_only(reviewed):
    with reviewed.read() as session:
        told = story(ledger.read(session, "task_2"), hidden=True)
    assert "ReviewSubmitted" in told
    assert "verdict: withheld, commitment" in told
    for secret in (GOLD_DIGEST, QUESTION, "in which currency?"):
        assert secret not in told
