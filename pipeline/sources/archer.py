"""Archer: one gold SQL a question in English and in Chinese, with the knowledge that it takes."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.content import BadEntry, Instance
from pipeline.sources.base import Notes, checked, file_digest, language_of
from pipeline.sources.fields import bad_entry, find_database, problem_of, read_list, text_of
from pipeline.sources.schemas import Schemas, read_schemas

KNOWLEDGE_FIELD = "commonsense_knowledge"
_SQL_FIELDS = ("query", "sql", "SQL")


@dataclass(frozen=True)
class ArcherSource:
    """A folder with `dev.json` or `train.json`; databases in `database/ID/ID.sqlite` there or in the folder above.

    The lists of both languages have the same order, which makes questions of the same place siblings.
    """

    questions: Path
    layout: str = "archer"

    @property
    def corpus(self) -> str:
        """The name of the folder."""
        return self.questions.parent.name

    def entries(self) -> Sequence[Instance | BadEntry]:
        """Return one entry for each element of the list."""
        return [self._entry(at, fields) for at, fields in enumerate(read_list(self.questions))]

    def database(self, name: str) -> Path:
        """Return where the database lies."""
        return find_database([self.questions.parent, self.questions.parent.parent], name)

    def notes(self, name: str) -> Notes:
        """Return nothing: what Archer knows, it tells with each question."""
        return {}

    def schemas(self) -> Schemas:
        """Return the tables of `tables.json`."""
        return read_schemas([self.questions.parent / "tables.json"])

    def digests(self) -> dict[str, str]:
        """Return the digest of the file of questions."""
        return {self.questions.name: file_digest(self.questions)}

    def _entry(self, at: int, fields: Any) -> Instance | BadEntry:
        where = f"{self.questions.name}, entry {at}"
        key = next((k for k in _SQL_FIELDS if isinstance(fields, dict) and text_of(fields.get(k))), _SQL_FIELDS[0])
        if problem := problem_of(fields, ("db_id", "question", key)):
            return bad_entry(f"entry {at}", where, problem, fields)
        reasoning = text_of(fields.get("reasoning_type"))
        instance = Instance(
            id=f"{self.corpus}-{self.questions.stem}-{at}",
            corpus=self.corpus,
            db=fields["db_id"],
            question=fields["question"].strip(),
            language=language_of(fields["question"]),
            sql=fields[key],
            evidence=text_of(fields.get(KNOWLEDGE_FIELD)),
            pair=f"archer-{self.questions.stem}-{at}",
            tags=(f"reasoning {reasoning}",) if reasoning else (),
        )
        return checked(instance, where)
