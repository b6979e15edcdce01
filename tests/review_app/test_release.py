"""A release is written whole, in the official layout, and recorded all at once, or it never was."""

import hashlib
import json
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from types import SimpleNamespace

import pytest
from candidates_folder import GOLD, QUESTION, SQL, rules, write_candidates

from db.engine import open_engine
from db.tables import Release
from evaluator.rules import parse_rules
from evaluator.tables import Table, parse_table
from review_app import store
from review_app.candidates import import_candidates
from review_app.domain.content import Evidence, Finding, FindingKind, Part, Verdict
from review_app.domain.errors import StorageFailed
from review_app.domain.people import Person, Role
from review_app.release import ReleaseError, make_release, settle

ON_SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
RIGHT, RULES = parse_table(GOLD), parse_rules(rules("task_1"))
FINDING = Finding("", Part.QUESTION, FindingKind.AMBIGUOUS, "in which currency?", (Evidence("fund.csv", "row 2"),))


def reviewed(staff, task_id, login, verdict=Verdict.ACCEPT):
    staff.lead().assign(task_id, staff.id(login))
    desk = staff.expert(login)
    desk.seal(task_id, RIGHT)
    desk.submit_review(task_id, verdict, () if verdict is Verdict.ACCEPT else (FINDING,), RULES)


def approve(staff, task_id):
    for login in ("ann", "bob"):
        reviewed(staff, task_id, login)


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Where the first SQLite database of the module is kept for the others: hashing passwords takes long."""
    return SimpleNamespace(folder=tmp_path_factory.mktemp("kept"), staff=None)


@pytest.fixture
def approved(office, staff, filled, tmp_path, kept):
    """Tasks 1 and 2 are approved, 3 is removed, 4 disputed, 5 half reviewed, 6 queued."""
    on_sqlite = office.engine.dialect.name == "sqlite"
    if on_sqlite and kept.staff:
        shutil.copy(kept.folder / "review.db", tmp_path)
        shutil.copytree(kept.folder / "blobs", office.blobs.folder)
        staff.viewers, staff.ids = dict(kept.staff.viewers), dict(kept.staff.ids)
        return staff
    filled(6)
    for task_id in ("task_1", "task_2"):
        approve(staff, task_id)
    staff.lead().remove("task_3", "no sense")
    reviewed(staff, "task_4", "ann")
    reviewed(staff, "task_4", "bob", Verdict.REVISE)
    reviewed(staff, "task_5", "ann")
    if on_sqlite:
        with closing(sqlite3.connect(tmp_path / "review.db")) as connection:
            connection.execute("VACUUM INTO ?", (str(kept.folder / "review.db"),))
        shutil.copytree(office.blobs.folder, kept.folder / "blobs")
        kept.staff = SimpleNamespace(viewers=dict(staff.viewers), ids=dict(staff.ids))
    return staff


def states(office):
    with office.read() as session:
        return [store.load(session, f"task_{number}").state.value for number in range(1, 7)]


BEFORE = ["approved", "approved", "removed", "disputed", "in_review", "queued"]
AFTER = ["released", "released", *BEFORE[2:]]


def tree(root):
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())


def nothing_was_released(office, out):
    with office.read() as session:
        assert store.releases(session) == []
        assert store.verify(session)[1] == []
    assert states(office)[2:] == BEFORE[2:]
    assert "released" not in states(office)
    return not out.exists() or list(out.iterdir()) == []


# --- what a release holds ---------------------------------------------------------------------------------------------


def test_a_release_has_the_official_layout_and_nothing_of_tasks_under_review(office, approved, tmp_path):
    made = make_release(office, "v1", tmp_path / "out")
    a_task = [
        "audit/{0}/gold.sql",
        "audit/{0}/provenance.json",
        "audit/{0}/sampled.sqlite",
        "evaluation/configs/{0}.json",
        "input/{0}/context/fund.csv",
        "input/{0}/context/notes.md",
        "input/{0}/task.json",
        "output/{0}/gold.csv",
    ]
    ledger = [f"ledger/task_{number}.jsonl" for number in (1, 2, 3)]
    expected = [name.format(task) for name in a_task for task in ("task_1", "task_2")]
    about = [
        "CITATION.cff",
        "README.md",
        "SHA256SUMS",
        "agreement.json",
        "croissant.json",
        "manifest.json",
        "statistics.json",
    ]
    blobs = [name for name in tree(made.folder) if name.startswith("blobs/")]
    assert tree(made.folder) == sorted([*expected, *ledger, *about, *blobs])
    assert (made.tasks, states(office)) == (("task_1", "task_2"), AFTER)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["v1"]


@ON_SQLITE
def test_the_files_of_a_release_are_the_approved_revisions(office, approved, tmp_path):
    folder = make_release(office, "v1", tmp_path).folder
    task = json.loads((folder / "input/task_2/task.json").read_text())
    assert task == {"task_id": "task_2", "question": QUESTION, "language": "en", "domain": "fund"}
    assert (folder / "output/task_2/gold.csv").read_bytes() == GOLD
    assert (folder / "audit/task_2/gold.sql").read_text().strip() == SQL
    assert parse_rules(json.loads((folder / "evaluation/configs/task_2.json").read_text())).columns == RULES.columns


def test_the_manifest_names_every_file_and_is_named_by_the_ledger(office, approved, tmp_path):
    made = make_release(office, "v1", tmp_path)
    written = (made.folder / "manifest.json").read_bytes()
    files = json.loads(written)["files"]
    assert sorted(files) == [name for name in tree(made.folder) if name not in ("manifest.json", "SHA256SUMS")]
    for name, digest in files.items():
        assert hashlib.sha256((made.folder / name).read_bytes()).hexdigest() == digest
    assert made.manifest == hashlib.sha256(written).hexdigest()
    with office.read() as session:
        (row,) = store.releases(session)
        last = [store.load(session, task_id).last for task_id in made.tasks]
        revisions = {task_id: store.load(session, task_id).revision.digest for task_id in made.tasks}
    assert (row.name, row.manifest, row.tasks) == ("v1", made.manifest, 2)
    assert {(event.release, event.manifest, event.revision) for event in last} == {
        ("v1", made.manifest, digest) for digest in revisions.values()
    }
    assert json.loads(written)["tasks"] == revisions


def canonical(value):
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def head_of(lines):
    """Replay an exported chain as a stranger would, with nothing of ours; return the last hash."""
    previous = "0" * 64
    for place, line in enumerate(map(json.loads, lines), start=1):
        commitments = {
            field: hashlib.sha256(bytes.fromhex(line["salts"][field]) + canonical(value).encode()).hexdigest()
            for field, value in line["payload"].items()
        }
        plain = {key: line[key] for key in ("actor", "at", "kind", "prev_hash", "task_id", "version")}
        found = hashlib.sha256(canonical(plain | {"commitments": commitments}).encode()).hexdigest()
        assert (line["version"], line["prev_hash"], line["hash"]) == (place, previous, found)
        assert line["commitments"] == commitments
        previous = found
    return previous


def test_exported_chains_verify_and_stand_before_the_release(office, approved, tmp_path):
    folder = make_release(office, "v1", tmp_path).folder
    heads = json.loads((folder / "manifest.json").read_text())["chain_heads"]
    kinds = {}
    for task_id, head in heads.items():
        lines = (folder / "ledger" / f"{task_id}.jsonl").read_text(encoding="utf-8").splitlines()
        assert head_of(lines) == head
        kinds[task_id] = [json.loads(line)["kind"] for line in lines]
    assert list(kinds) == ["task_1", "task_2", "task_3"]
    assert kinds["task_1"][-1] == "ReviewSubmitted"
    assert kinds["task_3"] == ["TaskImported", "TaskRemoved"]


@ON_SQLITE
def test_the_statistics_can_be_recounted(office, approved, tmp_path):
    folder = make_release(office, "v1", tmp_path).folder
    counted = json.loads((folder / "statistics.json").read_text())
    assert (counted["approved"], counted["removed"]) == (2, 1)
    assert (counted["approved_without_dispute"], counted["approved_after_repair"]) == (2, 0)
    assert (counted["no_independent_solution"], counted["unblinded"]) == ([], [])


@ON_SQLITE
def test_a_later_release_holds_the_earlier_ones_tasks_and_their_chains(office, approved, tmp_path):
    make_release(office, "v1", tmp_path)
    approve(approved, "task_6")
    made = make_release(office, "v2", tmp_path)
    assert made.tasks == ("task_1", "task_2", "task_6")
    lines = (made.folder / "ledger/task_1.jsonl").read_text().splitlines()
    assert [json.loads(line)["kind"] for line in lines].count("TaskReleased") == 1


# --- refusals ---------------------------------------------------------------------------------------------------------


@ON_SQLITE
def test_nothing_approved_is_no_release(office, filled, tmp_path):
    filled()
    with pytest.raises(ReleaseError, match="no task is approved; finish reviews first"):
        make_release(office, "v1", tmp_path / "out")
    assert not (tmp_path / "out").exists()


@ON_SQLITE
@pytest.mark.parametrize("name", ["", ".", "..", ".v1", "a/b", "../v1", "v 1", "v1\n", "版本", "-v", "v" * 81])
def test_only_plain_names_name_releases(office, tmp_path, name):
    with pytest.raises(ReleaseError, match="use letters, digits, dot, dash and underscore"):
        make_release(office, name, tmp_path / "out")


@ON_SQLITE
def test_a_name_is_used_once(office, approved, tmp_path):
    first = make_release(office, "v1", tmp_path)
    for out, message in ((tmp_path, "v1 is there already"), (tmp_path / "other", "called 'v1' already")):
        before = tree(first.folder)
        with pytest.raises(ReleaseError, match=message):
            make_release(office, "v1", out)
        assert tree(first.folder) == before
    with office.read() as session:
        assert [row.name for row in store.releases(session)] == ["v1"]


FOREIGN = {
    "no manifest": None,
    "no JSON": b"{",
    "a list": b"[]",
    "another format": b'{"format": "dataspace-candidates", "name": "v1"}',
    "another name": b'{"format": "dataspace-release", "name": "v0", "tasks": {}, "chain_heads": {}}',
    "no tasks": b'{"format": "dataspace-release", "name": "v1"}',
}


@ON_SQLITE
@pytest.mark.parametrize("kind", FOREIGN)
def test_a_folder_of_that_name_is_never_touched(office, tmp_path, kind):
    folder = tmp_path / "v1"
    folder.mkdir()
    (folder / "thesis.txt").write_text("precious")
    if FOREIGN[kind] is not None:
        (folder / "manifest.json").write_bytes(FOREIGN[kind])
    before = tree(folder)
    with pytest.raises(ReleaseError, match="is there already; choose another name or another folder"):
        make_release(office, "v1", tmp_path)
    assert tree(folder) == before


@ON_SQLITE
def test_a_release_of_another_database_is_never_touched(office, approved, tmp_path, sqlite_template):
    """Somebody points the command at the wrong database, where the same candidates were imported."""
    folder = make_release(office, "v1", tmp_path).folder
    before = tree(folder)
    path = tmp_path / "other.db"
    path.write_bytes(sqlite_template.read_bytes())
    other = replace(office, engine=open_engine(f"sqlite:///{path}"))
    import_candidates(other, write_candidates(tmp_path / "candidates", 6))
    with pytest.raises(ReleaseError, match="is there already"):
        make_release(other, "v1", tmp_path)
    other.engine.dispose()
    assert tree(folder) == before


@ON_SQLITE
def test_whoever_is_no_lead_releases_nothing(office, approved, tmp_path):
    with pytest.raises(ReleaseError, match="role 'lead'"):
        make_release(office, "v1", tmp_path / "out", Person("ann", frozenset({Role.EXPERT})))
    assert nothing_was_released(office, tmp_path / "out")


# --- changes and interruptions ----------------------------------------------------------------------------------------


def reopen_and_approve(staff):
    """The same content again, by other experts: even then the chain that was exported would be too short."""
    staff.lead().reopen("task_2", "again")
    for login in ("cho", "dan"):
        reviewed(staff, "task_2", login)


CHANGES = {
    "removed": lambda staff: staff.lead().remove("task_2", "no sense"),
    "reopened": lambda staff: staff.lead().reopen("task_2", "doubts"),
    "reopened and approved": reopen_and_approve,
}


@ON_SQLITE
@pytest.mark.parametrize("change", CHANGES)
def test_a_task_that_changes_while_the_files_are_written_stops_the_release(office, approved, tmp_path, change):
    def act(done, total, name):
        if done == total:
            CHANGES[change](approved)

    with pytest.raises(ReleaseError, match=r"nothing was released: task_2 .* make the release again"):
        make_release(office, "v1", tmp_path / "out", progress=act)
    assert nothing_was_released(office, tmp_path / "out")
    assert states(office)[0] == "approved"


class Interrupted(BaseException):
    """Whatever ends a process in the middle."""


def interrupted(office, tmp_path):
    """A release that was cut off after the folder's rename, between the first TaskReleased and the second."""
    calls = iter([office.clock()])

    def clock():
        for now in calls:
            return now
        raise Interrupted

    with pytest.raises(Interrupted):
        make_release(replace(office, clock=clock), "v1", tmp_path)
    assert (tmp_path / "v1" / "manifest.json").is_file()


def test_all_entries_of_a_release_are_written_in_one_transaction(office, approved, tmp_path):
    interrupted(office, tmp_path)
    assert states(office) == BEFORE
    with office.read() as session:
        assert session.get(Release, "v1") is None


def test_a_release_that_was_cut_off_after_its_folder_was_whole_is_completed(office, approved, tmp_path):
    interrupted(office, tmp_path)
    before = (tmp_path / "v1" / "manifest.json").read_bytes()
    made = make_release(office, "v1", tmp_path)
    assert (made.manifest, states(office)) == (hashlib.sha256(before).hexdigest(), AFTER)
    assert settle(office, "v1", tmp_path) is None


@ON_SQLITE
@pytest.mark.parametrize("change", CHANGES)
def test_a_release_that_was_cut_off_is_written_anew_if_a_task_changed_since(office, approved, tmp_path, change):
    interrupted(office, tmp_path)
    CHANGES[change](approved)
    kept = ("task_1", "task_2") if change == "reopened and approved" else ("task_1",)
    made = make_release(office, "v1", tmp_path)
    assert made.tasks == kept
    assert sorted(path.name for path in (made.folder / "input").iterdir()) == list(kept)


@ON_SQLITE
def test_what_is_left_of_a_half_written_folder_is_discarded(office, approved, tmp_path):
    (tmp_path / ".v1.partial").mkdir()
    (tmp_path / ".v1.partial" / "stray.txt").write_text("old")
    folder = make_release(office, "v1", tmp_path).folder
    assert "stray.txt" not in tree(folder)
    assert not (tmp_path / ".v1.partial").exists()


@ON_SQLITE
def test_an_interruption_while_files_are_written_leaves_nothing(office, approved, tmp_path):
    def stop(done, total, name):
        raise Interrupted

    with pytest.raises(Interrupted):
        make_release(office, "v1", tmp_path / "out", progress=stop)
    assert nothing_was_released(office, tmp_path / "out")


@ON_SQLITE
def test_a_gold_that_is_missing_in_the_store_stops_the_release_by_name(office, approved, tmp_path):
    with office.read() as session:
        gold = store.load(session, "task_2").revision.gold
    shutil.move(office.blobs.path(gold), tmp_path / "gone")
    with pytest.raises(StorageFailed, match=f"blob {gold[:12]} is missing"):
        make_release(office, "v1", tmp_path / "out")
    assert nothing_was_released(office, tmp_path / "out")


@ON_SQLITE
def test_a_task_without_a_matching_answer_is_counted(office, staff, filled, tmp_path):
    filled()
    wrong = Table(("name", "size"), (("Alpha", "99"), ("Beta", "1")))
    own_error = Finding("", Part.GOLD, FindingKind.OWN_ERROR, "I misread the size")
    for login in ("ann", "bob"):
        staff.lead().assign("task_1", staff.id(login))
        staff.expert(login).seal("task_1", wrong)
        staff.expert(login).submit_review("task_1", Verdict.ACCEPT, (own_error,), RULES)
    staff.lead().settle("task_1", staff.lead().task("task_1").revision.digest, "both misread it", ())
    for login in ("ann", "bob"):
        staff.expert(login).recheck("task_1", staff.lead().task("task_1").revision.digest, confirm=True)
    folder = make_release(office, "v1", tmp_path / "out").folder
    assert json.loads((folder / "statistics.json").read_text())["no_independent_solution"] == ["task_1"]
