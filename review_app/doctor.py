"""Is everything there that the system needs? Each check says what it found and what to do."""

import shutil
import sqlite3
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import make_url
from sqlalchemy.exc import SQLAlchemyError

from db.engine import migration_config
from review_app import store
from review_app.desk.office import Office
from review_app.settings import Settings

FREE_BYTES = 1 << 30


@dataclass(frozen=True)
class Check:
    """One thing that was looked at."""

    what: str
    fine: bool
    found: str
    remedy: str


def examine(settings: Settings) -> list[Check]:
    """Return all checks; nothing is changed. The ledger is looked at where there is a database to look into."""
    checks = [
        Check("Python", sys.version_info >= (3, 11), sys.version.split()[0], "install Python 3.11 or newer"),
        _sqlite(),
        _disk(settings),
        database(settings),
    ]
    if checks[-1].fine:
        remedy = "run `dataspace ledger verify` and see docs/security.md"
        checks.append(_guarded("ledger", lambda: _ledger(settings), remedy))
    return checks


def database(settings: Settings) -> Check:
    """Return whether the database answers and has the newest schema; one that is not there is not made."""
    return _guarded(
        "database", lambda: _schema(settings), "check DATASPACE_VAR and DATABASE_URL, then run `dataspace migrate`"
    )


def _sqlite() -> Check:
    fine = sqlite3.sqlite_version_info >= (3, 38, 0)
    return Check("SQLite", fine, sqlite3.sqlite_version, "use a Python with SQLite 3.38 or newer")


def _disk(settings: Settings) -> Check:
    folder = next(path for path in (settings.var.absolute(), *settings.var.absolute().parents) if path.exists())
    free = shutil.disk_usage(folder).free
    return Check("disk", free >= FREE_BYTES, f"{free / (1 << 30):.1f} GiB free", f"free space below {folder}")


def _guarded(what: str, look: Callable[[], tuple[bool, str]], remedy: str) -> Check:
    try:
        fine, found = look()
    except SQLAlchemyError as error:
        return Check(what, False, first_line(error), remedy)
    return Check(what, fine, found, remedy)


def first_line(error: SQLAlchemyError) -> str:
    """Return what the database said, without the statement and its values."""
    return str(getattr(error, "orig", None) or error).strip().splitlines()[0]


def _missing(settings: Settings) -> Path | None:
    """The file of an embedded database that does not exist; opening it would make it."""
    url = make_url(settings.database)
    if url.get_backend_name() != "sqlite" or not url.database or Path(url.database).is_file():
        return None
    return Path(url.database)


def _schema(settings: Settings) -> tuple[bool, str]:
    missing = _missing(settings)
    if missing is not None:
        return False, f"there is no {missing} yet"
    engine = Office.at(settings).engine
    newest = ScriptDirectory.from_config(migration_config(engine)).get_current_head()
    with engine.connect() as connection:
        current = MigrationContext.configure(connection).get_current_revision()
    return current == newest, f"{engine.dialect.name}, schema {current}, newest {newest}"


def _ledger(settings: Settings) -> tuple[bool, str]:
    with Office.at(settings).read() as session:
        count, problems = store.verify(session)
    return not problems, problems[0] if problems else f"{count} entries hold"
