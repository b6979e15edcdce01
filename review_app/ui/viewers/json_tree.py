"""A JSON file as a tree, and one place in it to be cited."""

import json
from typing import Any

import streamlit as st

from review_app.domain.citations import Pointer
from review_app.ui.bench import AnyFile, Bench, place
from review_app.ui.citations import cite_button
from review_app.ui.plain import short

MOST_BYTES = 3_000_000


def draw(bench: Bench, file: AnyFile) -> None:
    """Draw the tree, opened on its first level."""
    page, key = bench.page, bench.file_key(file.path)
    path = page.office.blobs.path(file.sha256)
    if path.stat().st_size > MOST_BYTES:
        st.caption(page.t("The file is too large for a tree; look at its tables, or download it."))
        return
    try:
        text = path.read_text(encoding="utf-8-sig")
        document = _document(text)
    except (ValueError, RecursionError):
        st.caption(page.t("The file does not read as JSON; download it."))
        return
    at, number = place(bench, file.path)
    if isinstance(at, Pointer) and st.session_state.get(f"opened-{key}") != number:
        st.session_state[f"opened-{key}"] = number
        st.session_state[f"pointer-{key}"] = at.pointer
    pointer = st.text_input(
        page.t("Place, as a JSON pointer (/funds/0/name); empty is the whole"), key=f"pointer-{key}", max_chars=300
    )
    try:
        value = pointed(document, pointer.strip())
    except LookupError:
        st.warning(page.t("There is nothing at this place."))
        return
    if pointer.strip():
        cite_button(bench, file.path, Pointer(pointer.strip()), f"pointer-{key}")
    if isinstance(value, dict | list):
        st.json(value, expanded=1)
    else:
        st.code(short(json.dumps(value, ensure_ascii=False), 2_000), language=None, wrap_lines=True)


def _document(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return [json.loads(line) for line in text.split("\n") if line.strip()]


def pointed(document: Any, pointer: str) -> Any:
    """Return the value at a JSON pointer (RFC 6901).

    Raises:
        LookupError: there is none, or the pointer does not begin with "/".
    """
    if not pointer:
        return document
    if not pointer.startswith("/"):
        raise LookupError(pointer)
    value = document
    for part in pointer[1:].split("/"):
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list):
            if not name.isascii() or not name.isdigit():
                raise LookupError(pointer)
            value = value[int(name)]
        elif isinstance(value, dict):
            value = value[name]
        else:
            raise LookupError(pointer)
    return value
