"""What of a source can be used, and why the rest cannot: before anything is built."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from pipeline.content import BadEntry, Instance, Reason, Rejected, Rejection, Stage
from pipeline.database import describe
from pipeline.sandbox import QueryFailed, Sandbox
from pipeline.sources import open_source
from pipeline.sources.base import Source
from pipeline.sql.clock import clock_reading

_EXAMPLES = 2
_SECONDS = 5.0
_ANY_SIZE = 1 << 62


@dataclass(frozen=True)
class CorpusReport:
    """What was found in a source. `usable` of `total` instances could be tried by a build; `unusable` say why not.

    `databases` gives a sentence for each database that an instance names.
    """

    corpus: str
    layout: str
    total: int
    unusable: tuple[Rejection, ...]
    databases: dict[str, str]

    @property
    def usable(self) -> int:
        """How many instances a build could try."""
        return self.total - len(self.unusable)

    @property
    def exit_code(self) -> int:
        """0 if anything is usable, else 1."""
        return 0 if self.usable else 1

    def reasons(self) -> dict[str, int]:
        """Return how many instances each reason keeps out, most frequent first."""
        counts = Counter(str(rejection.reason) for rejection in self.unusable)
        return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))

    def to_json(self) -> dict[str, object]:
        """Return the report as a JSON object."""
        return {**asdict(self), "usable": self.usable, "reasons": self.reasons()}

    def to_text(self) -> str:
        """Return the report for a person: databases, counts, and the first messages of each reason."""
        lines = [f"{self.corpus} ({self.layout}): {self.usable} of {self.total} instances are usable"]
        lines += [f"  {name}: {state}" for name, state in self.databases.items()]
        for reason, count in self.reasons().items():
            lines.append(f"{count} x {reason}")
            same = [rejection for rejection in self.unusable if rejection.reason == reason]
            lines += [f"  {rejection.instance}: {rejection.message}" for rejection in same[:_EXAMPLES]]
        return "\n".join(lines)


def check_corpus(source: Path) -> CorpusReport:
    """Say of every instance of a source whether a build could try it: it reads, its database opens, its SQL prepares.

    Nothing is executed and nothing is written (but the SQLite form of a DuckDB file, beside it). Raises SourceError
    if there is no source.
    """
    opened = open_source(source)
    entries = opened.entries()
    names = sorted({entry.db for entry in entries if isinstance(entry, Instance)})
    databases = {name: _opened(opened, name) for name in names}
    with Sandbox() as sandbox:
        found = list(_objections(entries, databases, sandbox))
    states = {name: state.message if isinstance(state, Rejected) else "readable" for name, state in databases.items()}
    return CorpusReport(opened.corpus, opened.layout, len(entries), tuple(found), states)


def _opened(source: Source, name: str) -> Path | Rejected:
    try:
        return describe(source.database(name), name, _ANY_SIZE).path
    except Rejected as rejected:
        return rejected


def _objections(
    entries: Sequence[Instance | BadEntry], databases: dict[str, Path | Rejected], sandbox: Sandbox
) -> Iterator[Rejection]:
    seen: set[str] = set()
    for entry in entries:
        if isinstance(entry, BadEntry):
            yield Rejection(entry.id, Stage.SOURCE, entry.reason, entry.message, entry.evidence)
        elif entry.id in seen:
            yield Rejected(Stage.SOURCE, Reason.DUPLICATE_ID, "the id occurs before; give it its own").of(entry.id)
        else:
            seen.add(entry.id)
            rejected = _objection(entry, databases[entry.db], sandbox)
            if rejected is not None:
                yield rejected.of(entry.id)


def _objection(instance: Instance, database: Path | Rejected, sandbox: Sandbox) -> Rejected | None:
    if isinstance(database, Rejected):
        return database
    clock = clock_reading(instance.sql)
    if clock is not None:
        return Rejected(Stage.SQL, Reason.READS_THE_CLOCK, f"{clock} changes with the day; write the date", clock)
    try:
        sandbox.run(database, f"EXPLAIN {instance.sql.strip()}", seconds=_SECONDS, rows=0)
    except QueryFailed as error:
        return Rejected(Stage.SQL, error.reason, f"SQLite refuses the SQL: {error}", instance.sql)
    return None
