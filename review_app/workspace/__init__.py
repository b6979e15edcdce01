"""Reads files for people: answers as uploaded or pasted, workspace files page by page."""
