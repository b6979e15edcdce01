"""Two revisions of a task: what a repair changes, part by part. What stayed as it was is not drawn."""

from collections.abc import Callable

import streamlit as st

from review_app.comparing import rules_from
from review_app.desk.changes import GoldChange
from review_app.domain.content import Revision, WorkspaceFile
from review_app.ui import diff_view
from review_app.ui.diff_words import Two
from review_app.ui.frames import plain_table
from review_app.ui.page import Page
from review_app.ui.plain import md
from review_app.ui.rules_form import rules_lines
from review_app.ui.text_diff import text_diff

GoldChanges = Callable[[Revision, Revision], GoldChange | None]


def draw(page: Page, before: Revision, after: Revision, gold_changes: GoldChanges) -> None:
    """Draw question, files, gold and rules of `after` against `before`."""
    if before == after:
        st.caption(page.t("Nothing changed."))
        return
    if after.question != before.question:
        st.markdown(f"**{page.t('Question')}**")
        text_diff(before.question, after.question)
    if after.workspace != before.workspace:
        st.markdown(f"**{page.t('Workspace')}**")
        st.markdown("\n".join(_file_lines(page, before.workspace, after.workspace)))
    change = gold_changes(before, after)
    if change is not None:
        _gold(page, change, after)
    if after.rules != before.rules:
        st.markdown(f"**{page.t('Rules')}**")
        old, new = st.columns(2)
        for column, title, revision in ((old, "Before", before), (new, "After", after)):
            with column:
                st.caption(page.t(title))
                rules_lines(page, rules_from(revision.rules))


def _gold(page: Page, change: GoldChange, after: Revision) -> None:
    rows = (len(change.before.rows), len(change.after.rows))
    st.markdown(page.t("**Gold**: {old} rows before, {new} rows after.", old=rows[0], new=rows[1]))
    if change.diff is not None:
        two = Two(change.before, change.after, rules_from(after.rules), page.t("the old gold"), page.t("the new gold"))
        diff_view.draw(page, change.diff, two, f"gold-{after.digest[:8]}")
    old, new = st.columns(2)
    for column, title, table in ((old, "Before", change.before), (new, "After", change.after)):
        with column:
            st.caption(page.t(title))
            plain_table(table.header, table.rows, height=220)


def _file_lines(page: Page, before: tuple[WorkspaceFile, ...], after: tuple[WorkspaceFile, ...]) -> list[str]:
    old, new = ({file.path: file.sha256 for file in side} for side in (before, after))
    lines = [f"- {page.t('added')}: {md(path)}" for path in sorted(new.keys() - old.keys())]
    lines += [f"- {page.t('taken away')}: {md(path)}" for path in sorted(old.keys() - new.keys())]
    return lines + [
        f"- {page.t('replaced')}: {md(path)}" for path in sorted(old.keys() & new.keys()) if old[path] != new[path]
    ]
