"""What a person asks about a gold: what does this SQL give here, and can it be a gold?"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from evaluator.tables import Table
from pipeline.content import Reason, Rejected
from pipeline.database import Database, describe
from pipeline.errors import CheckError
from pipeline.judge import determined_on, run_gates
from pipeline.sandbox import Answer, Sandbox
from pipeline.stages.execute import Limits, execute, gold_table, objection


@dataclass(frozen=True)
class Lint:
    """One thing wrong with a gold: why it cannot be one, in a sentence, with the output that proves it."""

    reason: Reason
    message: str
    evidence: str


def execute_gold(database: Path, sql: str, *, time_limit_seconds: float = 10.0, row_limit: int = 5000) -> Table:
    """Return the table that a gold SQL gives on a sampled database.

    One statement, reading only, in a child process with limits of time and memory. Cells are written as
    in `gold.csv`: NULL is empty, floats are the shortest text that reads back.

    Raises:
        CheckError: there is no such database; the SQL fails, meets a limit, or returns what no CSV can hold.
    """
    limits = Limits(time_limit_seconds, row_limit)
    answer = _checked(database, lambda sandbox: execute(sandbox, database, sql.strip(), limits))
    problem = objection(answer)
    if problem is not None and problem.reason in {Reason.NOT_REPRESENTABLE, Reason.TOO_MANY_COLUMNS}:
        raise CheckError(problem.message)
    return gold_table(answer)


def lint_gold(database: Path, sql: str, *, time_limit_seconds: float = 10.0, row_limit: int = 5000) -> tuple[Lint, ...]:
    """Return why a SQL cannot be the gold on a database; empty if nothing speaks against it.

    The gates of the builder: reads the clock, fails, nothing in the result, too large, LIMIT cuts a tie, a
    bare column that the data do not determine. The first one that objects ends the list.

    Raises:
        CheckError: the database is missing or broken.
    """
    limits = Limits(time_limit_seconds, row_limit)
    try:
        described = describe(database, database.name, database.stat().st_size if database.is_file() else 0)
    except Rejected as error:
        raise CheckError(error.message) from error
    try:
        with Sandbox() as sandbox:
            _all_gates(described, sql.strip(), sandbox, limits)
    except Rejected as error:
        return (Lint(error.reason, error.message, error.evidence),)
    return ()


def _all_gates(database: Database, sql: str, sandbox: Sandbox, limits: Limits) -> None:
    answer = run_gates(database.path, sql, sandbox, limits)
    determined_on(database, database.path, sql, answer, sandbox, limits)


def _checked(database: Path, run: Callable[[Sandbox], Answer]) -> Answer:
    if not database.is_file():
        raise CheckError(f"{database.name}: there is no such database; check the path")
    try:
        with Sandbox() as sandbox:
            return run(sandbox)
    except Rejected as error:
        raise CheckError(error.message) from error
