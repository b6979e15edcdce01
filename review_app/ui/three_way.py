"""Both answers and the gold: which of them are equal, and cell by cell where they part."""

from dataclasses import dataclass

import pandas as pd
import streamlit as st

from evaluator.compare import arranged, arrangement
from evaluator.diff import Diff
from evaluator.rules import Rules
from evaluator.tables import Table
from review_app import comparing
from review_app.ui import diff_view
from review_app.ui.diff_steps import LONGEST_BESIDE, visible
from review_app.ui.diff_words import Two, begun, named
from review_app.ui.page import Page

MOST_ROWS = 200


@dataclass(frozen=True)
class Three:
    """The two answers, the gold, and rules under which they are compared."""

    first: Table
    second: Table
    gold: Table
    rules: Rules


def draw(page: Page, three: Three, key: str) -> None:
    """Draw three verdicts, the cells in which an answer parts from the gold, and one of the pairs at length."""
    names = (page.t("answer A"), page.t("answer B"), page.t("the gold"))
    first = comparing.difference(three.gold, three.first, three.rules)
    second = comparing.difference(three.gold, three.second, three.rules)
    if first is None or second is None:
        st.warning(page.t("The gold does not read under these rules. Choose types that every cell fits."))
        return
    between = comparing.answers_difference(three.first, three.second, three.rules)
    pairs = {
        "A-gold": (first, Two(three.gold, three.first, three.rules, names[2], names[0])),
        "B-gold": (second, Two(three.gold, three.second, three.rules, names[2], names[1])),
        "A-B": (between, _answers(three, names)),
    }
    titles = {
        pair: begun(page.t("{one} and {other}", one=two.gold_name, other=two.answer_name))
        for pair, (_, two) in pairs.items()
    }
    st.markdown("\n".join(f"- {titles[pair]}: {_said(page, diff)}" for pair, (diff, _) in pairs.items()))
    _parting(page, three, (first, second), names)
    label = page.t("Look closer")
    chosen = st.segmented_control(label, list(pairs), format_func=titles.__getitem__, key=f"{key}-pair")
    if chosen:
        diff_view.draw(page, *pairs[chosen], f"{key}-{chosen}")


def _answers(three: Three, names: tuple[str, str, str]) -> Two:
    """The answers side by side, the first with its columns as the rules read them, as the evaluator's diff has them."""
    order = arrangement(three.first, three.rules)
    first = three.first if order is None else arranged(three.first, order)
    return Two(first, three.second, three.rules, names[0], names[1])


def _said(page: Page, diff: Diff) -> str:
    if diff.outcome.passed:
        return f":green[{page.t('the same')}]"
    return f":red[{page.t('different')}]"


def _parting(page: Page, three: Three, diffs: tuple[Diff, Diff], names: tuple[str, str, str]) -> None:
    """One line a gold cell from which an answer parts; rows that one side lacks are in the closer look."""
    found = [{(cell.gold_row, cell.gold_column): cell.prediction for cell in diff.cells} for diff in diffs]
    places = sorted({*found[0], *found[1]})
    if not places:
        return
    rows = [
        (
            row,
            named(column, three.gold.header[column]),
            visible(three.gold.rows[row - 2][column], LONGEST_BESIDE),
            *(visible(one[row, column], LONGEST_BESIDE) if (row, column) in one else "=" for one in found),
        )
        for row, column in places[:MOST_ROWS]
    ]
    columns = [page.t("Row in {side}", side=names[2]), page.t("column"), names[2], names[0], names[1]]
    st.dataframe(pd.DataFrame(rows, columns=columns), hide_index=True, height=min(320, 38 + 35 * len(rows)))
    st.caption(page.t("“=” is as in the gold, or in a row that this answer lacks."))
