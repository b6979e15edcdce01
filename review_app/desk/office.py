"""What all desks share: database, blobs, settings and clock; who is asking; and how a command becomes an event."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Protocol

import sqlalchemy as sa
from sqlalchemy import Engine
from sqlalchemy.exc import DataError, OperationalError
from sqlmodel import Session

from db.blobs import BlobError, Blobs
from db.engine import open_engine, reading, writing
from db.ledger import LedgerConflict
from evaluator.errors import EvaluatorError
from evaluator.tables import Table, parse_table, to_csv
from review_app import accounts, store
from review_app.accounts import Profile
from review_app.domain.decide import Facts, decide, need_role
from review_app.domain.errors import NotPossible, StorageFailed, Unfit
from review_app.domain.events import Event
from review_app.domain.people import Role
from review_app.domain.task import Task
from review_app.requests import Requests
from review_app.settings import Settings
from review_app.workspace.runs import Runs

TRIES = 8


def utc_now() -> datetime:
    """The clock of a running system."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Viewer:
    """Who is asking: the hash of a sign-in's token, looked up anew at every call."""

    sign_in: str


class MakeEvent(Protocol):
    """Builds the event and the facts about it from the task as read in the transaction."""

    def __call__(self, session: Session, task: Task, profile: Profile, now: datetime, /) -> tuple[Event, Facts]:
        """Return the event to decide on, and what the task alone cannot tell."""


@dataclass(frozen=True)
class Office:
    """Where the desks work. `loads_ahead`: a workspace is loaded when a seat is taken, before it is opened."""

    engine: Engine
    blobs: Blobs
    settings: Settings
    clock: Callable[[], datetime] = utc_now
    loads_ahead: bool = False

    @classmethod
    def at(cls, settings: Settings) -> "Office":
        """Open the office that the settings describe."""
        return cls(open_engine(settings.database), Blobs(settings.blobs), settings, loads_ahead=True)

    @cached_property
    def requests(self) -> Requests:
        """Where pages ask the worker for what takes long."""
        return Requests(self.settings)

    @cached_property
    def runs(self) -> Runs:
        """Queries that experts started."""
        return Runs()

    def who(self, session: Session, viewer: Viewer, role: Role | None = None) -> Profile:
        """Return who is asking.

        Raises:
            SignedOut: the sign-in is over.
            NotAllowed: the account lacks the role.
        """
        profile = accounts.signed_in(session, viewer.sign_in, self.clock())
        if role is not None:
            need_role(profile.person, role)
        return profile

    def act(self, viewer: Viewer, role: Role | None, task_id: str, make: MakeEvent) -> Task:
        """Decide on the event that `make` builds and record it, in one transaction.

        Whoever is second re-reads and decides again.

        Raises:
            ReviewError: the rules or the storage refuse; nothing is stored.
        """
        for _ in range(TRIES):
            try:
                with self.write() as session:
                    profile = self.who(session, viewer, role)
                    task = store.load(session, task_id)
                    event, facts = make(session, task, profile, self.clock())
                    decide(task, event, profile.person, facts)
                    return store.record(session, task, event)
            except LedgerConflict:
                continue
        raise NotPossible("the task could not be written at this moment; try again")

    @contextmanager
    def write(self) -> Iterator[Session]:
        """A transaction; a refusing disk or database becomes a StorageFailed that says what to do."""
        with storage_errors(), writing(self.engine) as session:
            yield session

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A session that reads one consistent state."""
        with storage_errors(), reading(self.engine) as session:
            yield session

    def ping(self) -> None:
        """Return if the database answers; whatever it raises otherwise passes through."""
        with reading(self.engine) as session:
            session.connection().execute(sa.text("SELECT 1"))

    def put(self, data: bytes) -> str:
        """Store a blob.

        Raises:
            StorageFailed: the disk refused; nothing is left behind.
        """
        with storage_errors():
            return self.blobs.put(data)

    def put_table(self, table: Table) -> str:
        """Store a table as canonical CSV."""
        return self.put(to_csv(table))

    def table(self, digest: str) -> Table:
        """Return the table in a blob.

        Raises:
            StorageFailed: the blob is missing or damaged.
        """
        with storage_errors():
            return parse_table(self.blobs.read(digest))

    def text(self, digest: str) -> str:
        """Return the text in a blob."""
        with storage_errors():
            return self.blobs.read(digest).decode()


@contextmanager
def storage_errors() -> Iterator[None]:
    """Translate what disk and database say into one sentence for the person."""
    try:
        yield
    except BlobError as error:
        raise StorageFailed(f"{error}. Nothing was stored; your draft is kept") from error
    except OperationalError as error:
        raise StorageFailed(
            f"the database refused ({error.orig}); nothing was stored, your draft is kept. "
            "Tell an admin to free disk space, then try again"
        ) from error
    except (DataError, UnicodeEncodeError) as error:
        raise Unfit("the text holds a character that cannot be stored (NUL, half a character); remove it") from error
    except EvaluatorError as error:
        raise StorageFailed(f"a stored table does not read: {error}; restore it from a backup") from error
