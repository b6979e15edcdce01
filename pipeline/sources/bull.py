"""BULL, the questions of FinSQL: `dev.json` with `sql_query`, in one folder a language."""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pipeline.content import BadEntry, Instance
from pipeline.sources.base import ColumnNote, Notes, checked, file_digest, language_of
from pipeline.sources.fields import bad_entry, find_database, problem_of, read_list
from pipeline.sources.frozen import told, with_frozen_now
from pipeline.sources.schemas import PlannedTable, Schemas, read_schemas

NOW = "2022-12-31"  # the last year that its gold SQL names; upstream lets every run read its own clock
_LANGUAGES = {"en": "en", "cn": "zh", "zh": "zh"}


@dataclass(frozen=True)
class BullSource:
    """A folder with `dev.json` or `train.json`, `tables.json` and `db_info.json` (labels of tables and columns).

    The databases need a download of their own; they are looked for in the folder and beside it. A question has the
    same number in both languages, which makes the two siblings.
    """

    questions: Path
    layout: str = "bull"

    @property
    def corpus(self) -> str:
        """The name of the folder, with its parent's where it is named by its language alone."""
        folder = self.questions.parent
        return f"{folder.parent.name}-{folder.name}" if folder.name in _LANGUAGES else folder.name

    def entries(self) -> Sequence[Instance | BadEntry]:
        """Return one entry for each element of the list."""
        return [self._entry(at, fields) for at, fields in enumerate(read_list(self.questions))]

    def database(self, name: str) -> Path:
        """Return where the database lies: in `database/ID/` or `database_LANGUAGE/ID/`, here or in the folder above."""
        folder = self.questions.parent
        folders = ("database", f"database_{folder.name}", "databases", "db", "")
        return find_database([folder, folder.parent], name, folders)

    def notes(self, name: str) -> Notes:
        """Return the labels that `db_info.json` gives to columns."""
        with suppress(OSError, ValueError, KeyError, TypeError):
            known = json.loads((self.questions.parent / "db_info.json").read_bytes().decode("utf-8-sig"))
            infos = [info for entry in known if entry["db_name"] == name for info in entry["column_info"]]
            return {info["table"]: tuple(map(_note, info["columns"], info["column_chiName"])) for info in infos}
        return {}

    def schemas(self) -> Schemas:
        """Return the tables of `tables.json`; of its primary keys only those named `id` are any."""
        known = read_schemas([self.questions.parent / "tables.json"])
        return {name: tuple(map(_with_true_key, tables)) for name, tables in known.items()}

    def digests(self) -> dict[str, str]:
        """Return the digest of the file of questions."""
        return {self.questions.name: file_digest(self.questions)}

    def _entry(self, at: int, fields: Any) -> Instance | BadEntry:
        where = f"{self.questions.name}, entry {at}"
        if problem := problem_of(fields, ("db_name", "question", "sql_query")):
            return bad_entry(f"entry {at}", where, problem, fields)
        number = fields.get("q_id", at)
        question = fields["question"].strip()
        language = _LANGUAGES.get(self.questions.parent.name) or language_of(question)
        instance = Instance(
            id=f"{self.corpus}-{self.questions.stem}-{number}",
            corpus=self.corpus,
            db=fields["db_name"],
            question=question,
            language=language,
            sql=with_frozen_now(fields["sql_query"], NOW),
            evidence=told(fields["sql_query"], NOW, language),
            domain="finance",
            pair=f"bull-{self.questions.stem}-{number}",
        )
        return checked(instance, where)


def _with_true_key(table: PlannedTable) -> PlannedTable:
    return table if table.key == "id" else replace(table, key=None)


def _note(column: object, label: object) -> ColumnNote:
    return ColumnNote(str(column), str(label or ""), "", "")
