"""Finished English sentences in Chinese: each is matched with the templates of a catalogue, and found again.

A template is an entry of the catalogue: English with named values, and the Chinese with the same. Matching takes time
in proportion to the sentence, whatever it holds, and the template with the most text of its own is asked first.
"""

import string
from dataclasses import dataclass
from pathlib import Path

from review_app.ui.words import ZH, catalogue

LONGEST = 20_000  # characters; a longer sentence quotes what nobody reads, and stays as it is
DEEPEST = 5  # sentences within sentences


@dataclass(frozen=True)
class Template:
    """One entry: the texts around the values (one more than there are values), the values' names, and the Chinese."""

    texts: tuple[str, ...]
    names: tuple[str, ...]
    chinese: str

    def values(self, sentence: str) -> dict[str, str] | None:
        """Return the values in a sentence, None if it is none of this template; each is as short as can be."""
        first, last = self.texts[0], self.texts[-1]
        if not self.names:
            return {} if sentence == first else None
        at, end = len(first), len(sentence) - len(last)
        if at > end or not sentence.startswith(first) or not sentence.endswith(last):
            return None
        found = []
        for text in self.texts[1:-1]:
            place = sentence.find(text, at, end)
            if place < 0:
                return None
            found.append(sentence[at:place])
            at = place + len(text)
        return dict(zip(self.names, [*found, sentence[at:end]], strict=True))


def template(english: str, chinese: str) -> Template:
    """Return an entry of the catalogue, ready to match."""
    texts, names = [""], []
    for text, name, _, _ in string.Formatter().parse(english):
        texts[-1] += text
        if name is not None:
            names.append(name)
            texts.append("")
    return Template(tuple(texts), tuple(names), chinese)


class Sentences:
    """The templates of one catalogue, by context; sentences stand under the empty one.

    What a value is, its name tells: a sentence itself, a member of one of our enums (named in the catalogue of the
    screens), or a list of some with a text between. A value named as a context is translated by the entries of that
    context; all others stay as they are.
    """

    def __init__(self, path: Path, sentences: frozenset[str], members: frozenset[str], lists: dict[str, str]) -> None:
        self._sentences, self._members, self._lists = sentences, members, lists
        self._templates = _read(path)

    def chinese(self, text: str) -> str:
        """Return a sentence in Chinese; one that no template gives as it is."""
        return text if len(text) > LONGEST else self._said(text, "", DEEPEST)

    def _said(self, text: str, context: str, depth: int) -> str:
        for one in self._templates[context] if depth else ():
            values = one.values(text)
            if values is not None:
                said = {name: self._value(name, value, depth - 1) for name, value in values.items()}
                return one.chinese.format(**said)
        return text

    def _value(self, name: str, value: str, depth: int) -> str:
        if name in self._lists:
            return "、".join(self._one(name, item, depth) for item in self._items(name, value))
        return self._one(name, value, depth)

    def _one(self, name: str, value: str, depth: int) -> str:
        if name in self._members:
            return ZH.get(value.strip("'"), value)
        if name in self._sentences:
            return self._said(value, "", depth)
        return self._said(value, name, depth) if name in self._templates else value

    def _items(self, name: str, value: str) -> list[str]:
        """Take a list apart. What stands between may stand in an item too: one begins where an entry matches."""
        entries = self._templates.get(name, ())
        items: list[str] = []
        for part in value.split(self._lists[name]):
            if items and entries and all(one.values(part) is None for one in entries):
                items[-1] += self._lists[name] + part
            else:
                items.append(part)
        return items


def _read(path: Path) -> dict[str, tuple[Template, ...]]:
    """All templates by context, those with the most text of their own first."""
    found: dict[str, list[Template]] = {}
    for message in catalogue(path):
        if message.id:
            found.setdefault(message.context or "", []).append(template(str(message.id), str(message.string)))
    return {
        context: tuple(sorted(entries, key=lambda one: (-sum(map(len, one.texts)), one.texts)))
        for context, entries in found.items()
    }
