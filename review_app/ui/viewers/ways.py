"""The ways to show one file, such as its tables or its tree."""

import streamlit as st

from review_app.ui.bench import Bench


def choose(bench: Bench, key: str, ways: tuple[str, ...], wanted: str, opened: int) -> str:
    """Draw the ways and return the chosen one, the first at the beginning.

    `wanted` is the way that shows the place of a link, empty for none; it is taken once for each link (`opened`).
    """
    if wanted and st.session_state.get(f"{key}-opened") != opened:
        st.session_state[f"{key}-opened"] = opened
        st.session_state[key] = wanted
    st.session_state.setdefault(key, ways[0])
    page = bench.page
    chosen = st.segmented_control(page.t("Show as"), ways, format_func=page.t, key=key, label_visibility="collapsed")
    return chosen or ways[0]
