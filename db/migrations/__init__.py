"""Migrations: letters to databases of the past."""
