"""The child process that reads a sheet of a workbook (XLSX): a small file may ask for more memory than there is.

Started by `sheets.read` only; limits are set before anything is read. Standard input is a line with the sheet's name
as JSON, and behind it the file; the answer is one JSON object.
"""

import io
import json
import re
import sys
import zipfile
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from python_calamine import CalamineError, CalamineWorkbook, WorksheetNotFound

from review_app.workspace.child import limit

MEMORY_BYTES = 2 << 30
MOST_UNPACKED = 200 << 20  # bytes; a small archive may claim to hold a disk full
CPU_SECONDS = 20
_ERROR_CELL = re.compile(rb"""<c\b[^>]*\st=["']e["']""")


def main() -> None:
    """Read the request from standard input, write the answer to standard output."""
    limit(memory=MEMORY_BYTES, cpu_seconds=CPU_SECONDS)
    name = json.loads(sys.stdin.buffer.readline())
    try:
        answer = _read(sys.stdin.buffer.read(), name)
    except (CalamineError, WorksheetNotFound, zipfile.BadZipFile, OSError) as error:
        answer = {"error": f"the file does not read as a workbook: {error}; save the sheet as CSV"}
    sys.stdout.write(json.dumps(answer))


def _read(data: bytes, name: str) -> dict[str, Any]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if sum(part.file_size for part in archive.infolist()) > MOST_UNPACKED:
            return {"error": "the workbook is too large; save the one sheet as CSV and upload that"}
    book = CalamineWorkbook.from_filelike(io.BytesIO(data))
    names = book.sheet_names
    if not names:
        return {"error": "the workbook has no sheet; save the table as CSV"}
    rows = book.get_sheet_by_name(name or names[0]).to_python(skip_empty_area=True)
    texts = [[_text(cell) for cell in row] for row in rows if any(cell != "" for cell in row)]
    return {"names": names, "rows": texts, "errors": _has_errors(data)}


def _has_errors(data: bytes) -> bool:
    """Whether a cell of any sheet holds an error (t="e", ECMA-376 part 1, 18.18.11): the reader gives it empty."""
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


if __name__ == "__main__":
    main()
