"""The lints of every gold of a source, counted: what of a corpus a person should look at, before a build."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pipeline.checks.lint_case import GoldLint, LintKind, Severity
from pipeline.checks.lints import lints_of
from pipeline.content import BadEntry, Instance, Rejected
from pipeline.database import Database, describe
from pipeline.judge import PROBE_ROWS, prepares_on, run_gates
from pipeline.sandbox import Answer, Sandbox
from pipeline.sources import open_source
from pipeline.sql.quotes import with_plain_literals
from pipeline.sql.tree import NotParsed
from pipeline.stages.execute import Limits

_ANY_SIZE = 1 << 62


@dataclass(frozen=True)
class LintedGold:
    """A gold with its lints, or with the reason why there is nothing to lint (`problem`; else empty)."""

    instance: str
    lints: tuple[GoldLint, ...]
    problem: str = ""

    def to_json(self) -> dict[str, object]:
        """Return the fields as a JSON object."""
        return {"instance": self.instance, "problem": self.problem, "lints": [one.to_json() for one in self.lints]}


@dataclass(frozen=True)
class CorpusLints:
    """The lints of a source, a LintedGold an instance in the order of the source."""

    corpus: str
    golds: tuple[LintedGold, ...]

    def counts(self) -> dict[tuple[LintKind, Severity], int]:
        """Return how many golds have a lint of each kind and severity, gravest first, then by number."""
        found = Counter(pair for gold in self.golds for pair in {(one.kind, one.severity) for one in gold.lints})
        order = list(Severity)
        return dict(sorted(found.items(), key=lambda item: (order.index(item[0][1]), -item[1], item[0][0])))

    @property
    def problems(self) -> int:
        """How many instances have no gold that could be linted."""
        return sum(bool(gold.problem) for gold in self.golds)

    @property
    def clean(self) -> int:
        """How many golds have no lint at all."""
        return sum(not gold.problem and not gold.lints for gold in self.golds)

    def to_json(self) -> dict[str, object]:
        """Return counts and every gold with its lints as a JSON object."""
        counts = [{"kind": k, "severity": s, "golds": n} for (k, s), n in self.counts().items()]
        totals = {"total": len(self.golds), "not_linted": self.problems, "clean": self.clean}
        return {"corpus": self.corpus, **totals, "counts": counts, "golds": [gold.to_json() for gold in self.golds]}


def lint_corpus(
    source: Path, limits: Limits | None = None, progress: Callable[[int, int, str], None] | None = None
) -> CorpusLints:
    """Lint every gold of a source on its own database. Raises SourceError if there is no source.

    A gold that fails, meets a limit, or is not understood is named with its problem; the others go on.
    """
    opened = open_source(source)
    entries = opened.entries()
    databases: dict[str, Database | Rejected] = {}

    def database(name: str) -> Database:
        if name not in databases:
            try:
                databases[name] = describe(opened.database(name), name, _ANY_SIZE)
            except Rejected as rejected:
                databases[name] = rejected
        known = databases[name]
        if isinstance(known, Rejected):
            raise known
        return known

    with Sandbox() as sandbox:
        golds = []
        for done, entry in enumerate(entries, 1):
            golds.append(_linted(entry, database, sandbox, limits or Limits()))
            if progress is not None:
                progress(done, len(entries), entry.id)
    return CorpusLints(opened.corpus, tuple(golds))


def _linted(
    entry: Instance | BadEntry, database: Callable[[str], Database], sandbox: Sandbox, limits: Limits
) -> LintedGold:
    if isinstance(entry, BadEntry):
        return LintedGold(entry.id, (), entry.message)
    try:
        return LintedGold(entry.id, tuple(_lints(entry, database(entry.db), sandbox, limits)))
    except Rejected as rejected:
        return LintedGold(entry.id, (), f"{rejected.reason}: {rejected.message}")
    except NotParsed as error:
        return LintedGold(entry.id, (), str(error))


def _lints(instance: Instance, database: Database, sandbox: Sandbox, limits: Limits) -> Iterator[GoldLint]:
    def run(sql: str) -> Answer:
        return sandbox.run(database.path, sql, seconds=limits.time_limit_seconds, rows=PROBE_ROWS)

    sql = instance.sql.strip()
    answer = run_gates(database.path, sql, sandbox, limits)
    plain, _ = with_plain_literals(sql, prepares_on(database.path, sandbox, limits))
    yield from lints_of(plain, database, answer, run)
