"""The child process that reads pages of PDFs. Started by `pdf` only, and stays.

A line of standard input is {what, path, page}; a line of standard output is {page}, or {error} with the
reason.
"""

import base64
import io
import json
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import astuple
from typing import Any

import pdfplumber
import pypdfium2
from pdfplumber.utils.exceptions import PdfminerException

from review_app.workspace.child import limit
from review_app.workspace.pdf_lines import lines_of
from review_app.workspace.preview import MAX_CELL, PreviewError

MEMORY_BYTES = 3 << 30
DOTS_PER_INCH = 110
MAX_PIXELS = 4_000  # of the longer side; a page may claim to be a mile wide


def main() -> None:
    """Answer until standard input ends."""
    limit(memory=MEMORY_BYTES)
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        try:
            said = {"page": READ[asked["what"]](asked["path"], asked["page"])}
        except PreviewError as error:
            said = {"error": str(error)}
        sys.stdout.write(json.dumps(said) + "\n")
        sys.stdout.flush()


def _image(path: str, number: int) -> str:
    """The page as PNG, in base 64."""
    with closing(_opened(path)) as document:
        page = _page(document, number)
        longest = max(page.get_size()) or 1
        scale = min(DOTS_PER_INCH / 72, MAX_PIXELS / longest)
        buffer = io.BytesIO()
        page.render(scale=scale).to_pil().save(buffer, "PNG")
    return base64.b64encode(buffer.getvalue()).decode()


def _text(path: str, number: int) -> str:
    with closing(_opened(path)) as document:
        return str(_page(document, number).get_textpage().get_text_range()).replace("\r\n", "\n")


def _lines(path: str, number: int) -> list[tuple[Any, ...]]:
    with closing(_opened(path)) as document:
        return [astuple(line) for line in lines_of(_page(document, number))]


def _tables(path: str, number: int) -> list[list[list[str]]]:
    """Each table as rows of cells."""
    try:
        with pdfplumber.open(path, pages=[number]) as document:
            found = [table for page in document.pages for table in page.extract_tables() if table]
    except (PdfminerException, OSError, ValueError) as error:
        raise PreviewError(f"the file does not read as PDF: {error}") from error
    return [[[(cell or "")[:MAX_CELL] for cell in row] for row in table] for table in found]


READ: dict[str, Callable[[str, int], Any]] = {"image": _image, "text": _text, "lines": _lines, "tables": _tables}


def _opened(path: str) -> pypdfium2.PdfDocument:
    try:
        return pypdfium2.PdfDocument(path)
    except (pypdfium2.PdfiumError, OSError) as error:
        raise PreviewError(f"the file does not read as PDF: {error}") from error


def _page(document: pypdfium2.PdfDocument, number: int) -> pypdfium2.PdfPage:
    if not 1 <= number <= len(document):
        raise PreviewError(f"the PDF has {len(document)} pages, there is no page {number}")
    return document[number - 1]


if __name__ == "__main__":
    main()
