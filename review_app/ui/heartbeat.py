"""The line above an open task: how long the seat is kept, until when one is signed in, and what else is open."""

import secrets
from datetime import datetime, timedelta
from urllib.parse import quote

import streamlit as st

from review_app.desk.presence import EVERY
from review_app.domain.errors import SignedOut, UnknownTask
from review_app.ui.files import link
from review_app.ui.page import Page

SOON = timedelta(minutes=10)


@st.fragment(run_every=EVERY)
def draw(page: Page, task_id: str) -> None:
    """Draw the line; drawn anew every few seconds without the rest of the page, so that nothing typed is disturbed."""
    window = st.session_state.setdefault("window", secrets.token_hex(8))
    try:
        now = page.expert.beat(task_id, window)
    except SignedOut:
        st.error(page.t("Your sign-in has ended. Everything that was saved is kept; sign in and go on."))
        link(f"/sign-in?next={quote(f'/task?task={task_id}')}", page.t("Sign in again"))
        return
    except UnknownTask:
        st.warning(page.t("This task is no longer on your desk. Your drafts are kept."))
        return
    clock = page.office.clock()
    if now.lease_until is not None:
        left = short_time(page, now.lease_until - clock)
        st.caption(page.t("Kept for you for {left} more, and longer while you work on it.", left=left))
    if now.other_windows:
        st.warning(
            page.t("This task is open in another window of yours. What you type in both is kept apart; close one."),
            icon=":material/tab:",
        )
    _ending(page, task_id, now.sign_in_until, clock)


def _ending(page: Page, task_id: str, until: datetime, now: datetime) -> None:
    if until - now > SOON:
        return
    left = short_time(page, until - now)
    st.warning(page.t("Your sign-in ends in {left}. Sign in again now; everything that is saved stays.", left=left))
    link(f"/sign-in?next={quote(f'/task?task={task_id}')}", page.t("Sign in again"))


def short_time(page: Page, left: timedelta) -> str:
    """Return a span for people, in hours and minutes; nothing below a minute but zero."""
    minutes = max(0, int(left.total_seconds() // 60))
    if minutes < 60:
        return page.plain("{minutes} min", minutes=minutes)
    return page.plain("{hours} h {minutes} min", hours=minutes // 60, minutes=f"{minutes % 60:02d}")
