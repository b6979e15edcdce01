"""Rows, not rules: engine, tables, ledger, blobs, migrations."""
