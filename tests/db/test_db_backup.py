"""A backup is one moment, whole or not there, and comes back on either kind of database."""

import io
import json
import shutil
import signal
import subprocess
import sys
import tarfile
from datetime import UTC, datetime

import pytest
import sqlalchemy as sa

from db import ledger
from db.backup import BackupError, backup, restore
from db.blobs import BlobError, Blobs
from db.engine import migrate, open_engine, reading, writing
from db.tables import Account, Claim, Draft, LedgerEntry, SignIn

AT = datetime(2026, 3, 1, 9, 30, 15, 123456, tzinfo=UTC)
NOW = datetime(2026, 3, 2, tzinfo=UTC)
TEXT = "𠮷 ' \" \\ \u2028"
WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from db import ledger
from db.blobs import Blobs
from db.engine import open_engine, writing
engine, blobs = open_engine(sys.argv[1]), Blobs(Path(sys.argv[2]))
for number in range(1, 100_000):
    blob = blobs.put(str(number).encode())
    with writing(engine) as session:
        ledger.append(session, ledger.New("task_1", number, "X", "ann", datetime.now(UTC), {"blob": blob}))
    print(number, flush=True)
"""


def fill(url, blobs):
    engine = open_engine(url)
    blob = blobs.put(b"gold")
    with writing(engine) as session:
        session.add(Account(id="ann", login="ann", name=TEXT, password="x", roles="expert", domains="", languages="",
                            locale="zh", active=False, created_at=AT))  # fmt: skip
        session.flush()
        session.add(Claim(task_id="task_1", round=1, seat=1, account_id="ann", phase="solving", expires_at=AT))
        session.add(Draft(task_id="task_1", round=1, account_id="ann", part="x", version=3, body=TEXT, at=AT))
        session.add(SignIn(token_hash="t", account_id="ann", created_at=AT, expires_at=AT))
        for version in (1, 2):
            ledger.append(session, ledger.New("task_1", version, "X", "ann", AT, {"blob": blob, "text": TEXT}))
    return engine


def fresh(kind, tmp_path, postgres_url):
    if kind == "postgres":
        url = postgres_url()
        engine = open_engine(url)
        with engine.connect() as connection:
            connection.execute(sa.text("DROP SCHEMA public CASCADE"))
            connection.execute(sa.text("CREATE SCHEMA public"))
            connection.commit()
        return engine
    return open_engine(f"sqlite:///{tmp_path / 'restored' / 'review.db'}")


def emptied(engine):
    """A database of today's schema without a row."""
    migrate(engine)
    return engine


def rows(engine):
    with reading(engine) as session:
        found = sa.MetaData()
        found.reflect(session.connection())
        return sum(session.scalar(sa.select(sa.func.count()).select_from(table)) for table in found.sorted_tables) - 1


@pytest.fixture
def source(database_url, tmp_path):
    blobs = Blobs(tmp_path / "blobs")
    return fill(database_url, blobs), blobs


@pytest.fixture
def kept(sqlite_template, tmp_path):
    """A backup of an embedded database."""
    shutil.copy(sqlite_template, tmp_path / "review.db")
    blobs = Blobs(tmp_path / "blobs")
    file = tmp_path / "one.backup"
    backup(fill(f"sqlite:///{tmp_path / 'review.db'}", blobs), blobs, file, NOW)
    return file


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def test_what_was_kept_comes_back_on_either_kind_and_goes_on(source, kind, tmp_path, request):
    engine, blobs = source
    target = fresh(kind, tmp_path, request.getfixturevalue("postgres") if kind == "postgres" else None)
    made = backup(engine, blobs, tmp_path / "one.backup", NOW)
    restored = Blobs(tmp_path / "restored" / "blobs")
    assert restore(target, restored, tmp_path / "one.backup") == made
    assert backup(target, restored, tmp_path / "two.backup", NOW) == made
    assert restored.digests() == blobs.digests()
    with writing(target) as session:
        assert ledger.verify(session) == (2, [])
        assert session.get(Draft, ("task_1", 1, "ann", "x")).body == TEXT
        assert session.get(Account, "ann").created_at == AT
        assert session.scalars(sa.select(SignIn)).all() == []
        ledger.append(session, ledger.New("task_1", 3, "X", "ann", AT, {}))
        session.add(Claim(task_id="task_2", round=1, seat=1, account_id="ann", phase="solving", expires_at=AT))
        session.flush()
        assert session.scalars(sa.select(LedgerEntry.seq).order_by(LedgerEntry.version)).all() == [1, 2, 3]


def test_of_a_source_that_is_killed_while_it_writes_the_backup_is_whole(tmp_path, sqlite_template):
    home = tmp_path / "home"
    home.mkdir()
    shutil.copy(sqlite_template, home / "review.db")
    url = f"sqlite:///{home / 'review.db'}"
    command = [sys.executable, "-c", WRITER, url, str(home / "blobs")]
    writer = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    while int(writer.stdout.readline()) < 20:
        pass
    backup(open_engine(url), Blobs(home / "blobs"), tmp_path / "one.backup", NOW)
    writer.send_signal(signal.SIGKILL)
    writer.wait()
    shutil.rmtree(home)
    engine, blobs = open_engine(f"sqlite:///{home / 'review.db'}"), Blobs(home / "blobs")
    restore(engine, blobs, tmp_path / "one.backup")
    with reading(engine) as session:
        count, problems = ledger.verify(session)
        entries = ledger.read(session, "task_1")
    assert count >= 20
    assert problems == []
    assert [blobs.read(entry.payload["blob"]) for entry in entries] == [str(n).encode() for n in range(1, count + 1)]


def changed(file, change):
    """The backup with members changed: {name: bytes} in, what the function makes of it out."""
    with tarfile.open(file) as archive:
        members = {member.name: archive.extractfile(member).read() for member in archive}
    change(members)
    with tarfile.open(file, "w") as archive:
        for name, data in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))


def manifest(**said):
    def change(members):
        members["backup.json"] = json.dumps({**json.loads(members["backup.json"]), **said}).encode()

    return change


def a_row_is_changed(members):
    members["tables/draft.jsonl"] = members["tables/draft.jsonl"].replace(b'"version": 3', b'"version": 4')


def a_row_is_missing(members):
    members["tables/ledger.jsonl"] = members["tables/ledger.jsonl"].split(b"\n")[0] + b"\n"


def a_row_is_no_row(members):
    members["tables/ledger.jsonl"] = b"no\n"


def a_table_is_missing(members):
    del members["tables/claim.jsonl"]


def a_blob_is_changed(members):
    (name,) = (name for name in members if name.startswith("blobs/"))
    members[name] = b"another gold"


def a_blob_is_missing(members):
    (name,) = (name for name in members if name.startswith("blobs/"))
    del members[name]


def something_is_added(members):
    members["../../etc/passwd"] = b"x"


def the_manifest_is_missing(members):
    del members["backup.json"]


PLANTS = {
    a_row_is_changed: "table draft is damaged",
    a_row_is_missing: "table ledger is damaged",
    a_row_is_no_row: "a row in the backup does not read",
    a_table_is_missing: "table claim is damaged or missing",
    a_blob_is_changed: "blob [0-9a-f]{12} in the backup is damaged",
    a_blob_is_missing: "0 of 1 blobs are there",
    something_is_added: "does not belong into a backup",
    the_manifest_is_missing: "no backup of this program",
    manifest(format=2): "made by a newer version",
    manifest(schema="9999"): "schema '9999' of a newer version",
    manifest(made_at="yesterday"): "backup.json does not read",
}


@pytest.mark.parametrize(("plant", "said"), PLANTS.items())
def test_a_damaged_backup_is_refused_by_name_and_stores_no_row(kept, tmp_path, plant, said):
    changed(kept, plant)
    engine = emptied(open_engine(f"sqlite:///{tmp_path / 'new.db'}"))
    with pytest.raises(BackupError, match=said):
        restore(engine, Blobs(tmp_path / "new"), kept)
    assert rows(engine) == 0


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_backup_that_is_cut_off_is_refused_and_stores_no_row(kept, tmp_path, share):
    kept.write_bytes(kept.read_bytes()[: int(kept.stat().st_size * share)])
    engine = emptied(open_engine(f"sqlite:///{tmp_path / 'new.db'}"))
    with pytest.raises(BackupError):
        restore(engine, Blobs(tmp_path / "new"), kept)
    assert rows(engine) == 0


def test_what_a_refused_restore_left_empty_can_be_restored_into(kept, tmp_path):
    whole = kept.read_bytes()
    changed(kept, a_row_is_missing)
    engine, blobs = open_engine(f"sqlite:///{tmp_path / 'new.db'}"), Blobs(tmp_path / "new")
    with pytest.raises(BackupError):
        restore(engine, blobs, kept)
    kept.write_bytes(whole)
    assert restore(engine, blobs, kept).tables["ledger"].rows == 2


def test_a_database_that_holds_something_is_left_alone(kept, tmp_path):
    engine = open_engine(f"sqlite:///{tmp_path / 'review.db'}")
    before = rows(engine)
    with pytest.raises(BackupError, match=r"holds rows in account, .*; restore into a new one"):
        restore(engine, Blobs(tmp_path / "blobs"), kept)
    assert rows(engine) == before


def test_a_backup_replaces_nothing_and_only_its_owner_reads_it(kept, tmp_path):
    assert kept.stat().st_mode & 0o077 == 0
    before = kept.read_bytes()
    with pytest.raises(BackupError, match="exists"):
        backup(open_engine(f"sqlite:///{tmp_path / 'review.db'}"), Blobs(tmp_path / "blobs"), kept, NOW)
    assert kept.read_bytes() == before


def test_with_a_damaged_blob_there_is_no_backup(source, tmp_path):
    engine, blobs = source
    path = blobs.path(blobs.digests()[0])
    path.chmod(0o644)
    path.write_bytes(b"another")
    with pytest.raises(BlobError, match="is damaged"):
        backup(engine, blobs, tmp_path / "one.backup", NOW)
    assert list(tmp_path.glob("*backup*")) == list(tmp_path.glob(".*backup*")) == []


def test_a_database_that_is_not_ours_is_not_kept(tmp_path):
    with pytest.raises(BackupError, match="no schema of ours"):
        backup(open_engine(f"sqlite:///{tmp_path / 'other.db'}"), Blobs(tmp_path / "blobs"), tmp_path / "b", NOW)
