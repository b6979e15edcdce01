"""A JSON file as a tree: one place with what is below it, and every value in it to be cited."""

from dataclasses import asdict
from functools import partial
from typing import Any

import streamlit as st

from review_app.domain.citations import Pointer, written
from review_app.domain.content import Evidence
from review_app.ui import citations
from review_app.ui.bench import AnyFile, Bench, place
from review_app.ui.citations import cite_button
from review_app.ui.components import component
from review_app.workspace.json_tree import CHILDREN, Node, branch, document, pointed

MOST_POINTER = 1_000


def draw(bench: Bench, file: AnyFile) -> None:
    """Draw the place that is open: the whole document at first."""
    page, key = bench.page, bench.file_key(file.path)
    whole = document(page.office.blobs.path(file.sha256))
    at, number = place(bench, file.path)
    if isinstance(at, Pointer) and st.session_state.get(f"opened-{key}") != number:
        st.session_state[f"opened-{key}"] = number
        _open(key, at.pointer)
    pointer = _place(bench, key)
    try:
        value = pointed(whole, pointer)
    except LookupError:
        st.warning(page.t("There is nothing at this place."))
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        first = _first(bench, value, key)
        if pointer:
            cite_button(bench, file.path, Pointer(pointer), f"pointer-{key}")
    node = branch(value, first)
    if node.kind == "value":
        st.code(node.text, language=None, wrap_lines=True)
    else:
        _tree(bench, file, node, pointer)


def _open(key: str, pointer: str) -> None:
    """Go to a place; called before anything is drawn."""
    st.session_state[f"pointer-{key}"] = pointer
    st.session_state[f"pointer-page-{key}"] = 1


def _place(bench: Bench, key: str) -> str:
    """The pointer of the place, with the way up."""
    page = bench.page
    label = page.t("Place, as a JSON pointer (/funds/0/name); empty is the whole")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        pointer = st.text_input(label, key=f"pointer-{key}", max_chars=MOST_POINTER).strip()
        st.button(
            page.t("Up"),
            key=f"pointer-up-{key}",
            icon=":material/arrow_upward:",
            disabled=not pointer,
            on_click=_open,
            args=(key, pointer.rpartition("/")[0]),
        )
    return pointer


def _first(bench: Bench, value: Any, key: str) -> int:
    """The first value of the page that the person chose; a long list has several."""
    total = len(value) if isinstance(value, dict | list) else 0
    pages = max(1, -(-total // CHILDREN))
    if pages == 1:
        return 0
    label = bench.page.t("Page of {pages}", pages=pages)
    return CHILDREN * (int(st.number_input(label, 1, pages, key=f"pointer-page-{key}", width=160)) - 1)


def _tree(bench: Bench, file: AnyFile, node: Node, pointer: str) -> None:
    page, key = bench.page, bench.file_key(file.path)
    data = {"pointer": pointer, "root": asdict(node), "cite": page.t("Cite"), "open": page.t("Open")}
    component("tree")(
        key=f"tree-{key}",
        data=data,
        on_open_change=partial(_opened, key),
        on_cite_change=partial(_cited, bench, file.path, key),
    )


def _opened(key: str) -> None:
    _open(key, str(st.session_state[f"tree-{key}"].get("open") or "")[:MOST_POINTER])


def _cited(bench: Bench, path: str, key: str) -> None:
    pointer = str(st.session_state[f"tree-{key}"].get("cite") or "")[:MOST_POINTER]
    citations.pick(bench, Evidence(path, written(Pointer(pointer))))
