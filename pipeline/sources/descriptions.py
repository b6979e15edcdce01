"""BIRD's column descriptions: one CSV a table, in whatever encoding its author used."""

import csv
import io
from pathlib import Path

from pipeline.sources.base import ColumnNote, Notes


def read_descriptions(folder: Path) -> Notes:
    """Return the notes of every `TABLE.csv` in a folder; empty if there is none.

    A file that is no table of descriptions gives no notes: they help people and decide nothing.
    """
    if not folder.is_dir():
        return {}
    return {path.stem: _read(path) for path in sorted(folder.glob("*.csv"))}


def _read(path: Path) -> tuple[ColumnNote, ...]:
    try:
        rows = list(csv.DictReader(io.StringIO(_decoded(path.read_bytes()), newline="")))
    except csv.Error:
        return ()
    return tuple(_note(row) for row in rows if _cell(row, "original_column_name"))


def _note(row: dict[str, str | None]) -> ColumnNote:
    return ColumnNote(
        column=_cell(row, "original_column_name"),
        long_name=_cell(row, "column_name"),
        meaning=_cell(row, "column_description"),
        values=_cell(row, "value_description"),
    )


def _cell(row: dict[str, str | None], name: str) -> str:
    return (row.get(name) or "").strip()


def _decoded(raw: bytes) -> str:
    for encoding in ("utf-8-sig", "gb18030", "cp1252"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return raw.decode("latin-1")
