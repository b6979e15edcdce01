"""What a revision holds, and what experts say about it: frozen values shared by all events."""

import hashlib
import json
from dataclasses import asdict, dataclass
from enum import StrEnum


class Verdict(StrEnum):
    """An expert's judgement of the gold. What the evaluator says is an outcome."""

    ACCEPT = "accept"
    REVISE = "revise"
    REJECT = "reject"


class Part(StrEnum):
    """The part of a task that a finding or a repair is about."""

    QUESTION = "question"
    WORKSPACE = "workspace"
    GOLD = "gold"
    RULES = "rules"


class FindingKind(StrEnum):
    """What is wrong, from a closed list, so that defects can be counted."""

    AMBIGUOUS = "ambiguous"
    WRONG_VALUE = "wrong_value"
    MISSING_ROWS = "missing_rows"
    EXTRA_ROWS = "extra_rows"
    WRONG_COLUMNS = "wrong_columns"
    WRONG_ORDER = "wrong_order"
    WRONG_UNIT = "wrong_unit"
    NOT_IN_WORKSPACE = "not_in_workspace"
    BROKEN_FILE = "broken_file"
    WRONG_RULES = "wrong_rules"
    TRANSLATION = "translation"
    OWN_ERROR = "own_error"
    OTHER = "other"


class SkipReason(StrEnum):
    """Why an expert gives a seat back before sealing, from a closed list, so that leads can count."""

    OUT_OF_FIELD = "out_of_field"
    LANGUAGE = "language"
    UNCLEAR_QUESTION = "unclear_question"
    BROKEN_WORKSPACE = "broken_workspace"
    NO_TIME = "no_time"
    OTHER = "other"


class RepairCategory(StrEnum):
    """Why a repair was made, from a closed list."""

    QUESTION_CLARIFIED = "question_clarified"
    QUESTION_CORRECTED = "question_corrected"
    GOLD_CORRECTED = "gold_corrected"
    RULES_RELAXED = "rules_relaxed"
    RULES_TIGHTENED = "rules_tightened"
    OTHER = "other"


class Origin(StrEnum):
    """Where an expert's setting of one field of the rules came from, seen against the tool's proposal."""

    OWN = "own"  # set alone, before the proposal was shown, or without it
    TAKEN = "taken"  # the proposal as it was shown
    CHANGED = "changed"  # the proposal was seen, and something else set


@dataclass(frozen=True)
class FieldOrigin:
    """The origin of one field; `field` as disagreements name it: `order_sensitive`, `columns.2.digits`."""

    field: str
    origin: Origin


@dataclass(frozen=True)
class Evidence:
    """A citation: a workspace file (path below `context/`) and where in it (page, row, pointer, time)."""

    path: str
    locator: str


@dataclass(frozen=True)
class Finding:
    """One named defect; `id` is unique in its task, so that a repair can answer it."""

    id: str
    part: Part
    kind: FindingKind
    text: str
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True)
class Reply:
    """What a repair or settlement says to one finding: fixed, or declined; the reason says why or how."""

    finding_id: str
    fixed: bool
    reason: str


@dataclass(frozen=True)
class WorkspaceFile:
    """One file that agents and experts see. `path` is relative to `context/`; `sha256` names the blob."""

    path: str
    modality: str
    sha256: str
    size: int
    tables: tuple[str, ...] = ()


@dataclass(frozen=True)
class Revision:
    """One immutable content of a task. Digests name blobs; `rules` is the task config as JSON text."""

    question: str
    workspace: tuple[WorkspaceFile, ...]
    gold: str
    gold_columns: tuple[str, ...]
    gold_rows: int
    gold_sql: str
    sampled_db: str
    provenance: str
    rules: str

    @property
    def digest(self) -> str:
        """SHA-256 of the canonical JSON of all fields: equal content, equal name."""
        text = json.dumps(asdict(self), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Outcome:
    """What the evaluator said of a sealed answer against the gold under given rules."""

    passed: bool
    error_code: str | None = None
