"""Pages of a PDF for a person: picture, text, tables. The file is not trusted: it is read in a process of its own.

One process serves all pages of all people, so that a page takes milliseconds. One that dies or takes too long is
replaced, and says so for the page that it was asked for.
"""

import base64
from pathlib import Path
from typing import Any

from review_app.workspace.child import ChildFailed, Serving
from review_app.workspace.pdf_lines import Line
from review_app.workspace.preview import PreviewError, TablePage

SECONDS = 10
_READER = Serving("pdf_child")


def page_image(path: Path, number: int) -> bytes:
    """Return one page, counted from 1, as PNG.

    Raises:
        PreviewError: the file is no readable PDF, has no such page, or took too long.
    """
    return base64.b64decode(_asked("image", path, number))


def page_text(path: Path, number: int) -> str:
    """Return the text of one page; errors as in `page_image`."""
    return str(_asked("text", path, number))


def page_lines(path: Path, number: int) -> tuple[Line, ...]:
    """Return the lines of one page with their places on its picture; errors as in `page_image`."""
    return tuple(Line(*parts) for parts in _asked("lines", path, number))


def page_tables(path: Path, number: int) -> tuple[TablePage, ...]:
    """Return the tables that are found on one page; errors as in `page_image`."""
    tables = [[tuple(row) for row in table] for table in _asked("tables", path, number)]
    return tuple(TablePage(rows[0], tuple(rows[1:]), 0, len(rows) - 1) for rows in tables)


def _asked(what: str, path: Path, number: int) -> Any:
    try:
        answer = _READER.asked({"what": what, "path": str(path), "page": number}, SECONDS)
    except ChildFailed as error:
        raise PreviewError(f"page {number} could not be read within {SECONDS} seconds; download the file") from error
    if "error" in answer:
        raise PreviewError(answer["error"])
    return answer["page"]
