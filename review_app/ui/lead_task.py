"""One task on the lead's desk: who sits where, both reviews once they are in, and what a lead may decide."""

from functools import partial

import streamlit as st

from evaluator.tables import Table
from review_app.desk.lead import LeadView
from review_app.domain.blindness import LEAD
from review_app.domain.content import Evidence
from review_app.domain.disagreement import OWN_ERROR_ADMITTED, Disagreement, Kind
from review_app.domain.events import Event, LeadActionUndone, LeaseExpired, SeatReturned, SeatVacated, Unblinded
from review_app.domain.task import State
from review_app.ui import comparison, discussion, files, repair, sql_box, threads
from review_app.ui.bench import Bench
from review_app.ui.page import Page, act, refusals
from review_app.ui.plain import md

CHANGES: dict[type[Event], str] = {
    SeatReturned: "gave a seat back",
    LeaseExpired: "took a seat whose lease ran out",
    SeatVacated: "freed a seat",
    Unblinded: "unblinded the task",
    LeadActionUndone: "took the own last action back",
}


def render(page: Page) -> None:
    """Draw the task that the address names."""
    task_id = st.query_params.get("task", "")
    if not task_id:
        st.info(page.t("Open a task from “All tasks”."))
        return
    with refusals(page):
        _draw(page, page.lead.task(task_id))


def _draw(page: Page, view: LeadView) -> None:
    page.link_back("tasks", "All tasks")
    talks = view.state in (State.DISPUTED, State.IN_RECHECK)
    bench = Bench(page, view.task_id, view.revision.workspace, cites=talks)
    files.heading(bench, view.revision.question, view.domain, view.language)
    with st.container(horizontal=True):
        st.badge(page.word(view.state))
        st.caption(page.t("round {number} · from {instance}", number=view.round, instance=view.instance))
        query = {"task": view.task_id}
        st.page_link(page.pages["ledger"], label=page.t("Ledger"), icon=":material/history:", query_params=query)
    left, right = st.columns(2, gap="large")
    with left:
        _seats(page, view)
    with right:
        _disagreements(page, view)
    answers = {reviewed.letter: reviewed.answer.answer for reviewed in view.reviews}

    def answer_of(letter: str) -> Table:
        return page.lead.table(view.task_id, answers[letter])

    discussion.side_by_side(page, view.reviews, answer_of, partial(page.lead.derivation, view.task_id))
    now = (page.lead.table(view.task_id, view.revision.gold), view.revision)
    comparison.draw(page, view.task_id, view.reviews, answer_of, now)
    left, right = st.columns(2, gap="large")
    with left, st.container(key="beside"):
        with st.expander(page.t("Gold and rules as they stand now")):
            gold = page.lead.table(view.task_id, view.revision.gold)
            discussion.gold_now(page, gold, page.lead.gold_sql(view.task_id), view.revision)
        files.workspace(bench)
        sql_box.render(bench)
    with right:
        threads.draw(page, _talk(bench, view))
        _decide(page, view)


def _talk(bench: Bench, view: LeadView) -> threads.Talk:
    def post(text: str, about: str, evidence: tuple[Evidence, ...]) -> None:
        bench.page.lead.post_message(view.task_id, text, evidence, about)

    return threads.Talk(bench, view.reviews, view.contributions, view.open_findings, post if bench.cites else None)


def _seats(page: Page, view: LeadView) -> None:
    st.subheader(page.t("Seats"))
    for seat in view.seats:
        st.markdown(f"**{page.t('Reviewer')} {seat.letter}** · {md(seat.name)} · {page.word(seat.phase)}")
    if not view.seats:
        st.caption(page.t("Nobody holds a seat."))
    for change in view.history:
        reason = md(getattr(change.event, "reason", "")) or "—"
        did = page.t(CHANGES[change.kind])
        if isinstance(change.event, SeatReturned):
            did += f" ({page.word(change.event.category)})"
        st.caption(f"{page.clock(change.event.at)} · {md(change.name)} · {did}: {reason}")
    if view.state in (State.QUEUED, State.IN_REVIEW) and len(view.seats) < 2:
        _assign(page, view)
    if view.state is State.IN_REVIEW and view.seats:
        _vacate(page, view)
    if view.state in (State.DISPUTED, State.IN_RECHECK):
        _replace(page, view)


def _assign(page: Page, view: LeadView) -> None:
    experts = {f"{expert.name} ({expert.login})": expert.id for expert in page.lead.experts()}
    with st.popover(page.t("Assign an expert")):
        name = st.selectbox(page.t("Expert"), list(experts), key="assign-who")
        if st.button(page.t("Assign"), key="assign", disabled=not name):
            act(page, partial(page.lead.assign, view.task_id, experts[str(name)]))


def _vacate(page: Page, view: LeadView) -> None:
    people = {f"{seat.letter} · {seat.name}": seat.account_id for seat in view.seats}
    with st.popover(page.t("Free a seat")):
        name = st.selectbox(page.t("Seat"), list(people), key="vacate-who")
        free = partial(page.lead.vacate, view.task_id, people[str(name)])
        discussion.reasoned(page, view.task_id, "vacate", "Free the seat", free)


def _replace(page: Page, view: LeadView) -> None:
    people = {f"{seat.letter} · {seat.name}": seat.account_id for seat in view.seats}
    experts = {f"{expert.name} ({expert.login})": expert.id for expert in page.lead.experts()}
    if not experts:
        return
    with st.popover(page.t("Replace a reviewer")):
        old = st.selectbox(page.t("Who is replaced"), list(people), key="replace-old")
        new = st.selectbox(page.t("The new expert"), list(experts), key="replace-new")
        who = (people[str(old)], experts[str(new)])
        replace = partial(page.lead.replace_reviewer, view.task_id, *who)
        discussion.reasoned(page, view.task_id, "replace", "Replace a reviewer", replace)


def _disagreements(page: Page, view: LeadView) -> None:
    if not view.disagreements:
        return
    st.subheader(page.t("What differs"))
    st.markdown("\n".join(f"- **{page.word(one.kind)}**: {_said(page, one)}" for one in view.disagreements))


def _said(page: Page, one: Disagreement) -> str:
    if one.kind is Kind.VERDICT:
        return f"A {page.word(one.a)}, B {page.word(one.b)}"
    if one.kind is Kind.RULES:
        return f"`{one.where}` A {md(one.a)}, B {md(one.b)}"
    if one.kind is Kind.ANSWER_AGAINST_GOLD:
        explained = page.t("own error admitted") if one.b == OWN_ERROR_ADMITTED else page.t("not explained")
        return f"{page.t('Reviewer')} {one.where} · {page.word(one.a)} · {explained}"
    return page.t("the two sealed tables differ")


def _decide(page: Page, view: LeadView) -> None:
    if view.can_undo:
        with st.popover(page.t("Undo my last action")):
            undo = partial(page.lead.undo, view.task_id, view.version)
            discussion.reasoned(page, view.task_id, "undo", "Undo", undo, str(view.version))
    if view.state is State.DISPUTED:
        _disputed(page, view)
    st.subheader(page.t("Other decisions"))
    _others(page, view)


def _disputed(page: Page, view: LeadView) -> None:
    if view.proposal is not None:
        by = page.t("Lead") if view.proposal_by == LEAD else f"{page.t('Reviewer')} {view.proposal_by}"
        repair.shown(page, view.revision, view.proposal, by, partial(page.lead.gold_change, view.task_id))
        if view.proposal_by != LEAD:
            accept = partial(page.lead.accept_repair, view.task_id, view.proposed_at)
            discussion.reasoned(page, view.task_id, "accept", "Accept the repair", accept, str(view.proposed_at))
        else:
            st.info(page.t("An expert of the round accepts a lead's repair."))
        decline = partial(page.lead.decline_repair, view.task_id, view.proposed_at)
        label = "Decline or withdraw the repair"
        discussion.reasoned(page, view.task_id, "decline", label, decline, str(view.proposed_at))
        return
    sql = page.lead.gold_sql(view.task_id)
    change = repair.form(page, view.task_id, view.revision, view.open_findings, sql)
    if change is not None:
        act(page, partial(page.lead.propose_repair, view.task_id, change))
    with st.expander(page.t("Settle without a change")):
        st.caption(page.t("When an expert conceded: nothing changes, both confirm."))
        replies = repair.replies_form(page, view.task_id, view.open_findings)
        digest = view.revision.digest
        discussion.reasoned(
            page,
            view.task_id,
            "settle",
            "Settle the dispute",
            lambda reason: page.lead.settle(view.task_id, digest, reason, replies),
            digest[:8],
        )


def _others(page: Page, view: LeadView) -> None:
    offered = []
    if view.state in (State.DISPUTED, State.IN_RECHECK):
        offered.append(("fresh", "Call a fresh round", page.lead.fresh_round))
    if view.state is State.IN_REVIEW:
        offered.append(("unblind", "Unblind (emergency)", page.lead.unblind))
    if view.state in (State.APPROVED, State.REMOVED, State.RELEASED):
        offered.append(("reopen", "Reopen the task", page.lead.reopen))
    if view.state not in (State.REMOVED, State.RELEASED):
        offered.append(("remove", "Remove the task", page.lead.remove))
    with st.container(horizontal=True):
        for key, label, do in offered:
            with st.popover(page.t(label)):
                discussion.reasoned(page, view.task_id, key, label, partial(do, view.task_id), str(view.version))
