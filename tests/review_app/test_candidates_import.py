"""Importing candidates: each whole or not at all, in its own transaction, as often as one likes."""

import hashlib
import json
import re
import shutil

import pytest
import sqlalchemy as sa
from candidates_folder import GOLD, write_candidates

from review_app import store
from review_app.candidates import CandidatesError, import_candidates
from review_app.domain.task import State

ON_SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)  # refused before the database is asked


@pytest.fixture
def folder(tmp_path):
    """Three good candidates."""
    return write_candidates(tmp_path / "candidates", 3)


def manifest(folder, change):
    path = folder / "manifest.json"
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))


def rewrite(folder, path, data, task_id="task_2"):
    """Replace a file and its digest in the manifest, as a builder would that writes nonsense."""
    data = data if isinstance(data, bytes) else json.dumps(data).encode()
    (folder / task_id / path).write_bytes(data)

    def change(document):
        entry = next(entry for entry in document["tasks"] if entry["task_id"] == task_id)
        entry["files"][path] = hashlib.sha256(data).hexdigest()

    manifest(folder, change)


def document(folder, name, **changes):
    path = folder / "task_2" / name
    rewrite(folder, name, {**json.loads(path.read_text()), **changes})


def listed(folder, path, digest="0" * 64):
    manifest(folder, lambda document: document["tasks"][1]["files"].update({path: digest}))


def entry(folder, **changes):
    manifest(folder, lambda document: document["tasks"][1].update(changes))


def stored(office):
    """Everything that an import writes: rows of each table, and blobs."""
    with office.engine.connect() as connection:
        rows = {
            name: connection.execute(sa.text(f"SELECT count(*) FROM {name}")).scalar_one()
            for name in ("ledger", "task_status", "claim", "involvement")
        }
    return rows | {"files": sum(path.is_file() for path in office.blobs.folder.rglob("*"))}


def unreferenced(office, *tasks):
    """Files in the store that no task names."""
    named = set()
    with office.read() as session:
        for task_id in tasks:
            revision = store.load(session, task_id).revision
            named |= {revision.gold, revision.gold_sql, revision.sampled_db, revision.provenance}
            named |= {file.sha256 for file in revision.workspace}
    return {path.name for path in office.blobs.folder.rglob("*") if path.is_file()} - named


def link_to_elsewhere(folder, path):
    target = folder / "task_2" / path
    moved = folder / "moved"
    target.rename(moved)
    target.symlink_to(moved)


# --- once and again ---------------------------------------------------------------------------------------------------


def test_candidates_become_queued_tasks_with_their_files(office, folder):
    report = import_candidates(office, folder)
    assert report.to_json() == {"imported": ["task_1", "task_2", "task_3"], "already_there": [], "refused": {}}
    with office.read() as session:
        task = store.load(session, "task_2")
        assert store.verify(session) == (3, [])
    assert (task.state, task.revision.gold_columns, task.revision.gold_rows) == (State.QUEUED, ("name", "size"), 2)
    assert office.blobs.read(task.revision.gold) == GOLD
    for file in task.revision.workspace:
        data = office.blobs.read(file.sha256)
        assert (data, len(data)) == ((folder / "task_2" / "context" / file.path).read_bytes(), file.size)


def test_a_second_import_changes_nothing(office, folder):
    import_candidates(office, folder)
    before = stored(office)
    report = import_candidates(office, folder)
    assert (report.imported, report.already_there) == ([], ["task_1", "task_2", "task_3"])
    assert stored(office) == before


def test_a_changed_candidate_under_the_same_id_is_refused_and_the_others_are_imported(office, folder):
    write_candidates(folder, 2)
    import_candidates(office, folder)
    before = stored(office)
    write_candidates(folder, 3)
    document(folder, "task.json", question="Another question?")
    rewrite(folder, "private/gold.csv", GOLD.replace(b"12.50", b"13.50"))
    report = import_candidates(office, folder)
    assert (report.imported, report.already_there) == (["task_3"], ["task_1"])
    assert "task_2 is already under review with other content" in report.refused["task_2"]
    assert "--first-id" in report.refused["task_2"]
    assert stored(office) == before | {"ledger": 3, "task_status": 3, "files": before["files"] + 1}


def test_an_interrupted_import_goes_on_where_it_ended(office, folder):
    def stop(done, total, name):
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_candidates(office, folder, progress=stop)
    assert stored(office)["ledger"] == 2
    report = import_candidates(office, folder)
    assert (report.imported, report.already_there) == (["task_3"], ["task_1", "task_2"])


def test_the_ledger_names_who_asked_for_the_import(office, folder):
    import_candidates(office, folder, "lead-1")
    with office.read() as session:
        assert store.load(session, "task_1").last.actor == "lead-1"


# --- one bad candidate ------------------------------------------------------------------------------------------------


DAMAGES = {
    "a file's content": (
        lambda folder: (folder / "task_2/context/fund.csv").write_bytes(b"name\n"),
        "fund.csv: its content is not what the manifest says",
    ),
    "a missing file": (lambda folder: (folder / "task_2/private/gold.sql").unlink(), "gold.sql: there is no such file"),
    "a missing folder": (lambda folder: shutil.rmtree(folder / "task_2"), "there is no such file"),
    "a linked file": (lambda folder: link_to_elsewhere(folder, "context/fund.csv"), "a symbolic link leads to it"),
    "a linked folder": (lambda folder: link_to_elsewhere(folder, "context"), "a symbolic link leads to it"),
    "a linked candidate": (lambda folder: link_to_elsewhere(folder, "."), "a symbolic link leads to it"),
    "a path that leads out": (lambda folder: listed(folder, "context/../../task_1/task.json"), "leads out"),
    "an absolute path": (lambda folder: listed(folder, "/etc/passwd"), "leads out"),
    "an empty path": (lambda folder: listed(folder, ""), "leads out"),
    "a path with NUL": (lambda folder: listed(folder, "context/a\0b"), "build it again"),
    "an endless path": (lambda folder: listed(folder, "context/" + "x" * 5000), "build it again"),
    "a folder as file": (lambda folder: listed(folder, "context"), "there is no such file"),
    "a file without modality": (
        lambda folder: (
            (folder / "task_2/context/more.csv").write_bytes(b"x"),
            listed(folder, "context/more.csv", hashlib.sha256(b"x").hexdigest()),
        ),
        "the workspace and its manifest differ: context/more.csv",
    ),
    "no gold": (
        lambda folder: manifest(folder, lambda document: document["tasks"][1]["files"].pop("private/gold.csv")),
        "private/gold.csv",
    ),
    "no files": (lambda folder: entry(folder, files=None), "does not read"),
    "no instance": (lambda folder: entry(folder, instance=7), "does not read"),
    "a task that is no JSON": (lambda folder: rewrite(folder, "task.json", b"{"), "does not read"),
    "a task that is a list": (lambda folder: rewrite(folder, "task.json", []), "does not read"),
    "a task of endless depth": (lambda folder: rewrite(folder, "task.json", b"[" * 100_000), "does not read"),
    "a question that is a number": (lambda folder: document(folder, "task.json", question=5), "does not read"),
    "a question of blanks": (lambda folder: document(folder, "task.json", question=" "), "question is empty"),
    "a question with NUL": (lambda folder: document(folder, "task.json", question="a\0b"), "NUL"),
    "half a character": (lambda folder: document(folder, "task.json", question="a\ud800"), "does not read"),
    "a domain without end": (lambda folder: document(folder, "task.json", domain="x" * 81), "domain .* 1 to 80"),
    "a language without end": (lambda folder: document(folder, "task.json", language="x" * 9), "language .* 1 to 8"),
    "no sibling": (lambda folder: document(folder, "private/provenance.json", sibling=""), "sibling .* 1 to 80"),
    "a ragged gold": (lambda folder: rewrite(folder, "private/gold.csv", b"name,size\nA\n"), "row 2 has 1 cells"),
    "rules for other columns": (
        lambda folder: rewrite(folder, "private/gold.csv", b"name\nA\n"),
        "rules speak of 2 columns",
    ),
    "rules that the gold does not fit": (
        lambda folder: rewrite(folder, "private/gold.csv", b"name,size\nA,B\n"),
        "the gold does not read under these rules",
    ),
    "rules of another task": (
        lambda folder: document(folder, "private/rules.json", task_id="task_9"),
        "gold or rules do not read",
    ),
}


@ON_SQLITE
@pytest.mark.parametrize("damage", DAMAGES)
def test_one_bad_candidate_is_refused_by_name_and_leaves_nothing(office, folder, damage):
    break_it, message = DAMAGES[damage]
    break_it(folder)
    report = import_candidates(office, folder)
    assert (report.imported, list(report.refused)) == (["task_1", "task_3"], ["task_2"])
    assert re.search(message, report.refused["task_2"])
    assert unreferenced(office, "task_1", "task_3") == set()
    with office.read() as session:
        assert store.verify(session) == (2, [])


@ON_SQLITE
@pytest.mark.parametrize(
    "task_id",
    ["task_0", "task_01", "task_", "task_1x", "../task_1", "task_١", "task_9999999999", "TASK_4", "task_4\n", 4, None],
)
def test_only_task_ids_name_tasks(office, folder, task_id):
    entry(folder, task_id=task_id)
    report = import_candidates(office, folder)
    assert (report.imported, list(report.refused)) == (["task_1", "task_3"], [str(task_id)])


@ON_SQLITE
@pytest.mark.parametrize("nonsense", [None, 7, "task_2", [], {}])
def test_an_entry_that_is_none_is_refused_by_its_place(office, folder, nonsense):
    manifest(folder, lambda document: document["tasks"].__setitem__(1, nonsense))
    report = import_candidates(office, folder)
    assert (report.imported, list(report.refused)) == (["task_1", "task_3"], ["entry 2"])


# --- the folder as a whole --------------------------------------------------------------------------------------------


@ON_SQLITE
@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "cannot be read .*; name a folder that `dataspace build` wrote"),
        (b"{", "does not read as JSON .*; build the candidates again"),
        (b"\xff", "does not read as JSON"),
        (b"[" * 100_000, "does not read as JSON"),
        (b"[]", "this is no manifest of candidates"),
        (b'{"format": "dataspace-release", "format_version": 1, "tasks": []}', "this is no manifest of candidates"),
        (b'{"format": "dataspace-candidates", "format_version": 1, "tasks": {}}', "this is no manifest of candidates"),
        (b'{"format": "dataspace-candidates", "format_version": 2, "tasks": []}', "format version 2 is not 1"),
    ],
)
def test_a_folder_without_a_readable_manifest_is_refused_by_the_file(office, tmp_path, text, message):
    if text is not None:
        (tmp_path / "manifest.json").write_bytes(text)
    with pytest.raises(CandidatesError, match=f"manifest.json: {message}"):
        import_candidates(office, tmp_path)
    assert not any(stored(office).values())


def test_a_folder_that_is_not_there_is_refused(office, tmp_path):
    with pytest.raises(CandidatesError, match="No such file"):
        import_candidates(office, tmp_path / "gone")
