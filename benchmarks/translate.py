"""How much of a corpus is translated, and whether every translation comes back exactly.

    python -P benchmarks/translate.py CORPUS --direction en-zh [--made-up]

CORPUS is any source of `dataspace build`. One line a database: instances, those whose translation held (the gold equal
on both sides, the way back exact: schema, every row, SQL, question), the least share of tables, columns and non-frozen
texts translated over its instances, and questions from a pair. `--made-up` gives every word a made-up translation with
an apostrophe and another order than the words: it tries the machinery on corpora for which nobody has words. Each
rejection is printed with its reason.
"""

import argparse
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pipeline.artifacts import ArtifactStore, Digests
from pipeline.content import Instance, Rejected
from pipeline.sandbox import Sandbox
from pipeline.sources import open_source
from pipeline.stages.execute import Limits
from pipeline.translate.build import Translation
from pipeline.translate.model import Direction, Kind, Parts
from pipeline.translate.words import Unknown

LARGEST = 1 << 30


class MadeUp:
    """A translator that knows every word, and means nothing by it."""

    def words(self, direction: Direction, asked: Sequence[Unknown]) -> Mapping[Unknown, str]:
        """Return a made-up word for each."""
        return {unknown: self._word(direction, unknown) for unknown in asked}

    def question(self, direction: Direction, text: str, terms: Mapping[str, str]) -> str | None:
        """Return None: questions are not made up."""
        return None

    def _word(self, direction: Direction, unknown: Unknown) -> str:
        backwards = unknown.word[::-1]
        if direction is Direction.ZH_EN:
            backwards = " ".join(f"{ord(c):x}" for c in backwards)
        name = "译" if direction is Direction.EN_ZH else "w"
        return f"{name}{backwards}'s" if unknown.kind is Kind.VALUE else f"{name}{backwards}(%)"


@dataclass
class Tally:
    """What became of the instances of one database."""

    tried: int = 0
    held: int = 0
    paired: int = 0
    frozen_by_gold: int = 0
    shares: dict[str, float] = field(default_factory=lambda: dict.fromkeys(("tables", "columns", "values"), 1.0))

    def add(self, record: Mapping[str, object]) -> None:
        """Count one translation that held."""
        self.held += 1
        question, maps, coverage = record["question"], record["maps"], record["coverage"]
        assert isinstance(question, dict) and isinstance(maps, dict) and isinstance(coverage, dict)
        self.paired += str(question["origin"]).startswith("the paired")
        self.frozen_by_gold += any("gold" in reason or "LIKE" in reason for reason in maps["frozen"].values())
        for what, (done, there) in coverage.items():
            self.shares[what] = min(self.shares[what], done / there if there else 1.0)


def main() -> int:
    """Print a Markdown table; return 1 if a translation did not hold."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--direction", type=Direction, choices=[Direction.EN_ZH, Direction.ZH_EN], required=True)
    parser.add_argument("--made-up", action="store_true")
    arguments = parser.parse_args()
    started = time.process_time()
    tallies, rejected = measure(arguments.corpus, arguments.direction, arguments.made_up)
    print("| database | instances | held | tables | columns | texts | paired question | frozen by the gold |")
    print("|---|---|---|---|---|---|---|---|")
    for name, tally in sorted(tallies.items()):
        shares = " | ".join(f"{tally.shares[what]:.1%}" for what in ("tables", "columns", "values"))
        print(f"| {name} | {tally.tried} | {tally.held} | {shares} | {tally.paired} | {tally.frozen_by_gold} |")
    tried, held = (sum(getattr(tally, what) for tally in tallies.values()) for what in ("tried", "held"))
    print(f"\n{held} of {tried} held, {time.process_time() - started:.1f} s of processor time.")
    for line in rejected:
        print(line)
    return 1 if rejected else 0


def measure(corpus: Path, direction: Direction, made_up: bool) -> tuple[dict[str, Tally], list[str]]:
    """Translate every instance of the source language; return the tallies by database, and the rejections."""
    source = open_source(corpus)
    tallies: dict[str, Tally] = defaultdict(Tally)
    rejected = []
    with tempfile.TemporaryDirectory() as scratch, Sandbox() as sandbox:
        translation = Translation(
            source,
            direction,
            Parts.WORKSPACE if made_up else Parts.ALL,
            store=ArtifactStore(Path(scratch), Digests()),
            sandbox=sandbox,
            limits=Limits(),
            max_bytes=LARGEST,
            translator=MadeUp() if made_up else None,
        )
        for entry in source.entries():
            if not isinstance(entry, Instance) or entry.language != direction.source:
                continue
            tallies[entry.db].tried += 1
            try:
                tallies[entry.db].add(translation.of(entry)[1])
            except Rejected as reason:
                rejected.append(f"- {entry.id}: {reason.reason}: {reason.message}")
    return tallies, rejected


if __name__ == "__main__":
    sys.exit(main())
