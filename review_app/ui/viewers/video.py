"""A video from our own route: played, sought, its moments cited, its frames saved."""

import streamlit as st
from streamlit_player import st_player

from review_app.domain.citations import Moment, written
from review_app.domain.content import Evidence
from review_app.ui import citations
from review_app.ui.bench import AnyFile, Bench, place
from review_app.ui.components import component
from review_app.workspace.captions import captions_of


def draw(bench: Bench, file: AnyFile) -> None:
    """Draw the player; where moments can be cited it is our own, which tells them."""
    key = f"video-{bench.file_key(file.path)}"
    tracks = _tracks(bench, file)
    at, opened = place(bench, file.path)
    if not bench.cites:
        start = f"#t={at.tenths / 10}" if isinstance(at, Moment) else ""
        # without the rate the player stands still; it goes to a moment by the address only, and only when it is new
        config = {"file": {"tracks": tracks}}
        st_player(f"{bench.address(file)}{start}", playback_rate=1, config=config, key=f"{key}-{opened}")
        return
    data = {
        "address": bench.address(file),
        "name": file.path.rsplit("/", 1)[-1],
        "seek": at.tenths / 10 if isinstance(at, Moment) else 0,
        "opened": opened,
        "tracks": tracks,
        "cite": bench.page.t("Cite this moment"),
        "frame": bench.page.t("Save this frame"),
    }
    said = component("player")(key=key, data=data, on_cite_change=lambda: None)
    if said.cite is not None:
        citations.pick(bench, Evidence(file.path, written(Moment(int(said.cite)))))
        st.rerun()


def _tracks(bench: Bench, file: AnyFile) -> list[dict[str, object]]:
    """The captions that the file carries, as an HTML track element is described; the first is shown."""
    found = captions_of(bench.page.office.blobs.path(file.sha256))
    return [
        {
            "kind": "captions",
            "src": f"{bench.address(file)}?captions={number}",
            "srcLang": track.language,
            "label": track.language or bench.page.plain("Captions {number}", number=number + 1),
            "default": number == 0,
        }
        for number, track in enumerate(found)
    ]
