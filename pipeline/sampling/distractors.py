"""Rows that a sample draws beside those that its gold needs, so that values are spread as they are in the source.

Rows are drawn by a hash of their number and the seed, ten times as many as wanted. Those are put in the order of the
columns that have few values, and every tenth is kept: each value gets its share, a rare one too.
"""

from pipeline.database import TableSchema, quoted
from pipeline.sampling.scratch import Scratch

_PILOT = 10
_MOST_COLUMNS = 60  # of a table that are looked at
_STRATA = 2  # columns by which rows are spread


def keep_distractors(scratch: Scratch, table: TableSchema, wanted: int) -> None:
    """Keep `wanted` more rows of a table, or all that there are. Raises QueryFailed."""
    if wanted < 1:
        return
    place, number = scratch.places[table.name], scratch.numbers[table.name.lower()]
    scratch.run("DELETE FROM keep.pilot")
    scratch.run(
        f"INSERT INTO keep.pilot SELECT {number} FROM main.{quoted(table.name)} "
        f"WHERE {number} NOT IN (SELECT r FROM keep.{place}) "
        f"ORDER BY {scratch.hashed(number)}, {number} LIMIT {wanted * _PILOT}"
    )
    there = scratch.count("SELECT count(*) FROM keep.pilot")
    if there <= wanted:
        scratch.run(f"INSERT INTO keep.{place} SELECT r FROM keep.pilot")
        return
    strata = "".join(f"t.{quoted(column)}, " for column in _few_valued(scratch, table, wanted))
    spread = f"row_number() OVER (ORDER BY {strata}{scratch.hashed('p.r')}, p.r)"
    shift = scratch.seed % there
    scratch.run(
        f"INSERT INTO keep.{place} SELECT r FROM (SELECT p.r AS r, {spread} AS at FROM keep.pilot p "
        f"JOIN main.{quoted(table.name)} t ON t.{number} = p.r) "
        f"WHERE (at * {wanted} + {shift}) / {there} > ((at - 1) * {wanted} + {shift}) / {there}"
    )


def _few_valued(scratch: Scratch, table: TableSchema, wanted: int) -> list[str]:
    """Return the columns with fewest values of those that have at least two, and four rows for each."""
    names = [column.name for column in table.columns][:_MOST_COLUMNS]
    counted = ", ".join(f"count(DISTINCT t.{quoted(name)})" for name in names)
    number = scratch.numbers[table.name.lower()]
    answer = scratch.row(f"SELECT {counted} FROM keep.pilot p JOIN main.{quoted(table.name)} t ON t.{number} = p.r")
    values = {name: int(str(cell)) for name, cell in zip(names, answer.rows[0], strict=True)}
    few = [name for name in names if 2 <= values[name] <= max(2, wanted // 4)]
    return sorted(few, key=lambda name: (values[name], name))[:_STRATA]
