"""What two reviews and answers of a round differ in: rules field by field, and both answers with the gold."""

from collections.abc import Callable

import streamlit as st

from evaluator.tables import Table
from review_app.comparing import rules_from
from review_app.domain.blindness import Reviewed
from review_app.domain.content import Revision
from review_app.ui import rules_diff, three_way
from review_app.ui.page import Page
from review_app.ui.three_way import Three

TASK = "task"


def draw(
    page: Page,
    task_id: str,
    reviews: tuple[Reviewed, ...],
    answer_of: Callable[[str], Table],
    now: tuple[Table, Revision],
) -> None:
    """Draw the comparison of two submitted reviews; of fewer nothing.

    Args:
        page: whose page.
        task_id: the task.
        reviews: both, as the person may see them.
        answer_of: gives a reviewer's table by letter.
        now: the gold and the revision as they stand.
    """
    written = [reviewed.review for reviewed in reviews if reviewed.review is not None]
    if len(written) != 2:
        return
    letters = [reviewed.letter for reviewed in reviews]
    rules = [rules_from(review.rules) if review.rules else None for review in written]
    sides = [page.t("Reviewer {letter}", letter=letter) for letter in letters]
    with st.expander(page.t("How the two reviews differ"), icon=":material/compare_arrows:", expanded=True):
        st.markdown(f"**{page.t('Rules')}**")
        rules_diff.draw(page, rules[0], rules[1], (sides[0], sides[1]))
        st.markdown(f"**{page.t('Answers and gold')}**")
        gold, revision = now
        choices = {TASK: rules_from(revision.rules)}
        choices |= {letter: wrote for letter, wrote in zip(letters, rules, strict=True) if wrote is not None}
        names = {TASK: page.t("of the task"), **dict(zip(letters, sides, strict=True))}
        key = f"three-{task_id}"
        st.session_state.setdefault(f"{key}-rules", TASK)
        label = page.t("Compared under the rules")
        chosen = st.segmented_control(label, list(choices), format_func=names.__getitem__, key=f"{key}-rules")
        under = choices[chosen or TASK]
        three_way.draw(page, Three(answer_of(letters[0]), answer_of(letters[1]), gold, under), key)
