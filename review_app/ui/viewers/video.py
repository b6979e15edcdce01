"""A video from our own route: played, sought, its moments cited, its frames saved."""

import streamlit as st
from streamlit_player import st_player

from review_app.domain.citations import Moment, written
from review_app.domain.content import Evidence
from review_app.ui import citations
from review_app.ui.bench import AnyFile, Bench, place
from review_app.ui.components import component


def draw(bench: Bench, file: AnyFile) -> None:
    """Draw the player; where moments can be cited it is our own, which tells them."""
    key = f"video-{bench.file_key(file.path)}"
    at, opened = place(bench, file.path)
    if not bench.cites:
        start = f"#t={at.tenths / 10}" if isinstance(at, Moment) else ""
        # without the rate the player stands still; it goes to a moment by the address only, and only when it is new
        st_player(f"{bench.address(file)}{start}", playback_rate=1, key=f"{key}-{opened}")
        return
    data = {
        "address": bench.address(file),
        "name": file.path.rsplit("/", 1)[-1],
        "seek": at.tenths / 10 if isinstance(at, Moment) else 0,
        "opened": opened,
        "cite": bench.page.t("Cite this moment"),
        "frame": bench.page.t("Save this frame"),
    }
    said = component("player")(key=key, data=data, on_cite_change=lambda: None)
    if said.cite is not None:
        citations.pick(bench, Evidence(file.path, written(Moment(int(said.cite)))))
        st.rerun()
