"""Read a workspace file for a person: bounded, read-only, as plain values. Nothing here trusts the file."""

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

PAGE_ROWS = 200
MAX_CELL = 500
MAX_TEXT = 400_000


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
            head = stream.readline()
            stream.seek(0)
            delimiter = max(",;\t|", key=head.count)
            reader = csv.reader(stream, delimiter=delimiter)
            columns = tuple(next(reader, ()))
            rows = [_cells(row) for row in itertools.islice(reader, first, first + count)]
            total = first + len(rows) + sum(1 for _ in reader)
    except (OSError, UnicodeError, csv.Error) as error:
        raise PreviewError(f"{path.name} does not read as CSV: {error}") from error
    return TablePage(columns, tuple(rows), first, total)


def _encoding(path: Path) -> str:
    with path.open("rb") as stream:
        start = stream.read(64_000)
    for encoding in ("utf-8-sig", "gb18030"):
        try:
            start[: max(1, len(start) - 4)].decode(encoding)
        except UnicodeDecodeError:
            continue
        return encoding
    return "latin-1"


def _cells(row: Any) -> tuple[str, ...]:
    return tuple("" if cell is None else str(cell)[:MAX_CELL] for cell in row)


def text_of(path: Path) -> str:
    """Return the beginning of a text file, at most MAX_TEXT characters.

    Raises:
        PreviewError: the file cannot be read.
    """
    try:
        with path.open(encoding=_encoding(path), errors="replace") as stream:
            return stream.read(MAX_TEXT)
    except OSError as error:
        raise PreviewError(f"{path.name} cannot be read: {error.strerror}") from error


def json_tables(path: Path) -> dict[str, TablePage]:
    """Return the lists of objects in a JSON or JSON Lines file as tables, by their place in the document.

    Raises:
        PreviewError: the file is no JSON.
    """
    text = path.read_text(encoding="utf-8-sig")
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        document = _json_lines(path, text)
    found = document if isinstance(document, dict) else {"[]": document}
    return {name: _objects(rows) for name, rows in found.items() if isinstance(rows, list)}


def _json_lines(path: Path, text: str) -> list[Any]:
    try:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except (ValueError, RecursionError) as error:
        raise PreviewError(f"{path.name} does not read as JSON: {error}") from error


def _objects(rows: list[Any]) -> TablePage:
    columns = tuple(dict.fromkeys(key for row in rows[:PAGE_ROWS] if isinstance(row, dict) for key in row))
    shown = []
    for row in rows[:PAGE_ROWS]:
        values = [row.get(column) for column in columns] if isinstance(row, dict) else [row]
        shown.append(_cells(_json_cell(value) for value in values))
    return TablePage(columns or ("value",), tuple(shown), 0, len(rows))


def _json_cell(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value


def sqlite_tables(path: Path) -> list[str]:
    """Return the names of the tables in a SQLite file.

    Raises:
        PreviewError: it is no SQLite database.
    """
    with closing(_open(path)) as connection:
        query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
        return [name for (name,) in _run(path, connection, query)]


def sqlite_page(path: Path, table: str, first: int = 0, count: int = PAGE_ROWS) -> TablePage:
    """Return rows of one table.

    Raises:
        PreviewError: no such table, no SQLite database.
    """
    if table not in sqlite_tables(path):
        raise PreviewError(f"{path.name} has no table {table!r}")
    name = '"' + table.replace('"', '""') + '"'
    with closing(_open(path)) as connection:
        total = _run(path, connection, f"SELECT COUNT(*) FROM {name}")[0][0]
        cursor = connection.execute(f"SELECT * FROM {name} LIMIT ? OFFSET ?", (count, first))
        columns = tuple(column[0] for column in cursor.description)
        return TablePage(columns, tuple(_cells(row) for row in cursor), first, total)


def _open(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"file:{quote(str(path))}?mode=ro&immutable=1", uri=True)
    connection.execute("PRAGMA query_only = ON")
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def _run(path: Path, connection: sqlite3.Connection, query: str) -> list[Any]:
    try:
        return connection.execute(query).fetchall()
    except sqlite3.DatabaseError as error:
        raise PreviewError(f"{path.name} does not read as a SQLite database: {error}") from error


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
