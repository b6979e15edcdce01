"""Blind dual-expert review: the application (see docs/)."""
