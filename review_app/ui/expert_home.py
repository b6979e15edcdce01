"""The expert's first page: the next task in one click, and the own tasks by what they wait for."""

import streamlit as st

from review_app.desk.following import MyTask
from review_app.domain.blindness import Step
from review_app.domain.errors import NothingFits, ReviewError
from review_app.ui import discussion
from review_app.ui.page import Page
from review_app.ui.plain import md, short

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
    for key in [key for key in st.session_state if str(key).startswith(discussion.READ)]:
        del st.session_state[key]  # whoever comes back to a discussion has read it
    if st.button(page.t("Next task"), key="next", type="primary", icon=":material/arrow_forward:", shortcut="N"):
        _take(page)
    page.expert.expect_next_task()
    mine = page.expert.my_tasks()
    open_ones = [task for task in mine if task.step is not Step.CLOSED]
    _list(page, page.t("Waiting for you"), [task for task in open_ones if task.my_turn])
    _list(page, page.t("Nothing to do at the moment"), [task for task in open_ones if not task.my_turn])
    _list(page, page.t("Closed"), [task for task in mine if task.step is Step.CLOSED])
    if not mine:
        st.info(page.t("You hold no task. Take the next one; you solve it before you see the gold."))


def _take(page: Page) -> None:
    try:
        task_id = page.expert.next_task()
    except NothingFits:
        st.info(page.t("No task fits your domains and languages now. Look again later."))
    except ReviewError as error:
        st.error(page.refusal(error))
    else:
        page.go("task", task_id)


def _list(page: Page, title: str, tasks: list[MyTask]) -> None:
    if not tasks:
        return
    st.subheader(title)
    for task in tasks:
        with st.container(border=True, horizontal=True, vertical_alignment="center"):
            st.badge(page.t(WORDS[task.step]))
            if task.unread:
                st.badge(page.t("{count} new", count=task.unread), icon=":material/mark_chat_unread:", color="orange")
            st.markdown(f"**{md(task.task_id)}** {md(short(task.question))}", width="stretch")
            if task.lease_until is not None:
                st.caption(page.t("kept for you until {time}", time=page.clock(task.lease_until)), width=220)
            if st.button(page.t("Open"), key=f"open-{task.task_id}"):
                page.go("task", task.task_id)
