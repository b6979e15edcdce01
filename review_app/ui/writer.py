"""Long text that saves itself while one types, as a draft of the person on the task, with a receipt.

A window saves on top of the version that it has shown. If another window of the same person saved meanwhile, neither
text is lost: both are shown, and the person chooses. What was typed while no server answered comes with the first
drawing after it, together with the version that it was typed over.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

import streamlit as st

from review_app.domain.errors import ReviewError, StaleDraft, UnknownTask
from review_app.drafts import Receipt
from review_app.ui.components import component
from review_app.ui.page import Page

REST = 500  # milliseconds without a key before what was typed is saved


def writer(
    page: Page,
    task_id: str,
    part: str,
    label: str,
    *,
    lines: int = 4,
    start: str = "",
    code: bool = False,
    words: Sequence[tuple[str, str]] = (),
    on_run: Callable[[], None] | None = None,
) -> str:
    """Draw the text and return it as saved; `start` stands there until something else is saved.

    `words` are offered while typing, each with a note.
    `on_run` is called on Ctrl+Enter, after the text was saved.
    """
    key = f"writer-{task_id}-{part}"
    draft = page.desk.draft(task_id, part)
    first = _known(key) not in st.session_state
    st.session_state.setdefault(_known(key), draft.version)
    _conflict(page, task_id, part, key, draft)
    text = draft.body if draft.version else start
    data = {
        "text": text,
        "version": draft.version,
        "label": label,
        "saved": page.plain("saved {time}", time=page.clock(draft.at)) if draft.at else "",
        "height": lines,
        "rest": REST,
        "code": code,
        "words": [list(word) for word in words],
    }
    save = partial(_save, page, task_id, part, key)
    run = partial(_run, save, on_run)
    shown = {"text": text, "over": draft.version}
    component("writer")(key=key, data=data, default={"typed": shown}, on_typed_change=save, on_run_change=run)
    if first and _unheard(key, draft.version, text):
        save()
        st.rerun()
    st.session_state[_known(key)] = draft.version
    return text


def clear(page: Page, task_id: str, part: str) -> None:
    """Empty the text, after it was handed in; a task that has left the desk with it has no text to empty."""
    with suppress(UnknownTask):
        draft = page.desk.draft(task_id, part)
        if draft.body:
            page.desk.save_draft(task_id, part, "", draft.version)


def _known(key: str) -> str:
    return f"{key}-known"


def _typed(key: str) -> dict[str, object]:
    typed: dict[str, object] = st.session_state[key].get("typed") or {}
    return typed


def _unheard(key: str, version: int, text: str) -> bool:
    """Whether the browser brings a text to a new server, typed over what is stored and not stored itself."""
    typed = _typed(key)
    return typed.get("over") == version and typed.get("text") not in (None, text)


def _save(page: Page, task_id: str, part: str, key: str) -> None:
    """Store what the component handed over; called before the page is drawn."""
    text = str(_typed(key).get("text") or "")
    try:
        receipt = page.desk.save_draft(task_id, part, text, st.session_state[_known(key)])
    except StaleDraft:
        st.session_state[f"{key}-other"] = text
    except ReviewError as error:
        st.session_state[f"{key}-refused"] = str(error)
    else:
        st.session_state[_known(key)] = receipt.version


def _run(save: Callable[[], None], then: Callable[[], None] | None) -> None:
    save()
    if then is not None:
        then()


def _conflict(page: Page, task_id: str, part: str, key: str, draft: Receipt) -> None:
    refused = st.session_state.pop(f"{key}-refused", "")
    if refused:
        st.error(page.refusal(refused))
    mine = st.session_state.get(f"{key}-other")
    if mine is None:
        return
    st.warning(page.t("Another window of yours saved this text meanwhile. This is what you typed here:"))
    st.code(mine, language=None, wrap_lines=True)
    with st.container(horizontal=True):
        if st.button(page.t("Take what I typed here"), key=f"{key}-mine"):
            page.desk.save_draft(task_id, part, mine, draft.version)
            _settled(key)
        if st.button(page.t("Keep the other text"), key=f"{key}-theirs"):
            _settled(key)


def _settled(key: str) -> None:
    del st.session_state[f"{key}-other"]
    st.rerun()
