"""The workspace beside the answer: every file can be looked at and downloaded."""

from pathlib import Path
from urllib.parse import quote

import pandas as pd
import streamlit as st
from streamlit_player import st_player

from review_app.domain.blindness import Seen
from review_app.domain.content import WorkspaceFile
from review_app.ui.page import Page, refusals
from review_app.ui.plain import md
from review_app.workspace import preview
from review_app.workspace.preview import TablePage


def workspace(page: Page, task_id: str, files: tuple[Seen, ...] | tuple[WorkspaceFile, ...]) -> None:
    """Draw the file list and the chosen file."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader(page.t("Workspace"), width="stretch")
        link(f"/files/{task_id}/all.zip", page.t("Download all files"))
    if not files:
        st.caption(page.t("This workspace is empty."))
        return
    by_name = {f"{file.path} · {file.modality} · {size(file.size)}": file for file in files}
    chosen = by_name[st.selectbox(page.t("File"), list(by_name), key=f"file-{task_id}")]
    address = f"/files/{task_id}/context/{quote(chosen.path)}"
    link(address, page.t("Download this file"))
    with refusals():
        _show(page, task_id, chosen, page.office.blobs.path(chosen.sha256))


def link(address: str, label: str) -> None:
    """Draw a link to one of our own routes; the address is quoted by the caller, the label one of our words."""
    st.html(f'<a href="{address}" target="_self" style="color: inherit">{label}</a>', width="content")


def size(count: int) -> str:
    """Return a number of bytes for people."""
    return f"{count:,} B" if count < 10_000 else f"{count / 1000:,.0f} kB"


def _show(page: Page, task_id: str, file: Seen | WorkspaceFile, path: Path) -> None:
    if file.modality == "markdown":
        st.markdown(preview.markdown_without_images(preview.text_of(path)))
    elif file.modality == "csv":
        first = _first(page, f"{task_id}-{file.path}", preview.csv_page(path, 0, 0).total or 0)
        table(preview.csv_page(path, first), header_rows=1)
    elif file.modality == "sqlite":
        _sqlite(page, task_id, file, path)
    elif file.modality == "json":
        tables = preview.json_tables(path)
        name = st.selectbox(page.t("Table"), list(tables), key=f"json-{task_id}-{file.path}")
        if name:
            table(tables[name])
            _more(page, tables[name])
    elif file.modality == "pdf":
        _pdf(page, task_id, file, path)
    elif file.modality == "video":
        # served by our own route; without the rate the player stands still
        st_player(f"/files/{task_id}/context/{quote(file.path)}", playback_rate=1, key=f"video-{task_id}-{file.path}")
    else:
        st.caption(page.t("There is no preview for this kind of file; download it."))


def _sqlite(page: Page, task_id: str, file: Seen | WorkspaceFile, path: Path) -> None:
    name = st.selectbox(page.t("Table"), preview.sqlite_tables(path), key=f"sqlite-{task_id}-{file.path}")
    if name:
        total = preview.sqlite_page(path, name, 0, 0).total or 0
        table(preview.sqlite_page(path, name, _first(page, f"{task_id}-{file.path}-{name}", total)))


def _pdf(page: Page, task_id: str, file: Seen | WorkspaceFile, path: Path) -> None:
    total = preview.pdf_page(path).total
    number = st.number_input(page.t("Page"), 1, total, 1, key=f"pdf-{task_id}-{file.path}")
    shown = preview.pdf_page(path, int(number))
    st.text(shown.text)
    for found in shown.tables:
        table(found)


def _first(page: Page, key: str, total: int) -> int:
    """The first row of the page that the person chose."""
    pages = max(1, -(-total // preview.PAGE_ROWS))
    st.caption(page.t("{total} rows", total=f"{total:,}"))
    if pages == 1:
        return 0
    number = st.number_input(page.t("Page"), 1, pages, 1, key=f"page-{key}")
    return (int(number) - 1) * preview.PAGE_ROWS


def _more(page: Page, shown: TablePage) -> None:
    if shown.total is not None and shown.total > len(shown.rows):
        text = "The first {shown} of {total} rows; download the file for all."
        st.caption(page.t(text, shown=len(shown.rows), total=shown.total))


def frame_of(columns: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> pd.DataFrame:
    """Return texts as a frame; columns of one name get numbers, since a grid needs them apart."""
    names: list[str] = []
    for column in columns:
        taken, number = {*columns, *names} if column in names else set(names), 1
        while (name := column if number == 1 else f"{column} ({number})") in taken:
            number += 1
        names.append(name)
    return pd.DataFrame([list(row) for row in rows], columns=names, dtype=str)


def table(shown: TablePage, header_rows: int = 0) -> None:
    """Draw rows of a file, numbered as in it: in a CSV file the header is row 1."""
    frame = frame_of(shown.columns, tuple(_padded(row, len(shown.columns)) for row in shown.rows))
    first = shown.first + header_rows + 1
    frame.index = pd.RangeIndex(first, first + len(frame))
    st.dataframe(frame, height=min(420, 38 + 35 * max(1, len(frame))))


def _padded(row: tuple[str, ...], width: int) -> tuple[str, ...]:
    return (*row, *[""] * width)[:width]


def plain_table(columns: tuple[str, ...], rows: tuple[tuple[str, ...], ...], height: int = 320) -> None:
    """Draw a whole table; long ones are sent lazily, page by page."""
    frame = frame_of(columns, rows)
    frame.index = pd.RangeIndex(2, len(frame) + 2)  # as in the file: the header is row 1
    st.dataframe(frame, height=min(height, 38 + 35 * max(1, len(frame))), lazy=len(frame) > 500)


def heading(page: Page, task_id: str, question: str, domain: str, language: str) -> None:
    """Draw the task's id and question."""
    st.caption(f"{md(task_id)} · {md(domain)} · {md(language)}")
    st.markdown(f"### {md(question)}")
