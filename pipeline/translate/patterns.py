"""LIKE in the other language: a pattern is translated only if it still finds exactly the same rows."""

import re
from collections.abc import Callable, Iterable, Mapping


def translated_pattern(
    pattern: str, texts: Iterable[str], values: Mapping[str, str], word: Callable[[str], str | None]
) -> str | None:
    """Return a pattern that matches the translation of a text exactly where the old one matches the text, or None.

    Tried are the pattern as it is, and its words translated between the same wildcards.

    >>> translated_pattern("%Asia", ["East Asia", "Africa"], {"East Asia": "东亚"}, {"Asia": "亚"}.get)
    '%亚'
    """
    core = pattern.strip("%")
    other = values.get(core) or word(core)
    tried = [pattern] if other is None else [pattern.replace(core, other), pattern]
    every = list(texts)
    return next((new for new in tried if all(_like(pattern, t) == _like(new, values.get(t, t)) for t in every)), None)


def _like(pattern: str, text: str) -> bool:
    """Return what SQLite's LIKE says: ASCII letters in any case, `%` and `_` as wildcards."""
    parts = (".*" if c == "%" else "." if c == "_" else re.escape(c) for c in pattern)
    return re.fullmatch("".join(parts), text, re.DOTALL | re.IGNORECASE | re.ASCII) is not None
