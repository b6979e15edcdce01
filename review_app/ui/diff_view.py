"""The evaluator's diff for people: the verdict's reason first, then differences, then one cell after the other."""

import pandas as pd
import streamlit as st

from evaluator.compare import ErrorCode
from evaluator.diff import Diff
from evaluator.diff_model import NOTES, Difference
from review_app.ui import diff_steps, diff_words
from review_app.ui.diff_words import Two
from review_app.ui.page import Page

MOST_NAMED = 12
NEARLY = {
    "ignoring row order": "if the order of the rows did not count",
    "as sets of rows": "if repeated rows counted once",
    "ignoring extra columns": "without the columns too many",
    "numbers within 1e-6 relative": "if numbers could differ by a millionth",
    "numbers within 0.01": "if numbers could differ by 0.01",
}


def draw(page: Page, diff: Diff | None, two: Two, key: str, *, finished: bool = True) -> None:
    """Draw the comparison of two tables.

    Args:
        page: whose page.
        diff: what the evaluator says; None means that the gold does not read under the rules.
        two: the tables and their names.
        key: of the widgets.
        finished: whether the rules are complete; otherwise the verdict is one "so far".
    """
    if diff is None:
        st.warning(page.t("The gold does not read under these rules. Choose types that every cell fits."))
        return
    _verdict(page, diff, finished)
    reasons = [found for found in diff.differences if found.code not in NOTES]
    folded = [found for found in reasons if diff_words.is_formatting(found) and found is not diff.primary]
    _sentences(page, two, diff, [found for found in reasons if found not in folded])
    if folded:
        count = sum(found.count for found in folded)
        with st.expander(page.t("Only written differently: {count} cells", count=count)):
            _sentences(page, two, diff, folded)
    _notes(page, two, diff)
    if not diff.outcome.passed:
        _summary(page, two, diff)
        diff_steps.draw(page, two, diff, key)
        _cells(page, two, diff)
        _nearness(page, two, diff)


def _verdict(page: Page, diff: Diff, finished: bool) -> None:
    if diff.outcome.error_code == ErrorCode.UNDECIDED:
        st.warning(page.t("Undecided: the columns are too much alike to be told apart in the time allowed."))
    elif diff.outcome.passed:
        said = page.t("Equal under these rules." if finished else "Equal so far.")
        st.success(said, icon=":material/check_circle:")
    else:
        said = page.t("Different under these rules." if finished else "Different so far.")
        st.error(said, icon=":material/difference:")


def _sentences(page: Page, two: Two, diff: Diff, found: list[Difference]) -> None:
    lines = [f"- {_sentence(page, two, diff, one)}" for one in found[:MOST_NAMED]]
    if len(found) > MOST_NAMED:
        lines.append(f"- {page.t('and {count} more', count=len(found) - MOST_NAMED)}")
    st.markdown("\n".join(lines))


def _sentence(page: Page, two: Two, diff: Diff, found: Difference) -> str:
    said = diff_words.sentence(page, two, diff, found)
    return f"**{said}**" if found is diff.primary else said


def _notes(page: Page, two: Two, diff: Diff) -> None:
    """Which columns were taken for each other, where that is not plain, and what else is no reason to fail."""
    for found in diff.differences:
        if found.code in ("A3", "A4"):
            st.caption(diff_words.sentence(page, two, diff, found))
    if diff.mapping == tuple(range(len(two.answer.header))) or not any(j is not None for j in diff.mapping):
        return
    agreement = diff.scores.column_agreement or (0.0,) * len(diff.mapping)
    frame = pd.DataFrame(
        {
            two.gold_name: [two.column(i) for i in range(len(diff.mapping))],
            two.answer_name: ["—" if j is None else diff_words.named(j, two.answer.header[j]) for j in diff.mapping],
            page.t("cells that agree"): [f"{share:.0%}" for share in agreement],
        }
    )
    with st.expander(page.t("How the columns were matched"), expanded=False):
        st.dataframe(frame, hide_index=True)


def _summary(page: Page, two: Two, diff: Diff) -> None:
    cells = sum(found.count for found in diff.differences if found.code[0] in "TV" and found.code != "T2")
    if cells:
        whole = len(two.gold.rows) * len(two.gold.header)
        st.caption(page.t("{count} of {whole} cells differ.", count=f"{cells:,}", whole=f"{whole:,}"))
    if diff.truncated:
        st.caption(page.t("There are more differences than are shown."))


def _cells(page: Page, two: Two, diff: Diff) -> None:
    if len(diff.cells) < 2:
        return
    cut = diff_steps.LONGEST_BESIDE
    frame = pd.DataFrame(
        {
            page.t("Row in {side}", side=two.gold_name): [cell.gold_row for cell in diff.cells],
            page.t("Row in {side}", side=two.answer_name) + " ": [cell.prediction_row for cell in diff.cells],
            page.t("column"): [two.column(cell.gold_column) for cell in diff.cells],
            two.gold_name: [diff_steps.visible(cell.gold, cut) for cell in diff.cells],
            two.answer_name: [diff_steps.visible(cell.prediction, cut) for cell in diff.cells],
        }
    )
    with st.expander(page.t("All listed cells in one table: {count}", count=len(diff.cells))):
        st.dataframe(frame, hide_index=True, height=min(320, 38 + 35 * len(frame)))


def _nearness(page: Page, two: Two, diff: Diff) -> None:
    if not diff.scores.column_agreement:
        return
    scores = diff.scores
    with st.expander(page.t("How near it is")):
        values = {"gold": two.gold_name, "answer": two.answer_name}
        lines = [
            page.t("Of the rows of {answer}, {share} are in {gold}.", share=f"{scores.row_precision:.0%}", **values),
            page.t("Of the rows of {gold}, {share} are in {answer}.", share=f"{scores.row_recall:.0%}", **values),
            page.t("Of the cells of {gold}, {share} agree.", share=f"{scores.cell_accuracy:.0%}", gold=two.gold_name),
            *(page.t("They would be equal {how}.", how=page.t(NEARLY[how])) for how in scores.would_pass_under),
        ]
        st.markdown("\n".join(f"- {line}" for line in lines))
        st.caption(page.t("These figures are no verdict; a task is passed or not."))
