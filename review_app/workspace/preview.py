"""Read a text file of a workspace for a person: bounded, and as plain text. Nothing here trusts the file."""

import codecs
from dataclasses import dataclass
from pathlib import Path

MAX_CELL = 500
MAX_TEXT = 400_000
MAX_JSON_BYTES = 64 * 1024 * 1024
LOOKED_AT = 64_000  # bytes from which an encoding is guessed


class PreviewError(Exception):
    """The file cannot be shown; the message says why. It can still be downloaded."""


@dataclass(frozen=True)
class TablePage:
    """Some rows of a table. `first` counts from 0; `total` is the number of rows, None if it was not counted."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    first: int
    total: int | None


def _encoding(path: Path) -> str:
    with path.open("rb") as stream:
        start = stream.read(LOOKED_AT)
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            # the last character may be cut in the middle
            codecs.getincrementaldecoder(encoding)().decode(start, final=len(start) < LOOKED_AT)
        except UnicodeDecodeError:
            continue
        return encoding
    return "latin-1"


def text_of(path: Path) -> str:
    """Return the beginning of a text file, at most MAX_TEXT characters.

    Raises:
        PreviewError: the file cannot be read.
    """
    try:
        with path.open(encoding=_encoding(path), errors="replace") as stream:
            return stream.read(MAX_TEXT)
    except OSError as error:
        raise PreviewError(f"the file cannot be read: {error.strerror}") from error


def markdown_without_images(text: str) -> str:
    """Return Markdown in which images are plain text, so that nothing remote is ever loaded.

    Every `![` is broken up, whatever follows: inline, reference and nested forms alike.
    """
    return text.replace("![", "!\\[")
