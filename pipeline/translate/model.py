"""What a translation is made of: a direction, one-to-one maps, what was frozen or kept and why."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any


class Direction(StrEnum):
    """From which language into which; `none` translates nothing."""

    NONE = "none"
    EN_ZH = "en-zh"
    ZH_EN = "zh-en"

    @property
    def source(self) -> str:
        """The language of the instances that are translated."""
        return self.value[:2]

    @property
    def target(self) -> str:
        """The language that they get."""
        return self.value[-2:]

    def turned(self) -> "Direction":
        """Return the way back."""
        return {self.EN_ZH: Direction.ZH_EN, self.ZH_EN: Direction.EN_ZH}.get(self, self)


class Parts(StrEnum):
    """Which parts of an instance are translated; the workspace is database and SQL."""

    ALL = "all"
    QUESTION = "question"
    WORKSPACE = "workspace"


class Kind(StrEnum):
    """What a word is: the name of a table or column, a text in a cell, a name that only an answer has."""

    TABLE = "table"
    COLUMN = "column"
    VALUE = "value"
    LABEL = "label"


UNKNOWN = "no source knows it"
"""The reason of a word that stays because nobody has translated it."""


@dataclass(frozen=True)
class Kept:
    """A word that stays as it is, and why."""

    kind: Kind
    word: str
    reason: str


@dataclass(frozen=True)
class Collision:
    """Two words that have one translation: `word` got `became` instead of `wanted`."""

    kind: Kind
    word: str
    wanted: str
    became: str


@dataclass(frozen=True)
class Maps:
    """The one-to-one maps of one database and one gold, from the source language into the target.

    Args:
        tables: by the table's name as the schema spells it.
        columns: by table, then by column, as the schema spells them; columns of one name have one translation.
        values: texts of all columns whose values are not frozen; what is missing stays as it is.
        labels: names that only the gold has, such as aliases and names of CTEs.
        patterns: patterns of LIKE.
        frozen: columns, in lower case, whose values stay as they are, with the reason.
    """

    tables: Mapping[str, str]
    columns: Mapping[str, Mapping[str, str]]
    values: Mapping[str, str]
    labels: Mapping[str, str] = field(default_factory=dict)
    patterns: Mapping[str, str] = field(default_factory=dict)
    frozen: Mapping[str, str] = field(default_factory=dict)

    def names(self) -> dict[str, str]:
        """Return the columns' translations by name in lower case, whatever the table."""
        found: dict[str, str] = {}
        for columns in self.columns.values():
            for name, target in columns.items():
                found.setdefault(name.lower(), target)
        return found

    def inverse(self) -> "Maps":
        """Return the maps that lead back."""
        names = self.names()
        return Maps(
            tables={target: name for name, target in self.tables.items()},
            columns={
                self.tables[table]: {target: name for name, target in columns.items()}
                for table, columns in self.columns.items()
            },
            values={target: text for text, target in self.values.items()},
            labels={target: label for label, target in self.labels.items()},
            patterns={target: pattern for pattern, target in self.patterns.items()},
            frozen={names.get(name, name).lower(): reason for name, reason in self.frozen.items()},
        )

    def with_gold(self, labels: Mapping[str, str], patterns: Mapping[str, str], values: Mapping[str, str]) -> "Maps":
        """Return the maps with what one gold adds to those of its database."""
        return replace(self, labels=labels, patterns=patterns, values={**self.values, **values})

    def to_json(self) -> dict[str, object]:
        """Return the maps as a JSON object."""
        return {
            "tables": dict(self.tables),
            "columns": {table: dict(columns) for table, columns in self.columns.items()},
            "values": dict(self.values),
            "labels": dict(self.labels),
            "patterns": dict(self.patterns),
            "frozen": dict(self.frozen),
        }

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> "Maps":
        """Return the maps that `to_json` wrote."""
        names = ("tables", "columns", "values", "labels", "patterns", "frozen")
        return cls(**{name: fields[name] for name in names})
