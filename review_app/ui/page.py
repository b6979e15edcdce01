"""What every page gets: who looks, in which language, and how a refused action is shown."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import streamlit as st

from review_app.accounts import Profile
from review_app.desk import AdminDesk, ExpertDesk, LeadDesk, Office, Viewer
from review_app.domain.errors import ReviewError
from review_app.ui import refusal_words
from review_app.ui.plain import clock, md
from review_app.ui.words import ZH
from review_app.workspace.loading import IndexFailed
from review_app.workspace.preview import PreviewError
from review_app.workspace.query import QueryError
from review_app.workspace.uploads import UploadError

LEADS_TASK = "review"  # the name of the page on which a lead has a task open


@dataclass(frozen=True)
class Page:
    """Passed to every screen. `pages` maps a page's name to its st.Page, for links between them; `here` is its own."""

    office: Office
    viewer: Viewer
    profile: Profile
    pages: dict[str, Any]  # of st.Page, whose type the framework does not name
    here: str = ""

    @property
    def expert(self) -> ExpertDesk:
        """The expert's desk of who looks."""
        return ExpertDesk(self.office, self.viewer)

    @property
    def lead(self) -> LeadDesk:
        """The lead's desk of who looks."""
        return LeadDesk(self.office, self.viewer)

    @property
    def desk(self) -> ExpertDesk | LeadDesk:
        """The desk that this page's task lies on, and whose drafts it keeps."""
        return self.lead if self.here == LEADS_TASK else self.expert

    @property
    def admin(self) -> AdminDesk:
        """The admin's desk of who looks."""
        return AdminDesk(self.office, self.viewer)

    def t(self, english: str, **values: object) -> str:
        """Return our own words in the person's language; values are escaped, they may be anything."""
        return self.plain(english, **{key: md(str(value)) for key, value in values.items()})

    def plain(self, english: str, **values: object) -> str:
        """Return our own words for a place that shows text as it is: the options of a list, our own components."""
        text = ZH[english] if self.profile.locale == "zh" else english
        return text.format(**values) if values else text

    def word(self, value: str) -> str:
        """Return the name of a member of one of our enums in the person's language."""
        if self.profile.locale == "zh":
            return ZH[value]
        return value.replace("_", " ")

    def refusal(self, error: Exception | str) -> str:
        """Return why something was refused in the person's language, ready for Markdown."""
        return md(self.said(str(error)))

    def said(self, sentence: str) -> str:
        """Return a sentence that was made below the screens in the person's language, for a place of plain text."""
        return refusal_words.chinese(sentence) if self.profile.locale == "zh" else sentence

    def clock(self, at: datetime | None) -> str:
        """Return a time in the zone of the person's browser."""
        return clock(at, st.context.timezone, self.profile.locale)

    def go(self, name: str, task_id: str | None = None) -> None:
        """Open another page, with a task in its address."""
        query = {"task": task_id} if task_id else None
        st.switch_page(self.pages[name], query_params=query)

    def link_back(self, name: str, title: str) -> None:
        """Draw a link to the list that a task's page was reached from."""
        st.page_link(self.pages[name], label=self.t(title), icon=":material/arrow_back:")


@contextmanager
def refusals(page: Page) -> Iterator[None]:
    """Show why an action was refused, as plain text, and stay on the page."""
    try:
        yield
    except (ReviewError, UploadError, PreviewError, QueryError, IndexFailed) as error:
        st.error(page.refusal(error), icon=":material/block:")


def act(page: Page, do: Callable[[], object]) -> None:
    """Call one desk method; show a refusal, or draw the page anew."""
    done = False
    with refusals(page):
        do()
        done = True
    if done:
        st.rerun()
