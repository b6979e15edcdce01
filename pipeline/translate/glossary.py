"""Glossary files: pairs of words in two languages, by kind and, where it matters, by database."""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from pipeline.errors import SourceError
from pipeline.translate.model import Kind

HEADER = ("kind", "database", "en", "zh")
ANY = "name"
KEEP = "keep"
_KINDS = {*Kind, ANY, KEEP}


@dataclass(frozen=True)
class Entry:
    """A line of a glossary. `database` is empty where it holds for all.

    `kind` is that of a word; `name` stands for table, column and label. `keep` freezes the values of the column `en`,
    for the reason `zh`.
    """

    kind: str
    database: str
    en: str
    zh: str


class Glossary:
    """Words that people have translated. The first of two lines for one word counts, one for a database before all."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._words: dict[tuple[str, str, str, str], str] = {}
        self._keep: dict[tuple[str, str], str] = {}
        for entry in entries:
            if entry.kind == KEEP:
                self._keep.setdefault((entry.database, entry.en.lower()), entry.zh)
                continue
            for language, word, other in (("en", entry.en, entry.zh), ("zh", entry.zh, entry.en)):
                for kind in (Kind.TABLE, Kind.COLUMN, Kind.LABEL) if entry.kind == ANY else (Kind(entry.kind),):
                    self._words.setdefault((language, kind, entry.database, _key(kind, word)), other)

    def find(self, language: str, kind: Kind, database: str, word: str) -> str | None:
        """Return the translation of a word of `language`, or None. A label may be any name, and a name a label."""
        for scope in (database, ""):
            for known in _like(kind):
                if found := self._words.get((language, known, scope, _key(known, word))):
                    return found
        return None

    def kept_columns(self, database: str) -> dict[str, str]:
        """Return the columns of a database, in lower case, whose values people chose to keep, with the reason."""
        return {column: reason for (scope, column), reason in self._keep.items() if scope in {database, ""}}


def _like(kind: Kind) -> tuple[Kind, ...]:
    if kind is Kind.VALUE:
        return (Kind.VALUE,)
    return (kind, *(other for other in (Kind.COLUMN, Kind.LABEL, Kind.TABLE) if other is not kind))


def _key(kind: Kind, word: str) -> str:
    """Return what two spellings of a name have in common; values must be spelled exactly."""
    return word if kind is Kind.VALUE else re.sub(r"[\s_]+", "_", word.strip()).lower()


def read_glossary(path: Path) -> list[Entry]:
    """Return the lines of a glossary file: CSV in UTF-8 with the header `kind,database,en,zh`.

    Lines of which one side is blank are passed over: a build writes such for people to fill in.

    Raises:
        SourceError: the file cannot be read, or a line of it is none of a glossary.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"{path}: cannot be read as a glossary ({error}); give a CSV file in UTF-8") from error
    return list(_entries(path.name, text))


@cache
def shipped() -> tuple[Entry, ...]:
    """Return the lines of the glossaries that come with the builder, files in the order of their names."""
    folder = files("pipeline.translate") / "glossaries"
    found = sorted((entry for entry in folder.iterdir() if entry.name.endswith(".csv")), key=lambda entry: entry.name)
    return tuple(line for file in found for line in _entries(file.name, file.read_text(encoding="utf-8")))


def to_csv(entries: Iterable[Entry]) -> str:
    """Return lines as a glossary file."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    writer.writerows((entry.kind, entry.database, entry.en, entry.zh) for entry in entries)
    return text.getvalue()


def _entries(name: str, text: str) -> Iterator[Entry]:
    lines = csv.reader(io.StringIO(text))
    if tuple(next(lines, ())) != HEADER:
        raise SourceError(f"{name}: the first line must be {','.join(HEADER)}")
    for number, line in enumerate(lines, 2):
        if not line:
            continue
        if len(line) == len(HEADER) and bool(line[2]) != bool(line[3]):
            continue  # nobody has filled in the other side yet
        if len(line) != len(HEADER) or line[0] not in _KINDS or not line[2]:
            kinds = ", ".join(sorted(_KINDS))
            raise SourceError(f"{name}, line {number}: write kind ({kinds}), database or nothing, en, zh")
        yield Entry(*line)
