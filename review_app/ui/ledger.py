"""A task's ledger for leads: who decided what when, and what each repair changed."""

import streamlit as st

from review_app.task_ledger import Line
from review_app.ui import revision_diff
from review_app.ui.page import Page, refusals
from review_app.ui.plain import md


def render(page: Page) -> None:
    """Draw the chain of the task that the address names."""
    task_id = st.query_params.get("task", "")
    if not task_id:
        st.info(page.t("Open a task from “All tasks”."))
        return
    page.link_back("tasks", "All tasks")
    with refusals(page):
        lines, names = page.lead.ledger(task_id)
        _draw(page, task_id, lines, names)


def _draw(page: Page, task_id: str, lines: list[Line], names: dict[str, str]) -> None:
    st.title(page.t("Ledger of {task}", task=md(task_id)))
    st.page_link(
        page.pages["review"], label=page.t("The task"), icon=":material/balance:", query_params={"task": task_id}
    )
    kinds = list(dict.fromkeys(line.kind for line in lines))
    chosen = st.pills(page.t("Only entries of these kinds"), kinds, selection_mode="multi", key=f"kinds-{task_id}")
    for line in lines:
        if not chosen or line.kind in chosen:
            with st.container(border=True):
                _line(page, task_id, line, names.get(line.actor, line.actor))


def _line(page: Page, task_id: str, line: Line, who: str) -> None:
    st.markdown(f"**{line.version} · {line.kind}** · {md(who)} · {page.clock(line.at)}")
    if line.fields:
        st.markdown("\n".join(f"- {md(field)}: {md(value)}" for field, value in line.fields.items()))
    if line.withheld:
        st.caption(page.t("Withheld until the review is over: {fields}.", fields=md(", ".join(line.withheld))))
    if line.changed is not None:
        before, after = line.changed
        with st.expander(page.t("What it changed"), icon=":material/difference:"):
            revision_diff.draw(page, before, after, lambda old, new: page.lead.gold_change(task_id, old, new))
    st.caption(page.t("SHA-256 of the chain so far: {hash}", hash=line.hash))
