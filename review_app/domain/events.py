"""The facts of a task's life. Each event is one ledger entry; none is ever changed.

`actor` is an account's random id, `at` an aware UTC time. DESIGN.md section 3 says when each may happen.
"""

import types
import typing
from dataclasses import asdict, dataclass, fields, is_dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, Union, get_args, get_origin, get_type_hints

from review_app.domain.content import (
    Evidence,
    FieldOrigin,
    Finding,
    Outcome,
    RepairCategory,
    Reply,
    Revision,
    SkipReason,
    Verdict,
)
from review_app.domain.errors import CorruptHistory


@dataclass(frozen=True)
class Event:
    """Who did it, and when."""

    actor: str
    at: datetime


@dataclass(frozen=True)
class TaskImported(Event):
    """A candidate came under review. `sibling` is shared by tasks whose golds give each other away."""

    task_id: str
    revision: Revision
    language: str
    domain: str
    sibling: str
    instance: str
    max_rechecks: int


@dataclass(frozen=True)
class ExpertAssigned(Event):
    """`expert` holds a free seat, by the lead or by taking the next task."""

    expert: str
    seat: int
    lease_seconds: int
    guidelines: str


@dataclass(frozen=True)
class SeatReturned(Event):
    """The expert gave the seat back before sealing; the reason goes to the lead."""

    expert: str
    reason: str
    category: SkipReason = SkipReason.OTHER


@dataclass(frozen=True)
class LeaseExpired(Event):
    """The lease ran out before sealing and another person takes the seat."""

    expert: str


@dataclass(frozen=True)
class SeatVacated(Event):
    """A lead freed the seat of an expert who vanished before submitting the review."""

    expert: str
    reason: str


@dataclass(frozen=True)
class AnswerSealed(Event):
    """The expert's table, fixed before the gold was shown; `answer` names the blob.

    `derivation` names the blob of the SQL over the workspace that gave this very table, `source` that of the file
    that was uploaded for it, `read_as` how it was read: its encoding, or the sheet of a workbook; empty if there was
    none.
    """

    answer: str
    rows: int
    columns: int
    active_seconds: int
    derivation: str = ""
    source: str = ""
    read_as: str = ""


@dataclass(frozen=True)
class ReviewSubmitted(Event):
    """Verdict, findings and the expert's rules.

    `rules` is the task config as JSON text, empty for none; `rules_meaning` its canonical form, in which fields
    without effect are dropped: two experts' rules are equal iff these texts are. `outcome` is what the evaluator
    said of the own sealed answer under these rules, None without rules. `rules_origins` says field by field
    whether the expert set it alone or from the tool's proposal; empty for rules that came another way.
    """

    verdict: Verdict
    findings: tuple[Finding, ...]
    rules: str
    rules_meaning: str
    outcome: Outcome | None
    active_seconds: int
    rules_origins: tuple[FieldOrigin, ...] = ()


@dataclass(frozen=True)
class MessagePosted(Event):
    """A contribution to the discussion, with citations; `about` is the finding of its thread, empty for none."""

    text: str
    evidence: tuple[Evidence, ...] = ()
    about: str = ""


@dataclass(frozen=True)
class RepairProposed(Event):
    """A minimal change: the revision `before` (digest) should become `after`.

    `re_executable` says whether the new gold follows from its SQL on the sampled database.
    """

    before: str
    after: Revision
    category: RepairCategory
    reason: str
    replies: tuple[Reply, ...]
    re_executable: bool


@dataclass(frozen=True)
class RepairAccepted(Event):
    """The proposal made at version `proposal` became the task's revision."""

    proposal: int
    reason: str


@dataclass(frozen=True)
class RepairDeclined(Event):
    """The proposal made at version `proposal` was turned down, or withdrawn by its proposer."""

    proposal: int
    reason: str


@dataclass(frozen=True)
class DisputeSettled(Event):
    """Nothing changes: an expert conceded. `revision` is what the lead looked at. Both must still confirm."""

    revision: str
    reason: str
    replies: tuple[Reply, ...]


@dataclass(frozen=True)
class RecheckSubmitted(Event):
    """An expert confirms the revision that they looked at (its digest), or objects with findings."""

    revision: str
    confirm: bool
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class ReviewerReplaced(Event):
    """A new expert discusses and rechecks in the place of another; the old review stays."""

    old: str
    new: str
    reason: str


@dataclass(frozen=True)
class FreshRoundCalled(Event):
    """Two new experts, blind again."""

    reason: str


@dataclass(frozen=True)
class TaskRemoved(Event):
    """The task leaves the benchmark."""

    reason: str


@dataclass(frozen=True)
class TaskReopened(Event):
    """An approved, removed or released task gets another round."""

    reason: str


@dataclass(frozen=True)
class TaskReleased(Event):
    """The approved revision is part of a frozen release; `manifest` is the digest of its manifest file."""

    release: str
    manifest: str
    revision: str


@dataclass(frozen=True)
class Unblinded(Event):
    """A lead looked at sealed content before both seats were done (emergency)."""

    reason: str


@dataclass(frozen=True)
class LeadActionUndone(Event):
    """The lead took the own last action back; nothing had happened on the task since."""

    undone: int
    reason: str


KINDS: dict[str, type[Event]] = {
    kind.__name__: kind
    for kind in (
        TaskImported,
        ExpertAssigned,
        SeatReturned,
        LeaseExpired,
        SeatVacated,
        AnswerSealed,
        ReviewSubmitted,
        MessagePosted,
        RepairProposed,
        RepairAccepted,
        RepairDeclined,
        DisputeSettled,
        RecheckSubmitted,
        ReviewerReplaced,
        FreshRoundCalled,
        TaskRemoved,
        TaskReopened,
        TaskReleased,
        Unblinded,
        LeadActionUndone,
    )
}
_COMMON = {"actor", "at"}


def to_payload(event: Event) -> dict[str, Any]:
    """Return the event's own fields (not actor and time) as JSON values, one key a field."""
    return {key: _plain(value) for key, value in asdict(event).items() if key not in _COMMON}


def from_payload(kind: str, actor: str, at: datetime, payload: dict[str, Any]) -> Event:
    """Return the event that `to_payload` took apart.

    Raises:
        CorruptHistory: unknown kind, missing or surplus fields, or a value of another type.
    """
    event_type = KINDS.get(kind)
    if event_type is None:
        raise CorruptHistory(f"no event is called {kind!r}; was the ledger written by a newer version?")
    try:
        return _build(event_type, {"actor": actor, "at": at, **payload})  # type: ignore[no-any-return]
    except (TypeError, ValueError, KeyError) as error:
        raise CorruptHistory(f"the payload of a {kind} does not read: {error}") from error


def _plain(value: Any) -> Any:
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, list | tuple):
        return [_plain(element) for element in value]
    if isinstance(value, dict):
        return {key: _plain(element) for key, element in value.items()}
    return value


def _build(kind: Any, values: dict[str, Any]) -> Any:
    hints = get_type_hints(kind)
    surplus = set(values) - {field.name for field in fields(kind)}
    if surplus:
        raise TypeError(f"surplus fields {sorted(surplus)}")
    return kind(**{name: _restore(hints[name], value) for name, value in values.items()})


def _restore(hint: Any, value: Any) -> Any:
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        inner = next(kind for kind in get_args(hint) if kind is not type(None))
        return None if value is None else _restore(inner, value)
    if origin is tuple:
        return tuple(_restore(typing.get_args(hint)[0], element) for element in value)
    if is_dataclass(hint):
        return _build(hint, value)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return hint(value)
    if hint is datetime:
        return value.astimezone(UTC)
    if not isinstance(value, hint):
        raise TypeError(f"{value!r} is no {hint.__name__}")
    return value
