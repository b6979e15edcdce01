"""The Streamlit script: who is it, which screens, navigation. No logic."""

import streamlit as st

from review_app.desk import Viewer
from review_app.desk.admin import me
from review_app.domain.errors import ReviewError
from review_app.running import office
from review_app.ui.frame import anonymous, frame

SIDEBAR = 240  # pixels: tables need the width


def main() -> None:
    """Draw the page that the address names, for whoever is signed in."""
    st.set_page_config(page_title="DataSpace Review", layout="wide", initial_sidebar_state=SIDEBAR)
    viewer = Viewer(str(st.user.get("sign_in", "")))
    try:
        profile = me(office(), viewer)
    except ReviewError as error:
        anonymous(str(error))
        return
    frame(office(), viewer, profile)


main()
