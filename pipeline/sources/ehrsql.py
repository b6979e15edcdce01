"""EHRSQL: questions about MIMIC-III and eICU, among them such as no table can answer."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.content import BadEntry, Instance, Reason
from pipeline.sources.base import Notes, checked, file_digest
from pipeline.sources.fields import bad_entry, find_database, problem_of, read_list
from pipeline.sources.frozen import told, with_frozen_now
from pipeline.sources.schemas import Schemas, read_schemas

NOW = "2105-12-31 23:59:00"  # the present of EHRSQL's shifted times, as upstream's evaluation takes it
_FORMAT = re.compile(r"strftime\('[^']*'")
# the normal ranges that upstream puts in the place of `sao2_lower` and `sao2_upper`
_NORMAL = {
    "temperature": (35.5, 38.1),
    "sao2": (95.0, 100.0),
    "heart_rate": (60.0, 100.0),
    "respiration": (12.0, 18.0),
    "systolic_bp": (90.0, 120.0),
    "diastolic_bp": (60.0, 90.0),
    "mean_bp": (60.0, 110.0),
}


@dataclass(frozen=True)
class EhrsqlSource:
    """Files `valid.json` (or `test.json`, `train.json`), one a database, in folders named like the database.

    Gold SQL is read as upstream runs it: a fixed present, normal ranges as numbers, `%Y` where the lists have lost
    its case. The databases need a licence.
    """

    root: Path
    questions: tuple[Path, ...]
    layout: str = "ehrsql"

    @property
    def corpus(self) -> str:
        """The name of the folder."""
        return self.root.name

    def entries(self) -> Sequence[Instance | BadEntry]:
        """Return one entry for each element of each list; an impossible question is a BadEntry."""
        return [self._entry(path, at, fields) for path in self.questions for at, fields in enumerate(read_list(path))]

    def database(self, name: str) -> Path:
        """Return where the database lies: `ID/ID.db`, `ID/ID.sqlite` or in one of the usual folders."""
        return find_database([self.root, self.root.parent], name, ("", "database", "db"))

    def notes(self, name: str) -> Notes:
        """Return nothing: EHRSQL does not describe its columns."""
        return {}

    def schemas(self) -> Schemas:
        """Return the tables of `tables.json`."""
        return read_schemas([self.root / "tables.json", self.root.parent / "tables.json"])

    def digests(self) -> dict[str, str]:
        """Return the digest of each file of questions, by its place in the folder."""
        return {str(path.relative_to(self.root)): file_digest(path) for path in self.questions}

    def _entry(self, path: Path, at: int, fields: Any) -> Instance | BadEntry:
        where = f"{path.parent.name}/{path.name}, entry {at}"
        if problem := problem_of(fields, ("db_id", "question", "query")):
            return bad_entry(f"{path.parent.name} entry {at}", where, problem, fields)
        number = f"{fields['db_id']}-{fields.get('id', at)}"
        if fields.get("is_impossible") or fields["query"].strip().lower() == "null":
            message = f"{where}: the source has no SQL for this question, on purpose; it cannot become a task"
            return BadEntry(number, Reason.NO_GOLD, message, fields["question"])
        instance = Instance(
            id=number,
            corpus=self.corpus,
            db=fields["db_id"],
            question=fields["question"].strip(),
            language="en",
            sql=as_run(fields["query"]),
            evidence=_evidence(fields["query"]),
            domain="clinical",
        )
        return checked(instance, where)


def as_run(sql: str) -> str:
    """Return a gold SQL as upstream's evaluation runs it.

    >>> as_run("select sao2 > sao2_lower, strftime('%y-%m', current_time)")
    "select sao2 > 95.0, strftime('%Y-%m', '2105-12-31 23:59:00')"
    """
    for name, (low, high) in _NORMAL.items():
        sql = re.sub(rf"\b{name}_lower\b", str(low), re.sub(rf"\b{name}_upper\b", str(high), sql))
    dated = _FORMAT.sub(lambda call: call[0].replace("%y", "%Y").replace("%j", "%J"), sql)
    return with_frozen_now(dated, NOW)


def _evidence(sql: str) -> str:
    ranges = [
        f"The normal range of {name.replace('_', ' ')} is {low} to {high}."
        for name, (low, high) in _NORMAL.items()
        if f"{name}_lower" in sql or f"{name}_upper" in sql
    ]
    return "\n\n".join(filter(None, [told(sql, NOW, "en"), *ranges]))
