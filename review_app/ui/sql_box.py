"""Ask the workspace's tables in SQL; what was asked stays in a history, and a result can become the answer."""

from functools import partial

import pandas as pd
import streamlit as st

from evaluator.tables import TableError
from review_app.desk.asking import Asking
from review_app.domain.citations import Query, read, result_digest, written
from review_app.domain.content import Evidence
from review_app.ui import answer, citations
from review_app.ui.bench import Bench
from review_app.ui.frames import frame_of
from review_app.ui.page import Page, refusals
from review_app.ui.plain import md, short
from review_app.ui.viewers.table import KINDS
from review_app.ui.writer import writer
from review_app.workspace.index import PAGE_ROWS, Index
from review_app.workspace.query import MAX_ROWS, MEMORY_TEXT, SECONDS, QueryResult

PART = "sql"
AT_ONCE = 1.5  # seconds that a page waits for a quick query before it offers to cancel


def render(bench: Bench, *, answers: bool = False) -> None:
    """Draw the box, its history and the last result; `answers`: a result can become the person's answer."""
    cited = _follow(bench)
    with st.expander(bench.page.t("Ask the workspace in SQL"), icon=":material/database_search:", expanded=cited):
        _box(bench, answers)


def _follow(bench: Bench) -> bool:
    """Put the statement of a citation that was clicked into the box; say whether one is open."""
    _, locator, number = st.session_state.get(bench.key("place")) or ("", "", 0)
    at = read(locator)
    if not isinstance(at, Query):
        return False
    if st.session_state.get(bench.key("sql-followed")) != number:
        st.session_state[bench.key("sql-followed")] = number
        with refusals(bench.page):
            _again(bench, at.sql)
    return True


@st.fragment
def _box(bench: Bench, answers: bool) -> None:
    """What is typed and run here draws this part of the page only."""
    page = bench.page
    with refusals(page):
        index = bench.index()
        _tables(page, index)
        sql = writer(
            page,
            bench.task_id,
            PART,
            page.t("SELECT statement (Ctrl+Enter runs it, Tab completes a name)"),
            lines=6,
            code=True,
            words=_words(page, index),
            on_run=partial(_ask, bench, True),
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            if st.button(page.t("Run"), key=bench.key("sql-run"), icon=":material/play_arrow:", type="primary"):
                _ask(bench, True)
            _history(bench)
            limits = "At most {seconds} seconds, {memory} and {rows} rows."
            st.caption(page.t(limits, seconds=SECONDS, memory=MEMORY_TEXT, rows=f"{MAX_ROWS:,}"))
        _start(bench, sql)
        _watch(bench, answers)


def _tables(page: Page, index: Index) -> None:
    if not index.tables:
        st.caption(page.t("This workspace holds no CSV, JSON or SQLite table; tables in documents are not among them."))
        return
    lines = []
    for path, table in ((file.path, table) for file in index.files for table in file.tables):
        columns = ", ".join(f"{md(name)} :gray[{page.word(KINDS.get(kind, 'text'))}]" for name, kind in table.columns)
        rows = page.t("{total} rows", total=f"{table.rows:,}")
        lines.append(f"- **{md(table.name)}** · {md(path)} · {rows}: {columns}")
    with st.popover(page.t("Tables and columns"), icon=":material/table_view:"):
        st.markdown("\n".join(lines))


def _words(page: Page, index: Index) -> list[tuple[str, str]]:
    """What is offered while typing: names that need quotes come with them."""
    found: dict[str, str] = {}
    for table in index.tables:
        found[_identifier(table.name)] = page.t("table")
        for column, kind in table.columns:
            found.setdefault(_identifier(column), f"{page.word(KINDS.get(kind, 'text'))} · {table.name}")
    return list(found.items())


def _identifier(name: str) -> str:
    plain = name.isascii() and name.replace("_", "a").isalnum() and not name[:1].isdigit() and name == name.lower()
    return name if plain else '"' + name.replace('"', '""') + '"'


def _ask(bench: Bench, wanted: bool) -> None:
    st.session_state[bench.key("sql-asked")] = wanted


def _start(bench: Bench, sql: str) -> None:
    """Start what was asked for, after the text was saved; a query that still runs makes room."""
    if st.session_state.pop(bench.key("sql-asked"), False):
        st.session_state.pop(bench.key("sql-page"), None)
        st.session_state[bench.key("sql-run-id")] = _asking(bench).start(sql)


def _watch(bench: Bench, answers: bool) -> None:
    """Show the result of the last query, or that it runs and how to cancel it."""
    run_id = str(st.session_state.get(bench.key("sql-run-id"), ""))
    running = _asking(bench).running(run_id) if run_id else None
    if running is None:
        return
    if running.cancelled:
        st.info(bench.page.t("The query was cancelled."))
    elif running.wait(AT_ONCE):
        _show(bench, answers, run_id, running.sql, running.result())
    else:
        _still_running(bench, run_id)


@st.fragment(run_every=1)
def _still_running(bench: Bench, run_id: str) -> None:
    with refusals(bench.page):
        running = _asking(bench).running(run_id)
        if running is None or running.wait(0):
            st.rerun()
        text = bench.page.t(
            "The query runs: {passed} of {seconds} seconds", passed=int(running.passed), seconds=SECONDS
        )
        st.progress(min(1.0, running.passed / SECONDS), text)
        if st.button(bench.page.t("Cancel the query"), key=bench.key("sql-cancel"), icon=":material/stop:"):
            running.cancel()
            running.wait()
            st.rerun()


def _show(bench: Bench, answers: bool, run_id: str, sql: str, result: QueryResult) -> None:
    page = bench.page
    first = (int(st.session_state.get(bench.key("sql-page"), 1)) - 1) * PAGE_ROWS
    rows = result.page(first, PAGE_ROWS)
    frame = frame_of(result.columns, rows)
    frame.index = pd.RangeIndex(first + 1, first + 1 + len(rows))
    st.dataframe(frame, height=min(320, 38 + 35 * max(1, len(rows))), placeholder="NULL")
    pages = max(1, -(-result.total // PAGE_ROWS))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        said = page.t("{total} rows in {seconds} seconds", total=f"{result.total:,}", seconds=f"{result.seconds:.1f}")
        st.caption(said, width="stretch")
        if pages > 1:
            st.number_input(page.t("Page of {pages}", pages=pages), 1, pages, key=bench.key("sql-page"), width=160)
    if result.truncated:
        st.caption(page.t("The first {rows} rows; there are more.", rows=f"{MAX_ROWS:,}"))
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        if answers and st.button(
            page.t("Use this result as my answer"), key=bench.key("sql-use"), icon=":material/east:"
        ):
            _use(bench, run_id)
        if bench.cites and st.button(
            page.t("Cite this result"), key=bench.key("sql-cite"), icon=":material/format_quote:"
        ):
            digest = result_digest(result.columns, result.page(0, result.total))
            citations.pick(bench, Evidence("", written(Query(sql, result.total, digest))))
            st.rerun()  # the shelf lies outside of this part of the page


def _use(bench: Bench, run_id: str) -> None:
    try:
        table = _asking(bench).take(run_id)
        answer.keep(bench.page, bench.task_id, table, answer.draft_of(bench.page, bench.task_id))
    except TableError as error:
        st.error(bench.page.refusal(error))


def _asking(bench: Bench) -> Asking:
    return Asking(bench.page.desk, bench.task_id)


def _history(bench: Bench) -> None:
    kept = _asking(bench).history()
    if not kept:
        return
    with st.popover(bench.page.t("History"), icon=":material/history:"):
        for number, sql in enumerate(kept):
            st.button(
                md(short(sql, 90)),
                key=f"{bench.key('sql-history')}-{number}",
                type="tertiary",
                on_click=_again,
                args=(bench, sql),
            )


def _again(bench: Bench, sql: str) -> None:
    """Put another statement into the box; what stood there goes into the history."""
    draft = bench.page.desk.draft(bench.task_id, PART)
    if draft.body.strip():
        _asking(bench).remember(draft.body)
    bench.page.desk.save_draft(bench.task_id, PART, sql, draft.version)
