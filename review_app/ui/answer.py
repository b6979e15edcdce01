"""Enter a table: upload, paste or grid. What was read is a draft at once; sealing fixes it."""

from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st

from evaluator.tables import Table, parse_table, to_csv
from review_app.domain.blindness import View
from review_app.domain.errors import StaleDraft
from review_app.drafts import Receipt
from review_app.ui import files
from review_app.ui.page import Page, act, refusals
from review_app.workspace.uploads import Encoding, Note, parse_paste, parse_upload, table_from_cells

PART = "answer"
WAYS = ("Upload", "Paste", "Grid")
GRID_ROWS = 200
NO_DRAFT = Receipt("", 0, None)


def render(page: Page, view: View) -> None:
    """Draw the answer's draft, the ways to enter one, and the seal."""
    st.subheader(page.t("Your answer"))
    draft = draft_of(page, view.task_id)
    # What the person acts on is the draft that the last run showed; another window may have stored one since.
    shown = replace(draft, version=st.session_state.get(_shown(view.task_id), draft.version))
    way = st.segmented_control(
        page.t("How do you enter it?"), WAYS, default=WAYS[0], format_func=page.t, key=f"way-{view.task_id}"
    )
    with refusals():
        {"Paste": _paste, "Grid": _grid}.get(way or WAYS[0], _upload)(page, view.task_id, shown)
    st.session_state[_shown(view.task_id)] = draft.version
    notes = st.session_state.pop(f"notes-{view.task_id}", "")
    for name in filter(None, notes.split("\n")):
        st.warning(page.t(Note[name].value))
    if draft.body:
        _sealing(page, view.task_id, draft, newer=shown.version != draft.version)


def _shown(task_id: str) -> str:
    return f"draft-shown-{task_id}"


def draft_of(page: Page, task_id: str) -> Receipt:
    """Return the answer's draft as stored."""
    return page.expert.drafts(task_id).get(PART, NO_DRAFT)


def keep(page: Page, task_id: str, table: Table, draft: Receipt, notes: tuple[Note, ...] = ()) -> None:
    """Make the table the answer's draft, and draw the page anew."""
    body = to_csv(table).decode()
    if body != draft.body:
        receipt = page.expert.save_draft(task_id, PART, body, draft.version)
        st.session_state[_shown(task_id)] = receipt.version
        st.session_state[f"notes-{task_id}"] = "\n".join(note.name for note in notes)
        st.rerun()


def _upload(page: Page, task_id: str, draft: Receipt) -> None:
    names = {page.t("guess"): None, **{encoding.value: encoding for encoding in Encoding}}
    encoding = names[st.selectbox(page.t("Encoding"), list(names), key=f"encoding-{task_id}")]
    file = st.file_uploader(
        page.t("CSV or TSV, with a header row"), type=["csv", "tsv", "txt"], key=f"upload-{task_id}"
    )
    if file is None:
        return
    read = f"{file.file_id}-{encoding}"
    if st.session_state.get(f"read-{task_id}") != read:
        parsed = parse_upload(file.getvalue(), encoding)
        st.session_state[f"read-{task_id}"] = read
        keep(page, task_id, parsed.table, draft, parsed.notes)


def _paste(page: Page, task_id: str, draft: Receipt) -> None:
    with st.form(f"paste-{task_id}", border=False):
        text = st.text_area(
            page.t("Paste the table with its header row; cells by tab or comma"), height=200, key=f"pasted-{task_id}"
        )
        if st.form_submit_button(page.t("Read the table"), icon=":material/table_chart:"):
            parsed = parse_paste(text)
            keep(page, task_id, parsed.table, draft, parsed.notes)


def _grid(page: Page, task_id: str, draft: Receipt) -> None:
    base_key = f"grid-base-{task_id}"
    _rebase(page, task_id, draft, base_key)
    base = parse_table(st.session_state[base_key].encode()) if st.session_state[base_key] else None
    with st.form(f"columns-{task_id}", border=False):
        given = st.text_input(
            page.t("Column names, separated by commas"), ", ".join(base.header) if base else "", key=f"names-{task_id}"
        )
        if st.form_submit_button(page.t("Start a grid with these columns")):
            header = [name.strip() for name in given.split(",")]
            now = parse_table(draft.body.encode()) if draft.body else None
            rows = now.rows if now and len(now.header) == len(header) else ()
            _start(base_key, to_csv(Table(tuple(header), rows)).decode())
            st.session_state[f"{base_key}-fresh"] = True
            st.rerun()
    if base is None:
        return
    if len(base.rows) > GRID_ROWS:
        st.info(page.t("The table has more than {rows} rows; upload or paste it instead.", rows=GRID_ROWS))
        return
    _edit(page, task_id, draft, base, _editor(task_id, base_key))


def _rebase(page: Page, task_id: str, draft: Receipt, base_key: str) -> None:
    """Let the grid begin anew from the stored draft where it is not the one that the grid goes on from."""
    drawn = st.session_state.get(base_key) and _editor(task_id, base_key) in st.session_state
    fresh = st.session_state.pop(f"{base_key}-fresh", False)
    elsewhere = st.session_state.get(f"{base_key}-kept") != draft.body
    if drawn and elsewhere:
        st.warning(page.t("The draft was changed elsewhere; the grid shows it now."))
    # an editor that was not drawn in the last run has forgotten what was typed; the draft has it
    if not fresh and (elsewhere or not drawn):
        _start(base_key, draft.body)
    st.session_state[f"{base_key}-kept"] = draft.body


def _start(base_key: str, body: str) -> None:
    st.session_state[base_key] = body
    st.session_state[f"{base_key}-n"] = st.session_state.get(f"{base_key}-n", 0) + 1


def _editor(task_id: str, base_key: str) -> str:
    return f"grid-{task_id}-{st.session_state[f'{base_key}-n']}"


def _edit(page: Page, task_id: str, draft: Receipt, base: Table, key: str) -> None:
    # The base stays the same while the grid lives: fed its own output, an editor loses every second edit.
    frame = files.frame_of(base.header, base.rows)
    edited: pd.DataFrame = st.data_editor(frame, num_rows="dynamic", hide_index=True, key=key)
    rows = edited.astype(object).where(edited.notna(), "").to_numpy().tolist()
    table = table_from_cells(list(base.header), [[str(cell) for cell in row] for row in rows])
    if table.rows:
        st.session_state[f"grid-base-{task_id}-kept"] = to_csv(table).decode()
        keep(page, task_id, table, draft)


def _sealing(page: Page, task_id: str, draft: Receipt, *, newer: bool) -> None:
    table = parse_table(draft.body.encode())
    st.caption(
        page.t(
            "Draft saved {time} · {rows} rows, {columns} columns",
            time=page.clock(draft.at),
            rows=len(table.rows),
            columns=len(table.header),
        )
    )
    files.plain_table(table.header, table.rows)
    with st.container(border=True):
        st.markdown(page.t("After sealing, your answer cannot be changed. Then the gold is shown to you."))
        sure = st.checkbox(page.t("This table is my complete answer"), key=f"sure-{task_id}")
        if st.button(page.t("Seal the answer"), key="seal", type="primary", icon=":material/lock:", disabled=not sure):
            act(partial(_seal, page, task_id, table, newer))


def _seal(page: Page, task_id: str, table: Table, newer: bool) -> None:
    if newer:
        raise StaleDraft("another window saved this newer draft; look at it, then seal")
    page.expert.seal(task_id, table)
