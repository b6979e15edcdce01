"""The evaluator's diff for people: the verdict's reason first, then differences, then cells."""

import pandas as pd
import streamlit as st

from evaluator.diff import Diff
from review_app.ui.page import Page
from review_app.ui.plain import md


def draw(page: Page, diff: Diff | None) -> None:
    """Draw the comparison of an answer with the gold; None means the gold does not read under the rules."""
    if diff is None:
        st.warning(page.t("The gold does not read under these rules. Choose types that every cell fits."))
        return
    if diff.outcome.passed:
        st.success(page.t("Equal under these rules."), icon=":material/check_circle:")
    else:
        st.error(page.t("Different under these rules."), icon=":material/difference:")
    st.markdown("\n".join(f"- {md(difference.sentence)}" for difference in diff.differences[:12]))
    if diff.cells:
        frame = pd.DataFrame(
            [
                {
                    page.t("gold row"): cell.gold_row,
                    page.t("answer row"): cell.prediction_row,
                    page.t("column"): cell.gold_column + 1,
                    page.t("gold"): cell.gold,
                    page.t("answer"): cell.prediction,
                }
                for cell in diff.cells
            ]
        )
        st.dataframe(frame, hide_index=True, height=min(320, 38 + 35 * len(frame)))
    if diff.truncated:
        st.caption(page.t("There are more differences than are shown."))
