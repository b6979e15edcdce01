"""The expert's first page: the next task in one click, and the own tasks."""

import streamlit as st

from review_app.desk.following import MyTask
from review_app.domain.blindness import Step
from review_app.domain.errors import NothingFits, ReviewError
from review_app.ui.page import Page
from review_app.ui.plain import md, short

TO_DO = (Step.SOLVE, Step.VERIFY, Step.DISCUSS, Step.RECHECK)
WORDS = {
    Step.SOLVE: "Solve",
    Step.VERIFY: "Check the gold",
    Step.DISCUSS: "Discuss",
    Step.RECHECK: "Recheck",
    Step.WAIT: "Submitted",
    Step.CLOSED: "Closed",
}


def render(page: Page) -> None:
    """Draw the page."""
    st.title(page.t("My tasks"))
    if st.button(page.t("Next task"), key="next", type="primary", icon=":material/arrow_forward:"):
        _take(page)
    mine = page.expert.my_tasks()
    _list(page, page.t("Waiting for you"), [task for task in mine if task.step in TO_DO])
    _list(page, page.t("Nothing to do at the moment"), [task for task in mine if task.step is Step.WAIT])
    _list(page, page.t("Closed"), [task for task in mine if task.step is Step.CLOSED])
    if not mine:
        st.info(page.t("You hold no task. Take the next one; you solve it before you see the gold."))


def _take(page: Page) -> None:
    try:
        task_id = page.expert.next_task()
    except NothingFits:
        st.info(page.t("No task fits your domains and languages now. Look again later."))
    except ReviewError as error:
        st.error(md(str(error)))
    else:
        page.go("task", task_id)


def _list(page: Page, title: str, tasks: list[MyTask]) -> None:
    if not tasks:
        return
    st.subheader(title)
    for task in tasks:
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.badge(page.t(WORDS[task.step]))
            st.markdown(f"**{md(task.task_id)}** {md(short(task.question))}", width="stretch")
            if task.lease_until is not None:
                st.caption(page.t("kept for you until {time}", time=page.clock(task.lease_until)), width=200)
            if st.button(page.t("Open"), key=f"open-{task.task_id}"):
                page.go("task", task.task_id)
