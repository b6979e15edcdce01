"""Alembic's entry: run migrations on the engine that was handed over, or on DATABASE_URL."""

import os
from typing import Any, Literal

from alembic import context
from sqlmodel import SQLModel

import db.tables  # noqa: F401  (fills the metadata that `alembic check` compares)
from db.engine import open_engine
from db.types import UtcDateTime


def _render(kind: str, value: Any, _: Any) -> str | Literal[False]:
    return "sa.DateTime(timezone=True)" if kind == "type" and isinstance(value, UtcDateTime) else False


engine = context.config.attributes.get("engine") or open_engine(os.environ["DATABASE_URL"])
with engine.connect() as connection:
    context.configure(
        connection=connection,
        target_metadata=SQLModel.metadata,
        render_item=_render,
        compare_type=False,
        render_as_batch=True,
    )
    with context.begin_transaction():
        context.run_migrations()
    connection.commit()
