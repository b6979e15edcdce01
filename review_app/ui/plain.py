"""Untrusted text on the screen: as it is, never as Markdown or HTML."""

import re
from datetime import datetime

from babel.dates import format_datetime, get_timezone

_SPECIAL = re.compile(r"([!-/:-@\[-`{-~])")
_INDENT = re.compile(r"^(?: ?\t| {2,})[ \t]*", re.MULTILINE)
# Streamlit replaces these in texts after all escapes are gone: icons, its logo, arrows and the like.
_REPLACED = re.compile(r":(?=(?:material_\w+|streamlit):)|(?<!\S)[-<>~](?=(?:->|>|-|=)(?!\S))")
_APART = "\N{WORD JOINER}"


def md(text: str) -> str:
    """Return text that Streamlit's Markdown shows as it is: every ASCII punctuation mark is escaped.

    Labels of buttons, tabs, captions and errors are all Markdown, and would load remote images. An invisible word
    joiner keeps apart what no escape protects; indented lines begin with no-break spaces, or they would be code.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = _REPLACED.sub(rf"\g<0>{_APART}", text)
    text = _INDENT.sub(lambda blanks: "\N{NO-BREAK SPACE}" * len(blanks[0].expandtabs(4)), text)
    return _SPECIAL.sub(r"\\\1", text).replace("\n", "  \n")


def clock(at: datetime | None, zone: str | None = None, locale: str = "en") -> str:
    """Return a time for people, to the second, in the zone that their browser names, else in UTC."""
    if at is None:
        return "—"
    try:
        there = get_timezone(zone or "UTC")
    except (LookupError, ValueError):  # unknown, or no name of a zone at all
        there = get_timezone("UTC")
    return format_datetime(at, "yyyy-MM-dd HH:mm:ss ZZZZ", tzinfo=there, locale=locale)


def short(text: str, length: int = 90) -> str:
    """Return the text cut to a line."""
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1] + "…"
