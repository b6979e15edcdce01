"""Two versions of a text: what was put in and what was taken out, as text that stays text."""

import streamlit as st
from diff_match_patch import diff_match_patch

from review_app.ui.plain import md


def text_diff(before: str, after: str) -> None:
    """Draw a text against its new version; what is text stays text."""
    engine = diff_match_patch()
    changes = engine.diff_main(before, after)
    engine.diff_cleanupSemantic(changes)
    st.markdown("".join(_marked(kind, line) for kind, text in changes for line in text.splitlines(keepends=True)))


def _marked(kind: int, line: str) -> str:
    """Insertions green, deletions struck through in red: Streamlit's own Markdown, over escaped text.

    A mark ends with its line and hugs its words, or it would be no Markdown.
    """
    words = line.strip()
    if kind == diff_match_patch.DIFF_EQUAL or not words:
        return md(line)
    before, after = line.split(words)
    if kind == diff_match_patch.DIFF_INSERT:
        return f"{md(before)}:green-background[{md(words)}]{md(after)}"
    return f"{md(before)}:red-background[~~{md(words)}~~]{md(after)}"
