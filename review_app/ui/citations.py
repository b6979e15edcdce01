"""Citations: what the person has picked from the workspace, to be handed in with findings and messages."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import streamlit as st

from review_app.domain.citations import Locator, written
from review_app.domain.content import Evidence
from review_app.domain.errors import ReviewError
from review_app.ui.bench import Bench, place_link
from review_app.ui.plain import md, short

PART = "citations"
MOST = 30


def picked(bench: Bench) -> tuple[Evidence, ...]:
    """Return the citations that the person has picked, newest last."""
    return tuple(Evidence(*pair) for pair in json.loads(_stored(bench)[0] or "[]"))


def _stored(bench: Bench) -> tuple[str, int]:
    """The picked citations as text, and the version of the draft."""
    draft = bench.page.desk.draft(bench.task_id, PART)
    return draft.body, draft.version


def _store(bench: Bench, evidence: tuple[Evidence, ...]) -> None:
    body = json.dumps([[one.path, one.locator] for one in evidence[-MOST:]], ensure_ascii=False)
    bench.page.desk.save_draft(bench.task_id, PART, body, _stored(bench)[1])


def pick(bench: Bench, evidence: Evidence) -> None:
    """Put a citation with the others; a refusal is shown when the page is drawn next."""
    with _refusal_kept(bench):
        others = tuple(one for one in picked(bench) if one != evidence)
        _store(bench, (*others, evidence))
        st.toast(bench.page.t("Cited: {place}", place=short(evidence.locator or evidence.path, 60)))


def drop(bench: Bench, evidence: tuple[Evidence, ...]) -> None:
    """Take citations from the shelf, thrown away or handed in; a refusal is shown when the page is drawn next."""
    with _refusal_kept(bench):
        if evidence:
            _store(bench, tuple(one for one in picked(bench) if one not in evidence))


@contextmanager
def _refusal_kept(bench: Bench) -> Iterator[None]:
    """Keep what was refused for the shelf: a button's callback runs before there is a page to show it on."""
    try:
        yield
    except ReviewError as error:
        st.session_state[bench.key("refused")] = str(error)


def named(evidence: Evidence) -> str:
    """Return how a citation reads: its file and the place in it, whichever there are."""
    return " · ".join(part for part in (evidence.path, evidence.locator) if part)


def cite_button(bench: Bench, path: str, locator: Locator, key: str) -> None:
    """Draw “Cite this” for a place in a file; nothing where nothing can be said any more."""
    if not bench.cites:
        return
    evidence = Evidence(path, written(locator))
    label = bench.page.t("Cite {place}", place=short(evidence.locator, 50))
    st.button(
        label, key=f"{bench.key('cite')}-{key}", icon=":material/format_quote:", on_click=pick, args=(bench, evidence)
    )


def choose(bench: Bench, key: str, *, all_of_them: bool = False) -> tuple[Evidence, ...]:
    """Draw the picked citations to choose from, none or all of them chosen at first; return the chosen ones."""
    page, offered = bench.page, picked(bench)
    if not offered:
        st.caption(page.t("No citation yet: open a file and press “Cite” at the place that shows it."))
        return ()
    names = {named(one): one for one in offered}
    chosen = st.pills(
        page.t("Evidence"),
        list(names),
        selection_mode="multi",
        default=list(names) if all_of_them else None,
        # another shelf is another choice
        key=f"{bench.key('evidence')}-{key}-{_mark_of(offered)}",
        format_func=lambda name: md(short(name, 70)),
    )
    return tuple(names[name] for name in chosen if name in names)


def _mark_of(evidence: tuple[Evidence, ...]) -> str:
    return hashlib.sha256(repr(evidence).encode()).hexdigest()[:8]


def by_hand(bench: Bench, key: str) -> None:
    """Draw the form for a place that no viewer shows, in the person's own words."""
    page = bench.page
    if not bench.files:
        return
    popover = f"{key}-by-hand"
    inside = st.popover(page.t("Cite by hand"), icon=":material/edit:", key=popover, on_change="rerun")
    with inside.form(f"{key}-cite", clear_on_submit=True, border=False):
        st.selectbox(page.t("Evidence: file"), list(bench.paths), key=f"{key}-path")
        st.text_input(page.t("Evidence: where in it (row, page, line)"), key=f"{key}-where", max_chars=300)
        add, icon = partial(_add, bench, key, popover), ":material/format_quote:"
        pressed = st.form_submit_button(page.t("Add the citation"), icon=icon, on_click=add)
    if pressed and st.session_state[popover]:
        inside.error(page.t("Say where in the file it stands."))


def _add(bench: Bench, key: str, popover: str) -> None:
    """Pick the place that the form names, and close the form, which would cover what comes next."""
    where = st.session_state[f"{key}-where"].strip()
    if where:
        pick(bench, Evidence(st.session_state[f"{key}-path"], where))
        st.session_state[popover] = False


def links(bench: Bench, evidence: tuple[Evidence, ...], key: str) -> None:
    """Draw each citation as a link that opens its place."""
    for number, one in enumerate(evidence):
        place_link(bench, one, md(short(named(one), 90)), f"{bench.key('link')}-{key}-{number}")


def shelf(bench: Bench) -> None:
    """Draw what is picked, with links and a way to drop each."""
    refused = st.session_state.pop(bench.key("refused"), "")
    if refused:
        st.error(bench.page.refusal(refused), icon=":material/block:")
    offered = picked(bench)
    if not offered:
        return
    with st.expander(bench.page.t("Citations ({count})", count=len(offered)), icon=":material/format_quote:"):
        for number, one in enumerate(offered):
            with st.container(horizontal=True, vertical_alignment="center"):
                links(bench, (one,), f"shelf-{number}")
                st.button(
                    bench.page.t("Take away"),
                    key=f"{bench.key('drop-citation')}-{number}",
                    icon=":material/delete:",
                    type="tertiary",
                    on_click=drop,
                    args=(bench, (one,)),
                )
