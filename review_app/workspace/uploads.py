"""Turn what an expert uploads or pastes into a table, and say what was guessed. Cells stay text, always."""

import csv
import io
from dataclasses import dataclass
from enum import StrEnum

from evaluator.errors import EvaluatorError
from evaluator.tables import MAX_BYTES, MAX_COLUMNS, MAX_ROWS, Table, parse_table, to_csv

DELIMITERS = (",", "\t", ";", "|")
_FORMULA = ("=", "+", "-", "@")


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


@dataclass(frozen=True)
class Parsed:
    """A table as understood, with the guesses behind it."""

    table: Table
    encoding: Encoding
    delimiter: str
    notes: tuple[Note, ...]


def parse_upload(data: bytes, encoding: Encoding | None = None) -> Parsed:
    """Return the table in an uploaded CSV or TSV file.

    Args:
        data: the file as it came.
        encoding: what the person chose; None to guess: BOM, NULs of UTF-16, UTF-8, GB18030, Windows-1252.

    Raises:
        UploadError: empty, too large, not text, ragged, or beyond the limits of an answer.
    """
    if len(data) > MAX_BYTES:
        raise UploadError(f"the file has {len(data):,} bytes; an answer may have {MAX_BYTES:,}. Upload fewer rows")
    if not data.strip():
        raise UploadError("the file is empty; save the table again and upload it")
    found = encoding or guess_encoding(data)
    try:
        text = data.decode("utf-8-sig" if found is Encoding.UTF8 else found.value)
    except UnicodeError as error:
        raise UploadError(f"the file does not read as {found.value}; choose another encoding") from error
    notes = [Note.BOM] if text.startswith("\ufeff") or data.startswith(b"\xef\xbb\xbf") else []
    notes += [Note.NOT_UTF8] if found is not Encoding.UTF8 else []
    return _parse(text.removeprefix("\ufeff"), found, notes)


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


def table_from_cells(header: list[str], rows: list[list[str]]) -> Table:
    """Return the table that was typed into a grid; rows without any text are left out.

    Raises:
        UploadError: it breaks the limits of an answer.
    """
    kept = [row for row in rows if any(cell for cell in row)]
    return _checked(header, kept)


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


def _parse(text: str, encoding: Encoding, notes: list[Note]) -> Parsed:
    delimiter = _delimiter(text)
    try:
        lines = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise UploadError(f"the text does not read as a table: {error}; check the double quotes") from error
    rows = [line for line in lines if line]
    if len(rows) != len(lines) and lines[-1:] != [[]]:
        notes = [*notes, Note.BLANK_LINES]
    if not rows:
        raise UploadError("there is no header row; the first line names the columns")
    table = _checked(rows[0], rows[1:])
    return Parsed(table, encoding, delimiter, (*notes, *_look(table, delimiter)))


def _delimiter(text: str) -> str:
    """The candidate that splits the first lines into the most columns, evenly; a comma if none does."""
    sample = "\n".join(text.splitlines()[:50])
    widths = {mark: _width(sample, mark) for mark in DELIMITERS}
    best = max(DELIMITERS, key=lambda mark: widths[mark])
    return best if widths[best] > 1 else ","


def _width(sample: str, delimiter: str) -> int:
    try:
        lengths = {len(line) for line in csv.reader(io.StringIO(sample), delimiter=delimiter) if line}
    except csv.Error:
        return 0
    return lengths.pop() if len(lengths) == 1 else 0


def _checked(header: list[str], rows: list[list[str]]) -> Table:
    if len(rows) > MAX_ROWS:
        raise UploadError(f"the table has {len(rows):,} rows; an answer may have {MAX_ROWS:,}")
    if len(header) > MAX_COLUMNS:
        raise UploadError(f"the table has {len(header)} columns; an answer may have {MAX_COLUMNS}")
    for number, row in enumerate(rows, start=2):
        if len(row) != len(header):
            raise UploadError(
                f"row {number} has {len(row)} cells, the header has {len(header)}; "
                "give every row a cell for each column, and put cells that hold a separator in double quotes"
            )
    table = Table(tuple(header), tuple(tuple(row) for row in rows))
    try:
        return parse_table(to_csv(table))
    except EvaluatorError as error:
        raise UploadError(f"the table is no valid answer: {error}") from error


def _look(table: Table, delimiter: str) -> list[Note]:
    cells = [cell for row in table.rows for cell in row if cell]
    seen = {
        Note.DELIMITER: delimiter != ",",
        Note.FORMULA: any(cell.startswith(_FORMULA) and not _numeric(cell) for cell in cells),
        Note.GROUPED: any("," in cell and _numeric(cell.replace(",", "")) for cell in cells),
        Note.BLANKS: any(cell != cell.strip() for cell in cells),
        Note.NO_ROWS: not table.rows,
    }
    return [note for note, present in seen.items() if present]


def _numeric(cell: str) -> bool:
    try:
        float(cell.rstrip("%"))
    except ValueError:
        return False
    return True
