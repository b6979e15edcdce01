"""What the readers of downloads have in common: a JSON list, its fields, and where databases usually lie."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pipeline.content import BadEntry, Reason
from pipeline.errors import SourceError

_FOLDERS = ("database", "databases", "dev_databases", "train_databases", "test_database", "db", "")
_SUFFIXES = (".sqlite", ".db", ".sqlite3")


def read_list(path: Path) -> list[Any]:
    """Return the JSON list in a file. Raises SourceError, naming the file and the remedy."""
    try:
        content = json.loads(path.read_bytes().decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{path.name}: no JSON ({error}); download the file again") from error
    if not isinstance(content, list):
        raise SourceError(f"{path.name}: holds no JSON list; name the file with the questions")
    return content


def first_object(path: Path) -> dict[str, Any]:
    """Return the first JSON object of a list, by whose fields a layout is told; empty if there is none."""
    return next((entry for entry in read_list(path) if isinstance(entry, dict)), {})


def text_of(value: object) -> str:
    """Return a text without blanks around it; empty for anything that is no text."""
    return value.strip() if isinstance(value, str) else ""


def problem_of(fields: object, required: Sequence[str]) -> str:
    """Return why an element of a list holds no question, with the remedy; empty if it does."""
    if not isinstance(fields, dict):
        return "the entry is no JSON object; correct or delete it"
    for key in required:
        if not text_of(fields.get(key)):
            return f"the field {key!r} is missing, empty or no text; add it"
    return ""


def bad_entry(place: str, where: str, problem: str, fields: object) -> BadEntry:
    """Return the entry for a place that cannot be read, with the start of what stands there."""
    return BadEntry(place, Reason.UNREADABLE_LINE, f"{where}: {problem}", repr(fields)[:200])


def find_database(roots: Sequence[Path], name: str, folders: Sequence[str] = _FOLDERS) -> Path:
    """Return the database of this name in whichever of the usual folders it lies, else the first such place."""
    places = [
        place / f"{name}{suffix}"
        for root in roots
        for folder in folders
        for place in (root / folder / name, root / folder)
        for suffix in _SUFFIXES
    ]
    return next((place for place in places if place.is_file()), places[0])
