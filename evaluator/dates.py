"""Date and datetime cells: the ISO 8601 forms that the official evaluator reads, as a grammar of our own.

Written out, and not left to the standard library, because its parser changed between Python 3.10,
3.11 and 3.14 and a verdict must not depend on the interpreter.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from evaluator.numbers import CellError, is_null

# Where digits follow a week without pause, their number says whether the first is a weekday:
# `2024-W01-10` is week, separator, hour; `2024W0110830` is week, separator 1, 08:30.
_DATE = r"""(?P<year>[0-9]{4})(?:
      -(?P<month>[0-9]{2})-(?P<day>[0-9]{2})
    | (?P<month2>[0-9]{2})(?P<day2>[0-9]{2})
    | -W(?P<week>[0-9]{2})(?:-(?P<weekday>[0-9])(?![0-9]))?+
    | W(?P<week2>[0-9]{2})(?:(?P<weekday2>[0-9])(?=(?:[0-9](?:[0-9]{2})*)?(?![0-9])))?+
)"""

_DAY = re.compile(_DATE, re.VERBOSE)

# A fraction counts seconds wherever it stands; after the seconds of the compact form it needs no mark.
_CLOCK = re.compile(
    r"""(?P<hour>[0-9]{2})(?:
      :(?P<minute>[0-9]{2}):(?P<second>[0-9]{2})(?:[.,:](?P<fraction>[0-9]+))?
    | (?P<minute2>[0-9]{2})(?P<second2>[0-9]{2})(?:[.,](?P<fraction2>[0-9]+)|(?P<fraction3>[0-9]{2,}))?
    | (?::?(?P<minute3>[0-9]{2}))?(?:[.,](?P<fraction4>[0-9]+))?
)(?P<rest>(?s:.*))""",
    re.VERBOSE,
)
_SIGN = re.compile(r"[+-]")


def read_date(cell: str) -> str | None:
    """Return the cell's day as `YYYY-MM-DD`, None for null; an aware time is first moved to UTC.

    Raises:
        CellError: no known form, no such day, or a time of day other than midnight.
    """
    text = cell.strip()
    if is_null(text):
        return None
    moment, _ = parse_moment(text)
    if (moment.hour, moment.minute, moment.second, moment.microsecond) != (0, 0, 0, 0):
        raise CellError("a date must not have a time of day other than midnight")
    return moment.date().isoformat()


def read_datetime(cell: str) -> str | None:
    """Return the cell's moment in ISO form, None for null; an aware one in UTC with a final `Z`.

    A bare date is midnight. A moment without an offset never equals one with an offset.

    Raises:
        CellError: no known form, no such moment, or outside the years 1 to 9999 in UTC.
    """
    text = cell.strip()
    if is_null(text):
        return None
    moment, aware = parse_moment(text)
    return moment.isoformat() + ("Z" if aware else "")


def parse_moment(text: str) -> tuple[datetime, bool]:
    """Return a stripped text's moment, without zone, and whether it had an offset (then it is in UTC).

    Raises:
        CellError: no known form, no such moment, or outside the years 1 to 9999 in UTC.
    """
    text = text.replace("Z", "+00:00")
    match = _DAY.match(text)
    if match is None:
        raise CellError("this is not an ISO 8601 date or time")
    try:
        return _moment(_day(match), text[match.end() :])
    except (ValueError, OverflowError) as error:
        raise CellError("there is no such date or time") from error


def _moment(day: date, rest: str) -> tuple[datetime, bool]:
    if not rest:
        return datetime(day.year, day.month, day.day), False
    clock = rest[1:]  # whatever separates day and time, it is one character
    sign = _SIGN.search(clock)
    if sign is None:
        return datetime(day.year, day.month, day.day, *_clock(clock)), False
    moment = datetime(day.year, day.month, day.day, *_clock(clock[: sign.start()], before_offset=True))
    offset = _offset(clock[sign.end() :])
    return moment + offset if sign[0] == "-" else moment - offset, True


def _day(match: re.Match[str]) -> date:
    year = int(match["year"])
    week = match["week"] or match["week2"]
    if week is not None:
        return date.fromisocalendar(year, int(week), int(match["weekday"] or match["weekday2"] or 1))
    return date(year, int(match["month"] or match["month2"]), int(match["day"] or match["day2"]))


def _offset(text: str) -> timedelta:
    hours, minutes, seconds, micro = _clock(text)
    offset = timedelta(hours=hours, minutes=minutes, seconds=seconds)
    if offset >= timedelta(days=1):
        raise ValueError("an offset is less than a day")
    # An offset of less than a second is taken as none.
    return offset + timedelta(microseconds=micro) if offset else offset


def _clock(text: str, *, before_offset: bool = False) -> tuple[int, int, int, int]:
    """Return hour, minute, second, microsecond; a fraction past the sixth digit is cut, not rounded.

    Before an offset some text may be left over, usually a space: one character, or anything after a
    fraction of six digits and more. So the official evaluator reads it.
    """
    match = _CLOCK.fullmatch(text)
    if match is None:
        raise ValueError("this is not a time of day")
    fraction = match["fraction"] or match["fraction2"] or match["fraction3"] or match["fraction4"] or ""
    leftover = len(match["rest"])
    if leftover and not (before_offset and (len(fraction) >= 6 or (leftover == 1 and not fraction))):
        raise ValueError("text follows the time of day")
    minute = match["minute"] or match["minute2"] or match["minute3"] or 0
    second = match["second"] or match["second2"] or 0
    return int(match["hour"]), int(minute), int(second), int(fraction[:6].ljust(6, "0"))
