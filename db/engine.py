"""Open the database: embedded SQLite by default, PostgreSQL by address; migrate it to the newest schema."""

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, event, make_url
from sqlalchemy.orm import SessionTransaction
from sqlmodel import Session, create_engine

BUSY_MILLISECONDS = 10_000
TURN = "turn"


def open_engine(url: str) -> Engine:
    """Return an engine for `sqlite:///FILE` or `postgresql://...`.

    On SQLite: WAL, foreign keys, a busy timeout, and writers that begin with BEGIN IMMEDIATE, because a deferred
    transaction that turns into a write fails at once with "database is locked", whatever the timeout.

    Raises:
        ValueError: another database.
    """
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite":
        return _open_sqlite(url, parsed.database)
    if parsed.get_backend_name() not in ("postgresql", "postgres"):
        raise ValueError(f"DATABASE_URL begins with {parsed.drivername!r}; use sqlite:///FILE or postgresql://...")
    return create_engine(parsed.set(drivername="postgresql+psycopg"), pool_pre_ping=True, pool_size=10, max_overflow=20)


def _open_sqlite(url: str, database: str | None) -> Engine:
    if database:
        Path(database).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(
        url,
        connect_args={"timeout": BUSY_MILLISECONDS / 1000, "check_same_thread": False},
        execution_options={TURN: threading.Lock()},
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # or the driver begins on its own, and deferred
        for pragma in ("journal_mode=WAL", "foreign_keys=ON", f"busy_timeout={BUSY_MILLISECONDS}", "synchronous=FULL"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        reading = connection.get_execution_options().get("reading", False)
        connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")

    return engine


@contextmanager
def writing(engine: Engine) -> Iterator[Session]:
    """A session whose transaction commits at the end, or leaves nothing behind."""
    with _turn(engine), Session(engine, expire_on_commit=False) as session, session.begin():
        yield session


def _turn(engine: Engine) -> AbstractContextManager[object]:
    """What a writer waits for before it begins: on SQLite, the writer of this process before it.

    SQLite's own waiting is polling in growing steps: of many writers one may be passed over until it gives up.
    """
    turn: AbstractContextManager[object] = engine.get_execution_options().get(TURN, nullcontext())
    return turn


@contextmanager
def reading(engine: Engine) -> Iterator[Session]:
    """A session that reads one consistent state and takes no write lock."""
    # On PostgreSQL each statement would see another moment; SQLite's transactions read one anyway.
    isolation = {} if engine.dialect.name == "sqlite" else {"isolation_level": "REPEATABLE READ"}
    with Session(engine.execution_options(reading=True, **isolation), expire_on_commit=False) as session:
        begun: SessionTransaction = session.begin()
        try:
            yield session
        finally:
            session.expunge_all()  # what was read stays readable after the session
            begun.rollback()


def migration_config(engine: Engine) -> Config:
    """Return Alembic's configuration for this engine."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["engine"] = engine
    return config


def migrate(engine: Engine) -> None:
    """Bring the schema to the newest version; nothing happens if it is there already."""
    command.upgrade(migration_config(engine), "head")
