"""Read the cases of the agreement statistics out of the ledger, and ask the evaluator about their tables."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from evaluator.compare import arrangement
from evaluator.diff import explain_answers
from evaluator.rules import Rules
from evaluator.tables import Table
from pipeline.checks import CheckError, count_joins
from review_app import store
from review_app.agreement.cases import Case, Compared, case_of
from review_app.desk.office import Office
from review_app.desk.tables import rules_from
from review_app.domain.events import Event, TaskImported

JOIN_CLASSES = ("none", "one", "two", "three or more")


def collect(office: Office, progress: Callable[[int, int], None] = lambda done, total: None) -> list[Case]:
    """Return the case of every task whose first round is done, by task; `progress` hears (done, all)."""
    with office.read() as session:
        histories = store.histories(session)
    found = []
    for number, history in enumerate(histories, start=1):
        case = case_of(history, _joins(office, history))
        if case is not None:
            found.append(replace(case, compared=_compared(office, case)))
        progress(number, len(histories))
    return found


def _joins(office: Office, history: list[Event]) -> str:
    imported = next(event for event in history if isinstance(event, TaskImported))
    try:
        count = count_joins(office.text(imported.revision.gold_sql))
    except CheckError:
        return ""
    return JOIN_CLASSES[min(count, len(JOIN_CLASSES) - 1)]


def _compared(office: Office, case: Case) -> Compared:
    one, other = case.judgements
    return _of_tables(office, one.answer, other.answer, case.rules)


@lru_cache(maxsize=4096)
def _of_tables(office: Office, one: str, other: str, rules: str) -> Compared:
    """Compare two sealed tables under the imported rules; kept by digests, whose content never changes."""
    first, second = office.table(one), office.table(other)
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
