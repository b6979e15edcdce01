"""remember how far a person has read the discussion of a task"""

import sqlalchemy as sa
from alembic import op

revision, down_revision, branch_labels, depends_on = "0002", "0001", None, None


def upgrade() -> None:
    op.create_table(
        "read_mark",
        sa.Column("task_id", sa.String(64), primary_key=True),
        sa.Column("account_id", sa.String(40), sa.ForeignKey("account.id", ondelete="RESTRICT"), primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("read_mark")
