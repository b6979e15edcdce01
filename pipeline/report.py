"""What a build came to: counts, and the rejections with their reasons."""

from collections import Counter
from dataclasses import dataclass, field

from pipeline.content import Rejection
from pipeline.sampling.overlap import Overlap

_EXAMPLES = 3


@dataclass(frozen=True)
class BuildReport:
    """The outcome of a build. `total` instances are `candidates` or `rejected`, never neither or both.

    `up_to_date` counts those that an earlier build had finished; it is in no file, so that a second build
    writes the same bytes. `lints` counts the candidates with a lint of each kind, by `severity: kind`; `liveness` the
    parts of their golds that matter and that do not; `overlap` says for each database how much its samples share.
    """

    corpus: str
    total: int
    candidates: int
    rejected: tuple[Rejection, ...]
    up_to_date: int = 0
    lints: dict[str, int] = field(default_factory=dict)
    liveness: dict[str, int] = field(default_factory=dict)
    overlap: dict[str, Overlap] = field(default_factory=dict)

    def __post_init__(self) -> None:
        assert self.total == self.candidates + len(self.rejected)

    @property
    def rejections(self) -> dict[str, int]:
        """How many rejections each reason has, most frequent first."""
        counts = Counter(str(rejection.reason) for rejection in self.rejected)
        return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))

    def counts(self) -> dict[str, object]:
        """Return the counts as they stand in the manifest."""
        return {"total": self.total, "candidates": self.candidates, "rejections": self.rejections}

    def to_json(self) -> dict[str, object]:
        """Return the report as a JSON object."""
        overlap = {name: found.to_json() for name, found in self.overlap.items()}
        facts = {"lints": self.lints, "liveness": self.liveness, "overlap": overlap}
        return {"corpus": self.corpus, **self.counts(), **facts, "examples": self.examples()}

    def to_markdown(self) -> str:
        """Return the report as a page: counts, a line a reason, and examples of each."""
        lines = [
            f"# Build report: {self.corpus}",
            "",
            f"{self.total} instances: {self.candidates} candidates, {len(self.rejected)} rejected.",
        ]
        if self.rejected:
            lines += ["", "| reason | instances |", "| --- | ---: |"]
            lines += [f"| {reason} | {count} |" for reason, count in self.rejections.items()]
        if self.lints:
            lines += ["", "| to look at in candidates | candidates |", "| --- | ---: |"]
            lines += [f"| {kind} | {count} |" for kind, count in self.lints.items()]
        if any(self.liveness.values()):
            lines += ["", "| conditions, DISTINCT and joins of the candidates' golds | parts |", "| --- | ---: |"]
            lines += [f"| {kind} | {count} |" for kind, count in self.liveness.items()]
        if self.overlap:
            lines += [
                "",
                "| samples of | tasks | rows shared by neighbours, mean | most |",
                "| --- | ---: | ---: | ---: |",
            ]
            lines += [f"| {name} | {o.tasks} | {o.mean:.1%} | {o.most:.1%} |" for name, o in self.overlap.items()]
        for reason, examples in self.examples().items():
            lines += ["", f"## {reason}"]
            for example in examples:
                lines += ["", f"`{example['instance']}`: {example['message']}", "", *_fenced(example["evidence"])]
        return "\n".join(lines) + "\n"

    def examples(self) -> dict[str, list[dict[str, str]]]:
        """Return the first rejections of each reason, as JSON objects."""
        return {
            reason: [r.to_json() for r in self.rejected if r.reason == reason][:_EXAMPLES] for reason in self.rejections
        }


def _fenced(text: str) -> list[str]:
    """Indented, so that no character of the evidence can end the block."""
    return [f"    {line}" for line in text.splitlines()]
