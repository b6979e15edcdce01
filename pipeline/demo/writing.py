"""Writes a corpus folder: databases, their descriptions, and the questions."""

import csv
import json
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from pipeline.demo.glossary import quoted
from pipeline.demo.model import Cell, Column, Language, Rows, Table, Words

DESCRIPTION_HEADER = ("original_column_name", "column_name", "column_description", "data_format", "value_description")


@contextmanager
def whole_folder(out: Path) -> Iterator[Path]:
    """Give a temporary folder beside `out` which becomes `out` at the end, or vanishes on any error.

    Raises:
        FileExistsError: `out` exists and is not an empty folder.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise FileExistsError(f"{out} already exists: remove it or choose another folder")
    out.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    try:
        folder.chmod(0o755)  # mkdtemp keeps everyone else out
        yield folder
        folder.rename(out)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def write_database(path: Path, tables: tuple[Table, ...], rows: Rows, language: Language) -> None:
    """Write one SQLite file with all tables, keys and rows in `language`; the same input, the same bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    by_name = {table.name.en: table for table in tables}
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript("PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")
        connection.execute("BEGIN")
        for table in tables:
            connection.execute(create_table(table, by_name, language))
            marks = ", ".join("?" * len(table.columns))
            insert = f"INSERT INTO {quoted(table.name.says(language))} VALUES ({marks})"
            connection.executemany(insert, (_spoken(row, language) for row in rows[table.name.en]))
        connection.execute("COMMIT")


def create_table(table: Table, tables: dict[str, Table], language: Language) -> str:
    """Return the CREATE TABLE statement of `table` with its primary and foreign keys."""
    parts = [_definition(column, language) for column in table.columns]
    keys = ", ".join(quoted(column.name.says(language)) for column in table.keys)
    parts.append(f"PRIMARY KEY ({keys})")
    for column in table.columns:
        if column.refers:
            parts.append(_foreign_key(column, tables[column.refers], language))
    body = ",\n  ".join(parts)
    return f"CREATE TABLE {quoted(table.name.says(language))} (\n  {body}\n)"


def _definition(column: Column, language: Language) -> str:
    needed = " NOT NULL" if column.key else ""
    return f"{quoted(column.name.says(language))} {column.kind.upper()}{needed}"


def _foreign_key(column: Column, parent: Table, language: Language) -> str:
    (key,) = parent.keys
    here, there = quoted(column.name.says(language)), quoted(key.name.says(language))
    return f"FOREIGN KEY ({here}) REFERENCES {quoted(parent.name.says(language))} ({there})"


def _spoken(row: tuple[Cell, ...], language: Language) -> tuple[int | float | str | None, ...]:
    return tuple(cell.says(language) if isinstance(cell, Words) else cell for cell in row)


def write_descriptions(folder: Path, tables: tuple[Table, ...], language: Language) -> None:
    """Write one CSV a table into `folder`, in the form of BIRD's `database_description`."""
    folder.mkdir(parents=True)
    for table in tables:
        path = folder / f"{table.name.says(language)}.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(DESCRIPTION_HEADER)
            writer.writerows(_described(column, language) for column in table.columns)


def _described(column: Column, language: Language) -> tuple[str, ...]:
    name, about = column.name.says(language), column.about.says(language)
    return (name, name.replace("_", " "), about, column.kind.value, column.values.says(language))


def write_lines(path: Path, lines: list[dict[str, object]]) -> None:
    """Write one JSON object a line."""
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8")
