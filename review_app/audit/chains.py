"""Do the chains hold, do the decisions in them give what was released, and was the review blind?"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from db.ledger import GENESIS, commitment, entry_hash
from review_app.audit.bundle import Bundle
from review_app.audit.report import Area, Check, failed, proved, unproved
from review_app.domain.errors import CorruptHistory
from review_app.domain.events import AnswerSealed, Event, MessagePosted, RepairProposed, ReviewSubmitted, Unblinded
from review_app.domain.folding import apply, fold
from review_app.domain.task import State, Task


def check_chains(bundle: Bundle) -> Iterator[Check]:
    """Recompute every commitment and hash of every chain, up to the head that the manifest names."""
    for task_id, head in bundle.heads.items():
        try:
            published, whole = bundle.published(task_id), bundle.chain(task_id)
            problem = problem_of(task_id, published, head) or problem_of(task_id, whole, head)
        except (OSError, ValueError) as error:
            problem = f"the chain does not read: {error}"
        yield failed(Area.CHAINS, task_id, problem) if problem else proved(Area.CHAINS, task_id)


def problem_of(task_id: str, entries: Sequence[Mapping[str, Any]], head: str) -> str:
    """Return the first fault of an exported chain, up to the hash `head` of its last entry; empty for none."""
    previous = GENESIS
    for version, entry in enumerate(entries, start=1):
        try:
            fault = _fault(task_id, version, previous, entry)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            fault = f"the entry is not whole ({error})"
        if fault:
            return f"version {version}: {fault}"
        previous = entry["hash"]
    return "" if previous == head else "the chain ends before, or after, the head that the manifest names"


def _fault(task_id: str, version: int, previous: str, entry: Mapping[str, Any]) -> str:
    if (entry["task_id"], entry["version"]) != (task_id, version):
        return "an entry is missing, was added, or is another task's"
    if entry["prev_hash"] != previous:
        return "it does not follow the entry before it"
    commitments: dict[str, str] = entry["commitments"]
    for field, value in entry["payload"].items():
        if commitment(entry["salts"][field], value) != commitments.get(field):
            return f"the field {field!r} was changed"
    at = datetime.fromisoformat(entry["at"])
    plain = (entry["prev_hash"], task_id, version, entry["kind"], entry["actor"], at, commitments)
    return "" if entry_hash(*plain) == entry["hash"] else "it was changed after it was written"


def withheld(bundle: Bundle, task_id: str) -> bool:
    """Whether the chain carries commitments in place of some values."""
    return any(entry["payload"].keys() != entry["commitments"].keys() for entry in bundle.chain(task_id))


def check_decisions(bundle: Bundle) -> Iterator[Check]:
    """Replay every chain; the result of a released task must be the revision that the manifest names."""
    for task_id in sorted(bundle.tasks.keys() - bundle.heads.keys()):
        yield failed(
            Area.DECISIONS, task_id, "the manifest names no chain for it, so nothing says that it was approved"
        )
    for task_id in bundle.heads:
        try:
            if withheld(bundle, task_id):
                yield unproved(Area.DECISIONS, task_id, "values are withheld; the private bundle has them")
                continue
            task = fold(bundle.events(task_id))
        except (OSError, ValueError, CorruptHistory) as error:
            yield failed(Area.DECISIONS, task_id, f"the history is impossible: {error}")
            continue
        wanted = bundle.tasks.get(task_id)
        if task is None or (wanted is not None and task.revision.digest != wanted):
            yield failed(Area.DECISIONS, task_id, "the decisions give another revision than the manifest names")
        elif wanted is not None and task.state not in (State.APPROVED, State.RELEASED):
            yield failed(Area.DECISIONS, task_id, f"the decisions do not approve it: it is {task.state.value}")
        else:
            yield proved(Area.DECISIONS, task_id)


def check_blindness(bundle: Bundle) -> Iterator[Check]:
    """Look in each chain for a review before its own seal, or a word, a repair or a lead's look before both."""
    for task_id in bundle.heads:
        try:
            if withheld(bundle, task_id):
                yield unproved(Area.BLINDNESS, task_id, "values are withheld; the private bundle has them")
                continue
            events = bundle.events(task_id)
            problem, looked = _seen_early(events)
        except (OSError, ValueError, CorruptHistory) as error:
            yield failed(Area.BLINDNESS, task_id, f"the history is impossible: {error}")
            continue
        if problem:
            yield failed(Area.BLINDNESS, task_id, problem)
        elif looked:
            yield unproved(Area.BLINDNESS, task_id, "a lead looked before both reviews were in, and says why")
        else:
            yield proved(Area.BLINDNESS, task_id)


def _seen_early(events: Sequence[Event]) -> tuple[str, bool]:
    """What came too early (empty for nothing), and whether a lead unblinded the task."""
    task: Task | None = None
    looked = False
    for version, event in enumerate(events, start=1):
        if task is not None:
            looked |= isinstance(event, Unblinded)
            if isinstance(event, ReviewSubmitted) and not _sealed(task, event.actor):
                return f"version {version}: a review came before the own answer was sealed", looked
            if isinstance(event, AnswerSealed) and event.actor in task.saw_gold:
                return f"version {version}: somebody who had seen the gold sealed an answer", looked
            if isinstance(event, MessagePosted | RepairProposed) and not task.round.done:
                return f"version {version}: something was said before both reviews were in", looked
        task = apply(task, event)
    return "", looked


def _sealed(task: Task, expert: str) -> bool:
    seat = task.round.seat_of(expert)
    return seat is not None and seat.answer is not None
