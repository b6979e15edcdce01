"""How far two experts agree who worked blind: coefficients, intervals, the cases they rest on, and the report.

Pure: it reads no database. `cases` says what is taken from a task's events, `report` what is made of them.
"""
