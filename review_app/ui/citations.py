"""Citations: what the person has picked from the workspace, to be handed in with findings and messages."""

import json

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
    if not bench.keeps:
        return str(st.session_state.get(bench.key(PART), "")), 0
    draft = bench.page.expert.drafts(bench.task_id).get(PART)
    return (draft.body, draft.version) if draft else ("", 0)


def _store(bench: Bench, evidence: tuple[Evidence, ...]) -> None:
    body = json.dumps([[one.path, one.locator] for one in evidence[-MOST:]], ensure_ascii=False)
    if bench.keeps:
        bench.page.expert.save_draft(bench.task_id, PART, body, _stored(bench)[1])
    else:
        st.session_state[bench.key(PART)] = body


def pick(bench: Bench, evidence: Evidence) -> None:
    """Put a citation with the others; a refusal is shown when the page is drawn next."""
    try:
        others = tuple(one for one in picked(bench) if one != evidence)
        _store(bench, (*others, evidence))
    except ReviewError as error:
        st.session_state[bench.key("refused")] = str(error)
    else:
        st.toast(bench.page.t("Cited: {place}", place=short(evidence.locator or evidence.path, 60)))


def _drop(bench: Bench, evidence: Evidence) -> None:
    _store(bench, tuple(one for one in picked(bench) if one != evidence))


def cite_button(bench: Bench, path: str, locator: Locator, key: str) -> None:
    """Draw “Cite this” for a place in a file."""
    evidence = Evidence(path, written(locator))
    label = bench.page.t("Cite {place}", place=short(evidence.locator, 50))
    st.button(
        label, key=f"{bench.key('cite')}-{key}", icon=":material/format_quote:", on_click=pick, args=(bench, evidence)
    )


def choose(bench: Bench, key: str) -> tuple[Evidence, ...]:
    """Draw the picked citations to choose from; return the chosen ones."""
    page, offered = bench.page, picked(bench)
    if not offered:
        st.caption(page.t("No citation yet: open a file and press “Cite” at the place that shows it."))
        return ()
    names = {f"{one.path} · {one.locator}": one for one in offered}
    chosen = st.pills(
        page.t("Evidence"),
        list(names),
        selection_mode="multi",
        key=f"{bench.key('evidence')}-{key}",
        format_func=lambda name: md(short(name, 70)),
    )
    return tuple(names[name] for name in chosen if name in names)


def links(bench: Bench, evidence: tuple[Evidence, ...], key: str) -> None:
    """Draw each citation as a link that opens its place."""
    for number, one in enumerate(evidence):
        label = md(short(f"{one.path} · {one.locator}" if one.locator else one.path, 90))
        place_link(bench, one, label, f"{bench.key('link')}-{key}-{number}")


def shelf(bench: Bench) -> None:
    """Draw what is picked, with links and a way to drop each."""
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
                    on_click=_drop,
                    args=(bench, one),
                )
