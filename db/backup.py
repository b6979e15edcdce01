"""Everything that is stored, in one file, and back: into SQLite or PostgreSQL, whichever it came from.

A backup is a tar of `backup.json` (what it holds, with digests), `blobs/SHA256` (files by their digest), and
`tables/NAME.jsonl` (a row a line, tables before those that refer to them). It is one moment of the database; the
blobs are older than the rows that name them, so they are all there. Sign-ins are left out: whoever holds a backup is
not signed in by it. What the worker was asked for is left out too.
"""

import hashlib
import io
import json
import os
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

import sqlalchemy as sa
from alembic import command
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine

from db.blobs import Blobs, sync_folder
from db.engine import migrate, migration_config, reading, writing

FORMAT = 1
MANIFEST = "backup.json"
LEFT_OUT = frozenset({"alembic_version", "sign_in"})
MANIFEST_BYTES = 1 << 20
BATCH = 500


class BackupError(Exception):
    """A backup cannot be made or restored; the message says why, and nothing was changed."""


@dataclass(frozen=True)
class Kept:
    """A table in a backup: how many rows, and the SHA-256 of its lines."""

    rows: int
    sha256: str


@dataclass(frozen=True)
class Contents:
    """What a backup holds: the schema's revision, when it was made, its tables, and how many blobs."""

    schema: str
    made_at: datetime
    tables: dict[str, Kept]
    blobs: int


def backup(engine: Engine, blobs: Blobs, target: Path, now: datetime) -> Contents:
    """Write everything to the file, which appears whole or not at all, readable by its owner only.

    Raises:
        BackupError: the file exists, or there is no database of ours.
        BlobError: a blob is damaged.
    """
    if target.exists():
        raise BackupError(f"{target} exists; give the backup another name")
    with tempfile.TemporaryDirectory(prefix="backup-") as folder, _appearing(target) as stream:
        schema, tables = _dumped(engine, Path(folder))
        stored = blobs.digests()
        contents = Contents(schema, now, tables, len(stored))
        with tarfile.open(fileobj=stream, mode="w") as archive:
            _add(archive, MANIFEST, _manifest(contents))
            for digest in stored:
                archive.add(blobs.sound(digest), f"blobs/{digest}")
            for name in tables:
                archive.add(Path(folder, name), f"tables/{name}.jsonl")
    return contents


def restore(engine: Engine, blobs: Blobs, source: Path) -> Contents:
    """Bring everything back into a database that holds nothing yet; rows appear all at once, after the blobs.

    Raises:
        BackupError: the file is no sound backup or newer than this program, or the database holds something.
        BlobError: a blob cannot be stored.
    """
    with _opened(source) as archive:
        contents = _contents(archive, source)
        _prepare(engine, contents, source)
        with writing(engine) as session:
            _take(archive, contents, blobs, session.connection(), source)
    migrate(engine)
    return contents


# --- making ----------------------------------------------------------------------------------------------------


def _dumped(engine: Engine, folder: Path) -> tuple[str, dict[str, Kept]]:
    """Write each table's lines into the folder, all as of one moment."""
    with reading(engine) as session:
        connection = session.connection()
        schema = MigrationContext.configure(connection).get_current_revision()
        if schema is None:
            raise BackupError("the database holds no schema of ours; check DATASPACE_VAR and DATABASE_URL")
        return schema, {table.name: _lines(connection, table, folder) for table in _tables(connection)}


def _tables(connection: Connection) -> list[sa.Table]:
    """The tables as they are in this database, each behind those that it refers to."""
    found = sa.MetaData()
    found.reflect(connection)
    return [table for table in found.sorted_tables if table.name not in LEFT_OUT]


def _lines(connection: Connection, table: sa.Table, folder: Path) -> Kept:
    digest, count = hashlib.sha256(), 0
    rows = connection.execution_options(yield_per=BATCH).execute(sa.select(table).order_by(*table.primary_key))
    with (folder / table.name).open("wb") as stream:
        for row in rows.mappings():
            line = json.dumps({name: _plain(value) for name, value in row.items()}, ensure_ascii=True).encode() + b"\n"
            stream.write(line)
            digest.update(line)
            count += 1
    return Kept(count, digest.hexdigest())


def _plain(value: Any) -> Any:
    """A value as JSON has it; times in UTC, which SQLite does not say."""
    if isinstance(value, datetime):
        return (value if value.tzinfo else value.replace(tzinfo=UTC)).astimezone(UTC).isoformat()
    return value


def _manifest(contents: Contents) -> bytes:
    said = {"format": FORMAT, **asdict(contents), "made_at": contents.made_at.isoformat()}
    return json.dumps(said, indent=2).encode()


def _add(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mode = len(data), 0o600
    archive.addfile(member, io.BytesIO(data))


@contextmanager
def _appearing(target: Path) -> Iterator[IO[bytes]]:
    """A file beside the target that takes its name once it is whole and on the disk."""
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}-")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.link(temporary, target)  # unlike a rename, it never replaces what somebody else put there
        sync_folder(target.parent)
    finally:
        temporary.unlink()


# --- bringing back ---------------------------------------------------------------------------------------------


@contextmanager
def _opened(source: Path) -> Iterator[tarfile.TarFile]:
    try:
        with tarfile.open(source, "r:") as archive:
            yield archive
    except tarfile.TarError as error:
        raise BackupError(f"{source} is no backup, or cut off ({error}); take another one") from error


def _contents(archive: tarfile.TarFile, source: Path) -> Contents:
    member = archive.next()
    if member is None or member.name != MANIFEST or member.size > MANIFEST_BYTES:
        raise BackupError(f"{source} is no backup of this program: it does not begin with {MANIFEST}")
    try:
        said = json.load(_stream(archive, member))
        if said.pop("format") != FORMAT:
            raise BackupError(f"{source} was made by a newer version; install that version and restore again")
        said["tables"] = {name: Kept(**kept) for name, kept in said["tables"].items()}
        return Contents(**{**said, "made_at": datetime.fromisoformat(said["made_at"])})
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise BackupError(f"{source}: {MANIFEST} does not read ({error}); take another backup") from error


def _stream(archive: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes]:
    found = archive.extractfile(member) if member.isfile() else None
    if found is None:
        raise BackupError(f"{member.name!r} in the backup is no file; take another backup")
    return found


def _prepare(engine: Engine, contents: Contents, source: Path) -> None:
    """Give an empty database the schema of the backup."""
    config = migration_config(engine)
    known = {revision.revision for revision in ScriptDirectory.from_config(config).walk_revisions()}
    if contents.schema not in known:
        raise BackupError(f"{source} has the schema {contents.schema!r} of a newer version; install that version first")
    with reading(engine) as session:
        connection = session.connection()
        current = MigrationContext.configure(connection).get_current_revision()
        full = [table.name for table in _tables(connection) if connection.scalar(sa.select(sa.exists(table.select())))]
    if full or current not in (None, contents.schema):
        held = f"holds rows in {', '.join(full)}" if full else f"has the schema {current}"
        raise BackupError(f"the database {held}; restore into a new one (DATASPACE_VAR, DATABASE_URL)")
    command.upgrade(config, contents.schema)


def _take(archive: tarfile.TarFile, contents: Contents, blobs: Blobs, connection: Connection, source: Path) -> None:
    """Store what follows the manifest, and see that all came which it names."""
    tables = {table.name: table for table in _tables(connection)}
    stored, taken = 0, dict[str, Kept]()
    for member in archive:
        kind, _, name = member.name.partition("/")
        if kind == "blobs":
            _blob(blobs, _stream(archive, member), name)
            stored += 1
        elif kind == "tables" and name.removesuffix(".jsonl") in tables:
            table = tables[name.removesuffix(".jsonl")]
            taken[table.name] = _rows(connection, table, _stream(archive, member))
        elif member.name != MANIFEST:
            raise BackupError(f"{source}: {member.name!r} does not belong into a backup; take another one")
    for name, kept in contents.tables.items():
        if taken.get(name) != kept:
            raise BackupError(f"{source}: the table {name} is damaged or missing; take another backup")
    if stored != contents.blobs:
        raise BackupError(f"{source}: {stored} of {contents.blobs} blobs are there; take another backup")


def _blob(blobs: Blobs, stream: IO[bytes], digest: str) -> None:
    with tempfile.NamedTemporaryFile(prefix="blob-") as copy:
        while piece := stream.read(1 << 20):
            copy.write(piece)
        copy.flush()
        if blobs.put_file(Path(copy.name)) != digest:
            raise BackupError(f"the blob {digest[:12]} in the backup is damaged; take another backup")


def _rows(connection: Connection, table: sa.Table, stream: IO[bytes]) -> Kept:
    digest, count, batch = hashlib.sha256(), 0, list[dict[str, Any]]()
    times = [column.name for column in table.columns if isinstance(column.type, sa.DateTime)]
    for line in stream:
        digest.update(line)
        batch.append(_row(line, times, connection.dialect.name))
        count += 1
        if len(batch) == BATCH:
            connection.execute(table.insert(), batch)
            batch.clear()
    if batch:
        connection.execute(table.insert(), batch)
    _count_on(connection, table)
    return Kept(count, digest.hexdigest())


def _row(line: bytes, times: list[str], dialect: str) -> dict[str, Any]:
    try:
        row: dict[str, Any] = json.loads(line)
        for name in times:
            if row[name] is not None:
                at = datetime.fromisoformat(row[name])
                row[name] = at.replace(tzinfo=None) if dialect == "sqlite" else at
    except (ValueError, TypeError, KeyError) as error:
        raise BackupError(f"a row in the backup does not read ({error}); take another backup") from error
    return row


def _count_on(connection: Connection, table: sa.Table) -> None:
    """Let PostgreSQL number new rows behind those that came with their numbers; SQLite does by itself."""
    if connection.dialect.name != "postgresql":
        return
    for column in table.primary_key:
        counter = connection.scalar(sa.select(sa.func.pg_get_serial_sequence(table.name, column.name)))
        last = connection.scalar(sa.select(sa.func.max(column))) if counter else None
        if last is not None:
            connection.execute(sa.select(sa.func.setval(counter, last)))
