"""A dispute: both reviews side by side, the discussion, repair, recheck. One screen for experts and leads."""

from collections.abc import Callable
from functools import partial
from typing import Literal

import streamlit as st

from evaluator.tables import Table
from review_app.desk.tables import rules_from
from review_app.domain.blindness import LEAD, Contribution, Discussion, Reviewed, Step, View
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
    ReviewSubmitted,
    TaskRemoved,
    TaskReopened,
)
from review_app.ui import files, repair
from review_app.ui.findings import finding_lines
from review_app.ui.page import Page, act
from review_app.ui.plain import md
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
            st.markdown(f"**{page.t('Reviewer')} {reviewed.letter}**{you}")
            if reviewed.review is None:
                st.caption(page.t("sealed, not yet reviewed"))
            else:
                _review(page, reviewed.review)
            answer = answer_of(reviewed.letter)
            files.plain_table(answer.header, answer.rows, height=240)


COLOURS: dict[str, Literal["green", "orange", "red"]] = {"accept": "green", "revise": "orange", "reject": "red"}


def _review(page: Page, review: ReviewSubmitted) -> None:
    st.badge(page.word(review.verdict), color=COLOURS[review.verdict.value])
    if review.outcome is not None:
        said = "sealed answer equals the gold" if review.outcome.passed else "sealed answer differs from the gold"
        st.caption(page.t(said))
    finding_lines(page, review.findings)
    if review.rules:
        rules_lines(page, rules_from(review.rules))


def contributions(page: Page, entries: tuple[Contribution, ...]) -> None:
    """Draw the discussion, oldest first."""
    if not entries:
        return
    st.subheader(page.t("Discussion"))
    for entry in entries:
        with st.chat_message("user" if entry.mine else "assistant", avatar=_avatar(entry)):
            who = page.t("Lead") if entry.author == LEAD else f"{page.t('Reviewer')} {entry.author}"
            st.caption(f"{who} · {page.t(DID[type(entry.event)])} · {page.clock(entry.event.at)}")
            st.markdown(md(_text(entry.event)) or "—")
            if isinstance(entry.event, RecheckSubmitted):
                st.badge(page.t("confirms") if entry.event.confirm else page.t("objects"))
                finding_lines(page, entry.event.findings)


def _avatar(entry: Contribution) -> str:
    return ":material/gavel:" if entry.author == LEAD else ":material/person:"


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
    place = str(talk.proposed_at)
    if talk.proposal_is_mine:
        withdraw = partial(page.expert.withdraw_repair, view.task_id, talk.proposed_at)
        reasoned(page, view.task_id, "withdraw", "Withdraw the repair", withdraw, place)
    elif talk.proposal_by_lead:
        accept = partial(page.expert.accept_repair, view.task_id, talk.proposed_at)
        reasoned(page, view.task_id, "accept", "Accept the repair", accept, place)
    else:
        st.info(page.t("A lead decides on this repair."))


def reasoned(page: Page, task_id: str, key: str, label: str, do: Callable[[str], None], about: str = "") -> None:
    """Draw a form that asks for a reason; `do(reason)` acts.

    `about` names what the person looks at and is part of the form's identity: if that changed since the page was
    drawn, the click meets a form that is gone, and the person sees the new content instead.
    """
    with st.form(f"{key}-{task_id}-{about}"):
        reason = st.text_input(page.t("Reason"), key=f"{key}-reason-{task_id}")
        if st.form_submit_button(page.t(label)):
            act(partial(do, reason))


def _recheck(page: Page, view: View, talk: Discussion) -> None:
    st.subheader(page.t("Recheck"))
    if talk.rechecked:
        st.success(page.t("Your recheck is given."))
        return
    st.markdown(page.t("Look at the task as it stands now. Confirm it, or object and say what is still wrong."))
    digest = talk.revision.digest
    with st.form(f"recheck-{view.task_id}-{digest[:8]}"):
        text = st.text_area(page.t("What is still wrong (for an objection)"), key=f"recheck-text-{view.task_id}")
        left, right = st.columns(2)
        confirm = left.form_submit_button(page.t("Confirm"), type="primary", icon=":material/check:")
        objects = right.form_submit_button(page.t("Object"), icon=":material/close:")
    if confirm:
        act(partial(page.expert.recheck, view.task_id, digest, True))
    if objects:
        findings = (Finding("", Part.GOLD, FindingKind.OTHER, text.strip()),) if text.strip() else ()
        act(partial(page.expert.recheck, view.task_id, digest, False, findings))
