"""The figures that a release publishes: all follow from its chains and the tables that these name."""

from collections.abc import Sequence
from typing import Any

from review_app.agreement.report import report
from review_app.agreement_cases import Stored, cases_of
from review_app.comparing import outcome, rules_from
from review_app.domain.events import AnswerSealed, Event, RepairAccepted, TaskImported
from review_app.domain.folding import fold
from review_app.domain.task import State, Task

RELEASED_STATES = (State.APPROVED, State.RELEASED)


def counts_of(histories: Sequence[Sequence[Event]], stored: Stored) -> dict[str, Any]:
    """Return the counts of closed tasks, from their events."""
    tasks = [task for task in map(fold, histories) if task is not None]
    approved = [task for task in tasks if task.state in RELEASED_STATES]
    return {
        "approved": len(approved),
        "removed": sum(task.state is State.REMOVED for task in tasks),
        "approved_without_dispute": sum(not task.discussion for task in approved),
        "approved_after_repair": sum(_was_repaired(task) for task in approved),
        "no_independent_solution": [task.task_id for task in approved if not independent(task, stored)],
        "unblinded": [task.task_id for task in approved if any(one.unblinded_by for one in task.rounds)],
    }


def is_ordered(task: Task) -> bool:
    """Whether the approved rules say that the order of the rows counts."""
    return rules_from(task.revision.rules).order_sensitive


def _was_repaired(task: Task) -> bool:
    return any(isinstance(event, RepairAccepted) for _, event in task.discussion)


def independent(task: Task, stored: Stored) -> bool:
    """Whether a sealed answer of the last round matches the gold under the approved rules."""
    rules, gold = rules_from(task.revision.rules), stored.table(task.revision.gold)
    answers = [seat.answer.answer for seat in task.round.seats if seat.answer is not None]
    return any(outcome(gold, stored.table(answer), rules).passed for answer in answers)


def agreement_of(histories: Sequence[Sequence[Event]], stored: Stored) -> dict[str, Any]:
    """Return the agreement report on closed tasks: how many, and each table by its name.

    Reasons of removals are free text, which could tell of a withheld task: they stay in the house.
    """
    said = report(cases_of(histories, stored)).to_json()
    return {
        "cases": said["cases"],
        "seed": said["seed"],
        **{table["name"]: table for table in said["tables"] if table["name"] != "removed"},
    }


def blobs_named(histories: Sequence[Sequence[Event]]) -> list[str]:
    """Return the digests of what the figures need beside the chains: sealed answers, the golds, the imported SQL."""
    found: set[str] = set()
    for history in histories:
        for event in history:
            if isinstance(event, AnswerSealed):
                found.add(event.answer)
            elif isinstance(event, TaskImported):
                found.add(event.revision.gold_sql)
        task = fold(history)
        found |= {task.revision.gold} if task is not None else set()
    return sorted(found)
