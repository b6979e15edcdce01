"""The layout with `questions.jsonl`, `db/NAME.sqlite` and, if there are any, column descriptions."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.content import BadEntry, Instance, Reason
from pipeline.sources.base import Notes, checked, file_digest
from pipeline.sources.descriptions import read_descriptions

QUESTIONS = "questions.jsonl"
_REQUIRED = ("id", "db", "question", "language", "sql")
_OPTIONAL = ("evidence", "instructions", "domain", "pair")


@dataclass(frozen=True)
class CorporaSource:
    """A folder with one JSON object a line in `questions.jsonl` and the databases in `db/`."""

    root: Path
    layout: str = "corpora"

    @property
    def corpus(self) -> str:
        """The name of the folder."""
        return self.root.name

    def entries(self) -> Sequence[Instance | BadEntry]:
        """Return one entry a line; blank lines are none."""
        lines = (self.root / QUESTIONS).read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n")
        return [self._entry(number, line) for number, line in enumerate(lines, 1) if line.strip()]

    def database(self, name: str) -> Path:
        """Return `db/NAME.sqlite`."""
        return self.root / "db" / f"{name}.sqlite"

    def notes(self, name: str) -> Notes:
        """Return what `database_description/NAME/*.csv` says."""
        return read_descriptions(self.root / "database_description" / name)

    def digests(self) -> dict[str, str]:
        """Return the digest of `questions.jsonl`."""
        return {QUESTIONS: file_digest(self.root / QUESTIONS)}

    def _entry(self, number: int, line: bytes) -> Instance | BadEntry:
        where = f"{QUESTIONS}, line {number}"
        try:
            fields = json.loads(line.decode())
        except (ValueError, RecursionError) as error:
            return _bad(number, f"{where}: no JSON object ({error}); correct or delete the line", line)
        if problem := _problem(fields):
            return _bad(number, f"{where}: {problem}", line)
        return checked(self._instance(fields), where)

    def _instance(self, fields: dict[str, Any]) -> Instance:
        definitions = [fields[key].strip() for key in ("evidence", "instructions") if fields.get(key)]
        return Instance(
            id=fields["id"],
            corpus=self.corpus,
            db=fields["db"],
            question=fields["question"],
            language=fields["language"],
            sql=fields["sql"],
            evidence="\n\n".join(text for text in definitions if text),
            domain=fields.get("domain"),
            pair=fields.get("pair"),
            tags=tuple(fields.get("tags") or ()),
        )


def _bad(number: int, message: str, line: bytes) -> BadEntry:
    excerpt = line[:200].decode("utf-8", "backslashreplace")
    return BadEntry(f"line {number}", Reason.UNREADABLE_LINE, message, excerpt)


def _problem(fields: object) -> str:
    if not isinstance(fields, dict):
        return "the line is no JSON object; write one object a line"
    for key in _REQUIRED:
        if not isinstance(fields.get(key), str) or not fields[key].strip():
            return f"the field {key!r} is missing, empty or no text; add it"
    for key in _OPTIONAL:
        if not isinstance(fields.get(key, ""), str | None):
            return f"the field {key!r} is no text; correct it or leave it out"
    tags = fields.get("tags") or []
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        return "the field 'tags' is no list of texts; correct it or leave it out"
    return ""
