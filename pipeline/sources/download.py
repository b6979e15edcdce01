"""The Spider, CSpider and BIRD downloads: one JSON list of questions and a folder a database."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.content import BadEntry, Instance
from pipeline.sources.base import Notes, checked, file_digest, language_of
from pipeline.sources.descriptions import read_descriptions
from pipeline.sources.fields import bad_entry, find_database, problem_of, read_list, text_of
from pipeline.sources.schemas import Schemas, read_schemas


@dataclass(frozen=True)
class DownloadSource:
    """A download with `questions` (a JSON list) beside `database/ID/ID.sqlite`.

    The gold SQL is called `query` in Spider's layout and in CSpider's, its Chinese sister, and `SQL` in BIRD's,
    where each question also has `evidence` and most databases have `database_description/*.csv` beside them.
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
        return find_database([self.questions.parent], name)

    def notes(self, name: str) -> Notes:
        """Return what `database_description/*.csv` beside the database says."""
        return read_descriptions(self.database(name).parent / "database_description")

    def schemas(self) -> Schemas:
        """Return the tables of `tables.json`."""
        return read_schemas([self.questions.parent / "tables.json"])

    def digests(self) -> dict[str, str]:
        """Return the digest of the file of questions."""
        return {self.questions.name: file_digest(self.questions)}

    def _entry(self, at: int, fields: object) -> Instance | BadEntry:
        where = f"{self.questions.name}, entry {at}"
        sql_key = "SQL" if self.layout == "bird" else "query"
        problem = problem_of(fields, ("db_id", "question", sql_key))
        if problem or not isinstance(fields, dict):
            return bad_entry(f"entry {at}", where, problem, fields)
        instance = Instance(
            id=f"{self.corpus}-{self.questions.stem}-{fields.get('question_id', at)}",
            corpus=self.corpus,
            db=fields["db_id"],
            question=fields["question"],
            language=language_of(fields["question"]),
            sql=fields[sql_key],
            evidence=text_of(fields.get("evidence")),
            tags=tuple(filter(None, [text_of(fields.get("difficulty"))])),
        )
        return checked(instance, where)
