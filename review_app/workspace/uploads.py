"""Turn what an expert uploads or pastes into a table, and say what was guessed. Cells stay text, always."""

import csv
import io
import itertools
import re
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum

from evaluator.errors import EvaluatorError
from evaluator.tables import MAX_BYTES, MAX_COLUMNS, MAX_ROWS, Table, parse_table, to_csv
from review_app.workspace import json_rows, sheets
from review_app.workspace.csv_limits import allow_long_cells

DELIMITERS = {",": "comma", "\t": "tab", ";": "semicolon", "|": "bar"}
LOOKED_AT = 50  # rows from which the delimiter is guessed
_FORMULA = ("=", "+", "-", "@")
_NULL_WORDS = frozenset(("null", "none", "nan", "nat", "<na>", "n/a"))
_CODE = re.compile(r"0\d+")
_LOCAL_DATE = re.compile(
    r"\d{4}[/.年]\d{1,2}[/.月]\d{1,2}日?|\d{1,2}[/.]\d{1,2}[/.]\d{4}|\d{4}-\d-\d{1,2}|\d{4}-\d{2}-\d"
)


class UploadError(Exception):
    """The bytes give no table; the message names the place and the remedy."""


class Encoding(StrEnum):
    """Encodings that can be chosen for an upload."""

    UTF8 = "utf-8"
    UTF16 = "utf-16"
    GB18030 = "gb18030"
    BIG5 = "big5"
    SHIFT_JIS = "shift_jis"
    CP1252 = "cp1252"


class Note(StrEnum):
    """What a person should look at before accepting the parsed table."""

    BOM = "A byte order mark was removed."
    NOT_UTF8 = "The file is not UTF-8; check that the characters read right."
    DELIMITER = "The cells are not separated by commas."
    BLANK_LINES = "Blank lines were left out."
    FORMULA = "Some cells look like formulas; they are kept as text."
    GROUPED = "Some numbers have thousands separators; they are kept as written."
    BLANKS = "Some cells begin or end with blanks; they are kept."
    NO_ROWS = "The table has a header and no rows."
    EMPTY = "Some cells are empty: the comparison reads them as missing values."
    NULL_WORDS = "Some cells hold a word like null or NaN: a missing value, except in text columns, where it is a word."
    LEADING_ZEROS = "Some codes begin with zeros; they are kept as text."
    PERCENT = "Some numbers carry a % sign; they are kept as written."
    LOCAL_DATES = "Some dates are not written as 2024-01-31; the comparison cannot read them as dates."
    JSON_NULL = "Missing values of the JSON file became empty cells."
    SHEET = "Cells of the sheet are taken as they are stored: dates as 2024-01-31, numbers without their format."
    SHEET_ERRORS = "Some cells of the workbook hold an error like #DIV/0!; they came as empty cells."


@dataclass(frozen=True)
class Parsed:
    """A table as understood, with the guesses behind it.

    `encoding` is None for a sheet, `delimiter` empty for sheets and JSON. `sheets` names the sheets
    of a workbook, the one that was read first.
    """

    table: Table
    encoding: Encoding | None
    delimiter: str
    notes: tuple[Note, ...]
    sheets: tuple[str, ...] = ()


def parse_upload(data: bytes, encoding: Encoding | None = None, sheet: str = "") -> Parsed:
    """Return the table in an uploaded CSV, TSV, XLSX or JSON file; its beginning tells which it is.

    Args:
        data: the file as it came.
        encoding: what the person chose; None to guess: BOM, NULs of UTF-16, UTF-8, GB18030, Windows-1252.
        sheet: of a workbook, the sheet to read; empty for the first.

    Raises:
        UploadError: empty, too large, no table, ragged, or beyond the limits of an answer.
    """
    if len(data) > MAX_BYTES:
        raise UploadError(f"the file has {len(data):,} bytes; an answer may have {MAX_BYTES:,}. Upload fewer rows")
    if not data.strip():
        raise UploadError("the file is empty; save the table again and upload it")
    if data.startswith(sheets.MAGIC):
        return _from_sheet(data, sheet)
    found = encoding or guess_encoding(data)
    try:
        text = data.decode(_codec(data, found))
    except UnicodeError as error:
        raise UploadError(f"the file does not read as {found.value}; choose another encoding") from error
    notes = [Note.BOM] if text.startswith("\ufeff") or data.startswith(b"\xef\xbb\xbf") else []
    notes += [Note.NOT_UTF8] if found is not Encoding.UTF8 else []
    text = text.removeprefix("\ufeff")
    if text.lstrip()[:1] in ("[", "{"):
        return _from_json_or_csv(text, found, notes)
    return _parse(text, found, notes)


def parse_paste(text: str) -> Parsed:
    """Return the table in pasted text: cells by tab (a spreadsheet's clipboard), comma, semicolon or bar.

    Raises:
        UploadError: as for `parse_upload`.
    """
    if not text.strip():
        raise UploadError("nothing was pasted; copy the table with its header row and paste it here")
    if len(text) > MAX_BYTES:
        raise UploadError(f"{len(text):,} characters were pasted; upload a table of this size as a file")
    return _parse(text.removeprefix("\ufeff"), Encoding.UTF8, [])


def _from_sheet(data: bytes, name: str) -> Parsed:
    try:
        sheet = sheets.read(data, name)
    except sheets.SheetError as error:
        raise UploadError(str(error)) from error
    if not sheet.rows:
        raise UploadError("the sheet is empty; choose another one, or save the table again")
    table = _checked(sheet.rows[0], list(enumerate(sheet.rows[1:], start=2)), ",")
    errors = (Note.SHEET_ERRORS,) if sheet.errors else ()
    return Parsed(table, None, "", (Note.SHEET, *errors, *_look(table, ",")), sheet.names)


def _from_json_or_csv(text: str, encoding: Encoding, notes: list[Note]) -> Parsed:
    """JSON; or a CSV whose header begins with a bracket, if it reads as one with rows."""
    try:
        header, rows, nulls = json_rows.read(text)
    except json_rows.NotJson as error:
        with suppress(UploadError):
            parsed = _parse(text, encoding, notes)
            if parsed.table.rows:
                return parsed
        raise UploadError(str(error)) from error
    except json_rows.JsonError as error:
        raise UploadError(str(error)) from error
    table = _checked(header, list(enumerate(rows, start=2)), ",")
    missing = (Note.JSON_NULL,) if nulls else ()
    return Parsed(table, encoding, "", (*notes, *missing, *_look(table, ",")))


def table_from_cells(header: list[str], rows: list[list[str]]) -> Table:
    """Return the table that was typed into a grid; rows without any text are left out.

    Raises:
        UploadError: it breaks the limits of an answer.
    """
    return _checked(header, [(number, row) for number, row in enumerate(rows, start=2) if any(row)], ",")


def guess_encoding(data: bytes) -> Encoding:
    """Return the likeliest encoding; a person confirms it by looking at the preview."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or data[:4000].count(0) > len(data[:4000]) // 4:
        return Encoding.UTF16
    for encoding in (Encoding.UTF8, Encoding.GB18030):
        try:
            data.decode(encoding.value)
        except UnicodeDecodeError:
            continue
        return encoding
    return Encoding.CP1252


def _codec(data: bytes, encoding: Encoding) -> str:
    if encoding is Encoding.UTF8:
        return "utf-8-sig"
    # Without a mark Python takes the order of its machine; the NULs of Latin letters tell the order of the file.
    high_first = data[:4000:2].count(0) > data[1:4000:2].count(0)
    if encoding is Encoding.UTF16 and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16-be" if high_first else "utf-16-le"
    return encoding.value


def _parse(text: str, encoding: Encoding, notes: list[Note]) -> Parsed:
    if not text.strip():
        raise UploadError("there are only blanks; the first line names the columns, each further line is a row")
    allow_long_cells()
    delimiter = _delimiter(text)
    rows = _rows(text, delimiter)
    if rows[-1][0] != len(rows):
        notes = [*notes, Note.BLANK_LINES]
    table = _checked(rows[0][1], rows[1:], delimiter)
    return Parsed(table, encoding, delimiter, (*notes, *_look(table, delimiter)))


def _rows(text: str, delimiter: str) -> list[tuple[int, list[str]]]:
    """Each row that is no blank line, with its number in the file; one row more than allowed is enough to refuse."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    filled = ((number, row) for number, row in enumerate(reader, start=1) if row)
    try:
        return list(itertools.islice(filled, MAX_ROWS + 2))
    except csv.Error as error:
        raise UploadError(
            f"line {reader.line_num} does not read as a table: {error}; check the double quotes there and above"
        ) from error


def _delimiter(text: str) -> str:
    """The mark that splits the first rows evenly into the most columns; if none does, the one that splits the header.

    Tabs come first: they hardly ever stand inside cells, commas do. A table that is ragged under every mark is
    refused later, under the mark of its header: as a table of one column it would be taken without a word.
    """
    widths = {mark: _widths(text, mark) for mark in DELIMITERS}
    even = {mark: found[0] if len(set(found)) == 1 else 0 for mark, found in widths.items()}
    if even["\t"] > 1:
        return "\t"
    if max(even.values()) > 1:
        return max(even, key=lambda mark: even[mark])
    return max(widths, key=lambda mark: widths[mark][:1])


def _widths(text: str, delimiter: str) -> list[int]:
    """How many cells each of the first rows has; nothing if they do not read."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        return [len(row) for row in itertools.islice(filter(None, reader), LOOKED_AT)]
    except csv.Error:
        return []


def _checked(header: list[str], rows: list[tuple[int, list[str]]], delimiter: str) -> Table:
    """The table, within the limits of an answer. Rows come with their numbers, for the message."""
    if len(rows) > MAX_ROWS:
        raise UploadError(f"the table has more than {MAX_ROWS:,} rows, the most an answer may have; upload fewer rows")
    if len(header) > MAX_COLUMNS:
        raise UploadError(
            f"the table has {len(header)} columns, an answer may have {MAX_COLUMNS}; keep those that were asked for"
        )
    for number, row in rows:
        if len(row) != len(header):
            raise UploadError(
                f"row {number} has {len(row)} cells, the header has {len(header)}; give every row a cell for each "
                f"column, and put cells that hold a {DELIMITERS[delimiter]} in double quotes"
            )
    table = Table(tuple(header), tuple(tuple(row) for _, row in rows))
    try:
        return parse_table(to_csv(table))
    except (EvaluatorError, UnicodeEncodeError) as error:
        raise UploadError(f"the table is no valid answer: {error}") from error


@dataclass(frozen=True)
class Gap:
    """How many cells of a column are empty, and how many hold a word for nothing; `word` is the first of these."""

    empty: int
    words: int
    word: str


def gaps(table: Table) -> tuple[Gap, ...]:
    """Return the gaps of each column: what is missing, and what only says so, are two things in a text column."""
    return tuple(_gap([row[place] for row in table.rows]) for place in range(len(table.header)))


def _gap(cells: list[str]) -> Gap:
    words = [cell for cell in cells if cell.strip().casefold() in _NULL_WORDS]
    return Gap(sum(not cell for cell in cells), len(words), words[0].strip() if words else "")


def _look(table: Table, delimiter: str) -> list[Note]:
    cells = [cell for row in table.rows for cell in row if cell]
    seen = {
        Note.DELIMITER: delimiter != ",",
        Note.FORMULA: any(cell[1:] and cell.startswith(_FORMULA) and not _numeric(cell) for cell in cells),
        Note.GROUPED: any("," in cell and _numeric(cell) for cell in cells),
        Note.BLANKS: any(cell != cell.strip() for cell in cells),
        Note.NO_ROWS: not table.rows,
        Note.EMPTY: len(cells) < len(table.rows) * len(table.header),
        Note.NULL_WORDS: any(cell.strip().casefold() in _NULL_WORDS for cell in cells),
        Note.LEADING_ZEROS: any(_CODE.fullmatch(cell) for cell in cells),
        Note.PERCENT: any(cell.endswith("%") and _numeric(cell) for cell in cells),
        Note.LOCAL_DATES: any(_LOCAL_DATE.fullmatch(cell.strip()) for cell in cells),
    }
    return [note for note, present in seen.items() if present]


def _numeric(cell: str) -> bool:
    try:
        float(cell.replace(",", "").rstrip("%"))
    except ValueError:
        return False
    return True
