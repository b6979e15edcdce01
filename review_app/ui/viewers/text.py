"""A Markdown file: as a page with its headings, or line by line to be cited."""

from itertools import pairwise

import streamlit as st
from markdown_it import MarkdownIt

from review_app.domain.citations import Lines
from review_app.ui.bench import AnyFile, Bench, place
from review_app.ui.citations import cite_button
from review_app.ui.plain import short
from review_app.ui.viewers import ways
from review_app.workspace.preview import markdown_without_images, text_of

WAYS = ("Page", "Lines")
AROUND = 200  # lines shown at once


def draw(bench: Bench, file: AnyFile) -> None:
    """Draw the file, at the lines of a link that was clicked."""
    page, key = bench.page, bench.file_key(file.path)
    text = text_of(page.office.blobs.path(file.sha256))
    at, number = place(bench, file.path)
    if isinstance(at, Lines) and st.session_state.get(f"opened-{key}") != number:
        st.session_state[f"opened-{key}"] = number
        st.session_state[f"from-{key}"], st.session_state[f"to-{key}"] = at.first, at.last
    way = ways.choose(bench, f"text-way-{key}", WAYS, WAYS[1] if isinstance(at, Lines) else "", number)
    if way == WAYS[1]:
        _lines(bench, file, text.split("\n"), key)
    else:
        _page(bench, file, text, key)


def headings(text: str) -> list[tuple[int, int, str]]:
    """Return each heading with its first line (from 0), its level and its words."""
    found = []
    tokens = MarkdownIt("commonmark").parse(text)
    for token, inline in pairwise(tokens):
        if token.type == "heading_open" and token.map and token.level == 0:
            found.append((token.map[0], int(token.tag[1:]), inline.content))
    return found


def _page(bench: Bench, file: AnyFile, text: str, key: str) -> None:
    """The whole document, or one section with its subsections."""
    found = headings(text)
    lines = text.split("\n")
    if len(found) > 1:
        names = ["", *(f"{'  ' * (level - 1)}{short(words, 60)}" for _, level, words in found)]
        chosen = st.selectbox(
            bench.page.t("Section"),
            range(len(names)),
            format_func=lambda one: names[one] or bench.page.t("whole document"),
            key=f"section-{key}",
        )
        if chosen:
            start, level, _ = found[chosen - 1]
            ends = [line for line, other, _ in found[chosen:] if other <= level]
            lines = lines[start : ends[0] if ends else None]
            last = start + len("\n".join(lines).rstrip().split("\n"))
            cite_button(bench, file.path, Lines(start + 1, last), f"section-{key}")
    st.markdown(markdown_without_images("\n".join(lines)))


def _lines(bench: Bench, file: AnyFile, lines: list[str], key: str) -> None:
    page, total = bench.page, len(lines)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        first = int(st.number_input(page.t("From line"), 1, total, key=f"from-{key}", width=130))
        last = int(st.number_input(page.t("to line"), 1, total, key=f"to-{key}", width=130))
        cite_button(bench, file.path, Lines(min(first, last), max(first, last)), f"lines-{key}")
    start = max(0, min(first, last) - 6)
    shown = lines[start : start + AROUND]
    marked = range(min(first, last), max(first, last) + 1) if (first, last) != (1, 1) else range(0)
    st.code(
        "\n".join(
            f"{'▸' if number in marked else ' '}{number:>6}  {line}" for number, line in enumerate(shown, start + 1)
        ),
        language=None,
        wrap_lines=True,
        height=420,
    )
    if total > len(shown):
        page_text = "Lines {first} to {last} of {total}."
        st.caption(page.t(page_text, first=start + 1, last=start + len(shown), total=total))
