"""An audit proves a sound release, names what nobody could prove, and catches whoever changes one byte or one row.

Half of the tamperings below are those of somebody who also writes the manifest anew.
"""

import hashlib
import json
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
from candidates_folder import GOLD, rules, write_candidates
from screens import House

from evaluator.rules import parse_rules
from evaluator.tables import Table, parse_table
from review_app.audit import audit
from review_app.audit.bundle import AuditError, read_bundle
from review_app.audit.report import Area, Result
from review_app.audit.statistics import Published
from review_app.candidates import import_candidates
from review_app.cli import main
from review_app.desk.repairs import Change
from review_app.domain.content import Evidence, Finding, FindingKind, Part, RepairCategory, Reply, Verdict
from review_app.release import make_release
from review_app.release_statistics import agreement_of, counts_of

RIGHT, RULES = parse_table(GOLD), parse_rules(rules("task_1"))
WRONG = Table(("name", "size"), (("Alpha", "99"),))
FINDING = Finding("", Part.QUESTION, FindingKind.AMBIGUOUS, "in which currency?", (Evidence("fund.csv", "row 2"),))


def review(house, task_id, login, verdict=Verdict.ACCEPT, answer=RIGHT):
    house.lead().assign(task_id, house.ids[login])
    desk = house.expert(login)
    desk.seal(task_id, answer)
    desk.submit_review(task_id, verdict, () if verdict is Verdict.ACCEPT else (FINDING,), RULES)


def repaired(house, task_id, **edits):
    """A dispute that a repair ends, confirmed by both."""
    review(house, task_id, "ann")
    review(house, task_id, "bob", Verdict.REVISE, WRONG)
    shown = house.lead().task(task_id)
    replies = tuple(Reply(one.id, True, "it says so") for one in shown.open_findings)
    change = Change(shown.revision.digest, RepairCategory.QUESTION_CLARIFIED, "say it", replies, **edits)
    house.expert("bob").propose_repair(task_id, change)
    house.lead().accept_repair(task_id, house.lead().task(task_id).proposed_at, "clear now")
    for login in ("ann", "bob"):
        desk = house.expert(login)
        desk.recheck(task_id, desk.view(task_id).discussion.revision.digest, True)


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """Two tasks agreed at once, one removed, one with a clearer question, one whose gold was edited as a table."""
    folder = tmp_path_factory.mktemp("audit")
    house = House.build(folder / "var", lambda office: None)
    import_candidates(house.office, write_candidates(folder / "candidates", 5))
    for task_id in ("task_1", "task_2"):
        review(house, task_id, "ann")
        review(house, task_id, "bob")
    house.lead().remove("task_3", "nobody would ask this")
    repaired(house, "task_4", question="Which funds are there, in millions of dollars?")
    repaired(house, "task_5", gold_table=Table(("name", "size"), (("Alpha", "12.50"), ("Beta", "7.30"))))
    made = make_release(house.office, "v1", folder / "out").folder
    house.office.engine.dispose()
    return made


@pytest.fixture
def bundle(released, tmp_path):
    return shutil.copytree(released, tmp_path / "v1")


def reseal(root):
    """What somebody does who changes a file and hopes that nobody compares the manifest's digest."""
    manifest = json.loads((root / "manifest.json").read_text())
    names = sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
    manifest["files"] = {
        name: hashlib.sha256((root / name).read_bytes()).hexdigest()
        for name in names
        if name not in ("manifest.json", "SHA256SUMS")
    }
    (root / "manifest.json").write_text(json.dumps(manifest))
    (root / "SHA256SUMS").unlink()


def replace(root, name, old, new):
    path = root / name
    data = path.read_bytes()
    assert old in data
    path.write_bytes(data.replace(old, new, 1))


def in_sampled(root, sql):
    with closing(sqlite3.connect(root / "audit/task_1/sampled.sqlite")) as connection:
        connection.execute(sql)
        connection.commit()


def chain(root, task_id, change):
    path = root / "ledger" / f"{task_id}.jsonl"
    lines = path.read_text().splitlines()
    path.write_text("\n".join(change(lines)) + "\n")


def figure(root, name, change):
    said = json.loads((root / name).read_text())
    change(said)
    (root / name).write_text(json.dumps(said))


def test_a_sound_release_passes_and_says_what_nobody_could_prove(released):
    report = audit(released)
    assert report.passed, report.to_text()
    assert [(check.area, check.subject) for check in report.of(Result.UNPROVED)] == [(Area.GOLDS, "task_5")]
    for area in Area:
        assert report.of(Result.PROVED, area) or area in (Area.INDEPENDENT, Area.COMMITMENTS)
    assert "Nothing failed." in report.to_text()
    assert report.manifest == hashlib.sha256((released / "manifest.json").read_bytes()).hexdigest()


def test_an_audit_writes_nothing(released):
    def seen():
        return sorted((path, path.stat().st_mtime_ns) for path in released.rglob("*"))

    before = seen()
    audit(released)
    assert seen() == before


BYTES = {
    "a byte of a gold": lambda root: replace(root, "output/task_1/gold.csv", b"12.50", b"12.60"),
    "a byte of a workspace": lambda root: replace(root, "input/task_2/context/fund.csv", b"7.25", b"7.26"),
    "a byte of a question": lambda root: replace(root, "input/task_1/task.json", b"large", b"small"),
    "a file more": lambda root: (root / "input/task_1/context/more.csv").write_text("a\n1\n"),
    "a file less": lambda root: (root / "output/task_2/gold.csv").unlink(),
    "a link in place of a file": lambda root: (
        (root / "output/task_2/gold.csv").unlink(),
        (root / "output/task_2/gold.csv").symlink_to(root / "output/task_1/gold.csv"),
    ),
    "a byte of the card": lambda root: replace(root, "README.md", b"approved: 4", b"approved: 5"),
    "a line of SHA256SUMS": lambda root: replace(root, "SHA256SUMS", b"README.md", b"README.mx"),
}


@pytest.mark.parametrize("name", BYTES)
def test_a_changed_file_is_named(bundle, name):
    BYTES[name](bundle)
    report = audit(bundle)
    assert not report.passed
    assert report.of(Result.FAILED, Area.FILES)


RESEALED = {
    "a row of a gold": (
        Area.LAYOUT,
        lambda root: replace(root, "output/task_1/gold.csv", b"Beta,7.25\n", b""),
    ),
    "a question": (Area.LAYOUT, lambda root: replace(root, "input/task_1/task.json", b"large", b"small")),
    "a cell of a workspace": (
        Area.WORKSPACES,
        lambda root: replace(root, "input/task_1/context/fund.csv", b"7.25", b"7.26"),
    ),
    "a file of a workspace": (Area.LAYOUT, lambda root: (root / "input/task_1/context/notes.md").unlink()),
    "the SQL": (Area.GOLDS, lambda root: replace(root, "audit/task_1/gold.sql", b"DESC", b"ASC")),
    "a row of the sampled database": (
        Area.GOLDS,
        lambda root: in_sampled(root, "DELETE FROM fund WHERE name = 'Beta'"),
    ),
    "a digit of the rules": (
        Area.LAYOUT,
        lambda root: replace(root, "evaluation/configs/task_1.json", b'"digits": 2', b'"digits": 1'),
    ),
    "a verdict": (Area.CHAINS, lambda root: replace(root, "ledger/task_4.jsonl", b'"revise"', b'"accept"')),
    "a time": (Area.CHAINS, lambda root: replace(root, "ledger/task_1.jsonl", b"T09:00", b"T08:00")),
    "an actor": (
        Area.CHAINS,
        lambda root: chain(root, "task_1", lambda lines: [*lines[:-1], lines[-1].replace('"actor": "', '"actor": "0')]),
    ),
    "an entry left out": (Area.CHAINS, lambda root: chain(root, "task_4", lambda lines: lines[:4] + lines[5:])),
    "two entries swapped": (
        Area.CHAINS,
        lambda root: chain(root, "task_4", lambda lines: [*lines[:3], lines[4], lines[3], *lines[5:]]),
    ),
    "the end cut off": (Area.CHAINS, lambda root: chain(root, "task_4", lambda lines: lines[:-1])),
    "a count": (
        Area.STATISTICS,
        lambda root: figure(root, "statistics.json", lambda said: said.update(approved_after_repair=0)),
    ),
    "a task without an independent solution": (
        Area.STATISTICS,
        lambda root: figure(root, "statistics.json", lambda said: said.update(no_independent_solution=[])),
    ),
    "a digit of a coefficient": (
        Area.STATISTICS,
        lambda root: figure(
            root,
            "agreement.json",
            lambda said: said["judgements"]["rows"].__setitem__(0, ["verdict", "raw agreement", 4, 1.0]),
        ),
    ),
    "a sealed answer": (
        Area.STATISTICS,
        lambda root: replace(root, _blob(root, b"99"), b"99", b"98"),
    ),
}


def _blob(root, content):
    return next(
        path.relative_to(root).as_posix() for path in (root / "blobs").iterdir() if content in path.read_bytes()
    )


@pytest.mark.parametrize("name", RESEALED)
def test_a_change_that_the_manifest_was_made_to_fit_is_caught_by_what_it_means(bundle, name):
    area, tamper = RESEALED[name]
    tamper(bundle)
    reseal(bundle)
    report = audit(bundle)
    assert not report.of(Result.FAILED, Area.FILES)
    assert report.of(Result.FAILED, area), report.to_text()


def test_independent_golds_give_the_tasks_that_differ(released, tmp_path):
    for number in (1, 2):
        (tmp_path / f"task_{number}.csv").write_bytes(GOLD if number == 1 else b"name,size\nAlpha,1\n")
    report = audit(released, golds=tmp_path)
    assert [check.subject for check in report.of(Result.PROVED, Area.INDEPENDENT)] == ["task_1"]
    assert [check.subject for check in report.of(Result.FAILED, Area.INDEPENDENT)] == ["task_2"]
    assert len(report.of(Result.UNPROVED, Area.INDEPENDENT)) == 2


def test_a_sample_checks_so_many_tasks_and_depends_on_the_seed_alone(released):
    def tasks(seed):
        return [check.subject for check in audit(released, sample=2, seed=seed).checks if check.area is Area.LAYOUT]

    assert len(tasks(1)) == 2
    assert tasks(1) == tasks(1)
    assert len({tuple(tasks(seed)) for seed in range(6)}) > 1


def test_a_folder_without_a_manifest_is_no_release(tmp_path):
    with pytest.raises(AuditError, match=r"manifest\.json is no manifest"):
        audit(tmp_path)


def test_the_command_says_by_its_exit_code_what_it_found(released, bundle, tmp_path, capsys):
    assert main(["audit", str(released)]) == 0
    assert "Nothing failed." in capsys.readouterr().out
    replace(bundle, "output/task_1/gold.csv", b"12.50", b"12.60")
    assert main(["audit", str(bundle), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["passed"] is False
    assert main(["audit", str(tmp_path / "nothing")]) == 2


def made_to_fit(root, change):
    """Change the manifest, and write figures and digests anew, as a publisher who cheats would."""
    path = root / "manifest.json"
    manifest = json.loads(path.read_text())
    change(manifest)
    path.write_text(json.dumps(manifest))
    found = read_bundle(root)
    histories = [found.events(task_id) for task_id in found.heads]
    for name, figures in (("statistics.json", counts_of), ("agreement.json", agreement_of)):
        (root / name).write_text(json.dumps(figures(histories, Published(found))))
    reseal(root)


def test_a_task_that_nobody_reviewed_is_named(bundle):
    chain(bundle, "task_1", lambda lines: lines[:1])
    head = json.loads((bundle / "ledger/task_1.jsonl").read_text())["hash"]
    made_to_fit(bundle, lambda manifest: manifest["chain_heads"].update(task_1=head))
    report = audit(bundle)
    assert not report.passed
    assert "do not approve it: it is queued" in report.to_text()


def test_a_task_without_a_chain_is_named(bundle):
    made_to_fit(bundle, lambda manifest: manifest["chain_heads"].pop("task_1"))
    report = audit(bundle)
    assert not report.passed
    assert "names no chain for it" in report.to_text()


def test_an_audit_can_be_imported_on_its_own():
    code = "import review_app.audit, sys; sys.exit(any(name.startswith('review_app.desk') for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
