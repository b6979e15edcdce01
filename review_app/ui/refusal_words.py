"""The Chinese of refusals. Below the screens they are finished English sentences; here each finds its template again.

A template is an entry of `refusals.po`: English with named values, and the Chinese with the same. Matching takes time
in proportion to the sentence, whatever it holds, and the template with the most text of its own is asked first.
"""

import string
from dataclasses import dataclass

from review_app.ui.words import FOLDER, ZH, catalogue

CATALOGUE = FOLDER / "refusals.po"
LONGEST = 20_000  # characters; a longer sentence quotes what nobody reads, and stays as it is
DEEPEST = 5  # refusals within refusals
# What a value is, by its name: a refusal itself, a member of one of our enums, or a list of some with this between.
# Values named as a context of the catalogue are translated by its entries; all others stay as they are.
SENTENCES = frozenset({"error", "forms", "problem", "reason"})
MEMBERS = frozenset({"part", "role", "state", "states", "type", "verdict"})
LISTS = {"states": " or ", "fields": ", "}


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


def _read() -> dict[str, tuple[Template, ...]]:
    """All templates by context, sentences under the empty one; those with the most text of their own first."""
    found: dict[str, list[Template]] = {}
    for message in catalogue(CATALOGUE):
        if message.id:
            found.setdefault(message.context or "", []).append(template(str(message.id), str(message.string)))
    return {
        context: tuple(sorted(entries, key=lambda one: (-sum(map(len, one.texts)), one.texts)))
        for context, entries in found.items()
    }


_TEMPLATES = _read()


def chinese(sentence: str) -> str:
    """Return an English refusal in Chinese; one that is no sentence of ours as it is."""
    return sentence if len(sentence) > LONGEST else _said(sentence, "", DEEPEST)


def _said(text: str, context: str, depth: int) -> str:
    for one in _TEMPLATES[context] if depth else ():
        values = one.values(text)
        if values is not None:
            said = {name: _value(name, value, depth - 1) for name, value in values.items()}
            return one.chinese.format(**said)
    return text


def _value(name: str, value: str, depth: int) -> str:
    if name in LISTS:
        return "、".join(_one(name, item, depth) for item in _items(name, value))
    return _one(name, value, depth)


def _one(name: str, value: str, depth: int) -> str:
    if name in MEMBERS:
        return ZH.get(value.strip("'"), value)
    if name in SENTENCES:
        return _said(value, "", depth)
    return _said(value, name, depth) if name in _TEMPLATES else value


def _items(name: str, value: str) -> list[str]:
    """Take a list apart. A comma may stand in a column's name too: an item begins where an entry matches."""
    items: list[str] = []
    for part in value.split(LISTS[name]):
        if items and name in _TEMPLATES and all(one.values(part) is None for one in _TEMPLATES[name]):
            items[-1] += LISTS[name] + part
        else:
            items.append(part)
    return items
