"""Findings: the form to add one, and the lines that show them."""

from functools import partial

import streamlit as st

from review_app.domain.content import Evidence, Finding, FindingKind, Part
from review_app.ui.page import Page
from review_app.ui.plain import md


def add_finding(page: Page, key: str, paths: tuple[str, ...], button: str = "Add the finding") -> Finding | None:
    """Draw the form for one finding; return it when it was handed in, without an id (the desk gives one)."""
    with st.form(key, clear_on_submit=True):
        boxes = st.columns(2)
        part = boxes[0].selectbox(page.t("About"), list(Part), format_func=page.word, key=f"{key}-part")
        kind = boxes[1].selectbox(page.t("Kind"), list(FindingKind), format_func=page.word, key=f"{key}-kind")
        text = st.text_area(page.t("What is wrong, and how do you know?"), key=f"{key}-text")
        path = boxes[0].selectbox(
            page.t("Evidence: file"), ["", *paths], format_func=partial(_file_name, page), key=f"{key}-path"
        )
        locator = boxes[1].text_input(page.t("Evidence: where in it (row, page, line)"), key=f"{key}-where")
        if not st.form_submit_button(page.t(button), icon=":material/add:"):
            return None
    if not text.strip():
        st.error(page.t("The finding says nothing yet. Describe what is wrong."))
        return None
    evidence = (Evidence(path, locator.strip()),) if path else ()
    return Finding("", Part(str(part)), FindingKind(str(kind)), text.strip(), evidence)


def _file_name(page: Page, path: str) -> str:
    return path or page.t("none")


def finding_lines(page: Page, findings: tuple[Finding, ...]) -> None:
    """Draw findings with their evidence, as plain text."""
    for finding in findings:
        mark = f" `{finding.id}`" if finding.id else ""
        st.markdown(f"**{page.word(finding.part)} · {page.word(finding.kind)}**{mark}  \n{md(finding.text)}")
        for evidence in finding.evidence:
            st.caption(f"{md(evidence.path)} · {md(evidence.locator)}")
