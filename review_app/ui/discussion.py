"""A dispute: both reviews side by side, the discussion, repair, recheck. One screen for experts and leads."""

from collections.abc import Callable
from functools import partial
from typing import Literal

import streamlit as st

from evaluator.tables import Table
from review_app.desk.tables import rules_from
from review_app.domain.blindness import Contribution, Discussion, Reviewed, Step, View
from review_app.domain.content import Finding, FindingKind, Part, Revision
from review_app.domain.events import (
    DisputeSettled,
    Event,
    FreshRoundCalled,
    MessagePosted,
    RecheckSubmitted,
    RepairAccepted,
    RepairDeclined,
    RepairProposed,
    ReviewerReplaced,
    TaskRemoved,
    TaskReopened,
)
from review_app.ui import files, repair
from review_app.ui.findings import finding_lines
from review_app.ui.page import Page, act
from review_app.ui.plain import clock, md
from review_app.ui.rules_form import rules_lines

DID = {
    MessagePosted: "wrote",
    RepairProposed: "proposed a repair",
    RepairAccepted: "accepted the repair",
    RepairDeclined: "declined the repair",
    DisputeSettled: "settled the dispute",
    RecheckSubmitted: "rechecked",
    ReviewerReplaced: "replaced a reviewer",
    FreshRoundCalled: "called a fresh round",
    TaskRemoved: "removed the task",
    TaskReopened: "reopened the task",
}


def reviews_for_expert(page: Page, view: View) -> None:
    """Draw where the task stands and both reviews."""
    assert view.discussion is not None
    st.badge(page.word(view.discussion.state))
    side_by_side(page, view.discussion.reviews, partial(page.expert.answer, view.task_id))


def for_expert(page: Page, view: View) -> None:
    """Draw the discussion for one of the two experts."""
    talk = view.discussion
    assert talk is not None and view.revealed is not None
    with st.expander(page.t("Gold and rules as they stand now")):
        gold_now(page, page.expert.gold(view.task_id), page.expert.gold_sql(view.task_id), talk.revision)
    contributions(page, talk.contributions)
    if view.step is Step.CLOSED:
        return
    message_form(page, view.task_id, partial(page.expert.post_message, view.task_id))
    if view.step is Step.RECHECK:
        _recheck(page, view, talk)
        return
    if talk.proposal is not None:
        _waiting(page, view, talk, talk.proposal)
    else:
        sql = page.expert.gold_sql(view.task_id)
        change = repair.form(page, view.task_id, talk.revision, talk.open_findings, sql)
        if change is not None:
            act(partial(page.expert.propose_repair, view.task_id, change))


def gold_now(page: Page, gold: Table, sql: str, revision: Revision) -> None:
    """Draw gold, SQL and rules of a revision."""
    files.plain_table(gold.header, gold.rows)
    st.code(sql, language="sql", wrap_lines=True)
    rules_lines(page, rules_from(revision.rules))


def side_by_side(page: Page, reviews: tuple[Reviewed, ...], answer_of: Callable[[str], Table]) -> None:
    """Draw the reviews in two columns: verdict, findings, rules, sealed answer. `answer_of(letter)` gives a table."""
    if not reviews:
        return
    st.subheader(page.t("The two reviews"))
    for column, reviewed in zip(st.columns(len(reviews)), reviews, strict=True):
        with column, st.container(border=True):
            you = f" · {page.t('you')}" if reviewed.mine else ""
            st.markdown(f"**{page.t('Reviewer')} {reviewed.label}**{you}")
            st.badge(page.word(reviewed.review.verdict), color=COLOURS[reviewed.review.verdict.value])
            _outcome(page, reviewed)
            finding_lines(page, reviewed.review.findings)
            if reviewed.review.rules:
                rules_lines(page, rules_from(reviewed.review.rules))
            answer = answer_of(reviewed.label)
            files.plain_table(answer.header, answer.rows, height=240)


COLOURS: dict[str, Literal["green", "orange", "red"]] = {"accept": "green", "revise": "orange", "reject": "red"}


def _outcome(page: Page, reviewed: Reviewed) -> None:
    outcome = reviewed.review.outcome
    if outcome is None:
        return
    said = "sealed answer equals the gold" if outcome.passed else "sealed answer differs from the gold"
    st.caption(page.t(said))


def contributions(page: Page, entries: tuple[Contribution, ...]) -> None:
    """Draw the discussion, oldest first."""
    if not entries:
        return
    st.subheader(page.t("Discussion"))
    for entry in entries:
        with st.chat_message("user" if entry.mine else "assistant", avatar=_avatar(entry)):
            who = page.t("Lead") if entry.author == "Lead" else f"{page.t('Reviewer')} {entry.author}"
            st.caption(f"{who} · {page.t(DID[type(entry.event)])} · {clock(entry.event.at)}")
            st.markdown(md(_text(entry.event)) or "—")
            if isinstance(entry.event, RecheckSubmitted):
                st.badge(page.t("confirms") if entry.event.confirm else page.t("objects"))
                finding_lines(page, entry.event.findings)


def _avatar(entry: Contribution) -> str:
    return ":material/gavel:" if entry.author == "Lead" else ":material/person:"


def _text(event: Event) -> str:
    text = getattr(event, "text", None) or getattr(event, "reason", "")
    return str(text)


def message_form(page: Page, task_id: str, post: Callable[[str], None]) -> None:
    """Draw the form for one message; `post(text)` sends it."""
    with st.form(f"message-{task_id}", clear_on_submit=True, border=False):
        text = st.text_area(page.t("Message, with your evidence"), key=f"message-text-{task_id}")
        if st.form_submit_button(page.t("Send"), icon=":material/send:"):
            act(partial(post, text))


def _waiting(page: Page, view: View, talk: Discussion, proposal: RepairProposed) -> None:
    by = page.t("Lead") if talk.proposal_by_lead else page.t("a reviewer")
    repair.shown(page, talk.revision, proposal, by)
    if talk.proposal_is_mine:
        reasoned(page, view.task_id, "withdraw", "Withdraw the repair", page.expert.withdraw_repair)
    elif talk.proposal_by_lead:
        reasoned(page, view.task_id, "accept", "Accept the repair", page.expert.accept_repair)
    else:
        st.info(page.t("A lead decides on this repair."))


def reasoned(page: Page, task_id: str, key: str, label: str, do: Callable[[str, str], None]) -> None:
    """Draw a form that asks for a reason; `do(task id, reason)` acts."""
    with st.form(f"{key}-{task_id}"):
        reason = st.text_input(page.t("Reason"), key=f"{key}-reason-{task_id}")
        if st.form_submit_button(page.t(label)):
            act(partial(do, task_id, reason))


def _recheck(page: Page, view: View, talk: Discussion) -> None:
    st.subheader(page.t("Recheck"))
    if talk.rechecked:
        st.success(page.t("Your recheck is given."))
        return
    st.markdown(page.t("Look at the task as it stands now. Confirm it, or object and say what is still wrong."))
    with st.form(f"recheck-{view.task_id}"):
        text = st.text_area(page.t("What is still wrong (for an objection)"), key=f"recheck-text-{view.task_id}")
        left, right = st.columns(2)
        confirm = left.form_submit_button(page.t("Confirm"), type="primary", icon=":material/check:")
        objects = right.form_submit_button(page.t("Object"), icon=":material/close:")
    if confirm:
        act(partial(page.expert.recheck, view.task_id, True))
    if objects:
        findings = (Finding("", Part.GOLD, FindingKind.OTHER, text.strip()),) if text.strip() else ()
        act(partial(page.expert.recheck, view.task_id, False, findings))
