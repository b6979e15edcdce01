"""The discussion: one thread a finding, then everything in order. Names are letters; texts are shown as they are."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from review_app.domain.blindness import LEAD, Contribution, Reviewed
from review_app.domain.closing import replies_given
from review_app.domain.content import Evidence, Finding, FindingKind, Reply
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
from review_app.ui import citations, writer
from review_app.ui.bench import Bench
from review_app.ui.findings import evidence_lines, finding_lines
from review_app.ui.page import Page, act
from review_app.ui.plain import md

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


Post = Callable[[str, str, tuple[Evidence, ...]], None]


@dataclass(frozen=True)
class Talk:
    """What a page shows of a discussion. `post(text, about, evidence)` says something; None where nothing can be said.

    `read` is the version that the person had seen before they opened the page.
    """

    bench: Bench
    reviews: Sequence[Reviewed]
    contributions: Sequence[Contribution]
    open_findings: Sequence[Finding]
    post: Post | None
    read: int = 0


def draw(page: Page, talk: Talk) -> None:
    """Draw the threads of the findings, then the discussion, oldest first, and a form for one more message."""
    found = _raised(talk)
    if found:
        st.subheader(page.t("Findings and their threads"))
        given = replies_given(talk.contributions)
        for by, finding in found:
            _thread(page, talk, by, finding, given)
    _timeline(page, talk, {finding.id for _, finding in found})
    if talk.post is not None:
        _message_form(talk.bench, talk.post, "")


def _raised(talk: Talk) -> list[tuple[str, Finding]]:
    """Every finding of the round that somebody may have to answer, with the letter of who raised it."""
    raised = [(one.letter, finding) for one in talk.reviews if one.review for finding in one.review.findings]
    for entry in talk.contributions:
        if isinstance(entry.event, RecheckSubmitted):
            raised += [(entry.author, finding) for finding in entry.event.findings]
    return raised


def _thread(page: Page, talk: Talk, by: str, finding: Finding, given: dict[str, Reply]) -> None:
    said = [entry for entry in talk.contributions if _about(entry) == finding.id]
    still_open = finding.id in {one.id for one in talk.open_findings}
    title = f"{by} · {page.word(finding.part)} · {page.word(finding.kind)} · {_status(page, finding, still_open)}"
    if said:
        title += f" · {page.t('{count} messages', count=len(said))}"
    with st.expander(title, expanded=still_open, icon=":material/flag:"):
        finding_lines(page, (finding,))
        for entry in said:
            _entry(page, talk, entry)
        reply = given.get(finding.id)
        if reply is not None:
            st.caption(f"{page.t('fixed') if reply.fixed else page.t('declined')}: {md(reply.reason) or '—'}")
        if talk.post is not None:
            _message_form(talk.bench, talk.post, finding.id)


def _status(page: Page, finding: Finding, still_open: bool) -> str:
    if finding.kind is FindingKind.OWN_ERROR:
        return page.t("needs no answer")
    return page.t("open") if still_open else page.t("answered")


def _about(entry: Contribution) -> str:
    return entry.event.about if isinstance(entry.event, MessagePosted) else ""


def _timeline(page: Page, talk: Talk, threads: set[str]) -> None:
    """What belongs to no thread; what was said about a finding of an earlier round stands here too."""
    entries = [entry for entry in talk.contributions if _about(entry) not in threads]
    if entries:
        st.subheader(page.t("Discussion"))
    for entry in entries:
        _entry(page, talk, entry)


def _entry(page: Page, talk: Talk, entry: Contribution) -> None:
    with st.chat_message("user" if entry.mine else "assistant", avatar=_avatar(entry)):
        with st.container(horizontal=True):
            st.caption(
                f"{author(page, entry.author)} · {page.t(DID[type(entry.event)])} · {page.clock(entry.event.at)}"
            )
            if entry.version > talk.read and not entry.mine and talk.read:
                st.badge(page.t("new"), color="orange")
        st.markdown(md(_text(entry.event)) or "—")
        if isinstance(entry.event, RecheckSubmitted):
            st.badge(page.t("confirms") if entry.event.confirm else page.t("objects"))
            finding_lines(page, entry.event.findings)
        if isinstance(entry.event, MessagePosted):
            evidence_lines(page, entry.event.evidence)


def author(page: Page, name: str) -> str:
    """Return how a page calls the author of a contribution."""
    return page.t("Lead") if name == LEAD else f"{page.t('Reviewer')} {name}"


def _avatar(entry: Contribution) -> str:
    return ":material/gavel:" if entry.author == LEAD else ":material/person:"


def _text(event: Event) -> str:
    return str(getattr(event, "text", None) or getattr(event, "reason", ""))


def _message_form(bench: Bench, post: Post, about: str) -> None:
    page, task_id, place = bench.page, bench.task_id, about or "all"
    part = f"message-{place}"
    words = "Reply in this thread" if about else "Message, with your evidence"
    text = writer.writer(page, task_id, part, page.plain(words), lines=3)
    if not about:
        st.caption(page.t("Name who should answer: @A, @B or @lead. The task then waits for them."))
    evidence = citations.choose(bench, part) if citations.picked(bench) else ()
    if st.button(page.t("Send"), key=f"send-{task_id}-{place}", icon=":material/send:"):
        act(page, partial(_send, bench, post, text, about, evidence))


def _send(bench: Bench, post: Post, text: str, about: str, evidence: tuple[Evidence, ...]) -> None:
    post(text, about, evidence)
    writer.clear(bench.page, bench.task_id, f"message-{about or 'all'}")
    citations.drop(bench, evidence)
