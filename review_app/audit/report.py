"""What an audit found, on one page: what was proved, what could not be, what failed."""

from collections import Counter
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class Area(StrEnum):
    """What is checked, in the order of the page."""

    FILES = "files"
    CHAINS = "chains"
    DECISIONS = "decisions"
    BLINDNESS = "blindness"
    LAYOUT = "layout"
    WORKSPACES = "workspaces"
    GOLDS = "golds"
    COMMITMENTS = "commitments"
    STATISTICS = "statistics"
    INDEPENDENT = "independent golds"


class Result(StrEnum):
    """How one check ended."""

    PROVED = "proved"
    UNPROVED = "could not be proved"
    FAILED = "failed"


MEANING = {
    Area.FILES: "every file is the one that the manifest names, none is missing, none was added",
    Area.CHAINS: "no entry of a ledger was changed, left out or put in",
    Area.DECISIONS: "replaying every decision under the rules of the review gives the released revision",
    Area.BLINDNESS: "each review came after its own seal, and nothing was said before both were in",
    Area.LAYOUT: "question, workspace, gold, SQL and rules in the folders are those that were approved",
    Area.WORKSPACES: "every cell of the tables in a workspace is that of the sampled database",
    Area.GOLDS: "running the SQL on the sampled database gives the gold",
    Area.COMMITMENTS: "the withheld golds are those that were committed to when the release was made",
    Area.STATISTICS: "every published figure follows from the chains and the sealed answers",
    Area.INDEPENDENT: "the golds of a third party equal the released ones",
}


@dataclass(frozen=True)
class Check:
    """One check of one thing (a file, a task), with a sentence where it did not prove what it was to prove."""

    area: Area
    subject: str
    result: Result
    sentence: str = ""


def proved(area: Area, subject: str, sentence: str = "") -> Check:
    """Return a check that held."""
    return Check(area, subject, Result.PROVED, sentence)


def unproved(area: Area, subject: str, sentence: str) -> Check:
    """Return a check that nothing in the release can decide."""
    return Check(area, subject, Result.UNPROVED, sentence)


def failed(area: Area, subject: str, sentence: str) -> Check:
    """Return a check that found a fault."""
    return Check(area, subject, Result.FAILED, sentence)


@dataclass(frozen=True)
class AuditReport:
    """All checks of a release. `manifest` is the SHA-256 of its manifest, to be compared with what was announced."""

    release: str
    manifest: str
    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        """Whether no check failed. What could not be proved is listed and fails nothing."""
        return not self.of(Result.FAILED)

    def of(self, result: Result, area: Area | None = None) -> list[Check]:
        """Return the checks that ended so, of one area or of all."""
        return [check for check in self.checks if check.result is result and area in (None, check.area)]

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain values."""
        return {**asdict(self), "passed": self.passed, "counts": self._counts()}

    def _counts(self) -> dict[str, dict[str, int]]:
        counts = Counter((check.area, check.result) for check in self.checks)
        return {area.value: {result.value: counts[area, result] for result in Result} for area in Area}

    def to_text(self) -> str:
        """Return the page."""
        lines = [f"Audit of {self.release}", f"manifest SHA-256 {self.manifest}", ""]
        for area in Area:
            counts = [f"{len(self.of(result, area))} {result.value}" for result in Result if self.of(result, area)]
            if counts:
                lines.append(f"{area.value:<18} {', '.join(counts)}: {MEANING[area]}")
        for result in (Result.UNPROVED, Result.FAILED):
            found = self.of(result)
            if found:
                lines += ["", f"{result.value}:", *(f"  {check.subject}: {check.sentence}" for check in found)]
        said = "Nothing failed." if self.passed else f"{len(self.of(Result.FAILED))} checks failed."
        return "\n".join([*lines, "", said, ""])
