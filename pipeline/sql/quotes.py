"""Double-quoted text: SQLite reads `"USA"` as a name if one is in sight, else as a text.

About a tenth of real golds lean on that, other engines and stricter builds of SQLite refuse it. Whether a
quoted word is a name is asked of SQLite: in backticks it can only be a name, so that the query fails if
there is none.
"""

from collections.abc import Callable

from sqlglot.tokens import Token, TokenType  # type: ignore[attr-defined]

from pipeline.sql.clock import tokens_of

Prepare = Callable[[str], str | None]
"""Says what SQLite objects to in a query without running it; None if nothing."""


def with_plain_literals(sql: str, prepare: Prepare) -> tuple[str, int]:
    """Return the SQL with every double-quoted text in single quotes, and how many there were.

    Everything else keeps its spelling. A query that does not prepare is returned as it is.
    """
    doubtful = [token for token in tokens_of(sql) if _is_double_quoted(sql, token)]
    if not doubtful or prepare(sql) is not None:
        return sql, 0
    literals = [token for token in doubtful if _is_text(sql, token, prepare)]
    changed = sql
    for token in reversed(literals):
        changed = _spliced(changed, token, "'" + token.text.replace("'", "''") + "'")
    return (changed, len(literals)) if prepare(changed) is None else (sql, 0)


def _is_double_quoted(sql: str, token: Token) -> bool:
    return token.token_type is TokenType.IDENTIFIER and sql[token.start] == '"'


def _is_text(sql: str, token: Token, prepare: Prepare) -> bool:
    return prepare(_spliced(sql, token, "`" + token.text.replace("`", "``") + "`")) is not None


def _spliced(sql: str, token: Token, text: str) -> str:
    return sql[: token.start] + text + sql[token.end + 1 :]
