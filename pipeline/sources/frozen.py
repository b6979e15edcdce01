"""Gold SQL that asks for the present: the moment that is meant is written into it, and told with the question."""

import re

_NOW = re.compile(r"'now'|\"now\"|\bcurrent_(?:timestamp|time|date)\b(?!\s*\()", re.IGNORECASE)
_EMPTY_CALL = re.compile(r"\b((?:date)?time|date|julianday)\s*\(\s*\)", re.IGNORECASE)  # SQLite takes the present
_DAY = {"en": "Take {} as the present.", "zh": "当前时间以 {} 为准。"}


def with_frozen_now(sql: str, moment: str) -> str:
    """Return the SQL with every name of the present replaced by a moment, as text.

    >>> with_frozen_now("SELECT date('now', '-1 year')", "2022-12-31")
    "SELECT date('2022-12-31', '-1 year')"
    """
    return _NOW.sub(f"'{moment}'", _EMPTY_CALL.sub(r"\1('now')", sql))


def told(sql: str, moment: str, language: str) -> str:
    """Return the sentence that tells which moment is meant; empty for a SQL that does not ask for the present."""
    return _DAY[language].format(moment) if _NOW.search(sql) or _EMPTY_CALL.search(sql) else ""
