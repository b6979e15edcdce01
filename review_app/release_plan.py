"""What a release would hold, and what keeps every other task out of it."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from review_app.domain.task import OPEN_STATES, SEATS, Phase, State, Task
from review_app.release_statistics import RELEASED_STATES


@dataclass(frozen=True)
class Plan:
    """The tasks that would go in; task -> what blocks it; task that would go in -> siblings under review.

    A sibling's gold gives away the gold that its experts still have to find: finish that review first.
    """

    tasks: tuple[str, ...]
    blocked: dict[str, str]
    would_tell: dict[str, tuple[str, ...]]

    def to_json(self) -> dict[str, Any]:
        """Return the plan as JSON values."""
        return asdict(self)


def plan(tasks: Sequence[Task]) -> Plan:
    """Return what a release of these tasks would hold; empty for no tasks."""
    fit = [task for task in tasks if task.state in RELEASED_STATES]
    under_review = [task for task in tasks if task.state in OPEN_STATES]
    siblings = {
        task.task_id: tuple(other.task_id for other in under_review if other.sibling == task.sibling) for task in fit
    }
    return Plan(
        tuple(task.task_id for task in fit),
        {task.task_id: blocked_by(task) for task in tasks if task.state not in RELEASED_STATES},
        {task_id: others for task_id, others in siblings.items() if others},
    )


def blocked_by(task: Task) -> str:
    """Return what has to happen before the task can be released, empty if nothing has to."""
    seats, confirmed = task.round.seats, sum(recheck.confirm for recheck in task.rechecks)
    match task.state:
        case State.QUEUED:
            return "no expert has begun"
        case State.IN_REVIEW:
            done = sum(seat.phase is Phase.DONE for seat in seats)
            return f"{len(seats)} of {len(SEATS)} seats are taken, {done} of {len(SEATS)} reviews submitted"
        case State.DISPUTED:
            waiting = "; a repair waits for its answer" if task.proposal else ""
            return f"disputed, open findings: {len(task.open_findings)}{waiting}"
        case State.IN_RECHECK:
            return f"in recheck, {confirmed} of {len(SEATS)} experts have confirmed"
        case State.REMOVED:
            return f"removed: {task.removed_because}"
        case State.APPROVED | State.RELEASED:
            return ""
