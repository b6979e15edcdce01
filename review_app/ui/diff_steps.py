"""From difference to difference: one at a time, with its neighbours in both tables."""

from dataclasses import dataclass

import pandas as pd
import streamlit as st

from evaluator.diff_model import CellDifference, Diff
from evaluator.rules import ColumnType, NumberMode
from review_app import precision
from review_app.ui import diff_words
from review_app.ui.diff_words import Two
from review_app.ui.frames import frame_of
from review_app.ui.page import Page
from review_app.ui.plain import md
from review_app.ui.text_diff import text_diff

AROUND = 2  # rows before and after
LONGEST = 2_000  # characters of a cell that are shown; the rest stays in the table
LONGEST_BESIDE = 120
SHORT = 20  # up to here one sees at a glance where two texts part
MANY = 10  # stops, from which on it helps to look at one difference only


@dataclass(frozen=True)
class Stop:
    """Where one difference is: a cell, or a whole row that the other table lacks (then `cell` is None)."""

    gold_row: int | None
    answer_row: int | None
    cell: CellDifference | None = None


def stops(diff: Diff) -> list[Stop]:
    """Return the differences to step through: cells in gold order, then rows that one side lacks."""
    cells = [Stop(cell.gold_row, cell.prediction_row, cell) for cell in diff.cells]
    return [*cells, *(Stop(row, None) for row in diff.missing), *(Stop(None, row) for row in diff.extra)]


@st.fragment
def draw(page: Page, two: Two, diff: Diff, key: str) -> None:
    """Draw the stepper. A fragment: a step neither compares anew nor draws the rest of the page."""
    found = stops(diff)
    if not found:
        return
    if len(found) > MANY:
        found = _chosen(page, two, diff, found, key)
    place_key = f"{key}-step"
    place = min(int(st.session_state.get(place_key, 0)), len(found) - 1)
    last = place == len(found) - 1
    with st.container(horizontal=True, vertical_alignment="center"):
        _go(page, "Previous", place_key, place - 1, key=f"{key}-previous", shortcut="P", disabled=place == 0)
        _go(page, "Next difference", place_key, place + 1, key=f"{key}-next", shortcut="N", disabled=last)
        st.markdown(page.t("{place} of {count}", place=place + 1, count=f"{len(found)}{'+' if diff.truncated else ''}"))
    _stop(page, two, diff, found[place])


def _chosen(page: Page, two: Two, diff: Diff, found: list[Stop], key: str) -> list[Stop]:
    """Let the person look at the differences of one column only."""
    columns = list(dict.fromkeys(stop.cell.gold_column for stop in found if stop.cell is not None))
    if len(columns) < 2:
        return found
    names = {str(column): two.column(column) for column in columns}
    options = ["", *names]
    label = page.t("Look at")
    chosen = st.selectbox(
        label, options, format_func=lambda one: names.get(one) or page.t("all differences"), key=f"{key}-only"
    )
    return [stop for stop in found if stop.cell and str(stop.cell.gold_column) == chosen] if chosen else found


def _go(page: Page, label: str, place_key: str, place: int, *, key: str, shortcut: str, disabled: bool) -> None:
    def go() -> None:
        st.session_state[place_key] = place

    st.button(page.t(label), key=key, shortcut=shortcut, disabled=disabled, on_click=go)


def _stop(page: Page, two: Two, diff: Diff, stop: Stop) -> None:
    with st.container(border=True):
        if stop.cell is not None:
            _cell(page, two, diff, stop.cell)
        elif stop.gold_row is not None:
            st.markdown(page.t("{side}, row {row}: the other side lacks it.", side=two.gold_name, row=stop.gold_row))
        else:
            row = stop.answer_row
            st.markdown(page.t("{side}, row {row}: the other side lacks it.", side=two.answer_name, row=row))
        if stop.gold_row is not None:
            order = list(range(len(two.gold.header)))
            _neighbours(page, two.gold_name, (two.gold.header, two.gold.rows), stop.gold_row, order)
        if stop.answer_row is not None:
            mapped = [j for j in diff.mapping if j is not None]
            order = mapped + [j for j in range(len(two.answer.header)) if j not in mapped]
            _neighbours(page, two.answer_name, (two.answer.header, two.answer.rows), stop.answer_row, order)


def _cell(page: Page, two: Two, diff: Diff, cell: CellDifference) -> None:
    st.markdown(f"**{md(two.column(cell.gold_column))}** · {diff_words.why(page, two, cell.kind, cell)}")
    left, right = st.columns(2)
    sides = (
        (left, two.gold_name, cell.gold_row, cell.gold),
        (right, two.answer_name, cell.prediction_row, cell.prediction),
    )
    for box, name, row, text in sides:
        with box:
            st.caption(page.t("{side}, row {row}", side=name, row=row))
            st.code(visible(text, LONGEST) or " ", language=None, wrap_lines=True)
    if (
        two.rules.columns[cell.gold_column].type is ColumnType.TEXT
        and min(len(cell.gold), len(cell.prediction)) > SHORT
    ):
        st.caption(page.t("From {one} to {other}", one=two.gold_name, other=two.answer_name))
        text_diff(visible(cell.gold, LONGEST), visible(cell.prediction, LONGEST))
    lines = _amounts(page, two, diff, cell)
    if lines:
        st.markdown("  \n".join(lines))


def _amounts(page: Page, two: Two, diff: Diff, cell: CellDifference) -> list[str]:
    rule = two.rules.columns[cell.gold_column]
    gap = precision.delta(cell.gold, cell.prediction, rule)
    lines = [] if gap is None else [page.t("Difference: {gap}", gap=gap)]
    one = precision.equal_at(((cell.gold, cell.prediction),), rule)
    if one is None:
        return lines
    in_places = rule.mode is NumberMode.DECIMAL_PLACES
    template = (
        "These two are equal at {n} (decimal places)."
        if in_places
        else "These two are equal at {n} (significant digits)."
    )
    lines.append(page.t(template, n=one))
    same = tuple((other.gold, other.prediction) for other in diff.cells if other.gold_column == cell.gold_column)
    whole = precision.equal_at(same, rule)
    if len(same) > 1 and whole is not None:
        lines.append(page.t("All {count} listed cells of this column are equal at {n}.", count=len(same), n=whole))
    return lines


def _neighbours(
    page: Page, name: str, table: tuple[tuple[str, ...], tuple[tuple[str, ...], ...]], row: int, order: list[int]
) -> None:
    header, rows = table
    first = max(0, row - 2 - AROUND)
    near = rows[first : row - 2 + AROUND + 1]
    cut = [tuple(visible(one[j], LONGEST_BESIDE) for j in order) for one in near]
    frame = frame_of(tuple(header[j] for j in order), cut)
    numbers = range(first + 2, first + 2 + len(frame))
    frame.index = pd.Index([f"▶ {number}" if number == row else str(number) for number in numbers])
    st.caption(page.t("{side}: the rows around it", side=name))
    st.dataframe(frame)


def visible(text: str, longest: int) -> str:
    """Return a cell for people: control and invisible characters named, long ones cut."""
    cut = text if len(text) <= longest else f"{text[:longest]}…"
    return "".join(sign if sign.isprintable() or sign == "\n" else ascii(sign)[1:-1] for sign in cut)
