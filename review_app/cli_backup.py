"""The commands that keep everything in one file, and bring it back."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from db import backup
from db.blobs import Blobs
from db.engine import open_engine, reading
from review_app import store
from review_app.cli_common import Failed, show
from review_app.settings import settings

BackupFile = Annotated[Path, typer.Argument(help="The backup: one file.")]


def backup_command(file: BackupFile) -> None:
    """Keep database and files in one file, while people work. Example: dataspace backup monday.backup

    It holds golds, answers and password hashes: only its owner may read it.
    """
    here = settings()
    show(_said(backup.backup(open_engine(here.database), Blobs(here.blobs), file, datetime.now(UTC))))


def restore_command(file: BackupFile) -> None:
    """Bring a backup into a new database, SQLite or PostgreSQL. Example: dataspace restore monday.backup

    Everybody signs in again. Whether the ledger holds is checked at the end.
    """
    here = settings()
    engine = open_engine(here.database)
    contents = backup.restore(engine, Blobs(here.blobs), file)
    with reading(engine) as session:
        _, problems = store.verify(session)
    show({**_said(contents), "problems": problems})
    if problems:
        raise Failed(f"everything is back as it was kept, but the ledger does not hold: {problems[0]}")


def _said(contents: backup.Contents) -> dict[str, Any]:
    rows = {name: kept.rows for name, kept in contents.tables.items()}
    return {"made": contents.made_at.isoformat(), "schema": contents.schema, "rows": rows, "blobs": contents.blobs}
