"""Is everything there that the system needs? Each check says what it found and what to do."""

import shutil
import sqlite3
import sys
from collections.abc import Callable
from dataclasses import dataclass

from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
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
    """Return all checks; nothing is changed."""
    return [
        Check("Python", sys.version_info >= (3, 11), sys.version.split()[0], "install Python 3.11 or newer"),
        _sqlite(),
        _disk(settings),
        _guarded("database", lambda: _schema(settings), "run `dataspace migrate`"),
        _guarded("ledger", lambda: _ledger(settings), "run `dataspace ledger verify` and see docs/security.md"),
    ]


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
        return Check(what, False, str(error).splitlines()[0], remedy)
    return Check(what, fine, found, remedy)


def _schema(settings: Settings) -> tuple[bool, str]:
    engine = Office.at(settings).engine
    newest = ScriptDirectory.from_config(migration_config(engine)).get_current_head()
    with engine.connect() as connection:
        current = MigrationContext.configure(connection).get_current_revision()
    return current == newest, f"{engine.dialect.name}, schema {current}, newest {newest}"


def _ledger(settings: Settings) -> tuple[bool, str]:
    with Office.at(settings).read() as session:
        count, problems = store.verify(session)
    return not problems, problems[0] if problems else f"{count} entries hold"
