"""Read a sheet of a workbook (XLSX) as texts: what is stored in the cells, formulas by their last result."""

import json
from dataclasses import dataclass

from review_app.workspace.child import ChildFailed, asked

MAGIC = b"PK\x03\x04"
SECONDS = 30


class SheetError(Exception):
    """The bytes hold no sheet that can be read; the message says what to do."""


@dataclass(frozen=True)
class Sheet:
    """The names of all sheets, the rows of one without blank rows, and whether a cell of the workbook is an error."""

    names: tuple[str, ...]
    rows: list[list[str]]
    errors: bool


def read(data: bytes, sheet: str = "") -> Sheet:
    """Return one sheet (empty: the first), read in a child process with limits.

    Whole numbers lose their ".0", dates and times are written by ISO 8601, truth values as true and false.

    Raises:
        SheetError: no workbook, no such sheet, or more than fits into the limits of time and memory.
    """
    try:
        answer = asked("sheet_child", json.dumps(sheet).encode() + b"\n" + data, SECONDS)
    except ChildFailed as error:
        raise SheetError("the workbook is too large; save the cells of the table as CSV and upload that") from error
    if "error" in answer:
        raise SheetError(answer["error"])
    return Sheet(tuple(answer["names"]), answer["rows"], answer["errors"])
