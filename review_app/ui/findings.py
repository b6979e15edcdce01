"""Findings: the form to add one, and the lines that show them with links to their evidence."""

from collections.abc import Callable

import streamlit as st

from review_app.domain.content import Evidence, Finding, FindingKind, Part
from review_app.domain.evidence import needs_evidence
from review_app.ui import citations, writer
from review_app.ui.bench import Bench
from review_app.ui.page import Page, act
from review_app.ui.plain import md, short


def add_finding(
    bench: Bench,
    key: str,
    hand_in: Callable[[Finding], object],
    button: str = "Add the finding",
    shortcut: str | None = None,
) -> None:
    """Draw the form for one finding; `hand_in` gets it without an id (the desk gives one).

    What was picked from the workspace goes with it, and leaves the shelf when it was handed in.
    """
    page = bench.page
    with st.container(border=True):
        boxes = st.columns(2)
        part = boxes[0].selectbox(page.t("About"), list(Part), format_func=page.word, key=f"{key}-part")
        kind = boxes[1].selectbox(page.t("Kind"), list(FindingKind), format_func=page.word, key=f"{key}-kind")
        with st.container(key=f"{key}-text"):
            text = writer.writer(page, bench.task_id, key, page.t("What is wrong, and how do you know?"))
        evidence = citations.choose(bench, key, all_of_them=True)
        citations.by_hand(bench, key)
        pressed = st.button(page.t(button), key=f"{key}-add", icon=":material/add:", shortcut=shortcut)
    finding = Finding("", Part(str(part)), FindingKind(str(kind)), text.strip(), evidence)
    if pressed and _complete(bench, finding):
        act(page, lambda: _hand_in(bench, key, finding, hand_in))


def _complete(bench: Bench, finding: Finding) -> bool:
    """Say what is missing, if something is; the rule itself stands in the domain."""
    page = bench.page
    if not finding.text:
        st.error(page.t("The finding says nothing yet. Describe what is wrong."))
    elif bench.files and needs_evidence(finding.part, finding.kind) and not finding.evidence:
        st.error(page.t("The finding cites nothing yet. Cite the place in the workspace that proves it."))
    else:
        return True
    return False


def _hand_in(bench: Bench, key: str, finding: Finding, hand_in: Callable[[Finding], object]) -> None:
    hand_in(finding)
    writer.clear(bench.page, bench.task_id, key)
    citations.drop(bench, finding.evidence)


def finding_lines(page: Page, findings: tuple[Finding, ...]) -> None:
    """Draw findings with their evidence, as plain text."""
    for finding in findings:
        mark = f" `{finding.id}`" if finding.id else ""
        st.markdown(f"**{page.word(finding.part)} · {page.word(finding.kind)}**{mark}  \n{md(finding.text)}")
        evidence_lines(page, finding.evidence)


def evidence_lines(page: Page, evidence: tuple[Evidence, ...]) -> None:
    """Draw citations as links that open their place in the workspace beside them; nothing typed is lost on the way."""
    task = st.query_params.get("task", "")
    for one in evidence:
        label = md(short(citations.named(one), 120))
        target = page.pages.get(page.here)
        if target is None:
            st.caption(label)
            continue
        query = {"task": task, "cite": one.path, "at": one.locator}
        st.page_link(target, label=label, icon=":material/location_on:", query_params=query)
