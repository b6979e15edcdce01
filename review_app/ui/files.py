"""The workspace beside the work: every file can be found, looked at, cited and downloaded."""

import streamlit as st

from review_app.domain.citations import Pointer, Rows, written
from review_app.domain.content import Evidence
from review_app.ui import citations
from review_app.ui.bench import AnyFile, Bench, open_at, opens, place
from review_app.ui.page import refusals
from review_app.ui.plain import md, short
from review_app.ui.viewers import json_tree, pdf, schema, table, text, video, ways
from review_app.workspace.finding import Hit, search
from review_app.workspace.index import FileInfo

ICONS = {
    "csv": ":material/table:",
    "json": ":material/data_object:",
    "sqlite": ":material/database:",
    "markdown": ":material/article:",
    "pdf": ":material/picture_as_pdf:",
    "video": ":material/movie:",
}
MOST_HITS = 25


def workspace(bench: Bench) -> None:
    """Draw the search, the file list and the chosen file."""
    page = bench.page
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(page.t("Workspace"), width="stretch")
        link(f"/files/{bench.task_id}/all.zip", page.t("Download all files"))
    if not bench.files:
        st.caption(page.t("This workspace is empty."))
        return
    with refusals(page):
        index = bench.index()
        _search(bench)
        named = {file.path: file for file in bench.files}
        infos = {info.path: info for info in index.files}
        _follow_address(bench)
        chosen = st.selectbox(
            page.t("File"),
            list(named),
            format_func=lambda path: _label(bench, named[path], infos[path]),
            key=bench.key("file"),
        )
        if chosen is not None:
            _file(bench, named[chosen], infos[chosen])
    citations.shelf(bench)


def _follow_address(bench: Bench) -> None:
    """An address may name a place (`cite` and `at`), as the links of citations do; it is followed once."""
    path, where = st.query_params.get("cite", ""), st.query_params.get("at", "")
    for name in ("cite", "at"):
        st.query_params.pop(name, None)
    if opens(bench, Evidence(path, where)):
        open_at(bench, Evidence(path, where))


def _label(bench: Bench, file: AnyFile, info: FileInfo) -> str:
    count = f"{sum(table.rows for table in info.tables):,}" if info.tables else ""
    parts = [
        file.path,
        file.modality,
        size(file.size),
        bench.page.plain("{total} rows", total=count) if count else "",
        bench.page.plain("{pages} pages", pages=info.pages) if info.pages else "",
    ]
    return " · ".join(part for part in parts if part)


def _search(bench: Bench) -> None:
    page = bench.page
    wanted = st.text_input(
        page.t("Search names and contents of all files"), key=bench.key("search-files"), icon=":material/search:"
    )
    if not wanted.strip():
        return
    hits = search(bench.index(), wanted)
    if not hits:
        st.caption(page.t("Not found."))
        return
    with st.container(border=True, height=220 if len(hits) > 5 else "content", gap=None):
        for number, hit in enumerate(hits[:MOST_HITS]):
            _hit(bench, hit, number)
        if len(hits) > MOST_HITS:
            st.caption(page.t("There are more places; search for more words."))


def _hit(bench: Bench, hit: Hit, number: int) -> None:
    where = _place(hit)
    label = f"**{md(short(hit.path, 40))}** {md(where)}" + (f" · {md(short(hit.text, 80))}" if where else "")
    st.button(
        label,
        key=f"{bench.key('hit')}-{number}",
        type="tertiary",
        on_click=open_at,
        args=(bench, Evidence(hit.path, where)),
    )


def _place(hit: Hit) -> str:
    """The locator of a hit: its place, in its table if the file has several."""
    if not hit.table:
        return hit.place
    row = int(hit.place.removeprefix("row "))
    return written(Rows(row, row, hit.table))


def _file(bench: Bench, file: AnyFile, info: FileInfo) -> None:
    page = bench.page
    link(bench.address(file), page.t("Download this file"))
    if info.problem:
        why = short(page.said(info.problem), 200)
        st.warning(page.t("This file does not read: {why}. Download it to look at it.", why=why))
        return
    if file.modality == "sqlite":
        schema.draw(bench, file)
    if file.modality == "json" and info.tables:
        at, opened = place(bench, file.path)
        wanted = "Tree" if isinstance(at, Pointer) else "Tables" if isinstance(at, Rows) else ""
        way = ways.choose(bench, f"json-way-{bench.file_key(file.path)}", ("Tables", "Tree"), wanted, opened)
        if way == "Tree":
            json_tree.draw(bench, file)
            return
    if info.tables:
        _tables(bench, file, info)
    elif file.modality == "json":
        json_tree.draw(bench, file)
    elif file.modality == "markdown":
        text.draw(bench, file)
    elif file.modality == "pdf":
        pdf.draw(bench, file, info.pages)
    elif file.modality == "video":
        video.draw(bench, file)
    else:
        st.caption(page.t("There is no preview for this kind of file; download it."))


def _tables(bench: Bench, file: AnyFile, info: FileInfo) -> None:
    chosen = info.tables[0]
    if len(info.tables) > 1:
        named = {one.inside: one for one in info.tables}
        key = f"table-{bench.file_key(file.path)}"
        table.choose(bench, file.path, key)
        inside = st.selectbox(bench.page.t("Table"), list(named), key=key)
        chosen = named[inside] if inside is not None else chosen
    table.draw(bench, file.path, chosen)


def link(address: str, label: str) -> None:
    """Draw a link to one of our own routes; the address is quoted by the caller, the label one of our words."""
    st.html(f'<a href="{address}" target="_self" style="color: inherit">{label}</a>', width="content")


def size(count: int) -> str:
    """Return a number of bytes for people."""
    return f"{count:,} B" if count < 10_000 else f"{count / 1000:,.0f} kB"


def heading(bench: Bench, question: str, domain: str, language: str) -> None:
    """Draw the task's id and question."""
    st.caption(f"{md(bench.task_id)} · {md(domain)} · {md(language)}")
    st.markdown(f"#### {md(question)}")
