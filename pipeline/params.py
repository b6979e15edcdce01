"""What decides the outcome of a build beside the source."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.errors import BuildError
from pipeline.stages.sample import Mode
from pipeline.translate.model import Direction, Parts


@dataclass(frozen=True)
class BuildParams:
    """What decides the outcome of a build beside the source.

    Args:
        seed: draws tables and routes where the rules leave a choice.
        first_id: number of the task made from the first instance of the source.
        domain: domain of tasks whose instance names none; None means `general`.
        limit: build the first instances only; None means all.
        time_limit_seconds: processor time of one execution of a gold.
        row_limit: a gold with more rows is rejected.
        max_tables: most tables in a workspace, unless the gold reads more.
        max_database_bytes: a larger database is rejected.
        sampling: how rows are chosen: `copy`, `preserve`, `shrink`, or `auto` by the size of the database.
        copied_up_to_bytes: the largest database that `auto` copies.
        noise_rows: rows of each table that a sample draws beside those that the gold sees.
        whole_table_rows: tables with at most so many rows are sampled whole.
        task_rows: rows that a sample should have in all tables together; fewer are drawn so that it has, but what the
            gold needs is kept. None sets no limit.
        table_rows: `noise_rows` of single tables, by their names.
        only: ids of instances; empty means all.
        translate: from which language into which; `none` translates nothing.
        translate_parts: what is translated: all, the question only, or the workspace (database and SQL) only.
        glossary: a file of words that go before all others, or None.
    """

    seed: int = 0
    first_id: int = 1
    domain: str | None = None
    limit: int | None = None
    time_limit_seconds: float = 10.0
    row_limit: int = 5000
    max_tables: int = 40
    max_database_bytes: int = 512 << 20
    sampling: Mode = Mode.AUTO
    copied_up_to_bytes: int = 16 << 20
    noise_rows: int = 200
    whole_table_rows: int = 200
    task_rows: int | None = None
    table_rows: tuple[tuple[str, int], ...] = ()
    only: tuple[str, ...] = ()
    translate: Direction = Direction.NONE
    translate_parts: Parts = Parts.ALL
    glossary: Path | None = None

    def __post_init__(self) -> None:
        if self.sampling not in list(Mode):
            raise BuildError(f"sampling is {self.sampling!r}; write one of {', '.join(Mode)}")
        sizes = [self.noise_rows, self.whole_table_rows, self.copied_up_to_bytes, self.task_rows or 0]
        if min([*sizes, *(count for _, count in self.table_rows)]) < 0:
            names = "noise_rows, whole_table_rows, copied_up_to_bytes, task_rows and table_rows"
            raise BuildError(f"{names} must not be negative")
        numbers = (self.first_id, self.row_limit, self.max_tables, self.max_database_bytes)
        if min(numbers) < 1 or self.time_limit_seconds <= 0 or (self.limit is not None and self.limit < 0):
            raise BuildError("first_id and all limits of a build must be positive")


def rows_of_tables(texts: Sequence[str]) -> tuple[tuple[str, int], ...]:
    """Return `table_rows` as given on a command line, `TABLE=N` each. Raises BuildError.

    >>> rows_of_tables(["sale=500"])
    (('sale', 500),)
    """
    found = []
    for text in texts:
        name, _, number = text.rpartition("=")
        if not name or not (number.isascii() and number.isdigit()):
            raise BuildError(f"{text!r} is no number of rows of a table; write TABLE=N, such as sale=500")
        found.append((name, int(number)))
    return tuple(found)
