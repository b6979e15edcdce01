"""A model as the translator of words and questions that no glossary and no pair has. Its answers are checked later."""

from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.llm import Model, ModelError, Prompt
from pipeline.translate.model import Direction
from pipeline.translate.words import Unknown

AT_ONCE = 40  # words in one call
NAMES = {"en": "English", "zh": "Simplified Chinese"}
WORDS_TASK = """You translate names of tables, names of columns and short texts of a database from {source} to {target}.
Keep one word one word: an identifier stays an identifier. Different words need different translations. Leave
out what you do not know; never invent."""
WORDS_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "translations": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"number": {"type": "integer"}, "text": {"type": "string", "maxLength": 300}},
                "required": ["number", "text"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["translations"],
    "additionalProperties": False,
}
QUESTION_TASK = """You translate a question about a database from {source} to {target}. Ask exactly the same, no more
and no less: keep every number, date, unit, comparison and code. Where a term is given, use its translation as it is."""
QUESTION_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"question": {"type": "string", "minLength": 1, "maxLength": 4000}},
    "required": ["question"],
    "additionalProperties": False,
}


class ModelTranslator:
    """A `Translator` that asks a model. What the model fails on is left out: it stays as it is and is reported."""

    def __init__(self, model: Model) -> None:
        self.model = model

    def words(self, direction: Direction, asked: Sequence[Unknown]) -> Mapping[Unknown, str]:
        """Return translations of some words; those that the model does not know are left out."""
        found: dict[Unknown, str] = {}
        for start in range(0, len(asked), AT_ONCE):
            some = asked[start : start + AT_ONCE]
            lines = [f"{n}. {one.kind} in {one.database}: {one.word}" for n, one in enumerate(some, start=1)]
            try:
                reply = self.model.ask(Prompt(_task(WORDS_TASK, direction), "\n".join(lines), WORDS_SCHEMA))
            except ModelError:
                continue
            for one in reply.value["translations"]:
                if 1 <= one["number"] <= len(some) and one["text"].strip():
                    found[some[one["number"] - 1]] = one["text"].strip()
        return found

    def question(self, direction: Direction, text: str, terms: Mapping[str, str]) -> str | None:
        """Return the question in the other language, with `terms` as given, or None."""
        given = "\n".join(f"{word} -> {translation}" for word, translation in sorted(terms.items())) or "none"
        user = f"Terms:\n{given}\n\nQuestion:\n{text}"
        try:
            return str(self.model.ask(Prompt(_task(QUESTION_TASK, direction), user, QUESTION_SCHEMA)).value["question"])
        except ModelError:
            return None


def _task(text: str, direction: Direction) -> str:
    return text.format(source=NAMES[direction.source], target=NAMES[direction.target])
