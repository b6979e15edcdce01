"""Ask the workspace's tables in SQL, and take the result over as the answer's draft."""

import json

import streamlit as st

from evaluator.tables import Table
from review_app.domain.blindness import Step, View
from review_app.ui import answer, files
from review_app.ui.page import Page, refusals
from review_app.ui.plain import md
from review_app.workspace.query import MAX_ROWS, QueryResult


def render(page: Page, view: View) -> None:
    """Draw the box and the last result."""
    kept = f"sql-result-{view.task_id}"
    with st.expander(page.t("Ask the workspace in SQL"), icon=":material/database_search:"):
        st.caption(page.t("One SELECT over its CSV, JSON and SQLite tables; tables in documents are not among them."))
        with st.form(f"sql-form-{view.task_id}", border=False):
            sql = st.text_area(page.t("SELECT statement"), "SHOW TABLES", key=f"sql-{view.task_id}")
            asked = st.form_submit_button(page.t("Run"), icon=":material/play_arrow:")
        if asked:
            st.session_state.pop(kept, None)
            with refusals():
                result = page.expert.query(view.task_id, sql)
                st.session_state[kept] = json.dumps([result.columns, result.rows, result.truncated, result.tables])
        if kept in st.session_state:
            columns, rows, truncated, tables = json.loads(st.session_state[kept])
            _show(page, view, QueryResult(tuple(columns), tuple(map(tuple, rows)), truncated, tuple(tables)))


def _show(page: Page, view: View, result: QueryResult) -> None:
    files.plain_table(result.columns, result.rows)
    if result.truncated:
        st.caption(page.t("The first {rows} rows; there are more.", rows=f"{MAX_ROWS:,}"))
    elif view.step is Step.SOLVE and st.button(page.t("Use this result as my answer"), key=f"sql-use-{view.task_id}"):
        with refusals():
            answer.keep(page, view.task_id, Table(result.columns, result.rows), answer.draft_of(page, view.task_id))
    for name, columns in result.tables:
        st.caption(f"**{md(name)}** {md(', '.join(columns))}")
