"""SQL as a tree and back, in SQLite's dialect."""

import logging

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

LONGEST_SQL = 100_000

# sqlglot warns on its logger about syntax that it keeps as text; what it cannot keep is found by comparing results
logging.getLogger("sqlglot").setLevel(logging.ERROR)


class NotParsed(Exception):
    """The SQL is not one query that the library understands; `str()` says why."""


def parse(sql: str) -> exp.Query:
    """Return the tree of one query. Raises NotParsed."""
    if len(sql) > LONGEST_SQL:
        raise NotParsed(f"the SQL has {len(sql)} characters, more than {LONGEST_SQL}")
    try:
        statements = [tree for tree in sqlglot.parse(sql, read="sqlite") if tree is not None]
    except (SqlglotError, RecursionError) as error:
        raise NotParsed(_first_line(error)) from error
    if len(statements) != 1:
        raise NotParsed(f"{len(statements)} statements where one query is expected")
    if not isinstance(statements[0], exp.Query):
        raise NotParsed(f"a {statements[0].key.upper()} statement where a query is expected")
    return statements[0]


def render(tree: exp.Expr) -> str:
    """Return the SQL of a tree."""
    return tree.sql(dialect="sqlite")


def _first_line(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "the SQL is nested too deeply"
    return str(error).replace("\x1b[4m", "").replace("\x1b[0m", "").split("\n")[0]
