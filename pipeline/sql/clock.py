"""Does a query read the clock or draw random numbers? Found by tokens, as SQLite itself reads them."""

from collections.abc import Sequence

from sqlglot.dialects import SQLite
from sqlglot.errors import SqlglotError
from sqlglot.tokens import Token, TokenType  # type: ignore[attr-defined]

_WORDS = {"current_date", "current_time", "current_timestamp"}
_RANDOM = {"random", "randomblob"}
_CHANGING = {"now", "localtime", "utc"}  # the last two depend on the time zone of the machine
# function: how many arguments it takes before the time; without a time, SQLite takes the present
_TIME_FUNCTIONS = {
    "date": 0,
    "time": 0,
    "datetime": 0,
    "julianday": 0,
    "unixepoch": 0,
    "strftime": 1,
    "timediff": 0,
}
_QUOTED = {TokenType.STRING, TokenType.IDENTIFIER}


def tokens_of(sql: str) -> list[Token]:
    """Return the tokens of a text in SQLite's dialect; none if it has an open quote."""
    try:
        return list(SQLite().tokenize(sql))
    except SqlglotError:
        return []


def clock_reading(sql: str) -> str | None:
    """Return the piece of the SQL whose value changes from one day or run to the next, or None.

    >>> clock_reading("SELECT strftime('%Y', 'now') - 1")
    "strftime('%Y', 'now')"
    >>> clock_reading("SELECT * FROM song WHERE name = 'now'") is None
    True
    """
    tokens = tokens_of(sql)
    for at, token in enumerate(tokens):
        word = token.text.lower()
        if token.token_type in _QUOTED:
            continue
        if word in _WORDS and not _is_qualified(tokens, at):
            return token.text
        call = _call(tokens, at)
        if call and (word in _RANDOM or (word in _TIME_FUNCTIONS and _takes_now(call, _TIME_FUNCTIONS[word]))):
            return sql[token.start : call[-1].end + 1]
    return None


def _is_qualified(tokens: Sequence[Token], at: int) -> bool:
    return at > 0 and tokens[at - 1].token_type is TokenType.DOT


def _call(tokens: Sequence[Token], at: int) -> list[Token]:
    """Return the tokens from `(` to its `)` behind a name; empty if the name is not called."""
    if at + 1 >= len(tokens) or tokens[at + 1].token_type is not TokenType.L_PAREN:
        return []
    depth = 0
    for end in range(at + 1, len(tokens)):
        depth += (tokens[end].token_type is TokenType.L_PAREN) - (tokens[end].token_type is TokenType.R_PAREN)
        if depth == 0:
            return list(tokens[at + 1 : end + 1])
    return []


def _takes_now(call: Sequence[Token], before: int) -> bool:
    if any(token.token_type in _QUOTED and token.text.strip().lower() in _CHANGING for token in call):
        return True
    return _arguments(call) <= before


def _arguments(call: Sequence[Token]) -> int:
    depth, commas = 0, 0
    for token in call:
        depth += (token.token_type is TokenType.L_PAREN) - (token.token_type is TokenType.R_PAREN)
        commas += token.token_type is TokenType.COMMA and depth == 1
    return 0 if len(call) == 2 else commas + 1
