"""Baselines on released tasks."""
