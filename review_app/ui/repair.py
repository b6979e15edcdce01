"""Propose a repair of question, gold or rules, and show one against what stands."""

import streamlit as st

from review_app.comparing import rules_from
from review_app.desk.repairs import Change
from review_app.domain.content import Finding, RepairCategory, Reply, Revision
from review_app.domain.events import RepairProposed
from review_app.ui import revision_diff
from review_app.ui.findings import finding_lines
from review_app.ui.page import Page
from review_app.ui.plain import md
from review_app.ui.revision_diff import GoldChanges
from review_app.ui.rules_form import rules_form
from review_app.ui.text_diff import text_diff
from review_app.ui.writer import writer


def form(page: Page, task_id: str, revision: Revision, findings: tuple[Finding, ...], sql: str) -> Change | None:
    """Draw the form; return the change when it was handed in."""
    st.subheader(page.t("Propose a repair"))
    st.caption(page.t("The smallest change that answers every finding. What you leave as it is stays."))
    mark = revision.digest[:8]  # another revision, another repair
    question = writer(
        page, task_id, f"repair-question-{mark}", page.plain("Question"), lines=3, start=revision.question
    )
    if question.strip() != revision.question:
        text_diff(revision.question, question)
    with st.expander(page.t("Gold, by its SQL")):
        label = page.plain("SQL on the sampled database")
        repaired = writer(page, task_id, f"repair-sql-{mark}", label, lines=8, start=sql, code=True)
    change_rules = st.checkbox(page.t("The rules change too"), key=f"repair-rules-on-{task_id}")
    rules = None
    if change_rules:
        rules = rules_form(page, f"repair-rules-{task_id}", rules_from(revision.rules), revision.gold_columns)
    replies = tuple(_reply(page, task_id, "reply", finding) for finding in findings)
    category = st.selectbox(
        page.t("Category"), list(RepairCategory), format_func=page.word, key=f"repair-category-{task_id}"
    )
    reason = writer(page, task_id, f"repair-reason-{mark}", page.plain("Reason"), lines=2)
    if not st.button(
        page.t("Propose the repair"),
        key=f"repair-{task_id}-{mark}",
        type="primary",
        icon=":material/build:",
    ):
        return None
    return Change(
        before=revision.digest,
        category=RepairCategory(str(category)),
        reason=reason,
        replies=replies,
        question=question if question.strip() != revision.question else None,
        gold_sql=repaired if repaired.strip() != sql.strip() else None,
        rules=rules,
    )


def _reply(page: Page, task_id: str, place: str, finding: Finding) -> Reply:
    """Draw one reply; `place` keeps those of a repair apart from those of a settlement."""
    with st.container(border=True):
        finding_lines(page, (finding,))
        fixed = st.radio(
            page.t("This repair"),
            [True, False],
            format_func=lambda value: page.t("fixes it") if value else page.t("declines it"),
            key=f"{place}-{task_id}-{finding.id}",
            horizontal=True,
        )
        reason = writer(page, task_id, f"{place}-{finding.id}", page.plain("How, or why not"), lines=2)
    return Reply(finding.id, bool(fixed), reason.strip())


def replies_form(page: Page, task_id: str, findings: tuple[Finding, ...]) -> tuple[Reply, ...]:
    """Draw one reply a finding, for a settlement."""
    return tuple(_reply(page, task_id, "settle", finding) for finding in findings)


def shown(page: Page, now: Revision, proposal: RepairProposed, by: str, gold_changes: GoldChanges) -> None:
    """Draw a proposal: what it changes, how it answers the findings."""
    st.subheader(page.t("A repair is proposed"))
    st.caption(f"{by} · {page.word(proposal.category)}")
    st.markdown(md(proposal.reason))
    revision_diff.draw(page, now, proposal.after, gold_changes)
    if proposal.after.gold != now.gold and not proposal.re_executable:
        st.warning(page.t("The new gold does not follow from its SQL: it is marked not re-executable."))
    for reply in proposal.replies:
        said = page.t("fixes it") if reply.fixed else page.t("declines it")
        st.markdown(f"- `{reply.finding_id}` {said}: {md(reply.reason) or '—'}")
