"""What passes between the stages of the builder: instances in, candidates and rejections out."""

from dataclasses import asdict, dataclass
from enum import StrEnum

EVIDENCE_CHARACTERS = 2000


class Stage(StrEnum):
    """Where in the builder a rejection was decided."""

    SOURCE = "source"
    DATABASE = "database"
    TRANSLATE = "translate"
    SQL = "sql"
    EXECUTE = "execute"
    SAMPLE = "sample"
    DETERMINE = "determine"
    RULES = "rules"
    RENDER = "render"
    BUILDER = "builder"


class Reason(StrEnum):
    """Why an instance does not become a candidate. The values stand in reports and manifests."""

    UNREADABLE_LINE = "unreadable line"
    DUPLICATE_ID = "duplicate id"
    UNSAFE_NAME = "unsafe name"
    NO_GOLD = "no gold"
    NEEDS_DIALOGUE = "needs the dialogue before it"
    DATABASE_MISSING = "database missing"
    DATABASE_BROKEN = "database broken"
    DATABASE_TOO_LARGE = "database too large"
    DOES_NOT_PARSE = "does not parse"
    READS_THE_CLOCK = "reads the clock"
    DOES_NOT_EXECUTE = "does not execute"
    TIME_LIMIT = "time limit"
    MEMORY_LIMIT = "memory limit"
    READS_A_VIEW = "reads a view"
    TOO_MANY_ROWS = "too many rows"
    TOO_MANY_COLUMNS = "too many columns"
    NO_ROW = "no row"
    ONLY_NULL_OR_ZERO = "only NULL or a lone 0"
    NOT_REPRESENTABLE = "not representable"
    NOT_IN_SOURCE_LANGUAGE = "not in the language to translate from"
    NOTHING_TRANSLATED = "nothing translated"
    TRANSLATION_DOES_NOT_HOLD = "translation does not hold"
    SAMPLE_CHANGES_RESULT = "sample changes the result"
    NOT_LIVE = "part without effect on the sample"
    SAMPLE_BREAKS_KEY = "sample breaks a foreign key"
    LIMIT_CUTS_A_TIE = "LIMIT cuts a tie"
    BARE_COLUMN = "bare column in GROUP BY"
    WINDOW_CUTS_A_TIE = "window cuts a tie"
    CONCATENATION_WITHOUT_ORDER = "concatenation without order"
    RULES_DO_NOT_FIT = "rules do not fit"
    RENDER_MISMATCH = "workspace differs from the database"
    BUILDER_ERROR = "builder error"


@dataclass(frozen=True)
class Instance:
    """One text-to-SQL question of a source.

    `evidence` holds definitions that the source gives with the question (empty: none); `domain` and `pair`
    are None where the source names none. Instances of one `pair` ask the same of the same data.
    """

    id: str
    corpus: str
    db: str
    question: str
    language: str
    sql: str
    evidence: str = ""
    domain: str | None = None
    pair: str | None = None
    tags: tuple[str, ...] = ()

    def to_json(self) -> dict[str, object]:
        """Return the fields as a JSON object."""
        return {**asdict(self), "tags": list(self.tags)}


@dataclass(frozen=True)
class BadEntry:
    """A place of a source that holds no usable instance, with what is wrong there and the remedy."""

    id: str
    reason: Reason
    message: str
    evidence: str = ""


@dataclass(frozen=True)
class Rejection:
    """An instance that does not become a candidate: where, why, and the output that proves it."""

    instance: str
    stage: Stage
    reason: Reason
    message: str
    evidence: str

    def to_json(self) -> dict[str, str]:
        """Return the fields as a JSON object, in the order of `rejections.jsonl`."""
        return {key: str(value) for key, value in asdict(self).items()}


class Rejected(Exception):
    """Raised by a stage that objects to an instance; the runner turns it into a Rejection."""

    def __init__(self, stage: Stage, reason: Reason, message: str, evidence: str = "") -> None:
        super().__init__(message)
        self.stage = stage
        self.reason = reason
        self.message = message
        self.evidence = shortened(evidence)

    def of(self, instance: str) -> Rejection:
        """Return the rejection of this instance."""
        return Rejection(instance, self.stage, self.reason, self.message, self.evidence)


def shortened(text: str, limit: int = EVIDENCE_CHARACTERS) -> str:
    """Return the text, cut to `limit` characters with a note of how many were cut."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]}… ({len(text) - limit} more characters)"
