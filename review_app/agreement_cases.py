"""Read the cases of the agreement statistics out of the tasks' histories, and ask the evaluator about their tables."""

from collections.abc import Hashable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Protocol

from evaluator.compare import arrangement
from evaluator.diff import explain_answers
from evaluator.rules import Rules
from evaluator.tables import Table
from pipeline.checks import CheckError, count_joins
from review_app.agreement.cases import Case, Compared, case_of
from review_app.comparing import rules_from
from review_app.domain.events import Event, TaskImported

JOIN_CLASSES = ("none", "one", "two", "three or more")


class Stored(Hashable, Protocol):
    """Where the tables and texts lie that chains name by digest: the blobs of the office, or those of a release."""

    def table(self, digest: str) -> Table:
        """Return a table."""

    def text(self, digest: str) -> str:
        """Return a text."""


def cases_of(histories: Sequence[Sequence[Event]], stored: Stored) -> list[Case]:
    """Return the case of every task whose first round is done, in the order of the histories."""
    return [case for history in histories if (case := case_with_tables(history, stored)) is not None]


def case_with_tables(history: Sequence[Event], stored: Stored) -> Case | None:
    """Return the case of a task with what the evaluator says of its tables, None while its first round is not done."""
    case = case_of(history)
    if case is None:
        return None
    one, other = case.judgements
    compared = _of_tables(stored, one.answer, other.answer, case.rules)
    return replace(case, joins=_joins(stored, history), compared=compared)


def _joins(stored: Stored, history: Sequence[Event]) -> str:
    imported = next(event for event in history if isinstance(event, TaskImported))
    try:
        count = count_joins(stored.text(imported.revision.gold_sql))
    except CheckError:
        return ""
    return JOIN_CLASSES[min(count, len(JOIN_CLASSES) - 1)]


@lru_cache(maxsize=4096)
def _of_tables(stored: Stored, one: str, other: str, rules: str) -> Compared:
    """Compare two sealed tables under the imported rules; kept by digests, whose content never changes."""
    first, second = stored.table(one), stored.table(other)
    read = rules_from(rules)
    if not _readable(first, second, read):
        return Compared(equal=first == second or None)
    diff = explain_answers(first, second, read)
    codes = tuple(dict.fromkeys(found.code for found in diff.differences))
    return Compared(diff.outcome.passed, diff.scores.row_f1, diff.scores.cell_accuracy, codes)


def _readable(first: Table, second: Table, read: Rules) -> bool:
    """Rules that read neither table say nothing about them, unless the numbers of columns already differ."""
    if len(first.header) != len(second.header):
        return True
    return any(arrangement(table, read) is not None for table in (first, second))
