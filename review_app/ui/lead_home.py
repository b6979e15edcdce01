"""The lead's first page: how many tasks stand where, and the list."""

import pandas as pd
import streamlit as st

from review_app.desk.lead import PAGE
from review_app.domain.disagreement import Kind
from review_app.domain.task import State
from review_app.task_list import Listed, Wanted
from review_app.ui.page import Page
from review_app.ui.plain import md, short

OLDEST = "oldest"


def render(page: Page) -> None:
    """Draw the page."""
    st.title(page.t("All tasks"))
    counts = page.lead.counts()
    for box, (state, count) in zip(st.columns(len(counts)), counts.items(), strict=True):
        box.metric(page.word(state), f"{count:,}")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        wanted, kind = _wanted(page)
    first = PAGE * int(st.session_state.get("page", 1) - 1)
    total, found = page.lead.tasks(wanted, first, kind)
    if first and not found:  # the list has become shorter than the page one was on
        st.session_state["page"] = 1
        st.rerun()
    pages = max(1, -(-total // PAGE))
    if pages > 1:
        st.number_input(page.t("Page of {pages}", pages=pages), 1, pages, key="page", width=160)
    _list(page, total, found)


def _wanted(page: Page) -> tuple[Wanted, Kind | None]:
    """Draw what the list can be narrowed to. Every choice stands in the address, so a link shows the same list."""
    there, everything = page.lead.choices(), {"": page.t("all")}
    state = _choice("state", page.t("State"), everything | {one.value: page.word(one) for one in State})
    kind = ""
    if state == State.DISPUTED.value:
        kind = _choice("kind", page.t("They differ in"), everything | {one.value: page.word(one) for one in Kind})
    else:
        st.query_params.pop("kind", None)
    wanted = Wanted(
        states=(State(state),) if state else (),
        domain=_choice("domain", page.t("Domain"), everything | {one: md(one) for one in there.domains}),
        language=_choice("language", page.t("Language"), everything | {one: md(one) for one in there.languages}),
        expert=_choice("expert", page.t("Expert"), everything | {one: md(name) for one, name in there.experts.items()}),
        oldest_first=bool(
            _choice("order", page.t("Order"), {"": page.t("by number"), OLDEST: page.t("oldest change first")})
        ),
        search=_search(page),
    )
    return wanted, Kind(kind) if kind else None


def _choice(key: str, label: str, options: dict[str, str]) -> str:
    """A list of values with their words; the first is the one that needs no mention in the address."""
    values, asked = list(options), st.query_params.get(key, "")
    index = values.index(asked) if asked in options else 0
    chosen = st.selectbox(label, values, index, format_func=options.__getitem__, key=key, width=140)
    _remember(key, chosen)
    return chosen


def _search(page: Page) -> str:
    text = st.text_input(
        page.t("Search"),
        st.query_params.get("search", ""),
        key="search",
        max_chars=200,
        width=196,
        placeholder=page.t("id, question, domain"),
    )
    _remember("search", text)
    return text


def _remember(key: str, value: str) -> None:
    if value:
        st.query_params[key] = value
    else:
        st.query_params.pop(key, None)


def _list(page: Page, total: int, found: list[tuple[Listed, tuple[Kind, ...]]]) -> None:
    if not found:
        st.info(page.t("No task fits. Choose less, or import candidates on the page “Imports and releases”."))
        return
    frame = pd.DataFrame(
        [
            {
                page.t("Task"): task.task_id,
                page.t("State"): page.word(task.state),
                page.t("They differ in"): ", ".join(page.word(kind) for kind in kinds),
                page.t("Domain"): task.domain,
                page.t("Language"): task.language,
                page.t("Round"): task.round,
                page.t("Seats"): ", ".join(task.holders) or "–",
                page.t("Question"): short(task.question, 140),
                page.t("Changed"): page.clock(task.changed_at),
            }
            for task, kinds in found
        ]
    )
    st.caption(page.t("Tasks: {total}. Click a line to open one.", total=f"{total:,}"))
    names = [task.task_id for task, _ in found]
    widths = {"They differ in": 190, "Seats": 110, "Question": 400}
    columns = {page.t(name): st.column_config.Column(width=width) for name, width in widths.items()}
    grid = st.dataframe(
        frame,
        hide_index=True,
        selection_mode="single-cell",
        on_select="rerun",
        key=f"list-{names[0]}",
        height=min(520, 35 * (len(found) + 1) + 3),  # a line is 35 pixels high
        column_config=columns,
    )
    cells = grid["selection"]["cells"]
    if cells:
        page.go("review", names[cells[0][0]])
    with st.form("open", border=False):
        name = st.selectbox(page.t("Or choose one"), names, key="open-name")
        if st.form_submit_button(page.t("Open")):
            page.go("review", str(name))
