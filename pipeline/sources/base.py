"""What every source gives: entries in order, the path of a database, and column descriptions."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pipeline.content import BadEntry, Instance, Reason
from pipeline.names import is_safe_component


@dataclass(frozen=True)
class ColumnNote:
    """What a source says about a column: its long name, its meaning, and what its values mean."""

    column: str
    long_name: str
    meaning: str
    values: str


Notes = dict[str, tuple[ColumnNote, ...]]
"""Column notes by table name, as the source spells it."""


class Source(Protocol):
    """A folder of text-to-SQL questions with their databases."""

    @property
    def corpus(self) -> str:
        """The name of the source: that of its folder."""

    @property
    def layout(self) -> str:
        """Which layout it has, in one word: `corpora`, `spider`, `bull` and so on."""

    def entries(self) -> Sequence[Instance | BadEntry]:
        """Return all instances in the order of the file, with a BadEntry where a line holds none."""

    def database(self, name: str) -> Path:
        """Return where the database should lie. The name is safe; the file may be missing."""

    def notes(self, name: str) -> Notes:
        """Return what the source says about the columns of a database; empty if nothing."""

    def digests(self) -> dict[str, str]:
        """Return the SHA-256 of each file of questions, by its name."""


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal digits."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def checked(instance: Instance, where: str) -> Instance | BadEntry:
    """Return the instance, or a BadEntry if its texts cannot be stored or its database name is a path."""
    if not is_safe_component(instance.db):
        message = f"{where}: the database name {instance.db!r} is no plain file name; rename the database"
        return BadEntry(instance.id, Reason.UNSAFE_NAME, message, instance.db)
    texts = (instance.id, instance.question, instance.sql, instance.evidence, instance.pair or "", *instance.tags)
    if any(not _is_text(text) for text in texts):
        message = f"{where}: a text holds half a surrogate pair; write the line again as UTF-8"
        return BadEntry(repr(instance.id), Reason.UNREADABLE_LINE, message)
    return instance


def language_of(question: str) -> str:
    """Return `zh` for a question with Chinese characters, else `en`; for sources that do not say."""
    return "zh" if any("\u4e00" <= c <= "\u9fff" for c in question) else "en"


def _is_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
