"""The rows of a sample: what a gold sees, what it just does not see, what hangs on those, and others drawn.

Everything is done by SQLite in sets, in a scratch database with one table of row numbers for each table of the source.
"""
