"""Enter an answer: upload a file, paste from a spreadsheet, or type into a grid. A file is looked at first."""

import hashlib

import pandas as pd
import streamlit as st

from evaluator.infer import infer_from_table
from evaluator.rules import ColumnRule
from evaluator.tables import Table, parse_table, to_csv
from review_app.domain.blindness import View
from review_app.drafts import Receipt
from review_app.ui import answer
from review_app.ui.frames import frame_of, plain_table
from review_app.ui.page import Page, refusals
from review_app.ui.plain import md
from review_app.ui.writer import writer
from review_app.workspace.uploads import Encoding, Gap, Parsed, gaps, parse_paste, parse_upload, table_from_cells

WAYS = ("Upload", "Paste", "Grid")
GRID_ROWS = 1_000
KINDS = ["csv", "tsv", "txt", "xlsx", "json"]


def render(page: Page, view: View) -> None:
    """Draw the ways to enter an answer, and the draft with its seal."""
    st.subheader(page.t("Your answer"))
    draft = answer.draft_of(page, view.task_id)
    seen = answer.shown(page, view.task_id, draft)
    way = st.segmented_control(
        page.t("How do you enter it?"), WAYS, default=WAYS[0], format_func=page.t, key=f"way-{view.task_id}"
    )
    with refusals(page):
        {"Paste": _paste, "Grid": _grid}.get(way or WAYS[0], _upload)(page, view.task_id, seen)
    st.session_state[answer.shown_version(view.task_id)] = draft.version
    if draft.body:
        answer.sealing(page, view, draft, newer=seen.version != draft.version)


# --- upload and paste: a preview first ---------------------------------------------------------------------------


def _upload(page: Page, task_id: str, draft: Receipt) -> None:
    file = st.file_uploader(
        page.t("CSV, TSV, XLSX or JSON, with the names of the columns"), type=KINDS, key=f"upload-{task_id}"
    )
    if file is None:
        return
    data = file.getvalue()
    names = {page.t("guess"): None, **{encoding.value: encoding for encoding in Encoding}}
    with st.container(horizontal=True):
        encoding = names[st.selectbox(page.t("Encoding"), list(names), key=f"encoding-{task_id}")]
        sheet = _sheet(page, task_id, file.file_id)
    parsed = parse_upload(data, encoding, sheet)
    st.session_state[f"sheets-{file.file_id}"] = parsed.sheets
    if _preview(page, task_id, parsed, "upload"):
        read_as = parsed.encoding.value if parsed.encoding else sheet or parsed.sheets[0]
        source = page.expert.keep_source(task_id, data, read_as)
        answer.keep_or_show_both(page, task_id, parsed.table, draft, source=source)


def _sheet(page: Page, task_id: str, file_id: str) -> str:
    """The sheet of a workbook, once it is known which there are."""
    sheets = st.session_state.get(f"sheets-{file_id}", ())
    if len(sheets) < 2:
        return ""
    return st.selectbox(page.t("Sheet"), list(sheets), key=f"sheet-{task_id}") or ""


def _paste(page: Page, task_id: str, draft: Receipt) -> None:
    label = page.plain("Paste the table with its header row; cells by tab or comma")
    text = writer(page, task_id, "pasted", label, lines=8, code=True)
    if not text.strip():
        return
    parsed = parse_paste(text)
    if _preview(page, task_id, parsed, "paste"):
        answer.keep_or_show_both(page, task_id, parsed.table, draft)


def _preview(page: Page, task_id: str, parsed: Parsed, way: str) -> bool:
    """Draw what was understood; return whether the person takes it."""
    table = parsed.table
    with st.container(border=True):
        facts = [page.t("{rows} rows, {columns} columns", rows=f"{len(table.rows):,}", columns=len(table.header))]
        if parsed.encoding is not None:
            facts.append(parsed.encoding.value)
        st.markdown(f"**{page.t('This is how the table reads')}** · {' · '.join(facts)}")
        rules = infer_from_table(table, "task_0").rules.columns
        st.caption(" · ".join(_column(page, *column) for column in zip(table.header, rules, gaps(table), strict=True)))
        plain_table(table.header, table.rows, height=240)
        for note in parsed.notes:
            st.caption(f":material/info: {page.t(note.value)}")
        body = to_csv(table)
        if answer.draft_of(page, task_id).body == body.decode():
            st.success(page.t("This table is your draft."), icon=":material/check:")
            return False
        # the table is part of the button: what is taken is what was shown
        key = f"take-{way}-{task_id}-{hashlib.sha256(body).hexdigest()[:8]}"
        return st.button(page.t("Take this as my answer"), key=key, type="primary", icon=":material/east:")


def _column(page: Page, name: str, rule: ColumnRule, gap: Gap) -> str:
    said = [page.word(rule.type)]
    said += [page.t("{count} empty", count=f"{gap.empty:,}")] if gap.empty else []
    said += [page.t("{count} with the word {word}", count=f"{gap.words:,}", word=gap.word)] if gap.words else []
    return f"{md(name) or '—'} :gray[{', '.join(said)}]"


# --- the grid ----------------------------------------------------------------------------------------------------


def _grid(page: Page, task_id: str, draft: Receipt) -> None:
    base_key = f"grid-base-{task_id}"
    _rebase(page, task_id, draft, base_key)
    base = parse_table(st.session_state[base_key].encode()) if st.session_state[base_key] else None
    with st.form(f"columns-{task_id}", border=False):
        given = st.text_input(
            page.t("Column names, separated by commas"), ", ".join(base.header) if base else "", key=f"names-{task_id}"
        )
        if st.form_submit_button(page.t("Start a grid with these columns")):
            _start_with(base_key, [name.strip() for name in given.split(",")], draft)
            st.rerun()
    if base is None:
        return
    if len(base.rows) > GRID_ROWS:
        st.info(page.t("The table has more than {rows} rows; upload or paste it instead.", rows=f"{GRID_ROWS:,}"))
        return
    st.caption(page.t("Paste up to 200 rows at once into a cell; use “Paste” for more."))
    _edit(page, task_id, draft, base, _editor(task_id, base_key))


def _start_with(base_key: str, header: list[str], draft: Receipt) -> None:
    """Begin with these columns; cells stay where their column stays, by name, else by place."""
    now = parse_table(draft.body.encode()) if draft.body else None
    rows: tuple[tuple[str, ...], ...] = ()
    if now is not None:
        renamed = len(now.header) == len(header)
        places = [
            now.header.index(name) if name in now.header else place if renamed else None
            for place, name in enumerate(header)
        ]
        rows = tuple(tuple("" if place is None else row[place] for place in places) for row in now.rows)
    _start(base_key, to_csv(Table(tuple(header), rows)).decode())
    st.session_state[f"{base_key}-fresh"] = True


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
    frame = frame_of(base.header, base.rows)
    edited: pd.DataFrame = st.data_editor(frame, num_rows="dynamic", hide_index=True, key=key)
    rows = edited.astype(object).where(edited.notna(), "").to_numpy().tolist()
    table = table_from_cells(list(base.header), [[str(cell) for cell in row] for row in rows])
    if table.rows:
        st.session_state[f"grid-base-{task_id}-kept"] = to_csv(table).decode()
        answer.keep_or_show_both(page, task_id, table, draft)
