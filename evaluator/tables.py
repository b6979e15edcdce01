"""The strict CSV contract: bytes or a file become a rectangular table of texts, or a named error."""

from __future__ import annotations

import csv
import io
import itertools
import os
import stat
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from evaluator.errors import EvaluatorError

MAX_BYTES = 20 * 1024 * 1024
MAX_ROWS = 100_000
MAX_COLUMNS = 64
MAX_CELL = 2 * 1024 * 1024

# Zero where the system has no such flag: the checks before opening then stand alone.
_OPEN_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class TableFault(StrEnum):
    """Why bytes or a path are no table."""

    MISSING = "missing"
    NOT_A_FILE = "not_a_file"
    SYMLINK = "symlink"
    UNREADABLE = "unreadable"
    CHANGED = "changed"
    TOO_MANY_BYTES = "too_many_bytes"
    ENCODING = "encoding"
    NUL = "nul"
    QUOTING = "quoting"
    CELL_TOO_LONG = "cell_too_long"
    TOO_MANY_ROWS = "too_many_rows"
    EMPTY = "empty"
    NO_COLUMNS = "no_columns"
    TOO_MANY_COLUMNS = "too_many_columns"
    RAGGED = "ragged"


class TableError(EvaluatorError):
    """Bytes or a file break the CSV contract.

    Attributes:
        kind: which clause is broken.
        line: the CSV row, counted from 1 with the header as row 1, or None where no row is to blame.
    """

    def __init__(self, kind: TableFault, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.line = line


@dataclass(frozen=True, slots=True)
class Table:
    """A header and rows of raw cell texts; every row has as many cells as the header.

    Tables that were not parsed are checked too: a ragged one raises TableError.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        width = len(self.header)
        if any(length != width for length in set(map(len, self.rows))):
            number = next(n for n, row in enumerate(self.rows, start=2) if len(row) != width)
            raise _ragged(number, len(self.rows[number - 2]), width)

    def columns(self) -> list[tuple[str, ...]]:
        """Return the cells column by column; a table without rows gives empty columns."""
        if not self.rows:
            return [() for _ in self.header]
        return list(zip(*self.rows, strict=True))


def parse_table(data: bytes) -> Table:
    """Return the table that a CSV file of these bytes holds.

    UTF-8 with at most one BOM, commas, doubled double quotes, LF, CRLF or CR; the first row is the
    header; no blank line. Limits: 20 MiB, 100,000 data rows, 64 columns, 2 Mi characters a cell.

    Raises:
        TableError: the bytes break the contract; `kind` says which clause.
    """
    if len(data) > MAX_BYTES:
        raise _too_many_bytes(len(data))
    return _rectangle(_records(_decoded(data)))


def read_table(path: Path, *, allow_symlink: bool = False) -> Table:
    """Return the table in a regular file.

    Args:
        path: the file. Devices, pipes and directories are refused without opening them.
        allow_symlink: read through a link at the last component (golds may be links, predictions not).

    Raises:
        TableError: no such file (also a dangling or looping link), not a regular file, a link, too
            large, unreadable, changed while being read, or its bytes break the CSV contract.
    """
    return parse_table(read_bytes(path, allow_symlink=allow_symlink))


def read_bytes(path: Path, *, allow_symlink: bool = False) -> bytes:
    """Return a regular file's bytes under the conditions and errors of `read_table`."""
    _require_regular(path, allow_symlink)
    flags = _OPEN_FLAGS & ~getattr(os, "O_NOFOLLOW", 0) if allow_symlink else _OPEN_FLAGS
    try:
        with open(os.open(path, flags), "rb") as file:  # noqa: PTH123 - Path.open takes no flags
            before = os.fstat(file.fileno())
            data = _bounded(file, before)
            after = os.fstat(file.fileno())
    except OSError as error:
        raise TableError(TableFault.UNREADABLE, f"the file cannot be read: {error.strerror}") from error
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns) or len(data) != after.st_size:
        raise TableError(TableFault.CHANGED, "the file changed while it was read; write it once, then rename")
    return data


def to_csv(table: Table) -> bytes:
    """Return the table as UTF-8 CSV with LF line ends that `parse_table` reads back unchanged.

    Cells with a comma, quote, CR or LF are quoted, and so is an empty cell of a one-column table
    (a bare blank line would be a row of no cells) and a first cell that starts with a BOM.

    Raises:
        TableError: a cell holds NUL, which the contract forbids, or text that UTF-8 cannot hold.
    """
    lines = [",".join(map(_quoted, row)) for row in (table.header, *table.rows)]
    if len(table.header) == 1:
        lines = [line or '""' for line in lines]
    text = "\n".join(lines) + "\n"
    if "\0" in text:
        raise TableError(TableFault.NUL, "a cell holds a NUL character; remove it")
    try:
        return ("\ufeff" + text if text.startswith("\ufeff") else text).encode("utf-8")
    except UnicodeEncodeError as error:
        raise TableError(TableFault.ENCODING, "a cell holds half a surrogate pair, which is no character") from error


def _require_regular(path: Path, allow_symlink: bool) -> None:
    try:
        mode = path.stat().st_mode
        is_link = path.is_symlink()
    except PermissionError as error:
        raise TableError(TableFault.UNREADABLE, "the file cannot be reached: permission denied") from error
    except (OSError, ValueError) as error:
        raise TableError(TableFault.MISSING, "there is no such file") from error
    if not stat.S_ISREG(mode):
        raise TableError(TableFault.NOT_A_FILE, "this is not a regular file; write a plain CSV file")
    if is_link and not allow_symlink:
        raise TableError(TableFault.SYMLINK, "this is a symbolic link; write the file itself")


def _bounded(file: io.BufferedReader, status: os.stat_result) -> bytes:
    if not stat.S_ISREG(status.st_mode):
        raise TableError(TableFault.NOT_A_FILE, "this is not a regular file; write a plain CSV file")
    if status.st_size > MAX_BYTES:
        raise _too_many_bytes(status.st_size)
    return file.read(MAX_BYTES + 1)


def _decoded(data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"line {line} is not UTF-8 (byte 0x{data[error.start]:02x}); save the file as UTF-8"
        raise TableError(TableFault.ENCODING, message, line) from error
    nul = text.find("\0")
    if nul >= 0:
        line = text.count("\n", 0, nul) + 1
        raise TableError(TableFault.NUL, f"line {line} holds a NUL character; write plain UTF-8 text", line)
    return text


def _records(text: str) -> list[list[str]]:
    # Only ever raised, never put back: restoring it would shorten the read of another thread.
    if csv.field_size_limit() < MAX_CELL:
        csv.field_size_limit(MAX_CELL)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    records: list[list[str]] = []
    try:
        records.extend(itertools.islice(reader, MAX_ROWS + 2))
    except csv.Error as error:
        raise _unparsable(str(error), len(records) + 1, reader.line_num) from error
    if len(records) > MAX_ROWS + 1:
        raise TableError(TableFault.TOO_MANY_ROWS, f"more than {MAX_ROWS:,} data rows", MAX_ROWS + 2)
    if csv.field_size_limit() > MAX_CELL and len(text) > MAX_CELL:
        _require_short_cells(records)  # somebody else allows longer cells in this process
    return records


def _require_short_cells(records: list[list[str]]) -> None:
    for number, record in enumerate(records, start=1):
        if any(len(cell) > MAX_CELL for cell in record):
            raise _unparsable("field larger than field limit", number, number)


def _unparsable(reason: str, number: int, line: int) -> TableError:
    if "field limit" in reason:
        return TableError(TableFault.CELL_TOO_LONG, f"row {number} has a cell of over {MAX_CELL:,} characters", number)
    if "unexpected end" in reason:
        return TableError(TableFault.QUOTING, f"a quote opened in row {number} is never closed", number)
    return TableError(TableFault.QUOTING, f"line {line} cannot be read as CSV: {reason}", number)


def _rectangle(records: list[list[str]]) -> Table:
    if not records:
        raise TableError(TableFault.EMPTY, "the file is empty; the first row must be the header")
    width = len(records[0])
    if width == 0:
        raise TableError(TableFault.NO_COLUMNS, "the first line is blank; it must be the header", 1)
    if width > MAX_COLUMNS:
        raise TableError(TableFault.TOO_MANY_COLUMNS, f"{width} columns; at most {MAX_COLUMNS} are allowed", 1)
    return Table(tuple(records[0]), tuple(map(tuple, itertools.islice(records, 1, None))))


def _ragged(number: int, found: int, width: int) -> TableError:
    if found == 0:
        return TableError(TableFault.RAGGED, f"row {number} is a blank line; remove it", number)
    message = f"row {number} has {found} cells where the header has {width}"
    return TableError(TableFault.RAGGED, message, number)


def _too_many_bytes(size: int) -> TableError:
    return TableError(TableFault.TOO_MANY_BYTES, f"{size:,} bytes; at most {MAX_BYTES:,} are allowed")


def _quoted(cell: str) -> str:
    if '"' in cell:
        return '"' + cell.replace('"', '""') + '"'
    if "," in cell or "\n" in cell or "\r" in cell:
        return f'"{cell}"'
    return cell
