"""Turns a question's one SQL template into the SQL of each language."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.demo.model import Language, Rows, Table, Words


@dataclass(frozen=True)
class Glossary:
    """The names and text values of a domain, by their English form."""

    names: dict[str, Words]
    values: dict[str, Words]

    @classmethod
    def of(cls, tables: tuple[Table, ...], rows: Rows) -> "Glossary":
        """Return the glossary of a domain's tables and rows.

        Raises:
            ValueError: one English form has two Chinese ones, or the other way round; then a question
                would not mean the same in both languages.
        """
        return cls(_one_to_one(_names(tables)), _one_to_one(_values(rows)))

    def sql(self, template: str, language: Language) -> str:
        """Return a question's SQL in `language`, on one line.

        Raises:
            KeyError: the template names a table, column or value that the domain does not have.
        """

        def name(match: re.Match[str]) -> str:
            return identifier(_pair(match[1], self.names).says(language))

        def value(match: re.Match[str]) -> str:
            return literal(_pair(match[1], self.values).says(language))

        line = " ".join(template.split())
        return re.sub(r"\{([^}]+)\}", value, re.sub(r"\[([^\]]+)\]", name, line))


def _pair(written: str, known: dict[str, Words]) -> Words:
    en, bar, zh = written.partition("|")
    return Words(en, zh) if bar else known[en]


def identifier(name: str) -> str:
    """Return `name` as SQL writes it: bare if it is a plain word, else in double quotes."""
    if re.fullmatch(r"[^\W\d]\w*", name):
        return name
    return quoted(name)


def quoted(name: str) -> str:
    """Return `name` in double quotes, whatever it contains."""
    return '"' + name.replace('"', '""') + '"'


def literal(value: str) -> str:
    """Return `value` as an SQL string; an apostrophe is doubled."""
    return "'" + value.replace("'", "''") + "'"


def _names(tables: tuple[Table, ...]) -> Iterator[Words]:
    for table in tables:
        yield table.name
        yield from (column.name for column in table.columns)


def _values(rows: Rows) -> Iterator[Words]:
    for table in rows.values():
        for row in table:
            yield from (cell for cell in row if isinstance(cell, Words))


def _one_to_one(words: Iterator[Words]) -> dict[str, Words]:
    by_en: dict[str, Words] = {}
    by_zh: dict[str, Words] = {}
    for word in words:
        if by_en.setdefault(word.en, word) != word or by_zh.setdefault(word.zh, word) != word:
            raise ValueError(f"{word.en!r} = {word.zh!r} contradicts another pair of words: give it its own name")
    return by_en
