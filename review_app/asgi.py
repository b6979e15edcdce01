"""The server: Streamlit's ASGI app with our routes and, around everything, our gate.

Start it with `python -m streamlit run review_app/asgi.py`, or as any ASGI app.
"""

import gc
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from review_app.running import office
from review_app.web.gate import Gate
from review_app.web.routes import routes

app = st.App(
    Path(__file__).with_name("app.py"),
    routes=routes(office()),
    middleware=[Middleware(Gate, office=office())],
)
# What is imported by now stays; without this each collection walks all of it again.
gc.freeze()
