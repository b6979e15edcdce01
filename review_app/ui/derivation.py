"""The SQL that an answer came of, beside the answer."""

import streamlit as st

from review_app.ui.page import Page


def draw(page: Page, sql: str) -> None:
    """Draw it, folded; nothing for an answer that was entered by hand or read from a file."""
    if sql:
        with st.expander(page.t("The SQL that gave this table"), icon=":material/database:"):
            st.code(sql, language="sql", wrap_lines=True)
