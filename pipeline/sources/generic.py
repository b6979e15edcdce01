"""Any folder of questions as JSON Lines with databases in SQLite or DuckDB, or dumps, beside them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.content import BadEntry, Instance, Reason, Rejected, Stage
from pipeline.errors import SourceError
from pipeline.sources import duck, dumps
from pipeline.sources.base import Notes, checked, file_digest, language_of
from pipeline.sources.fields import bad_entry, problem_of, text_of

_FIELDS = {
    "question": ("question", "utterance", "nl"),
    "sql": ("sql", "SQL", "query", "gold_sql", "sql_query"),
    "db": ("db", "db_id", "database", "database_id", "db_name"),
    "evidence": ("evidence", "knowledge", "instructions"),
}
_CONVERTED = dict.fromkeys(duck.DUCK_SUFFIXES, duck.as_sqlite) | dict.fromkeys(dumps.DUMP_SUFFIXES, dumps.as_sqlite)
_SUFFIXES = (".sqlite", ".sqlite3", ".db", *_CONVERTED)


@dataclass(frozen=True)
class GenericSource:
    """A `questions` file (one JSON object a line) with databases in its folder or in folders below it.

    The fields may have any of the usual names; `id` and `language` may be missing, and so may the database where
    there is exactly one. Gold SQL is SQLite's: a DuckDB file, or a dump of MySQL or PostgreSQL, is read into SQLite
    once.
    """

    questions: Path
    layout: str = "generic"

    @property
    def corpus(self) -> str:
        """The name of the folder."""
        return self.questions.parent.name

    def entries(self) -> Sequence[Instance | BadEntry]:
        """Return one entry a line; blank lines are none."""
        lines = self.questions.read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n")
        names = sorted({path.stem for path in self._files()})
        return [self._entry(number, line, names) for number, line in enumerate(lines, 1) if line.strip()]

    def database(self, name: str) -> Path:
        """Return the SQLite file of a database, made from another kind if need be. Raises Rejected if it cannot be."""
        path = next((path for path in self._files() if path.stem == name), None)
        if path is None:
            return self.questions.parent / f"{name}.sqlite"
        if path.suffix not in _CONVERTED:
            return path
        try:
            return _CONVERTED[path.suffix](path)
        except SourceError as error:
            raise Rejected(Stage.DATABASE, Reason.DATABASE_BROKEN, str(error), path.name) from error

    def notes(self, name: str) -> Notes:
        """Return nothing: the layout has no place for descriptions."""
        return {}

    def digests(self) -> dict[str, str]:
        """Return the digest of the file of questions."""
        return {self.questions.name: file_digest(self.questions)}

    def _files(self) -> list[Path]:
        """Databases in order of suffix, so that a SQLite file goes before others of the same name."""
        folder = self.questions.parent
        return [path for suffix in _SUFFIXES for path in sorted(folder.rglob(f"*{suffix}")) if path.is_file()]

    def _entry(self, number: int, line: bytes, names: list[str]) -> Instance | BadEntry:
        where = f"{self.questions.name}, line {number}"
        try:
            fields: Any = json.loads(line.decode())
        except (ValueError, RecursionError) as error:
            return bad_entry(f"line {number}", where, f"no JSON object ({error}); correct or delete the line", line)
        found = {name: _first(fields, keys) for name, keys in _FIELDS.items()} if isinstance(fields, dict) else fields
        if isinstance(found, dict) and not found["db"] and len(names) == 1:
            found["db"] = names[0]
        if problem := problem_of(found, ("question", "sql", "db")):
            return bad_entry(f"line {number}", where, problem, fields)
        language = text_of(fields.get("language")) or language_of(found["question"])
        name = str(fields.get("id", f"{self.corpus}-{number}"))
        return checked(Instance(name, self.corpus, language=language, **found), where)


def _first(fields: dict[str, Any], keys: Sequence[str]) -> str:
    return next((text for key in keys if (text := text_of(fields.get(key)))), "")
