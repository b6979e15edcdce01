"""Read a workspace file for a person: bounded, read-only, as plain values. Nothing here trusts the file."""

import codecs
import csv
import itertools
import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pdfplumber
from pdfplumber.utils.exceptions import PdfminerException

from review_app.workspace.csv_limits import allow_long_cells

PAGE_ROWS = 200
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


def csv_page(path: Path, first: int = 0, count: int = PAGE_ROWS) -> TablePage:
    """Return rows of a CSV file; the delimiter is guessed from the header line.

    Raises:
        PreviewError: the file is no readable text.
    """
    try:
        with path.open(encoding=_encoding(path), newline="") as stream:
            allow_long_cells()
            head = stream.readline(LOOKED_AT)
            stream.seek(0)
            delimiter = max(",;\t|", key=head.count)
            reader = csv.reader(stream, delimiter=delimiter)
            columns = _cells(next(reader, ()))
            skipped = sum(1 for _ in itertools.islice(reader, first))
            rows = [_cells(row) for row in itertools.islice(reader, count)]
            total = skipped + len(rows) + sum(1 for _ in reader)
    except (OSError, UnicodeError, csv.Error) as error:
        raise PreviewError(f"the file does not read as CSV: {error}; download it") from error
    return TablePage(columns, tuple(rows), first, total)


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


def _cells(row: Any) -> tuple[str, ...]:
    return tuple("" if cell is None else _cut(cell) for cell in row)


def _cut(cell: Any) -> str:
    return str(cell[:MAX_CELL] if isinstance(cell, str | bytes) else cell)[:MAX_CELL]


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


def json_tables(path: Path) -> dict[str, TablePage]:
    """Return the lists in a JSON or JSON Lines file as tables, by their place in the document; "[]" is the document.

    A document without a list on its first level gives no table.

    Raises:
        PreviewError: the file is no JSON, or too large or too deep to be shown.
    """
    try:
        if path.stat().st_size > MAX_JSON_BYTES:
            raise PreviewError(f"the file has over {MAX_JSON_BYTES:,} bytes, too many to show; download it")
        document = _document(path.read_text(encoding="utf-8-sig"))
        found = document if isinstance(document, dict) else {"[]": document}
        return {name: _objects(rows) for name, rows in found.items() if isinstance(rows, list)}
    except (OSError, ValueError, RecursionError) as error:
        raise PreviewError(f"the file does not read as JSON: {error}; download it") from error


def _document(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return [json.loads(line) for line in text.split("\n") if line.strip()]


def _objects(rows: list[Any]) -> TablePage:
    shown = rows[:PAGE_ROWS]
    keys = tuple(dict.fromkeys(key for row in shown if isinstance(row, dict) for key in row))
    cells = tuple(_cells(map(_json_cell, _values(row, keys))) for row in shown)
    return TablePage(_cells(keys) or ("value",), cells, 0, len(rows))


def _values(row: Any, keys: tuple[str, ...]) -> list[Any]:
    """One value a column; what is no object stands in the first."""
    if isinstance(row, dict) and keys:
        return [row.get(key) for key in keys]
    return [row, *[None] * (len(keys) - 1)]


def _json_cell(value: Any) -> Any:
    return value if value is None or isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def sqlite_tables(path: Path) -> list[str]:
    """Return the names of the tables in a SQLite file.

    Raises:
        PreviewError: it is no SQLite database.
    """
    with closing(_open(path)) as connection:
        _, rows = _run(connection, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        return [name for (name,) in rows if not name.startswith("sqlite_")]


def sqlite_page(path: Path, table: str, first: int = 0, count: int = PAGE_ROWS) -> TablePage:
    """Return rows of one table.

    Raises:
        PreviewError: no such table, no SQLite database.
    """
    if table not in sqlite_tables(path):
        raise PreviewError(f"the file has no table {table!r}")
    name = '"' + table.replace('"', '""') + '"'
    with closing(_open(path)) as connection:
        _, ((total,),) = _run(connection, f"SELECT COUNT(*) FROM {name}")
        columns, rows = _run(connection, f"SELECT * FROM {name} LIMIT ? OFFSET ?", (count, first))
        return TablePage(_cells(columns), tuple(_cells(row) for row in rows), first, total)


def _open(path: Path) -> sqlite3.Connection:
    try:
        connection = sqlite3.connect(f"file:{quote(str(path))}?mode=ro&immutable=1", uri=True)
    except sqlite3.Error as error:
        raise PreviewError(f"the file does not open as a SQLite database: {error}; download it") from error
    connection.text_factory = lambda text: text.decode(errors="replace")
    connection.execute("PRAGMA query_only = ON")
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def _run(connection: sqlite3.Connection, query: str, values: tuple[int, ...] = ()) -> tuple[list[str], list[Any]]:
    """The names of the columns, and the rows."""
    try:
        cursor = connection.execute(query, values)
        return [column[0] for column in cursor.description], cursor.fetchall()
    except sqlite3.Error as error:
        raise PreviewError(f"the file does not read as a SQLite database: {error}; download it") from error


@dataclass(frozen=True)
class PdfPage:
    """One page of a PDF as text, with the tables that were found on it. `number` counts from 1."""

    number: int
    total: int
    text: str
    tables: tuple[TablePage, ...]


def pdf_page(path: Path, number: int = 1) -> PdfPage:
    """Return one page.

    Raises:
        PreviewError: the file is no readable PDF, or has no such page.
    """
    try:
        with pdfplumber.open(path) as document:
            total = len(document.pages)
            if not 1 <= number <= total:
                raise PreviewError(f"the PDF has {total} pages, there is no page {number}")
            page = document.pages[number - 1]
            tables = tuple(_pdf_table(rows) for rows in page.extract_tables() if rows)
            return PdfPage(number, total, page.extract_text() or "", tables)
    except (PdfminerException, OSError, ValueError) as error:
        raise PreviewError(f"the file does not read as PDF: {error}") from error


def _pdf_table(rows: list[list[str | None]]) -> TablePage:
    cells = [_cells(row) for row in rows]
    return TablePage(cells[0], tuple(cells[1:]), 0, len(cells) - 1)


def markdown_without_images(text: str) -> str:
    """Return Markdown in which images are plain text, so that nothing remote is ever loaded.

    Every `![` is broken up, whatever follows: inline, reference and nested forms alike.
    """
    return text.replace("![", "!\\[")
