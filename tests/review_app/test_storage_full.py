"""A disk that is really full: nothing stored is lost, nothing is half stored, and the message says what to do."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace

import pytest
from candidates_folder import GOLD, rules, write_candidates

from db.engine import open_engine
from evaluator.rules import parse_rules
from evaluator.tables import Table, parse_table, to_csv
from review_app import store
from review_app.candidates import import_candidates
from review_app.domain.blindness import Step
from review_app.domain.content import Verdict
from review_app.domain.errors import StorageFailed
from review_app.domain.task import State
from review_app.release import make_release

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
RIGHT, RULES = parse_table(GOLD), parse_rules(rules("task_1"))
LARGE = Table(("name", "size"), tuple((f"fund {number}", str(number)) for number in range(10_000)))


@pytest.fixture
def small_disk():
    """Mount a disk of so many kB on a folder, or resize it; each is unmounted at the end."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        pytest.skip("a small disk can be mounted by root on Linux only")
    mounted = []

    def mount(folder, kilobytes):
        folder.mkdir(parents=True, exist_ok=True)
        options = f"size={kilobytes}k" if folder not in mounted else f"remount,size={kilobytes}k"
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], capture_output=True, text=True)
        if done.returncode:
            pytest.skip(f"no small disk can be mounted here: {done.stderr.strip()}")
        mounted.append(folder)
        return folder

    yield mount
    for folder in set(mounted):
        subprocess.run(["umount", folder], check=True)


def fill_up(folder):
    """Leave no byte on the disk; return the file that takes them."""
    path = folder / "filler"
    with path.open("wb", buffering=0) as stream, pytest.raises(OSError, match="No space left"):
        while True:
            stream.write(b"x" * 4096)
    return path


def files_below(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_sealing_on_a_full_disk_keeps_seat_and_draft_and_leaves_no_file(office, staff, filled, small_disk):
    disk = small_disk(office.blobs.folder, 64)
    filled()
    ann = staff.expert("ann")
    task_id = ann.next_task()
    ann.save_draft(task_id, "answer", to_csv(LARGE).decode(), 0)
    before = files_below(disk)
    with pytest.raises(StorageFailed, match=r"No space left.*; free space below .*your draft is kept"):
        ann.seal(task_id, LARGE)
    assert files_below(disk) == before
    assert ann.view(task_id).step is Step.SOLVE
    assert ann.drafts(task_id)["answer"].body == to_csv(LARGE).decode()
    small_disk(disk, 1024)
    ann.seal(task_id, LARGE)
    assert ann.my_answer(task_id) == LARGE


def test_a_full_database_refuses_the_seal_whole(office, staff, small_disk, tmp_path, sqlite_template):
    disk = small_disk(tmp_path / "disk", 2048)
    path = shutil.copy(sqlite_template, disk / "review.db")
    office = staff.office = replace(office, engine=open_engine(f"sqlite:///{path}"))
    try:
        import_candidates(office, write_candidates(tmp_path / "candidates"))
        ann = staff.expert("ann")
        task_id = ann.next_task()
        ann.save_draft(task_id, "answer", GOLD.decode(), 0)
        with office.engine.connect() as connection:
            connection.exec_driver_sql("ROLLBACK")
            # what the log holds already could be written over without any new space
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        filler = fill_up(disk)
        refused = pytest.raises(StorageFailed, match=r"full.*your draft is kept\. Tell an admin to free disk space")
        with refused:
            ann.seal(task_id, RIGHT)
        with refused:
            ann.save_draft(task_id, "answer", "more", 1)
        assert ann.view(task_id).step is Step.SOLVE
        assert ann.drafts(task_id)["answer"].body == GOLD.decode()
        filler.unlink()
        ann.seal(task_id, RIGHT)
        assert ann.view(task_id).step is Step.VERIFY
        with office.read() as session:
            assert store.verify(session) == (3, [])
    finally:
        office.engine.dispose()


def test_an_import_that_fills_the_disk_keeps_what_was_imported_and_goes_on_later(office, small_disk, tmp_path):
    folder = write_candidates(tmp_path / "candidates", 3)
    (folder / "task_3/private/gold.sql").write_text("SELECT 1 -- " + "x" * 100_000)
    write_manifest_digest(folder)
    disk = small_disk(office.blobs.folder, 64)
    with pytest.raises(StorageFailed, match=r"free space below .* run the import again"):
        import_candidates(office, folder)
    assert not [path for path in files_below(disk) if path.name.startswith(".")]
    small_disk(disk, 1024)
    report = import_candidates(office, folder)
    assert (report.imported, report.already_there) == (["task_3"], ["task_1", "task_2"])


def write_manifest_digest(folder):
    path = folder / "manifest.json"
    document = json.loads(path.read_text())
    data = (folder / "task_3/private/gold.sql").read_bytes()
    document["tasks"][2]["files"]["private/gold.sql"] = hashlib.sha256(data).hexdigest()
    path.write_text(json.dumps(document))


def test_a_release_that_does_not_fit_is_not_made(office, staff, filled, small_disk, tmp_path):
    filled()
    for login in ("ann", "bob"):
        task_id = staff.expert(login).next_task()
        staff.expert(login).seal(task_id, RIGHT)
        staff.expert(login).submit_review(task_id, Verdict.ACCEPT, (), RULES)
    disk = small_disk(tmp_path / "out", 12)
    with pytest.raises(StorageFailed, match=r"No space left.*nothing was released\. Free space there or name another"):
        make_release(office, "v1", disk)
    assert list(disk.iterdir()) == []
    assert staff.lead().task(task_id).state is State.APPROVED
    small_disk(disk, 1024)
    assert make_release(office, "v1", disk).tasks == (task_id,)
