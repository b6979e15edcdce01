"""Around every page: navigation by role, whose screen it is, language, sign-out."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Literal

import streamlit as st

from review_app.accounts import Profile
from review_app.desk import Office, Viewer
from review_app.desk.admin import set_locale
from review_app.domain.people import Role
from review_app.ui import (
    agreement,
    closing,
    expert_home,
    expert_task,
    lead_home,
    lead_task,
    ledger,
    refusal_words,
    users,
    work,
)
from review_app.ui.page import Page, act
from review_app.ui.plain import md

Screen = Callable[[Page], None]
# Pages of one task are reached from the lists; they check the role like all others.
HIDDEN = frozenset({"task", "review", "ledger"})
# name in the address, title, icon, role, screen
SCREENS: tuple[tuple[str, str, str, Role, Screen], ...] = (
    ("my-tasks", "My tasks", ":material/inbox:", Role.EXPERT, expert_home.render),
    ("my-numbers", "My numbers", ":material/monitoring:", Role.EXPERT, closing.my_numbers),
    ("task", "Task", ":material/table_view:", Role.EXPERT, expert_task.render),
    ("tasks", "All tasks", ":material/list_alt:", Role.LEAD, lead_home.render),
    ("review", "Task under review", ":material/balance:", Role.LEAD, lead_task.render),
    ("ledger", "Ledger", ":material/history:", Role.LEAD, ledger.render),
    ("agreement", "Agreement", ":material/handshake:", Role.LEAD, agreement.render_page),
    ("work", "Imports and releases", ":material/inventory_2:", Role.LEAD, work.render),
    ("users", "People", ":material/group:", Role.ADMIN, users.render),
)
# The framework keeps 80 pixels of margin around tables that need the width. A spreadsheet would run the formulas in the
# CSV that it offers beside each table; files have a link of their own. What is looked up while one works (the
# workspace) stays in sight, but where the columns stand one below the other.
STYLE = """
[data-testid=stMainBlockContainer] { padding: 3rem 2rem 6rem }
[data-testid=stElementToolbar] [aria-label="Download as CSV"] { display: none }
[data-testid=stBaseButton-tertiary] { justify-content: flex-start; text-align: left }
[data-testid=stBaseButton-tertiary] p { text-align: left }
@media (max-width: 999px) {
  [data-testid=stHorizontalBlock]:has(> [data-testid=stColumn] .st-key-beside) > [data-testid=stColumn] {
    min-width: 100%;
  }
}
@media (min-width: 1000px) {
  [data-testid=stColumn]:has(.st-key-beside) {
    position: sticky; top: 3.5rem; align-self: flex-start; max-height: calc(100vh - 4.5rem); overflow-y: auto;
  }
}
"""


def anonymous(reason: str) -> None:
    """The page of whoever is not signed in. Navigation is set even here, so that no other page can be reached."""
    st.navigation([st.Page(partial(_signed_out, reason), title="DataSpace Review", url_path="start")]).run()


def _signed_out(reason: str) -> None:
    both = dict.fromkeys((reason, refusal_words.chinese(reason)))  # nobody is here yet who has a language
    st.error("  \n".join(md(one) for one in both))
    st.html('<a href="/sign-in" target="_self">Sign in · 登录</a>')


def frame(office: Office, viewer: Viewer, profile: Profile) -> None:
    """Draw navigation and the page that the address names."""
    pages: dict[str, Any] = {}
    page = Page(office, viewer, profile, pages)
    # The default page has no address of its own, so it is none of ours: it leads to the first one.
    start = st.Page(
        partial(_start, page), title="DataSpace Review", url_path="start", default=True, visibility="hidden"
    )
    for name, title, icon, role, screen in SCREENS:
        if profile.person.has(role):
            visibility: Literal["visible", "hidden"] = "hidden" if name in HIDDEN else "visible"
            drawn = partial(screen, replace(page, here=name))
            pages[name] = st.Page(drawn, title=page.t(title), icon=icon, url_path=name, visibility=visibility)
    st.html(f"<style>{STYLE}</style>")
    chosen = st.navigation([start, *pages.values()], position="sidebar")
    _sidebar(page)
    chosen.run()


def _start(page: Page) -> None:
    if page.pages:
        page.go(next(iter(page.pages)))
    st.info(page.t("Your account carries no role with a page. Ask an admin for one."))


def _sidebar(page: Page) -> None:
    with st.sidebar:
        roles = " · ".join(page.word(role) for role in sorted(page.profile.person.roles))
        st.caption(f"{md(page.profile.name)} · {roles}")
        other = "zh" if page.profile.locale == "en" else "en"
        name = "中文" if other == "zh" else "English"
        if st.button(name, key="locale", icon=":material/translate:", width="stretch"):
            act(page, partial(set_locale, page.office, page.viewer, other))
        # a form, not a link: a page elsewhere could make a browser follow a link
        st.html(
            '<form method="post" action="/sign-out"><button type="submit" style="all: unset; cursor: pointer; '
            f'color: inherit; text-decoration: underline">{page.t("Sign out")}</button></form>'
        )
