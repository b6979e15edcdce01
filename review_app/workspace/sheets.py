"""Read a sheet of a workbook (XLSX) as texts: what is stored in the cells, formulas by their last result."""

import functools
import io
import re
import zipfile
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from python_calamine import CalamineError, CalamineWorkbook, WorksheetNotFound

MAGIC = b"PK\x03\x04"
_ERROR_CELL = re.compile(rb"""<c\b[^>]*\st=["']e["']""")
_ROW = re.compile(rb"""\sr=["'][A-Za-z]{0,3}(\d{1,7})["']""")
_COLUMN = re.compile(rb"""\sr=["']([A-Za-z]{1,3})\d{1,7}["']""")
MOST_CELLS = 20_000_000
MOST_UNPACKED = 200 * 1024 * 1024  # bytes; a small archive may claim to hold a disk full


class SheetError(Exception):
    """The bytes hold no sheet that can be read; the message says what to do."""


def read(data: bytes, sheet: str = "") -> tuple[tuple[str, ...], list[list[str]]]:
    """Return the names of all sheets and the rows of one (empty: the first) as texts, without blank rows.

    Whole numbers lose their ".0", dates and times are written by ISO 8601, truth values as true and false.

    Raises:
        SheetError: no workbook, no such sheet, or too large.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            unpacked = sum(part.file_size for part in archive.infolist())
        if unpacked > MOST_UNPACKED:
            raise SheetError("the workbook is too large; save the one sheet as CSV and upload that")
        if _cells_spanned(data) > MOST_CELLS:
            raise SheetError("the sheet spans too many cells; save the cells of the table as CSV and upload that")
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        names = tuple(book.sheet_names)
        if not names:
            raise SheetError("the workbook has no sheet")
        rows = book.get_sheet_by_name(sheet or names[0]).to_python(skip_empty_area=True)
    except (CalamineError, WorksheetNotFound, zipfile.BadZipFile, OSError) as error:
        raise SheetError(f"the file does not read as a workbook: {error}; save the sheet as CSV") from error
    return names, [[_text(cell) for cell in row] for row in rows if any(cell != "" for cell in row)]


def _cells_spanned(data: bytes) -> int:
    """The most cells that a sheet spans from A1: the reader makes room for all of them, also for empty ones."""
    most = 0
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in archive.namelist():
            if name.startswith("xl/worksheets/") and name.endswith(".xml"):
                content = archive.read(name)
                rows = max((int(found) for found in _ROW.findall(content)), default=1)
                columns = max((_column(found) for found in set(_COLUMN.findall(content))), default=1)
                most = max(most, rows * columns)
    return most


def _column(letters: bytes) -> int:
    return functools.reduce(lambda number, letter: number * 26 + letter - 64, letters.upper(), 0)


def has_errors(data: bytes) -> bool:
    """Return whether a cell of any sheet of the workbook, as `read` took it, holds an error (ECMA-376: t="e")."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = [name for name in archive.namelist() if name.startswith("xl/worksheets/") and name.endswith(".xml")]
        return any(_ERROR_CELL.search(archive.read(name)) for name in parts)


def _text(cell: Any) -> str:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 2**53 else _number(cell)
    if isinstance(cell, datetime):
        midnight = cell.time() == time()
        return cell.date().isoformat() if midnight else cell.isoformat(sep=" ")
    if isinstance(cell, date | time):
        return cell.isoformat()
    if isinstance(cell, timedelta):
        return str(cell)
    return str(cell)


def _number(value: float) -> str:
    """Without an exponent, as a spreadsheet shows it: the shortest digits that give the number back."""
    return format(Decimal(repr(value)), "f")
