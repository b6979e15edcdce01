"""A table of the workspace, page by page, sorted and filtered on the server; NULL is told from the empty text."""

import pandas as pd
import streamlit as st

from review_app.domain import citations as cited
from review_app.ui.bench import Bench, place
from review_app.ui.citations import cite_button
from review_app.ui.frames import frame_of
from review_app.ui.plain import md, short
from review_app.workspace.index import PAGE_ROWS, Condition, Filter, Rows, TableInfo, rows

MOST_FILTERS = 6
ABOVE = 3  # rows shown above the row that a link opens
KINDS = {"VARCHAR": "text", "BIGINT": "number", "DOUBLE": "number", "DATE": "date", "TIMESTAMP": "datetime"}


def draw(bench: Bench, path: str, table: TableInfo) -> None:
    """Draw one table with its controls."""
    key = bench.file_key(path, table.inside)
    first = _first(bench, path, table, key)
    with st.container(horizontal=True, vertical_alignment="center"):
        sort, descending = _controls(bench, table, key)
        _active(bench, sort, descending, key)
        filters = _filters(table, key)
        shown = rows(bench.index(), table, first, filters=filters, sort=sort, descending=descending)
        _count(bench, table, shown, key)
    _grid(bench, path, table, shown, key)


def choose(bench: Bench, path: str, key: str) -> None:
    """Choose the table of a link that was clicked; `key` is that of the list to choose from, drawn after this."""
    at, number = place(bench, path)
    if isinstance(at, cited.Rows) and at.table and st.session_state.get(f"chosen-{key}") != number:
        st.session_state[f"chosen-{key}"] = number
        st.session_state[key] = at.table


def _controls(bench: Bench, table: TableInfo, key: str) -> tuple[str, bool]:
    """Draw how the rows are sorted and filtered, out of the way until it is asked for."""
    page, names = bench.page, [column for column, _ in table.columns]
    with st.popover(page.t("Sort and filter"), icon=":material/filter_alt:"):
        sort = st.selectbox(
            page.t("Sort by"),
            names,
            index=None,
            placeholder=page.t("order of the file"),
            key=f"sort-{key}",
            on_change=_turned,
            args=(key,),
        )
        descending = st.toggle(
            page.t("descending"), key=f"descending-{key}", disabled=sort is None, on_change=_turned, args=(key,)
        )
        _add_filter(bench, table, key)
    return sort or "", bool(descending)


def _filters(table: TableInfo, key: str) -> tuple[Filter, ...]:
    kept = st.session_state.get(f"filters-{key}", [])
    names = {column for column, _ in table.columns}
    return tuple(Filter(column, Condition(test), value) for column, test, value in kept if column in names)


def _add_filter(bench: Bench, table: TableInfo, key: str) -> None:
    page = bench.page
    kept: list[list[str]] = st.session_state.setdefault(f"filters-{key}", [])
    with st.container(horizontal=True):
        column = st.selectbox(page.t("Column"), [name for name, _ in table.columns], key=f"filter-column-{key}")
        test = st.selectbox(page.t("Condition"), list(Condition), format_func=page.word, key=f"filter-test-{key}")
    value = st.text_input(page.t("Value"), key=f"filter-value-{key}")
    full = len(kept) >= MOST_FILTERS
    if st.button(page.t("Add the filter"), key=f"filter-add-{key}", disabled=full) and column and test:
        kept.append([column, Condition(test).value, value])
        st.session_state[f"page-{key}"] = 1
        _turned(key)
        st.rerun()


def _active(bench: Bench, sort: str, descending: bool, key: str) -> None:
    """Draw what is in force; a press on a filter takes it away."""
    page = bench.page
    kept: list[list[str]] = st.session_state.get(f"filters-{key}", [])
    if sort:
        st.caption(f"{md(short(sort, 24))} {'↓' if descending else '↑'}")
    for number, (name, condition, text) in enumerate(list(kept)):
        label = f"{md(short(name, 24))} {page.word(condition)} {md(short(text, 24))}"
        if st.button(label, key=f"filter-drop-{key}-{number}", icon=":material/close:", type="tertiary"):
            kept.pop(number)
            st.rerun()


def _first(bench: Bench, path: str, table: TableInfo, key: str) -> int:
    """The first row of the page that the person, or a link, chose."""
    at, number = _cited(bench, path, table)
    number_key = f"page-{key}"
    if at is not None and st.session_state.get(f"opened-{key}") != number:
        row = min(max(0, at.first - table.first_row), max(0, table.rows - 1))
        st.session_state[f"opened-{key}"] = number
        st.session_state[f"filters-{key}"] = []
        st.session_state[f"sort-{key}"] = None
        st.session_state[number_key] = row // PAGE_ROWS + 1
        st.session_state[f"from-{key}"] = max(0, row - ABOVE)
    # a link shows its row near the top of the grid, which cannot be scrolled from here; turning pages ends that
    start = (int(st.session_state.get(number_key, 1)) - 1) * PAGE_ROWS
    return int(st.session_state.get(f"from-{key}", start))


def _count(bench: Bench, table: TableInfo, shown: Rows, key: str) -> None:
    page = bench.page
    pages = max(1, -(-shown.matching // PAGE_ROWS))
    text = "{total} rows" if shown.matching == table.rows else "{matching} of {total} rows"
    st.caption(page.t(text, total=f"{table.rows:,}", matching=f"{shown.matching:,}"), width="stretch")
    if pages > 1:
        st.number_input(
            page.t("Page of {pages}", pages=pages),
            1,
            pages,
            key=f"page-{key}",
            width=130,
            label_visibility="collapsed",
            on_change=_turned,
            args=(key,),
        )
        st.caption(f"/ {pages:,}")


def _turned(key: str) -> None:
    """Show whole pages again, from the first row of the page on."""
    st.session_state.pop(f"from-{key}", None)


def _grid(bench: Bench, path: str, table: TableInfo, shown: Rows, key: str) -> None:
    frame = frame_of(shown.columns, shown.rows)
    frame.index = pd.Index(shown.numbers)
    kinds = dict(table.columns)
    words = {
        str(name): bench.page.word(KINDS.get(kinds[column], "text")) for name, column in zip(frame, kinds, strict=True)
    }
    grid = st.dataframe(
        frame,
        height=min(420, 38 + 35 * max(1, len(frame))),
        column_config={name: st.column_config.Column(help=word) for name, word in words.items()},
        selection_mode=["multi-row", "single-column"],
        selection_default={"selection": {"rows": _opened(bench, path, table, shown)}},
        on_select="rerun",
        placeholder="NULL",
        key=f"rows-{key}-{shown.numbers[0] if shown.numbers else 0}-{place(bench, path)[1]}",
    )
    _cite(bench, path, table, shown, grid["selection"], key)


def _cited(bench: Bench, path: str, table: TableInfo) -> tuple[cited.Rows | None, int]:
    """The rows of this table that a link which was clicked cites, and the number of the click."""
    at, number = place(bench, path)
    if isinstance(at, cited.Rows) and at.table in ("", table.inside):
        return at, number
    return None, 0


def _opened(bench: Bench, path: str, table: TableInfo, shown: Rows) -> list[int]:
    """The places in the grid of the rows that a link cites, so that they are seen at once."""
    at, _ = _cited(bench, path, table)
    if at is None:
        return []
    return [number for number, row in enumerate(shown.numbers) if at.first <= row <= at.last]


def _cite(bench: Bench, path: str, table: TableInfo, shown: Rows, selection: dict[str, list[int]], key: str) -> None:
    """What is selected can be cited: the rows from the first to the last, in one column or all."""
    chosen, columns = sorted(selection["rows"]), selection["columns"]
    if not chosen:
        st.caption(bench.page.t("Select rows at their left edge to cite them."))
        return
    numbers = [shown.numbers[place] for place in chosen if place < len(shown.numbers)]
    if not numbers:
        return
    column = str(columns[0]) if columns else ""
    cite_button(bench, path, cited.Rows(min(numbers), max(numbers), table.inside, column), key)
