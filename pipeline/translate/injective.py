"""One-to-one maps from translations that may not be: collisions are resolved, and reported."""

from collections.abc import Callable, Iterable, Mapping

from pipeline.translate.model import Collision, Kind


def one_to_one(
    kind: Kind,
    words: Iterable[str],
    wanted: Mapping[str, str],
    kept: Iterable[str] = (),
    fold: Callable[[str], str] = str,
) -> tuple[dict[str, str], list[Collision]]:
    """Return a map of those words that have a translation, no two of which become the same, and what collided.

    Words are taken in sorted order. The second word of a collision gets its own spelling behind the translation, and
    if even that is taken it stays as it is. Nothing becomes what another word is that stays.

    Args:
        kind: of the words, for the report.
        words: all that there are.
        wanted: translations of some of them.
        kept: words beside them that stay as they are.
        fold: what two words have in common that count as equal.

    >>> one_to_one(Kind.VALUE, ["Shanxi", "Shaanxi", "山西"], {"Shanxi": "山西", "Shaanxi": "陕西"})[0]
    {'Shaanxi': '陕西', 'Shanxi': '山西（Shanxi）'}
    """
    every = sorted(set(words))
    stay = {word for word in every if word not in wanted}
    while True:
        found, collisions, fallen = _assigned(kind, every, wanted, {*map(fold, stay), *map(fold, kept)}, stay, fold)
        if not fallen:
            return {word: became for word, became in found.items() if became != word}, collisions
        stay |= fallen


def _assigned(
    kind: Kind,
    every: Iterable[str],
    wanted: Mapping[str, str],
    taken: set[str],
    stay: set[str],
    fold: Callable[[str], str],
) -> tuple[dict[str, str], list[Collision], set[str]]:
    """Give each word that does not stay the first spelling that is free; also return the words that found none."""
    found: dict[str, str] = {}
    collisions = [Collision(kind, word, wanted[word], word) for word in sorted(stay) if word in wanted]
    for word in every:
        if word in stay:
            continue
        first = wanted[word]
        free = (text for text in (first, *_apart(kind, first, word)) if fold(text) not in taken and not _number(text))
        became = next(free, None)
        if became is None:
            return found, collisions, {word}
        if became != first:
            collisions.append(Collision(kind, word, first, became))
        taken.add(fold(became))
        found[word] = became
    return found, collisions, set()


def _apart(kind: Kind, text: str, word: str) -> list[str]:
    """Return longer spellings of a translation that tell its word."""
    if kind is not Kind.VALUE:
        return [f"{text}_{word}"]
    chinese = any("\u4e00" <= c <= "\u9fff" for c in text)
    return [f"{text}（{word}）" if chinese else f"{text} ({word})"]


def _number(text: str) -> bool:
    """Return whether a column of numbers would store the text as a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True
