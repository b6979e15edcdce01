"""Pages of a PDF for a person: picture, text, tables. The file is not trusted: it is read in a process of its own.

One process serves all pages of all people, so that a page takes milliseconds. One that dies or takes too long is
replaced, and says so for the page that it was asked for.
"""

import io
import multiprocessing
import resource
import threading
from collections.abc import Callable
from contextlib import closing
from multiprocessing.pool import Pool
from pathlib import Path
from typing import TypeVar

import pdfplumber
import pypdfium2
from pdfplumber.utils.exceptions import PdfminerException

from review_app.workspace.pdf_lines import Line, lines_of
from review_app.workspace.preview import MAX_CELL, PreviewError, TablePage

Answer = TypeVar("Answer")
SECONDS = 10
MEMORY_BYTES = 3 << 30
DOTS_PER_INCH = 110
MAX_PIXELS = 4_000  # of the longer side; a page may claim to be a mile wide


def page_image(path: Path, number: int) -> bytes:
    """Return one page, counted from 1, as PNG.

    Raises:
        PreviewError: the file is no readable PDF, has no such page, or took too long.
    """
    return _asked(_image, path, number)


def page_text(path: Path, number: int) -> str:
    """Return the text of one page; errors as in `page_image`."""
    return _asked(_text, path, number)


def page_lines(path: Path, number: int) -> tuple[Line, ...]:
    """Return the lines of one page with their places on its picture; errors as in `page_image`."""
    return _asked(_lines, path, number)


def page_tables(path: Path, number: int) -> tuple[TablePage, ...]:
    """Return the tables that are found on one page; errors as in `page_image`."""
    return _asked(_tables, path, number)


class _Reader:
    """The process that reads, started at the first question."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pool: Pool | None = None

    def pool(self) -> Pool:
        with self._lock:
            if self._pool is None:
                self._pool = multiprocessing.get_context("spawn").Pool(1, _limit)
            return self._pool

    def replace(self, broken: Pool) -> None:
        with self._lock:
            if self._pool is broken:
                self._pool = None
        broken.terminate()


_READER = _Reader()


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def _asked(what: Callable[[str, int], Answer], path: Path, number: int) -> Answer:
    pool = _READER.pool()
    try:
        return pool.apply_async(what, (str(path), number)).get(SECONDS)
    except multiprocessing.TimeoutError as error:  # hung, or dead: a pool does not tell
        _READER.replace(pool)
        raise PreviewError(f"page {number} could not be read within {SECONDS} seconds; download the file") from error


def _image(path: str, number: int) -> bytes:
    with closing(_opened(path)) as document:
        page = _page(document, number)
        longest = max(page.get_size()) or 1
        scale = min(DOTS_PER_INCH / 72, MAX_PIXELS / longest)
        buffer = io.BytesIO()
        page.render(scale=scale).to_pil().save(buffer, "PNG")
    return buffer.getvalue()


def _text(path: str, number: int) -> str:
    with closing(_opened(path)) as document:
        return str(_page(document, number).get_textpage().get_text_range()).replace("\r\n", "\n")


def _lines(path: str, number: int) -> tuple[Line, ...]:
    with closing(_opened(path)) as document:
        return lines_of(_page(document, number))


def _opened(path: str) -> pypdfium2.PdfDocument:
    try:
        return pypdfium2.PdfDocument(path)
    except (pypdfium2.PdfiumError, OSError) as error:
        raise PreviewError(f"the file does not read as PDF: {error}") from error


def _page(document: pypdfium2.PdfDocument, number: int) -> pypdfium2.PdfPage:
    if not 1 <= number <= len(document):
        raise PreviewError(f"the PDF has {len(document)} pages, there is no page {number}")
    return document[number - 1]


def _tables(path: str, number: int) -> tuple[TablePage, ...]:
    try:
        with pdfplumber.open(path, pages=[number]) as document:
            found = [table for page in document.pages for table in page.extract_tables() if table]
    except (PdfminerException, OSError, ValueError) as error:
        raise PreviewError(f"the file does not read as PDF: {error}") from error
    return tuple(_table(rows) for rows in found)


def _table(rows: list[list[str | None]]) -> TablePage:
    cells = [tuple((cell or "")[:MAX_CELL] for cell in row) for row in rows]
    return TablePage(cells[0], tuple(cells[1:]), 0, len(cells) - 1)
