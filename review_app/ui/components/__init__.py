"""Our own parts of a page. Their scripts are files on our own address, the only ones that the content policy lets run.

The framework finds such files by a manifest in an installed package; ours is registered here, so that it also holds
for a checkout that is run from its folder.
"""

from pathlib import Path

import streamlit as st
from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest
from streamlit.components.v2.types import ComponentRenderer

PACKAGE = "dataspace-review"
HERE = Path(__file__).parent
NAMES = ("writer", "player", "paper", "tree", "top")


def component(name: str) -> ComponentRenderer:
    """Return what mounts the component whose files lie in the folder of this name."""
    manager = get_bidi_component_manager()
    whole = f"{PACKAGE}.{name}"
    if manager.get_component_asset_root(whole) is None:
        manifest = ComponentManifest(PACKAGE, "1", [ComponentConfig(one, one) for one in NAMES])
        manager.register_from_manifest(manifest, HERE)
    html = (HERE / name / f"{name}.html").read_text(encoding="utf-8")
    return st.components.v2.component(whole, html=html, css=f"{name}.css", js=f"{name}.js")
