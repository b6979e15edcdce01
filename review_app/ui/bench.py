"""The workspace beside the work: which task, whose desk, and the place that is open in it."""

import hashlib
from dataclasses import dataclass
from functools import partial
from urllib.parse import quote

import streamlit as st

from review_app.domain.blindness import Seen, Step, View
from review_app.domain.citations import Locator, Query, Words, read
from review_app.domain.content import Evidence, WorkspaceFile
from review_app.ui.page import Page
from review_app.workspace.index import Index

AnyFile = Seen | WorkspaceFile


@dataclass(frozen=True)
class Bench:
    """A task's files as one person sees them. `cites`: there is something to say now that citations go with."""

    page: Page
    task_id: str
    files: tuple[AnyFile, ...]
    cites: bool = True

    def key(self, name: str) -> str:
        """Return a key of a widget or a state on this task's bench."""
        return f"{name}-{self.task_id}"

    def file_key(self, *names: str) -> str:
        """Return the part of a widget's key that stands for a file, or a table in it: their names are not our text."""
        digest = hashlib.sha256("\0".join(names).encode()).hexdigest()
        return f"{self.task_id}-{digest[:8]}"

    def address(self, file: AnyFile) -> str:
        """Return where our own route serves the file."""
        return f"/files/{self.task_id}/context/{quote(file.path)}"

    def index(self) -> Index:
        """Return the workspace's tables and texts, loaded.

        Raises:
            UnknownTask: the task is not on the person's desk.
            IndexFailed: it could not be loaded.
        """
        return self.page.desk.index(self.task_id)

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths of all files."""
        return tuple(file.path for file in self.files)


def expert_bench(page: Page, view: View) -> Bench:
    """Return the bench of an expert, who may cite until the task is closed."""
    return Bench(page, view.task_id, view.files, cites=view.step is not Step.CLOSED)


def opens(bench: Bench, evidence: Evidence) -> bool:
    """Say whether a citation names what the workspace has: one of its files, or a query over all of them."""
    return evidence.path in bench.paths or (not evidence.path and isinstance(read(evidence.locator), Query))


def open_at(bench: Bench, evidence: Evidence) -> None:
    """Show this place when the page is drawn next. Called when a link is clicked, before anything is drawn."""
    if evidence.path:
        st.session_state[bench.key("file")] = evidence.path
    number = st.session_state.get("places", 0) + 1
    st.session_state["places"] = number
    st.session_state[bench.key("place")] = [evidence.path, evidence.locator, number]


def place(bench: Bench, path: str) -> tuple[Locator, int]:
    """Return the place to show in a file, and a number that changes with each link that was clicked."""
    found = st.session_state.get(bench.key("place"))
    if found and found[0] == path:
        return read(found[1]), found[2]
    return Words(""), 0


def place_link(bench: Bench, evidence: Evidence, label: str, key: str) -> None:
    """Draw a link that opens a place in the workspace beside it."""
    st.button(
        label,
        key=key,
        type="tertiary",
        icon=":material/location_on:",
        on_click=partial(open_at, bench, evidence),
        disabled=not opens(bench, evidence),
    )
