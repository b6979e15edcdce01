"""A PDF page by page: its picture, its words to select and search, its tables."""

import streamlit as st

from review_app.domain.citations import PdfPage, written
from review_app.domain.content import Evidence
from review_app.ui import citations
from review_app.ui.bench import AnyFile, Bench, place
from review_app.ui.citations import cite_button
from review_app.ui.components import component
from review_app.ui.frames import plain_table
from review_app.ui.plain import md, short
from review_app.workspace import pdf
from review_app.workspace.finding import find_in

MOST_HITS = 20
MOST_WORDS = 300


def draw(bench: Bench, file: AnyFile, pages: int) -> None:
    """Draw the chosen page."""
    page, key = bench.page, bench.file_key(file.path)
    words = _open_place(bench, file, key)
    _search(bench, file, key)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        number = int(
            st.number_input(page.t("Page of {pages}", pages=pages), 1, max(1, pages), key=f"pdf-{key}", width=160)
        )
        cite_button(bench, file.path, PdfPage(number), f"pdf-{key}")
    if words:
        st.caption(page.t("Cited words: “{words}”", words=words))
    wanted = str(st.session_state.get(f"pdf-find-{key}", ""))
    _paper(bench, file, number, words or wanted)
    path = page.office.blobs.path(file.sha256)
    with st.expander(page.t("Words of this page"), icon=":material/text_fields:"):
        st.text(pdf.page_text(path, number))
        _cite_words(bench, file, number, key)
    if st.toggle(page.t("Show the tables that are found on this page"), key=f"pdf-tables-{key}"):
        _tables(bench, file, number)


def _paper(bench: Bench, file: AnyFile, number: int, marked: str) -> None:
    """The page's picture, whose words can be selected and cited; served by our own route, which checks the person."""
    page = bench.page
    lines = pdf.page_lines(page.office.blobs.path(file.sha256), number)
    data = {
        "address": f"{bench.address(file)}?page={number}",
        "alt": page.t("page {number}", number=number),
        "lines": [[line.text, line.left, line.top, line.width, line.height] for line in lines],
        "marked": marked,
        "hint": page.t("Select words on the page to cite them."),
        "cite": page.t("Cite the words"),
        "larger": page.t("Larger"),
    }
    said = component("paper")(key=f"paper-{bench.file_key(file.path)}", data=data, on_cite_change=lambda: None)
    if said.cite:
        citations.pick(bench, Evidence(file.path, written(PdfPage(number, str(said.cite)[:MOST_WORDS]))))
        st.rerun()


def _open_place(bench: Bench, file: AnyFile, key: str) -> str:
    """Turn to the page of a link that was clicked; return the words that it cites on the page shown."""
    at, number = place(bench, file.path)
    if not isinstance(at, PdfPage):
        return ""
    if st.session_state.get(f"opened-{key}") != number:
        st.session_state[f"opened-{key}"] = number
        st.session_state[f"pdf-{key}"] = at.number
    return at.words if st.session_state.get(f"pdf-{key}", 1) == at.number else ""


def _turn(key: str, number: int) -> None:
    st.session_state[f"pdf-{key}"] = number


def _search(bench: Bench, file: AnyFile, key: str) -> None:
    wanted = st.text_input(
        bench.page.t("Find in this document"), key=f"pdf-find-{key}", icon=":material/search:", placeholder="…"
    )
    if not wanted.strip():
        return
    hits = find_in(bench.index(), file.path, wanted)
    if not hits:
        st.caption(bench.page.t("Not found."))
        return
    with st.container(border=True, height=200 if len(hits) > 3 else "content"):
        for number, hit in enumerate(hits[:MOST_HITS]):
            on = int(hit.place.removeprefix("page "))
            label = f"{bench.page.t('page {number}', number=on)}: {md(short(hit.text, 70))}"
            st.button(label, key=f"pdf-hit-{key}-{number}", type="tertiary", on_click=_turn, args=(key, on))


def _cite_words(bench: Bench, file: AnyFile, number: int, key: str) -> None:
    words = st.text_input(
        bench.page.t("Paste the words that matter to cite them"), key=f"pdf-words-{key}", max_chars=300
    )
    if words.strip():
        cite_button(bench, file.path, PdfPage(number, words.strip()), f"words-{key}")


def _tables(bench: Bench, file: AnyFile, number: int) -> None:
    found = pdf.page_tables(bench.page.office.blobs.path(file.sha256), number)
    if not found:
        st.caption(bench.page.t("No table is found on this page."))
    for table in found:
        width = len(table.columns)
        plain_table(table.columns, tuple((*row, *[""] * width)[:width] for row in table.rows))
