"""What takes long: builds, imports and releases, asked for here and done by the worker."""

from functools import partial

import pandas as pd
import streamlit as st

from review_app.requests import Request, Work
from review_app.ui.page import Page, act, refusals

WORDS = {
    "ENQUEUED": "waiting",
    "PENDING": "under way",
    "SUCCESS": "done",
    "ERROR": "failed",
    "CANCELLED": "cancelled",
    "MAX_RECOVERY_ATTEMPTS_EXCEEDED": "failed",
    "DELAYED": "waiting",
}


def render(page: Page) -> None:
    """Draw the page."""
    st.title(page.t("Imports and releases"))
    folders = page.lead.folders()
    left, middle, right = st.columns(3, gap="large")
    with left:
        _ask(page, Work.BUILD, "Build candidates", "Corpus", folders.corpora)
    with middle:
        _ask(page, Work.IMPORT, "Import candidates", "Candidates", folders.candidates)
    with right, st.form("release"):
        st.markdown(f"**{page.t('Make a release')}**")
        name = st.text_input(page.t("Name of the release"), key="release-name")
        st.caption(page.t("All approved tasks are frozen under this name."))
        if st.form_submit_button(page.t("Make the release"), icon=":material/inventory_2:"):
            act(page, partial(page.lead.ask, Work.RELEASE, name.strip()))
    _news(page)


def _ask(page: Page, work: Work, title: str, what: str, names: list[str]) -> None:
    with st.form(work.value):
        st.markdown(f"**{page.t(title)}**")
        name = st.selectbox(page.t(what), names, key=f"{work.value}-name")
        if not names:
            st.caption(page.t("Nothing is there yet; see the builders' guide."))
        if st.form_submit_button(page.t("Start"), disabled=not names):
            act(page, partial(page.lead.ask, work, str(name)))


@st.fragment(run_every=3)
def _news(page: Page) -> None:
    _requests(page)
    _releases(page)


def _requests(page: Page) -> None:
    st.subheader(page.t("What the worker does"))
    with refusals(page):  # runs by itself, so the sign-in may be over when it does
        _draw(page, page.lead.requests())


def _draw(page: Page, found: list[Request]) -> None:
    if not found:
        st.caption(page.t("Nothing was asked for yet."))
        return
    rows = [
        {
            page.t("Asked"): page.clock(request.asked_at),
            page.t("Work"): page.word(request.work),
            page.t("About"): request.about,
            page.t("Status"): page.t(WORDS.get(request.status, "under way")),
            page.t("Progress"): request.progress,
            page.t("Outcome"): page.said(request.outcome),
        }
        for request in found
    ]
    st.dataframe(pd.DataFrame(rows), hide_index=True)


def _releases(page: Page) -> None:
    st.subheader(page.t("Releases"))
    found = page.lead.releases()
    if not found:
        st.caption(page.t("No release yet."))
        return
    rows = [
        {
            page.t("Name"): release.name,
            page.t("Tasks"): release.tasks,
            page.t("Made"): page.clock(release.at),
            page.t("Folder"): release.folder,
            page.t("Manifest SHA-256"): release.manifest,
        }
        for release in found
    ]
    st.dataframe(pd.DataFrame(rows), hide_index=True)
