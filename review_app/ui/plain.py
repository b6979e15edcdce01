"""Untrusted text on the screen: as it is, never as Markdown or HTML."""

import re
from datetime import datetime

_SPECIAL = re.compile(r"([!-/:-@\[-`{-~])")
_INDENT = re.compile(r"^(?:\t| {2,})[ \t]*", re.MULTILINE)
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


def clock(at: datetime | None) -> str:
    """Return a time for people: UTC, to the second."""
    return at.strftime("%Y-%m-%d %H:%M:%S UTC") if at else "—"


def short(text: str, length: int = 90) -> str:
    """Return the text cut to a line."""
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1] + "…"
