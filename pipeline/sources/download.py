"""The Spider and BIRD downloads: one JSON list of questions and a folder a database."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.content import BadEntry, Instance, Reason
from pipeline.errors import SourceError
from pipeline.sources.base import Notes, checked, file_digest, language_of
from pipeline.sources.descriptions import read_descriptions

_FOLDERS = ("database", "databases", "dev_databases", "train_databases", "test_database")


@dataclass(frozen=True)
class DownloadSource:
    """A download with `questions` (a JSON list) beside `database/ID/ID.sqlite`.

    The gold SQL is called `query` in Spider's layout and `SQL` in BIRD's, where each question also has
    `evidence` and most databases have `database_description/*.csv` beside them.
    """

    questions: Path
    layout: str

    @property
    def corpus(self) -> str:
        """The name of the folder."""
        return self.questions.parent.name

    def entries(self) -> Sequence[Instance | BadEntry]:
        """Return one entry for each element of the list. Raises SourceError if the file is no list."""
        return [self._entry(at, fields) for at, fields in enumerate(read_list(self.questions))]

    def database(self, name: str) -> Path:
        """Return `database/ID/ID.sqlite`, in whichever of the usual folders it lies."""
        places = [self.questions.parent / folder / name / f"{name}.sqlite" for folder in _FOLDERS]
        return next((place for place in places if place.is_file()), places[0])

    def notes(self, name: str) -> Notes:
        """Return what `database_description/*.csv` beside the database says."""
        return read_descriptions(self.database(name).parent / "database_description")

    def digests(self) -> dict[str, str]:
        """Return the digest of the file of questions."""
        return {self.questions.name: file_digest(self.questions)}

    def _entry(self, at: int, fields: object) -> Instance | BadEntry:
        where = f"{self.questions.name}, entry {at}"
        sql_key = "SQL" if self.layout == "bird" else "query"
        problem = _problem(fields, ("db_id", "question", sql_key))
        if problem or not isinstance(fields, dict):
            return BadEntry(f"entry {at}", Reason.UNREADABLE_LINE, f"{where}: {problem}", repr(fields)[:200])
        instance = Instance(
            id=f"{self.corpus}-{self.questions.stem}-{fields.get('question_id', at)}",
            corpus=self.corpus,
            db=fields["db_id"],
            question=fields["question"],
            language=language_of(fields["question"]),
            sql=fields[sql_key],
            evidence=_text(fields.get("evidence")),
            tags=tuple(filter(None, [_text(fields.get("difficulty"))])),
        )
        return checked(instance, where)


def read_list(path: Path) -> list[Any]:
    """Return the JSON list in a file. Raises SourceError, naming the file and the remedy."""
    try:
        content = json.loads(path.read_bytes().decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{path.name}: no JSON ({error}); download the file again") from error
    if not isinstance(content, list):
        raise SourceError(f"{path.name}: holds no JSON list; name the file with the questions")
    return content


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _problem(fields: object, required: tuple[str, ...]) -> str:
    if not isinstance(fields, dict):
        return "the entry is no JSON object; correct or delete it"
    for key in required:
        if not isinstance(fields.get(key), str) or not fields[key].strip():
            return f"the field {key!r} is missing, empty or no text; add it"
    return ""
