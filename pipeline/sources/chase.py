"""CHASE: dialogues in Chinese; a turn can be a task if it needs none of those before it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.content import BadEntry, Instance, Reason
from pipeline.sources.base import Notes, checked, file_digest, language_of
from pipeline.sources.fields import bad_entry, find_database, problem_of, read_list
from pipeline.sources.schemas import Schemas, read_schemas

_ALONE = ["context independent"]


@dataclass(frozen=True)
class ChaseSource:
    """A list of dialogues, each with `database_id` and an `interaction` of turns (`utterance`, `query`).

    A turn stands alone if its `contextual_phenomena` say so and nothing else; where they are not given, the first
    turn of a dialogue does.
    """

    questions: Path
    layout: str = "chase"

    @property
    def corpus(self) -> str:
        """The name of the folder."""
        return self.questions.parent.name

    def entries(self) -> Sequence[Instance | BadEntry]:
        """Return one entry a turn, dialogue by dialogue."""
        dialogues = enumerate(read_list(self.questions))
        return [entry for at, fields in dialogues for entry in self._dialogue(at, fields)]

    def database(self, name: str) -> Path:
        """Return where the database lies."""
        return find_database([self.questions.parent], name)

    def notes(self, name: str) -> Notes:
        """Return nothing: CHASE does not describe its columns."""
        return {}

    def schemas(self) -> Schemas:
        """Return the tables of `chase_tables.json` or `tables.json`."""
        return read_schemas([self.questions.parent / name for name in ("chase_tables.json", "tables.json")])

    def digests(self) -> dict[str, str]:
        """Return the digest of the file of dialogues."""
        return {self.questions.name: file_digest(self.questions)}

    def _dialogue(self, at: int, fields: Any) -> list[Instance | BadEntry]:
        where = f"{self.questions.name}, dialogue {at}"
        turns = fields.get("interaction") if isinstance(fields, dict) else None
        if not isinstance(turns, list) or problem_of(fields, ("database_id",)):
            return [
                bad_entry(f"dialogue {at}", where, "has no 'database_id' or no list 'interaction'; add them", fields)
            ]
        return [self._turn(f"{where}, turn {n}", f"{at}-{n}", fields["database_id"], n, t) for n, t in enumerate(turns)]

    def _turn(self, where: str, number: str, db: str, place: int, fields: Any) -> Instance | BadEntry:
        if problem := problem_of(fields, ("utterance", "query")):
            return bad_entry(f"turn {number}", where, problem, fields)
        name = f"{self.corpus}-{self.questions.stem}-{fields.get('question_id', number)}"
        if not _stands_alone(fields.get("contextual_phenomena"), place):
            message = f"{where}: the question refers to turns before it; only turns that stand alone can be tasks"
            return BadEntry(name, Reason.NEEDS_DIALOGUE, message, fields["utterance"])
        question = fields["utterance"].strip()
        return checked(Instance(name, self.corpus, db, question, language_of(question), fields["query"]), where)


def _stands_alone(phenomena: object, place: int) -> bool:
    if not isinstance(phenomena, list):
        return place == 0
    return [str(name).lower() for name in phenomena] == _ALONE
