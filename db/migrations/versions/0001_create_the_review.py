"""create the append-only ledger and the tables around it"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision, down_revision, branch_labels, depends_on = "0001", None, None, None

SQLITE = (
    """CREATE TRIGGER ledger_no_update BEFORE UPDATE ON ledger
       BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END""",
    """CREATE TRIGGER ledger_no_delete BEFORE DELETE ON ledger
       BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END""",
    # INSERT OR REPLACE deletes without the delete trigger
    """CREATE TRIGGER ledger_no_replace BEFORE INSERT ON ledger
       WHEN EXISTS (SELECT 1 FROM ledger WHERE seq = NEW.seq OR (task_id = NEW.task_id AND version = NEW.version))
       BEGIN SELECT RAISE(ABORT, 'UNIQUE constraint failed: the ledger is append-only'); END""",
)
POSTGRES = (
    """CREATE FUNCTION ledger_refuse() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'the ledger is append-only'; END $$""",
    """CREATE TRIGGER ledger_no_change BEFORE UPDATE OR DELETE ON ledger
       FOR EACH ROW EXECUTE FUNCTION ledger_refuse()""",
    """CREATE TRIGGER ledger_no_truncate BEFORE TRUNCATE ON ledger
       FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse()""",
)


def _time(name: str, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def _text(name: str, length: int, **options: Any) -> sa.Column[Any]:
    return sa.Column(name, sa.String(length), nullable=False, **options)


def _account(name: str = "account_id", **options: Any) -> sa.Column[Any]:
    return sa.Column(name, sa.String(40), sa.ForeignKey("account.id", ondelete="RESTRICT"), nullable=False, **options)


def upgrade() -> None:
    op.create_table(
        "ledger",
        sa.Column("seq", sa.Integer, primary_key=True),
        _text("task_id", 64),
        sa.Column("version", sa.Integer, nullable=False),
        _text("kind", 40),
        _text("actor", 40),
        _time("at"),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("salts", sa.Text, nullable=False),
        _text("prev_hash", 64),
        _text("hash", 64),
        sa.UniqueConstraint("task_id", "version", name="uq_ledger_task_version"),
    )
    op.create_table(
        "task_status",
        _text("task_id", 64, primary_key=True),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        _text("state", 20),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("held", sa.Integer, nullable=False),
        _text("domain", 80),
        _text("language", 8),
        _text("sibling", 80),
        sa.Column("question", sa.Text, nullable=False),
        _text("head", 64),
        _time("changed_at"),
    )
    op.create_index("ix_task_status_state", "task_status", ["state"])
    op.create_index("ix_task_status_sibling", "task_status", ["sibling"])
    op.create_table(
        "account",
        _text("id", 40, primary_key=True),
        _text("login", 80),
        _text("name", 120),
        _text("password", 200),
        _text("roles", 80),
        _text("domains", 400),
        _text("languages", 40),
        _text("locale", 8),
        sa.Column("active", sa.Boolean, nullable=False),
        sa.Column("failed", sa.Integer, nullable=False),
        _time("locked_until", nullable=True),
        _time("created_at"),
        sa.UniqueConstraint("login"),
    )
    op.create_table(
        "involvement",
        _text("task_id", 64, primary_key=True),
        _account(primary_key=True),
        _text("why", 20),
    )
    op.create_table(
        "claim",
        sa.Column("id", sa.Integer, primary_key=True),
        _text("task_id", 64),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        _account(),
        _text("phase", 12),
        _time("expires_at"),
        _time("released_at", nullable=True),
        sa.UniqueConstraint("task_id", "round", "account_id", name="uq_claim_person"),
    )
    op.create_index(
        "uq_claim_seat",
        "claim",
        ["task_id", "round", "seat"],
        unique=True,
        sqlite_where=sa.text("released_at IS NULL"),
        postgresql_where=sa.text("released_at IS NULL"),
    )
    op.create_index("ix_claim_account", "claim", ["account_id"])
    op.create_table(
        "draft",
        _text("task_id", 64, primary_key=True),
        sa.Column("round", sa.Integer, primary_key=True),
        _account(primary_key=True),
        _text("part", 40, primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        _time("at"),
    )
    op.create_table(
        "sign_in",
        _text("token_hash", 64, primary_key=True),
        _account(),
        _time("created_at"),
        _time("expires_at"),
        _time("ended_at", nullable=True),
    )
    op.create_index("ix_sign_in_account_id", "sign_in", ["account_id"])
    op.create_table(
        "release",
        _text("name", 80, primary_key=True),
        _text("manifest", 64),
        sa.Column("folder", sa.Text, nullable=False),
        sa.Column("tasks", sa.Integer, nullable=False),
        _text("actor", 40),
        _time("at"),
    )
    for statement in SQLITE if op.get_bind().dialect.name == "sqlite" else POSTGRES:
        op.execute(statement)


def downgrade() -> None:
    raise NotImplementedError("the ledger is never dropped; restore a backup instead")
