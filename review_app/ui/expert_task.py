"""One task on the expert's desk: solve, then check the gold, then discuss and recheck."""

from functools import partial

import streamlit as st

from review_app.domain.blindness import Step, View
from review_app.domain.content import SkipReason
from review_app.ui import answer_ways, discussion, files, heartbeat, sql_box, verify
from review_app.ui.bench import expert_bench
from review_app.ui.components import component
from review_app.ui.page import Page, act, refusals
from review_app.ui.writer import writer


def render(page: Page) -> None:
    """Draw the task that the address names."""
    task_id = st.query_params.get("task", "")
    if not task_id:
        st.info(page.t("Open a task from “My tasks”."))
        return
    with refusals(page):
        view = page.expert.view(task_id)
        _draw(page, view)
        component("top")(key=f"top-{task_id}", data={"step": view.step.value})


def _draw(page: Page, view: View) -> None:
    page.expert.touch(view.task_id)
    page.link_back("my-tasks", "My tasks")
    bench = expert_bench(page, view)
    files.heading(bench, view.question, view.domain, view.language)
    if view.discussion is not None:
        discussion.reviews_for_expert(page, view)
    heartbeat.draw(page, view.task_id)
    left, right = st.columns(2, gap="large")
    with left, st.container(key="beside"):
        files.workspace(bench)
        sql_box.render(bench, answers=view.step is Step.SOLVE)
    with right:
        _step(page, view)


def _step(page: Page, view: View) -> None:
    if view.step is Step.SOLVE:
        _lease(page, view)
        answer_ways.render(page, view)
    elif view.step is Step.VERIFY:
        verify.render(page, view)
    elif view.step is Step.WAIT:
        st.success(page.t("Your review is submitted. If there is more to do, the task is under “My tasks”."))
        verify.own_review(page, view)
    elif view.discussion is not None:
        discussion.for_expert(page, view)
    else:
        st.info(page.t("This task was removed by a lead. Nothing more is to be done."))


def _lease(page: Page, view: View) -> None:
    with st.container(horizontal=True):
        if st.button(page.t("Extend"), key="extend", icon=":material/more_time:"):
            act(page, partial(page.expert.extend_lease, view.task_id))
        with st.popover(page.t("Give back"), icon=":material/undo:"):
            category = st.selectbox(page.t("Why?"), list(SkipReason), format_func=page.word, key="return-category")
            label = page.plain("In a few words; the lead reads it.")
            reason = writer(page, view.task_id, "return-reason", label, lines=3)
            if st.button(page.t("Give the task back"), key="give-back"):
                _give_back(page, view.task_id, reason, SkipReason(str(category)))


def _give_back(page: Page, task_id: str, reason: str, category: SkipReason) -> None:
    with refusals(page):
        page.expert.return_seat(task_id, reason, category)
        page.go("my-tasks")
