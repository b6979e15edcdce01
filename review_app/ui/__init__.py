"""Screens: Streamlit only; no rules, no SQL."""
