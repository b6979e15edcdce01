"""The answer's draft: what it is now, the ways to enter one, and the seal that fixes it."""

from dataclasses import replace
from functools import partial

import streamlit as st

from evaluator.tables import Table, parse_table, to_csv
from review_app.desk import derivations
from review_app.desk.drafting import SOURCE
from review_app.domain.blindness import View
from review_app.domain.errors import ReviewError, StaleDraft
from review_app.drafts import Receipt
from review_app.ui import derivation
from review_app.ui.frames import plain_table
from review_app.ui.page import Page, act

PART, ORIGIN = "answer", "origin"
NO_DRAFT = Receipt("", 0, None)


def shown_version(task_id: str) -> str:
    """The key of the version of the draft that the last run showed."""
    return f"draft-shown-{task_id}"


def draft_of(page: Page, task_id: str) -> Receipt:
    """Return the answer's draft as stored."""
    return page.expert.drafts(task_id).get(PART, NO_DRAFT)


def keep(page: Page, task_id: str, table: Table, draft: Receipt, *, source: str = "") -> None:
    """Make the table the answer's draft, and draw the page anew. `source`: what `keep_source` gave for its file."""
    body = to_csv(table).decode()
    if body != draft.body:
        receipt = page.expert.save_draft(task_id, PART, body, draft.version)
        st.session_state[shown_version(task_id)] = receipt.version
        if source:
            page.expert.keep_origin(task_id, SOURCE, source, table)
        st.rerun()


def sealing(page: Page, view: View, draft: Receipt, *, newer: bool) -> None:
    """Draw the draft as it would be sealed, and the seal."""
    task_id = view.task_id
    table = parse_table(draft.body.encode())
    _conflict(page, task_id, draft)
    st.caption(
        page.t(
            "Draft saved {time} · {rows} rows, {columns} columns",
            time=page.clock(draft.at),
            rows=len(table.rows),
            columns=len(table.header),
        )
    )
    plain_table(table.header, table.rows)
    derivation.draw(page, page.expert.origin(task_id, derivations.PART, table))
    with st.container(border=True):
        st.markdown(page.t("After sealing, your answer cannot be changed. Then the gold is shown to you."))
        sure = st.checkbox(page.t("This table is my complete answer"), key=f"sure-{task_id}")
        label = page.t("Seal the answer")
        if st.button(
            label, key="seal", type="primary", icon=":material/lock:", disabled=not sure, shortcut="Alt+Enter"
        ):
            act(page, partial(_seal, page, task_id, table, newer))


def _seal(page: Page, task_id: str, table: Table, newer: bool) -> None:
    if newer:
        raise StaleDraft("another window saved this newer draft; look at it, then seal")
    page.expert.seal(task_id, table)


def other_text(task_id: str) -> str:
    """The key of the table that this window could not save, because another one was faster."""
    return f"answer-other-{task_id}"


def _conflict(page: Page, task_id: str, draft: Receipt) -> None:
    """Show the table that could not be saved beside the stored one; neither is lost."""
    mine = st.session_state.get(other_text(task_id))
    if not mine:
        return
    table = parse_table(mine.encode())
    st.warning(page.t("Another window of yours saved the answer meanwhile. This is what you entered here:"))
    plain_table(table.header, table.rows, height=200)
    with st.container(horizontal=True):
        if st.button(page.t("Take what I entered here"), key=f"answer-mine-{task_id}"):
            del st.session_state[other_text(task_id)]
            act(page, partial(keep, page, task_id, table, draft))
        if st.button(page.t("Keep the other table"), key=f"answer-theirs-{task_id}"):
            del st.session_state[other_text(task_id)]
            st.rerun()


def keep_or_show_both(page: Page, task_id: str, table: Table, draft: Receipt, *, source: str = "") -> None:
    """Keep the table; if another window was faster, remember it, so that both can be looked at."""
    try:
        keep(page, task_id, table, draft, source=source)
    except StaleDraft:
        st.session_state[other_text(task_id)] = to_csv(table).decode()
        st.session_state[shown_version(task_id)] = draft_of(page, task_id).version
        st.rerun()
    except ReviewError as error:
        st.error(page.refusal(error))


def shown(page: Page, task_id: str, draft: Receipt) -> Receipt:
    """Return the draft with the version that the person saw last: what they act on. Another window may be ahead."""
    return replace(draft, version=st.session_state.get(shown_version(task_id), draft.version))
