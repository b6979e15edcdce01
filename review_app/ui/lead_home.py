"""The lead's first page: how many tasks stand where, and the list."""

import pandas as pd
import streamlit as st

from review_app.domain.task import State
from review_app.ui.page import Page
from review_app.ui.plain import short

PAGE_ROWS = 100


def render(page: Page) -> None:
    """Draw the page."""
    st.title(page.t("All tasks"))
    counts = page.lead.counts()
    for box, (state, count) in zip(st.columns(len(counts)), counts.items(), strict=True):
        box.metric(page.word(state), f"{count:,}")
    asked = st.query_params.get("state", "")
    options = ["", *(state.value for state in State)]
    chosen = st.selectbox(
        page.t("State"),
        options,
        options.index(asked) if asked in options else 0,
        format_func=lambda value: page.word(value) if value else page.t("all"),
        key="state",
    )
    st.query_params["state"] = chosen
    search = st.text_input(page.t("Search in id, question and domain"), key="search")
    states = (State(chosen),) if chosen else tuple(State)
    total = sum(counts[one] for one in states)
    pages = max(1, -(-total // PAGE_ROWS))
    number = int(st.number_input(page.t("Page"), 1, pages, 1, key=f"page-{chosen}")) if pages > 1 else 1
    _list(page, states, search, (number - 1) * PAGE_ROWS)


def _list(page: Page, states: tuple[State, ...], search: str, first: int) -> None:
    found = page.lead.tasks(states, search, first)
    if not found:
        st.info(page.t("No task is in this state. Import candidates on the page “Imports and releases”."))
        return
    frame = pd.DataFrame(
        [
            {
                page.t("Task"): task.task_id,
                page.t("State"): page.word(task.state),
                page.t("Domain"): task.domain,
                page.t("Language"): task.language,
                page.t("Round"): task.round,
                page.t("Seats"): f"{task.held}/2",
                page.t("Question"): short(task.question, 140),
                page.t("Changed"): page.clock(task.changed_at),
            }
            for task in found
        ]
    )
    st.caption(page.t("Click a line to open the task."))
    grid = st.dataframe(
        frame, hide_index=True, selection_mode="single-cell", on_select="rerun", key=f"list-{first}", height=520
    )
    cells = grid["selection"]["cells"]
    if cells:
        page.go("review", found[cells[0][0]].task_id)
    with st.form("open", border=False):
        name = st.selectbox(page.t("Or choose one"), [task.task_id for task in found], key="open-name")
        if st.form_submit_button(page.t("Open")):
            page.go("review", str(name))
