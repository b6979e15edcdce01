"""Witness databases for a source whose own are missing: made from its schema and gold SQL alone.

Nothing in them is true. They show that readers and stages can be tried on all questions of the source.
"""

import csv
import io
import json
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from pipeline.artifacts import canonical_json, write_atomically
from pipeline.content import Instance
from pipeline.errors import BuildError, SourceError
from pipeline.sandbox import Sandbox
from pipeline.sources import open_source
from pipeline.sources.base import Notes
from pipeline.sources.corpora import QUESTIONS
from pipeline.sources.schemas import PlannedTable, WithSchemas
from pipeline.synthesize.made import MadeDatabase
from pipeline.synthesize.witness import Witnesses

MARK = "synthetic database"
"""The tag of every question on such a database; it stands in the provenance of its task."""

_ROUNDS = 2  # rows for one gold may spoil an earlier one, as a later date does for MAX(date)


@dataclass(frozen=True)
class SynthesisReport:
    """How many of the golds of a source give a result with something in it; `missing` says of the others why not."""

    corpus: str
    layout: str
    seed: int
    golds: int
    missing: dict[str, str]
    digests: dict[str, str]

    @property
    def found(self) -> int:
        """How many golds give a result that is neither empty, NULL nor a lone 0."""
        return self.golds - len(self.missing)

    def to_json(self) -> dict[str, object]:
        """Return the report as a JSON object, as it stands in `synthetic.json`."""
        return {"synthetic": True, **asdict(self), "found": self.found}

    def to_text(self) -> str:
        """Return the figure in a sentence."""
        share = 100 * self.found / self.golds if self.golds else 0.0
        return f"{self.corpus}: {self.found} of {self.golds} golds ({share:.1f} %) find something on made-up databases"


def synthesize(
    source: Path, out: Path, seed: int = 0, progress: Callable[[int, int, str], None] | None = None
) -> SynthesisReport:
    """Make databases on which the golds of a source find something, and write them with its questions to `out`.

    `out` gets the corpora layout, every question tagged as synthetic, and `synthetic.json` with the figures. The same
    source and seed give the same bytes.

    Raises:
        SourceError: the source cannot be read, or tells no schema.
        BuildError: `out` is a file or holds something.
    """
    opened = open_source(source)
    if not isinstance(opened, WithSchemas):
        raise SourceError(f"{opened.corpus}: the layout {opened.layout} tells no schema; a tables.json is needed")
    schemas = opened.schemas()
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise BuildError(f"{out}: is not empty; name a new folder for the made-up databases")
    instances = [entry for entry in opened.entries() if isinstance(entry, Instance)]
    (out / "db").mkdir(parents=True, exist_ok=True)
    missing: dict[str, str] = {}
    for name in sorted({instance.db for instance in instances}):
        if name not in schemas:
            raise SourceError(
                f"{opened.corpus}: its tables.json does not know the database {name}; correct one of them"
            )
        golds = {i.id: i.sql for i in instances if i.db == name}
        missing |= _make(out / "db" / f"{name}.sqlite", schemas[name], golds, seed, progress)
        _write_notes(out / "database_description" / name, opened.notes(name))
    report = SynthesisReport(opened.corpus, opened.layout, seed, len(instances), missing, opened.digests())
    write_atomically(out / QUESTIONS, b"".join(map(_line, instances)))
    write_atomically(out / "synthetic.json", canonical_json(report.to_json()))
    return report


def _make(
    target: Path,
    tables: Sequence[PlannedTable],
    golds: dict[str, str],
    seed: int,
    progress: Callable[[int, int, str], None] | None,
) -> dict[str, str]:
    """Write one database and return why some golds find nothing on it."""
    with tempfile.TemporaryDirectory() as folder, Sandbox() as sandbox:
        path = Path(folder) / "made.sqlite"
        database = MadeDatabase(path, tables, seed)
        witnesses = Witnesses(database, path, sandbox)
        reasons: dict[str, str] = {}
        for round_number in range(_ROUNDS):
            for done, (name, sql) in enumerate(golds.items(), 1):
                reason = witnesses.make(sql) if round_number == 0 or name in reasons else None
                reasons = _noted(reasons, name, reason)
                if progress is not None:
                    progress(done, len(golds), f"{target.stem}, round {round_number + 1}")
            found = {name: witnesses.objection(sql) for name, sql in golds.items()}
            reasons = {name: reasons.get(name, problem) for name, problem in found.items() if problem is not None}
        database.write(target)
    return reasons


def _noted(reasons: dict[str, str], name: str, reason: str | None) -> dict[str, str]:
    rest = {known: why for known, why in reasons.items() if known != name}
    return rest if reason is None else {**rest, name: reason}


def _line(instance: Instance) -> bytes:
    fields = {key: value for key, value in instance.to_json().items() if value is not None and key != "corpus"}
    return (json.dumps({**fields, "tags": [*instance.tags, MARK]}, ensure_ascii=False) + "\n").encode()


def _write_notes(folder: Path, notes: Notes) -> None:
    """Write column notes in BIRD's form, which the corpora layout reads."""
    for table, found in notes.items():
        text = io.StringIO(newline="")
        rows = csv.writer(text)
        rows.writerow(["original_column_name", "column_name", "column_description", "data_format", "value_description"])
        rows.writerows([note.column, note.long_name, note.meaning, "", note.values] for note in found)
        write_atomically(folder / f"{table}.csv", text.getvalue().encode())


__all__ = ["MARK", "SynthesisReport", "synthesize"]
