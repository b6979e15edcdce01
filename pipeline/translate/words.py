"""Where the words come from: a person's glossary, a parallel corpus, the shipped glossaries, a model if any."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from pipeline.translate.glossary import Glossary
from pipeline.translate.model import Direction, Kind


@dataclass(frozen=True)
class Unknown:
    """A word that is asked for: what it is, in which database, and where it stands."""

    kind: Kind
    database: str
    word: str


class Translator(Protocol):
    """A model that translates what no glossary knows. Its answers are checked like everybody's."""

    def words(self, direction: Direction, asked: Sequence[Unknown]) -> Mapping[Unknown, str]:
        """Return translations of some words; those that it does not know are left out."""

    def question(self, direction: Direction, text: str, terms: Mapping[str, str]) -> str | None:
        """Return a question in the other language, with `terms` as given, or None."""


@dataclass(frozen=True)
class Words:
    """All sources of words for one direction, asked in the order of the fields.

    Args:
        direction: from which language into which.
        own: the glossary of the person who builds.
        parallel: pairs harvested from the same database in the other language, by kind and word.
        shipped: the glossaries that come with the builder.
        translator: a model, or None.
    """

    direction: Direction
    own: Glossary
    shipped: Glossary
    parallel: Mapping[tuple[Kind, str], str] = field(default_factory=dict)
    translator: Translator | None = None

    def all_of(self, asked: Sequence[Unknown]) -> dict[Unknown, str]:
        """Return the translations of those words that anybody knows."""
        found = {word: text for word in asked if (text := self._known(word))}
        unknown = [word for word in asked if word not in found]
        if self.translator is not None and unknown:
            found.update(self.translator.words(self.direction, unknown))
        return {word: text for word, text in found.items() if text.strip() and text != word.word}

    def _known(self, asked: Unknown) -> str | None:
        language = self.direction.source
        return (
            self.own.find(language, asked.kind, asked.database, asked.word)
            or self.parallel.get((asked.kind, asked.word))
            or self.shipped.find(language, asked.kind, asked.database, asked.word)
        )

    def kept_columns(self, database: str) -> dict[str, str]:
        """Return the columns whose values a glossary keeps, in lower case, with the reason."""
        return {**self.shipped.kept_columns(database), **self.own.kept_columns(database)}
