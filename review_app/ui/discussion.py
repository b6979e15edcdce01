"""A dispute: both reviews side by side, the discussion, repair, recheck. One screen for experts and leads."""

from collections.abc import Callable
from functools import partial
from typing import Literal

import streamlit as st

from evaluator.tables import Table
from review_app.comparing import rules_from
from review_app.domain.blindness import Discussion, Reviewed, Step, View
from review_app.domain.content import Evidence, Revision
from review_app.domain.events import RepairProposed, ReviewSubmitted
from review_app.ui import closing, comparison, derivation, repair, revision_diff, rules_diff, threads, writer
from review_app.ui.bench import expert_bench
from review_app.ui.findings import add_finding, finding_lines
from review_app.ui.frames import plain_table
from review_app.ui.page import Page, act
from review_app.ui.rules_form import rules_lines

READ = "read-before-"  # with the task's id: up to where the discussion was known when its page was opened


def reviews_for_expert(page: Page, view: View) -> None:
    """Draw where the task stands and both reviews."""
    assert view.discussion is not None
    st.badge(page.word(view.discussion.state))
    closing.draw(page, view, view.discussion)
    desk, task_id = page.expert, view.task_id
    side_by_side(page, view.discussion.reviews, partial(desk.answer, task_id), partial(desk.derivation, task_id))
    now = (desk.gold(task_id), view.discussion.revision)
    comparison.draw(page, task_id, view.discussion.reviews, partial(desk.answer, task_id), now)


def for_expert(page: Page, view: View) -> None:
    """Draw the discussion for one of the two experts."""
    talk = view.discussion
    assert talk is not None and view.revealed is not None
    with st.expander(page.t("Gold and rules as they stand now")):
        gold_now(page, page.expert.gold(view.task_id), page.expert.gold_sql(view.task_id), talk.revision)
    threads.draw(page, _talk(page, view, talk))
    if view.step is Step.CLOSED:
        return
    if view.step is Step.RECHECK:
        _recheck(page, view, talk)
        return
    if talk.proposal is not None:
        _waiting(page, view, talk, talk.proposal)
    else:
        sql = page.expert.gold_sql(view.task_id)
        change = repair.form(page, view.task_id, talk.revision, talk.open_findings, sql)
        if change is not None:
            act(page, partial(page.expert.propose_repair, view.task_id, change))


def _talk(page: Page, view: View, talk: Discussion) -> threads.Talk:
    """The discussion as the page shows it; what was read before the page was opened stays marked while it is open."""
    opened = f"{READ}{view.task_id}"
    before = page.expert.mark_read(view)
    read = int(st.session_state.setdefault(opened, before))

    def post(text: str, about: str, evidence: tuple[Evidence, ...]) -> None:
        page.expert.post_message(view.task_id, text, evidence, about)

    say = None if view.step is Step.CLOSED else post
    bench = expert_bench(page, view)
    return threads.Talk(bench, talk.reviews, talk.contributions, talk.open_findings, say, read)


def gold_now(page: Page, gold: Table, sql: str, revision: Revision) -> None:
    """Draw gold, SQL and rules of a revision."""
    plain_table(gold.header, gold.rows)
    st.code(sql, language="sql", wrap_lines=True)
    rules_lines(page, rules_from(revision.rules))


def side_by_side(
    page: Page, reviews: tuple[Reviewed, ...], answer_of: Callable[[str], Table], sql_of: Callable[[str], str]
) -> None:
    """Draw the reviews in two columns: verdict, findings, rules, sealed answer and what it came of.

    `answer_of(letter)` gives a table, `sql_of(letter)` the SQL that gave it, or nothing.
    """
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
            plain_table(answer.header, answer.rows, height=240)
            derivation.draw(page, sql_of(reviewed.letter))


COLOURS: dict[str, Literal["green", "orange", "red"]] = {"accept": "green", "revise": "orange", "reject": "red"}


def _review(page: Page, review: ReviewSubmitted) -> None:
    st.badge(page.word(review.verdict), color=COLOURS[review.verdict.value])
    if review.outcome is not None:
        said = "sealed answer equals the gold" if review.outcome.passed else "sealed answer differs from the gold"
        st.caption(page.t(said))
    finding_lines(page, review.findings)
    if review.rules:
        rules_lines(page, rules_from(review.rules))
        rules_diff.origins_line(page, review.rules_origins)


def _waiting(page: Page, view: View, talk: Discussion, proposal: RepairProposed) -> None:
    by = page.t("Lead") if talk.proposal_by_lead else page.t("a reviewer")
    repair.shown(page, talk.revision, proposal, by, partial(page.expert.gold_change, view.task_id))
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
    """Ask for a reason, which saves itself while one types; `do(reason)` acts.

    `about` names what the person looks at and is part of the button's identity: if that changed since the page was
    drawn, the click meets a button that is gone, and the person sees the new content instead.
    """
    part = f"{key}-reason"
    reason = writer.writer(page, task_id, part, page.plain("Reason"), lines=2)
    if st.button(page.t(label), key=f"{key}-{task_id}-{about}"):
        act(page, partial(_give_reason, page, task_id, part, partial(do, reason)))


def _give_reason(page: Page, task_id: str, part: str, do: Callable[[], None]) -> None:
    do()
    writer.clear(page, task_id, part)


def _recheck(page: Page, view: View, talk: Discussion) -> None:
    st.subheader(page.t("Recheck"))
    if talk.rechecked:
        st.success(page.t("Your recheck is given."))
        return
    st.markdown(page.t("Look at the task as it stands now. Confirm it, or object and say what is still wrong."))
    with st.container(border=True):
        st.markdown(f"**{page.t('What changed since the reviews')}**")
        revision_diff.draw(page, talk.reviewed, talk.revision, partial(page.expert.gold_change, view.task_id))
    digest = talk.revision.digest
    if st.button(
        page.t("Confirm"),
        key=f"confirm-{view.task_id}-{digest[:8]}",
        type="primary",
        icon=":material/check:",
        shortcut="Ctrl+Enter",
    ):
        act(page, partial(page.expert.recheck, view.task_id, digest, True))
    with st.expander(page.t("Object"), icon=":material/close:"):
        add_finding(
            expert_bench(page, view),
            f"object-{view.task_id}-{digest[:8]}",
            lambda found: page.expert.recheck(view.task_id, digest, False, (found,)),
            "Object with this finding",
            "Alt+O",
        )
