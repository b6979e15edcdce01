"""After closing: how the task ended, what became of the own findings, and the own figures."""

import streamlit as st

from review_app.domain.blindness import Discussion, View
from review_app.domain.closing import Answered, Ending, ending, my_findings
from review_app.ui.findings import finding_lines
from review_app.ui.page import Page
from review_app.ui.plain import md

SAID = {
    Ending.AGREED: "Both reviews agreed at once: the gold stands as it was.",
    Ending.REPAIRED: "A repair was accepted and both reviewers confirmed it.",
    Ending.SETTLED: "The dispute was settled without a change, and both reviewers confirmed.",
    Ending.REMOVED: "The task was removed from the benchmark.",
}


def draw(page: Page, view: View, talk: Discussion) -> None:
    """Draw how the task ended; nothing while it is open."""
    how = ending(talk)
    if how is None:
        return
    with st.container(border=True):
        st.markdown(f"**{page.t('How it ended')}** · {page.t(SAID[how])}")
        if talk.reviewed.question != talk.revision.question:
            st.caption(page.t("The question was: {question}", question=talk.reviewed.question))
        for answered in my_findings(talk):
            _mine(page, answered)


def _mine(page: Page, answered: Answered) -> None:
    finding_lines(page, (answered.finding,))
    if answered.reply is None:
        return
    said = page.t("fixed") if answered.reply.fixed else page.t("declined")
    st.caption(f"→ {said}: {md(answered.reply.reason) or '—'}")


def my_numbers(page: Page) -> None:
    """Draw the page of the expert's own figures. It compares with nobody."""
    st.title(page.t("My numbers"))
    st.caption(page.t("Only you see this page. It ranks nobody, and tasks that are still open do not count."))
    numbers = page.expert.my_numbers()
    boxes = st.columns(4)
    boxes[0].metric(page.t("Answers sealed"), numbers.sealed)
    boxes[1].metric(page.t("Tasks closed"), numbers.closed)
    boxes[2].metric(page.t("Hours at work"), f"{numbers.seconds / 3600:.1f}")
    boxes[3].metric(page.t("Findings fixed"), f"{numbers.fixed} / {numbers.findings}")
    if numbers.compared:
        st.markdown(
            page.t(
                "{agreeing} of your {compared} sealed answers equal the final gold of their tasks.",
                agreeing=numbers.agreeing,
                compared=numbers.compared,
            )
        )
