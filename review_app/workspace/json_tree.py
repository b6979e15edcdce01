"""A JSON document as a tree for a person: one place at a time, with as much below it as fits on a page."""

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from review_app.workspace.preview import MAX_JSON_BYTES, PreviewError

CHILDREN = 100  # of the place that is looked at; the rest is on its next pages
GRANDCHILDREN = 20
MAX_TEXT = 300


@dataclass(frozen=True)
class Node:
    """A value: its name in its parent, its kind, its text if it is plain, else how many values it holds.

    `children` are those that are shown; a value that holds more is opened to see them.
    """

    name: str
    kind: str
    text: str
    size: int
    children: tuple["Node", ...] = ()


@lru_cache(maxsize=2)
def document(path: Path) -> Any:
    """Return what a JSON or JSON Lines file holds; kept for a while, since files never change under their name.

    Raises:
        PreviewError: it is no JSON, or too large or too deep to be shown.
    """
    try:
        if path.stat().st_size > MAX_JSON_BYTES:
            raise PreviewError(f"the file has over {MAX_JSON_BYTES:,} bytes, too many to show; download it")
        return _parsed(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise PreviewError(f"the file does not read as JSON: {error}; download it") from error


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return [json.loads(line) for line in text.split("\n") if line.strip()]


def pointed(value: Any, pointer: str) -> Any:
    """Return the value at a JSON pointer (RFC 6901).

    Raises:
        LookupError: there is none, or the pointer does not begin with "/".
    """
    if not pointer:
        return value
    if not pointer.startswith("/"):
        raise LookupError(pointer)
    for part in pointer[1:].split("/"):
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list):
            if not name.isascii() or not name.isdigit() or len(name) > 12:
                raise LookupError(pointer)
            value = value[int(name)]
        elif isinstance(value, dict):
            value = value[name]
        else:
            raise LookupError(pointer)
    return value


def branch(value: Any, first: int = 0) -> Node:
    """Return a value with CHILDREN of its values from the place `first` on, and GRANDCHILDREN of each of theirs."""
    shown = _members(value, first, CHILDREN)
    return _node("", value, tuple(_node(name, one, _leaves(one)) for name, one in shown))


def _leaves(value: Any) -> tuple[Node, ...]:
    return tuple(_node(name, one, ()) for name, one in _members(value, 0, GRANDCHILDREN))


def _members(value: Any, first: int, count: int) -> list[tuple[str, Any]]:
    if isinstance(value, list):
        return [(str(first + place), one) for place, one in enumerate(value[first : first + count])]
    return list(value.items())[first : first + count] if isinstance(value, dict) else []


def _node(name: str, value: Any, children: tuple[Node, ...]) -> Node:
    if isinstance(value, dict | list):
        return Node(name, "object" if isinstance(value, dict) else "list", "", len(value), children)
    text = json.dumps(value, ensure_ascii=False)
    return Node(name, "value", text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…", 0)
