"""Values among which a witness is looked for: what the conditions name, what lies just beside it, and fresh ones."""

import re
from collections.abc import Iterable, Sequence
from datetime import date, timedelta

from pipeline.sql.classes import Condition

Value = str | int | float | None

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?", re.IGNORECASE)
_YEAR = re.compile(r"\b(?:19|20|21)\d\d\b")
_CLOCK = re.compile(r"\d\d:\d\d")
_BACK = re.compile(r"-(\d+) year")
_PLAIN = (1, 2, 3, 5, 10, 20, 50, 100, 1000, 10_000, 10**6, 10**8, 10**10, 0.5, 0.1, 0.01, 0, -0.5, -1, -5, -10, -100)
_EXAMPLE_YEAR = 2020


def candidates(fresh: Value, conditions: Sequence[Condition]) -> list[Value]:
    """Return values for one class that meets these conditions, the fresh one first, without repetition."""
    literals = [text for condition in conditions for text in condition.literals]
    values: list[Value] = [fresh, *literals, *_likes(conditions)]
    values += [value for text in literals if _NUMBER.fullmatch(text) for value in _beside(float(text))]
    values += [f"{text}{tail}" for text in literals for tail in ("0", "z") if text and not _NUMBER.fullmatch(text)]
    if any(condition.dated for condition in conditions) or any(map(_YEAR.search, literals)):
        values += _days(literals)
    values += _PLAIN
    if any(condition.may_be_null for condition in conditions):
        values.append(None)
    return list(dict.fromkeys(values))


def _beside(number: float) -> list[Value]:
    near = (
        number,
        number + 1,
        number - 1,
        number + 0.5,
        number - 0.5,
        number * 2,
        number / 2,
        number * 1.01,
        number * 0.99,
    )
    return [int(value) if value == int(value) else value for value in near]


def _likes(conditions: Iterable[Condition]) -> list[Value]:
    """Return texts that meet patterns: each alone, and all together for patterns that hold at once."""
    patterns = [pattern for condition in conditions for pattern in condition.patterns]
    filled = [pattern.replace("_", "a") for pattern in patterns]
    single = [text.replace(blank, by) for text in filled for blank in "%*" for by in ("", "ab")]
    return [*single, "".join(text.strip("%*").replace("%", "") for text in filled)] if filled else []


def _days(literals: Sequence[str]) -> list[Value]:
    """Return every day of the years that are named or lie a named number of years back, the latest year first."""
    named = {int(year) for text in literals for year in _YEAR.findall(text)} or {_EXAMPLE_YEAR}
    back = {int(years) for text in literals for years in _BACK.findall(text)} | {0, 1}
    years = sorted({year - less for year in named for less in back | {-1} if less < 10}, reverse=True)[:8]
    clocks = [" 09:00:00", " 21:00:00"] if any(map(_CLOCK.search, literals)) else [""]
    days = [date(year, 1, 1) + timedelta(n) for year in years for n in range(366)]
    return [f"{day.isoformat()}{clock}" for day in days for clock in clocks]
