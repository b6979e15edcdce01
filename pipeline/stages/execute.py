"""Run a gold and say what is wrong with its result, if anything."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from evaluator.tables import MAX_CELL, MAX_COLUMNS, Table
from pipeline.content import Reason, Rejected, Stage
from pipeline.render.typed import number_text
from pipeline.sandbox import Answer, Blob, Cell, QueryFailed, Sandbox


@dataclass(frozen=True)
class Limits:
    """How long a gold may run (seconds of processor time) and how many rows it may return."""

    time_limit_seconds: float = 10.0
    row_limit: int = 5000


def execute(sandbox: Sandbox, database: Path, sql: str, limits: Limits) -> Answer:
    """Return the whole answer of a query. Raises Rejected if it fails or has too many rows."""
    try:
        answer = sandbox.run(database, sql, seconds=limits.time_limit_seconds, rows=limits.row_limit)
    except QueryFailed as error:
        raise Rejected(Stage.EXECUTE, error.reason, _failure(error, limits), str(error)) from error
    if not answer.columns:
        raise Rejected(Stage.EXECUTE, Reason.DOES_NOT_PARSE, "the SQL holds no query; write one SELECT", sql)
    if answer.more:
        message = f"the result has more than {limits.row_limit} rows; ask for fewer or raise the row limit"
        raise Rejected(Stage.EXECUTE, Reason.TOO_MANY_ROWS, message, f"row {limits.row_limit + 1} exists")
    return answer


def _failure(error: QueryFailed, limits: Limits) -> str:
    if error.reason is Reason.TIME_LIMIT:
        return f"the SQL did not end within {limits.time_limit_seconds:g} seconds of processor time"
    if error.reason is Reason.MEMORY_LIMIT:
        return f"the SQL needs too much memory: {error}"
    verb = "parse" if error.reason is Reason.DOES_NOT_PARSE else "execute"
    return f"the SQL does not {verb}: {error}"


def objection(answer: Answer) -> Rejected | None:
    """Return why a result cannot be a gold, or None: nothing in it, too wide, or not to be written as text."""
    if len(answer.columns) > MAX_COLUMNS:
        message = f"the result has {len(answer.columns)} columns; a gold may have {MAX_COLUMNS}"
        return Rejected(Stage.EXECUTE, Reason.TOO_MANY_COLUMNS, message, ", ".join(answer.columns))
    if not answer.rows:
        message = "the result has no row; such a question has nothing to compare"
        return Rejected(Stage.EXECUTE, Reason.NO_ROW, message, f"0 rows of ({', '.join(answer.columns)})")
    if all(cell is None for row in answer.rows for cell in row):
        message = f"all cells of the {len(answer.rows)} rows are NULL"
        return Rejected(Stage.EXECUTE, Reason.ONLY_NULL_OR_ZERO, message, rows_as_text(answer.rows[:3]))
    if len(answer.rows) == 1 and len(answer.rows[0]) == 1 and answer.rows[0][0] == 0:
        message = "the result is a lone 0; it cannot be told from a question that finds nothing"
        return Rejected(Stage.EXECUTE, Reason.ONLY_NULL_OR_ZERO, message, rows_as_text(answer.rows))
    return _unwritable(answer)


def _unwritable(answer: Answer) -> Rejected | None:
    for number, row in enumerate(answer.rows, 1):
        for name, cell in zip(answer.columns, row, strict=True):
            if problem := _cell_problem(cell):
                message = f"row {number}, column {name}: {problem}; a gold cell must be text, a number or NULL"
                return Rejected(Stage.EXECUTE, Reason.NOT_REPRESENTABLE, message, repr(cell)[:200])
    return None


def _cell_problem(cell: Cell) -> str:
    if isinstance(cell, Blob):
        return f"{cell.size} bytes that are no text"
    if isinstance(cell, float) and not math.isfinite(cell):
        return "an infinite number"
    if isinstance(cell, str):
        return text_problem(cell)
    return ""


def text_problem(text: str) -> str:
    """Return why a text cannot stand in a CSV cell of the gold; empty if it can."""
    if "\0" in text:
        return "a NUL character"
    if any("\ud800" <= c <= "\udfff" for c in text):
        return "text that is no UTF-8"
    return f"more than {MAX_CELL} characters" if len(text) > MAX_CELL else ""


def gold_table(answer: Answer) -> Table:
    """Return a result as a table of texts: NULL is empty, integers are plain, floats the shortest that reads back.

    Column names that occur twice (whatever the case) get `_2`, `_3`; an empty name becomes `column_N`.
    """
    rows = tuple(tuple(cell_text(cell) for cell in row) for row in answer.rows)
    return Table(unique_names(answer.columns), rows)


def unique_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names with later ones of the same spelling numbered.

    >>> unique_names(("name", "Name", "name_2", ""))
    ('name', 'Name_2', 'name_2_2', 'column_4')
    """
    taken: set[str] = set()
    unique = []
    for position, name in enumerate(names, 1):
        base = name.replace("\0", "") or f"column_{position}"
        candidate, number = base, 2
        while candidate.lower() in taken:
            candidate, number = f"{base}_{number}", number + 1
        taken.add(candidate.lower())
        unique.append(candidate)
    return tuple(unique)


def cell_text(cell: Cell) -> str:
    """Return a cell as it stands in `gold.csv`. Floats keep a `.0`, and an exponent only if they are very long."""
    if cell is None:
        return ""
    return number_text(cell) if isinstance(cell, int | float) else str(cell)


def rows_as_text(rows: tuple[tuple[Cell, ...], ...]) -> str:
    """Return rows for a person, one a line, cells between bars, NULL in capitals."""
    return "\n".join(" | ".join("NULL" if cell is None else str(cell) for cell in row) for row in rows)


Run = Callable[[str], Answer]
"""Runs one query on the task's database within the limits. Raises QueryFailed."""
