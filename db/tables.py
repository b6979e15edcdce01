"""The tables. SQLModel for rows only; what they mean is decided elsewhere.

Facts live in `ledger` alone. `task_status`, `involvement` and `claim` follow from it and are written in the same
transaction; leases, drafts, accounts and sign-ins are no ledger facts.
"""

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlmodel import Field, SQLModel

from db.types import UtcDateTime


def _time(**options: Any) -> Any:
    return Field(sa_type=UtcDateTime, **options)


class LedgerEntry(SQLModel, table=True):
    """One event as stored: plain fields, payload values, their salts, and the hash over all before it."""

    __tablename__ = "ledger"
    __table_args__ = (sa.UniqueConstraint("task_id", "version", name="uq_ledger_task_version"),)

    seq: int | None = Field(default=None, primary_key=True)
    task_id: str = Field(max_length=64)
    version: int
    kind: str = Field(max_length=40)
    actor: str = Field(max_length=40)
    at: datetime = _time()
    payload: str = Field(sa_type=sa.Text)
    salts: str = Field(sa_type=sa.Text)
    prev_hash: str = Field(max_length=64)
    hash: str = Field(max_length=64)


class TaskStatus(SQLModel, table=True):
    """Where a task stands, for lists. Not the truth: `dataspace ledger rebuild` makes it anew."""

    __tablename__ = "task_status"

    task_id: str = Field(primary_key=True, max_length=64)
    number: int
    version: int
    state: str = Field(max_length=20, index=True)
    round: int
    held: int
    domain: str = Field(max_length=80)
    language: str = Field(max_length=8)
    sibling: str = Field(max_length=80, index=True)
    question: str = Field(sa_type=sa.Text)
    head: str = Field(max_length=64)
    changed_at: datetime = _time()


class Involvement(SQLModel, table=True):
    """A person who may no longer solve the task blind, and why (`took_part`, `saw_gold`)."""

    __tablename__ = "involvement"

    task_id: str = Field(primary_key=True, max_length=64)
    account_id: str = Field(primary_key=True, max_length=40, foreign_key="account.id", ondelete="RESTRICT")
    why: str = Field(max_length=20)


class Claim(SQLModel, table=True):
    """An expert's hold on a seat, with the lease that ends it. `released_at` is set when the seat was given up."""

    __tablename__ = "claim"
    __table_args__ = (
        sa.UniqueConstraint("task_id", "round", "account_id", name="uq_claim_person"),
        sa.Index(
            "uq_claim_seat",
            "task_id",
            "round",
            "seat",
            unique=True,
            sqlite_where=sa.text("released_at IS NULL"),
            postgresql_where=sa.text("released_at IS NULL"),
        ),
        sa.Index("ix_claim_account", "account_id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    task_id: str = Field(max_length=64)
    round: int
    seat: int
    account_id: str = Field(max_length=40, foreign_key="account.id", ondelete="RESTRICT")
    phase: str = Field(max_length=12)
    expires_at: datetime = _time()
    released_at: datetime | None = _time(default=None, nullable=True)


class Draft(SQLModel, table=True):
    """One unfinished part of a person's work on a task; private, changeable, never in the ledger."""

    __tablename__ = "draft"

    task_id: str = Field(primary_key=True, max_length=64)
    round: int = Field(primary_key=True)
    account_id: str = Field(primary_key=True, max_length=40, foreign_key="account.id", ondelete="RESTRICT")
    part: str = Field(primary_key=True, max_length=40)
    version: int
    body: str = Field(sa_type=sa.Text)
    at: datetime = _time()


class ReadMark(SQLModel, table=True):
    """The last version of a task that a person has seen; for unread marks, never in the ledger."""

    __tablename__ = "read_mark"

    task_id: str = Field(primary_key=True, max_length=64)
    account_id: str = Field(primary_key=True, max_length=40, foreign_key="account.id", ondelete="RESTRICT")
    version: int


class Account(SQLModel, table=True):
    """A person who signs in. Never deleted: disabled. Only the random id appears in the ledger."""

    __tablename__ = "account"

    id: str = Field(primary_key=True, max_length=40)
    login: str = Field(max_length=80, unique=True)
    name: str = Field(max_length=120)
    password: str = Field(max_length=200)
    roles: str = Field(max_length=80)
    domains: str = Field(max_length=400)
    languages: str = Field(max_length=40)
    locale: str = Field(max_length=8)
    active: bool = True
    failed: int = 0
    locked_until: datetime | None = _time(default=None, nullable=True)
    created_at: datetime = _time()


class SignIn(SQLModel, table=True):
    """A signed-in browser. Holds the hash of its cookie's token, never the token."""

    __tablename__ = "sign_in"

    token_hash: str = Field(primary_key=True, max_length=64)
    account_id: str = Field(max_length=40, foreign_key="account.id", ondelete="RESTRICT", index=True)
    created_at: datetime = _time()
    expires_at: datetime = _time()
    ended_at: datetime | None = _time(default=None, nullable=True)


class Release(SQLModel, table=True):
    """A frozen set of approved revisions that was written to a folder."""

    __tablename__ = "release"

    name: str = Field(primary_key=True, max_length=80)
    manifest: str = Field(max_length=64)
    folder: str = Field(sa_type=sa.Text)
    tasks: int
    actor: str = Field(max_length=40)
    at: datetime = _time()
