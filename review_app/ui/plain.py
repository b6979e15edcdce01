"""Untrusted text on the screen: as it is, never as Markdown or HTML."""

import re
from datetime import datetime

_SPECIAL = re.compile(r"([!-/:-@\[-`{-~])")


def md(text: str) -> str:
    """Return text that Streamlit's Markdown shows as it is: every ASCII punctuation mark is escaped.

    Labels of buttons, tabs, captions and errors are all Markdown, and would load remote images.
    """
    return _SPECIAL.sub(r"\\\1", text).replace("\n", "  \n")


def clock(at: datetime | None) -> str:
    """Return a time for people: UTC, to the second."""
    return at.strftime("%Y-%m-%d %H:%M:%S UTC") if at else "—"


def short(text: str, length: int = 90) -> str:
    """Return the text cut to a line."""
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1] + "…"
