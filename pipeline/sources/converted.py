"""A database of another kind as a SQLite file, made once: gold SQL is executed by SQLite alone."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from pipeline.errors import SourceError
from pipeline.sources.base import file_digest

Convert = Callable[[Path, sqlite3.Connection], None]
"""Fills an empty SQLite database from a file."""


def made_once(path: Path, convert: Convert, faults: tuple[type[Exception], ...]) -> Path:
    """Return the SQLite file of a file, made in `.sqlite/` beside it unless it is there.

    Raises:
        SourceError: the file cannot be read (one of `faults`), or nothing can be written beside it.
    """
    target = path.parent / ".sqlite" / f"{path.stem}-{file_digest(path)[:12]}" / f"{path.stem}.sqlite"
    if target.is_file():
        return target
    temporary = target.with_suffix(".tmp")
    expected: tuple[type[Exception], ...] = (sqlite3.Error, OSError, OverflowError, *faults)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary.unlink(missing_ok=True)
        with closing(sqlite3.connect(temporary)) as made, made:
            convert(path, made)
        temporary.replace(target)
    except expected as error:
        raise SourceError(f"{path.name}: cannot be read into SQLite ({error}); export it as a SQLite file") from error
    return target


def quoted(name: str) -> str:
    """Return an identifier in double quotes."""
    return '"' + name.replace('"', '""') + '"'
