"""A release whose golds are partly withheld: what is public tells nothing of them, and the private part proves them."""

import json
import shutil
from collections import Counter

import pytest
from builders import imported, revision, task_of
from candidates_folder import rules, write_candidates
from hypothesis import given, settings
from hypothesis import strategies as st
from screens import House

from evaluator.rules import parse_rules
from evaluator.tables import Table, parse_table
from review_app.audit import audit
from review_app.audit.report import Area, Result
from review_app.candidates import import_candidates
from review_app.domain.content import Evidence, Finding, FindingKind, Part, Verdict
from review_app.domain.events import KINDS
from review_app.release import make_release
from review_app.release_parts import OPEN_FIELDS, choose, representativeness, withheld_fields

GOLDS = {number: f"name,size\nqzgold{number}zq,12.50\nBeta,7.25\n" for number in range(1, 9)}
SQL = "SELECT CASE name WHEN 'Alpha' THEN 'qzgold{0}zq' ELSE name END AS name, size FROM fund ORDER BY size DESC"


def approve(house, task_id, gold):
    for login in ("ann", "bob"):
        house.lead().assign(task_id, house.ids[login])
        desk = house.expert(login)
        wrong = Table(gold.header, (("qzanswerzq", "1"),))
        desk.seal(task_id, gold if login == "ann" else wrong)
        own = Finding("", Part.GOLD, FindingKind.OWN_ERROR, f"qztext{task_id}zq", (Evidence("fund.csv", "row 2"),))
        desk.submit_review(task_id, Verdict.ACCEPT, () if login == "ann" else (own,), parse_rules(rules(task_id)))


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """Eight approved tasks with golds of their own; a quarter is public."""
    folder = tmp_path_factory.mktemp("parts")
    house = House.build(folder / "var", lambda office: None)
    for number, gold in GOLDS.items():
        one = write_candidates(folder / f"c{number}", number, gold=gold.encode(), sql=SQL.format(number))
        manifest = json.loads((one / "manifest.json").read_text())
        manifest["tasks"] = manifest["tasks"][-1:]
        (one / "manifest.json").write_text(json.dumps(manifest))
        for task in list(one.glob("task_*")):
            if task.name != f"task_{number}":
                shutil.rmtree(task)
        import_candidates(house.office, one)
        approve(house, f"task_{number}", parse_table(gold.encode()))
    salts = iter(f"{number:032x}" for number in range(100))
    made = make_release(house.office, "v1", folder / "out", public=0.25, seed=3, salt=lambda: next(salts))
    house.office.engine.dispose()
    return made.folder, made.folder.with_name("v1.private")


def withheld_of(folder):
    return json.loads((folder / "manifest.json").read_text())["withheld"]


def test_about_the_share_is_public_and_the_rest_is_committed_to(parts):
    public, private = parts
    withheld = withheld_of(public)
    assert len(withheld) == 6
    assert sorted(path.name for path in (private / "output").iterdir()) == sorted(withheld)
    assert len(list((public / "output").iterdir())) == 2
    assert len(list((public / "input").iterdir())) == 8
    assert json.loads((public / "commitments.json").read_text()).keys() == set(withheld)


def test_nothing_public_holds_a_withheld_gold_answer_sql_or_text(parts):
    public, _ = parts
    everything = b"\n".join(path.read_bytes() for path in public.rglob("*") if path.is_file())
    for task_id in withheld_of(public):
        number = task_id.removeprefix("task_")
        for mark in (f"qzgold{number}zq", f"qztext{task_id}zq"):
            assert mark.encode() not in everything, mark
    shown = [task_id for task_id in (f"task_{number}" for number in GOLDS) if task_id not in withheld_of(public)]
    assert f"qzgold{shown[0].removeprefix('task_')}zq".encode() in everything


def test_an_audit_of_the_public_part_proves_what_it_can_and_names_the_rest(parts):
    report = audit(parts[0])
    assert report.passed
    withheld = set(withheld_of(parts[0]))
    for area in (Area.DECISIONS, Area.GOLDS, Area.COMMITMENTS):
        assert {check.subject for check in report.of(Result.UNPROVED, area)} == withheld
    assert len(report.of(Result.PROVED, Area.CHAINS)) == 8
    assert report.of(Result.UNPROVED, Area.STATISTICS)


def test_with_the_private_part_everything_is_proved(parts):
    report = audit(parts[0], private=parts[1])
    assert report.passed, report.to_text()
    assert report.of(Result.UNPROVED) == []
    assert len(report.of(Result.PROVED, Area.COMMITMENTS)) == 6
    assert len(report.of(Result.PROVED, Area.GOLDS)) == 8


def test_a_withheld_gold_that_was_changed_later_breaks_its_commitment(parts, tmp_path):
    private = shutil.copytree(parts[1], tmp_path / "private")
    task_id = withheld_of(parts[0])[0]
    path = private / "output" / task_id / "gold.csv"
    path.write_bytes(path.read_bytes().replace(b"7.25", b"7.26"))
    report = audit(parts[0], private=private)
    assert [check.subject for check in report.of(Result.FAILED, Area.COMMITMENTS)] == [task_id]
    assert report.of(Result.FAILED, Area.FILES)


def test_a_chain_that_differs_between_both_parts_is_caught(parts, tmp_path):
    private = shutil.copytree(parts[1], tmp_path / "private")
    task_id = withheld_of(parts[0])[0]
    path = private / "ledger" / f"{task_id}.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"accept"', b'"reject"', 1))
    assert [check.subject for check in audit(parts[0], private=private).of(Result.FAILED, Area.CHAINS)] == [task_id]


def test_every_kind_of_event_is_withheld_unless_a_field_was_opened_on_purpose():
    assert OPEN_FIELDS.keys() <= KINDS.keys()
    assert withheld_fields("SomethingNew", ["a", "b"]) == {"a", "b"}
    for kind in ("MessagePosted", "TaskRemoved", "DisputeSettled"):
        assert withheld_fields(kind, ["text", "reason"]) == {"text", "reason"}
    assert "revision" in withheld_fields("TaskImported", ["revision", "language"])


def tasks(count, domains, families):
    content = revision(rules=json.dumps(rules("task_1")))
    return [
        task_of(
            [imported(f"task_{n}", domain=domains[n % len(domains)], sibling=f"s{n // families}", revision=content)]
        )
        for n in range(1, count + 1)
    ]


@settings(max_examples=40)
@given(st.integers(1, 60), st.floats(0, 1), st.integers(0, 5), st.integers(1, 3))
def test_parts_are_disjoint_whole_stratified_and_never_split_siblings(count, share, seed, families):
    found = tasks(count, ("fund", "stock"), families)
    parts = choose(found, share, seed)
    assert sorted((*parts.public, *parts.withheld)) == sorted(task.task_id for task in found)
    assert parts == choose(found, share, seed)
    siblings = Counter()
    for task in found:
        siblings[task.sibling, task.task_id in parts.public] += 1
    assert not [name for name, public in siblings if public and siblings[name, False]]
    assert abs(len(parts.public) - share * count) <= 2 * families


def test_the_table_of_representativeness_counts_every_stratum():
    found = tasks(40, ("fund", "stock"), 1)
    said = representativeness(found, choose(found, 0.5, 1))
    rows = {(row["stratum"], row["value"]): row for row in said["strata"]}
    assert rows["domain", "fund"]["all"] == 20
    assert abs(rows["domain", "fund"]["public"] - 10) <= 1
    assert rows["domain", "fund"]["p"] > 0.5
