"""The lead's page on agreement: how far experts agree who worked blind, with intervals, and the tables behind it."""

from dataclasses import replace
from functools import partial

import altair as alt
import pandas as pd
import streamlit as st

from review_app.agreement import render
from review_app.agreement.render import Format
from review_app.agreement.report import Report, Table
from review_app.ui.agreement_words import chinese, table_in_chinese
from review_app.ui.page import Page
from review_app.ui.plain import md

COLOUR = "#3a9aa5"  # seen on white and on black


def render_page(page: Page) -> None:
    """Draw the page."""
    st.title(page.t("Agreement"))
    st.caption(page.t("From blind answers and reviews of the first round; what was said later changes nothing here."))
    report = page.lead.agreement()
    if not report.cases:
        st.info(page.t("No task has both reviews yet."))
        return
    st.markdown(page.t("{count} tasks have both reviews.", count=report.cases))
    _answers(page, report)
    _judgements(page, report)
    _files(page, report)
    for table in map(partial(_table, page), report.tables):
        with st.expander(md(table.title)):
            st.caption(md(table.note))
            _grid(page, table)


def _table(page: Page, table: Table) -> Table:
    return table_in_chinese(table) if page.profile.locale == "zh" else table


def _answers(page: Page, report: Report) -> None:
    """Shares of equal answers with their intervals, one line a stratum."""
    table = report.table("answers")
    wanted = [row for row in table.rows if row[4] is not None and row[0] != "experts"]
    rows = _table(page, replace(table, rows=tuple(wanted))).rows
    frame = pd.DataFrame(
        [{"what": f"{row[0]}: {row[1]}", "share": row[4], "low": row[5], "high": row[6]} for row in rows]
    )
    st.subheader(page.t("The two sealed answers are equal"))
    st.altair_chart(_intervals(page, frame), width="stretch")


def _judgements(page: Page, report: Report) -> None:
    table = report.table("judgements")
    wanted = [row for row in table.rows if isinstance(row[3], float) and "set alone" not in row[0]]
    rows = _table(page, replace(table, rows=tuple(wanted))).rows
    frame = pd.DataFrame(
        [{"what": f"{row[0]} · {row[1]}", "share": row[3], "low": row[4], "high": row[5]} for row in rows]
    )
    if frame.empty:
        return
    st.subheader(page.t("Judgements"))
    st.altair_chart(_intervals(page, frame), width="stretch")


def _intervals(page: Page, frame: pd.DataFrame) -> alt.LayerChart | alt.FacetChart:
    """Points with their intervals, in the order of the frame."""
    order = list(frame["what"])
    named = {name: chinese(name) if page.profile.locale == "zh" else name for name in ("share", "low", "high")}
    axis = alt.Axis(labelLimit=320)
    base = alt.Chart(frame).encode(y=alt.Y("what:N", sort=order, title=None, axis=axis))
    lines = base.mark_rule(strokeWidth=2, color=COLOUR).encode(x=alt.X("low:Q", title=None), x2="high:Q")
    points = base.mark_point(filled=True, size=70, color=COLOUR).encode(
        x=alt.X("share:Q", title=None, scale=alt.Scale(domainMax=1)),
        tooltip=[
            alt.Tooltip("what:N", title=" "),
            *(alt.Tooltip(f"{name}:Q", title=named[name], format=".3f") for name in named),
        ],
    )
    return alt.layer(lines, points)


def _grid(page: Page, table: Table) -> None:
    if not table.rows:
        st.caption(page.t("Nothing to count yet."))
        return
    columns = [f"{name} " * (1 + table.columns[:place].count(name)) for place, name in enumerate(table.columns)]
    frame = pd.DataFrame([[render.shown(value) for value in row] for row in table.rows], columns=columns)
    st.dataframe(frame, hide_index=True)


def _files(page: Page, report: Report) -> None:
    with st.container(horizontal=True):
        for form in (Format.HTML, Format.JSON, Format.MD):
            ((name, text),) = render.files(report, form).items()
            label = page.t("Download {name}", name=name)
            st.download_button(label, text, name, key=f"agreement-{form.value}", icon=":material/download:")
