"""Checks of a gold and of workspace files: pure functions on files, for the builder and for the review desk."""

from pipeline.checks.gold import Lint, execute_gold, lint_gold
from pipeline.checks.hints import Hints, count_joins, sql_hints
from pipeline.checks.reread import reread, reread_sqlite, reread_workspace
from pipeline.errors import CheckError

__all__ = [
    "CheckError",
    "Hints",
    "Lint",
    "count_joins",
    "execute_gold",
    "lint_gold",
    "reread",
    "reread_sqlite",
    "reread_workspace",
    "sql_hints",
]
