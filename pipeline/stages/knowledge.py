"""`knowledge.md`: what the source says about the data and the question. Never the gold SQL."""

import re
from collections.abc import Mapping, Sequence

from pipeline.database import TableSchema
from pipeline.sources.base import ColumnNote, Notes

KNOWLEDGE = "knowledge.md"

_MARKS = re.compile(r"([\\`*<>\[\]|~]|(?<!\w)_|_(?!\w)|&(?=#?\w+;))")
_BLOCK_START = re.compile(r"^(\d*)([-+#.)=])")
_HEADINGS = {
    "en": ("Knowledge", "Definitions for the question", "Tables", "File", "Column", "Meaning", "Values"),
    "zh": ("知识", "问题中的定义", "数据表", "文件", "列", "含义", "取值说明"),
}


def knowledge(
    language: str, evidence: str, notes: Notes, tables: Sequence[TableSchema], files: Mapping[str, str]
) -> bytes | None:
    """Return the page, or None if the source says nothing about these tables or the question.

    `files` gives the workspace file of each table. Headings follow the language; the texts are the source's.
    """
    described = [(table, found) for table in tables if (found := _notes_on(table, notes))]
    if not described and not evidence:
        return None
    title, definitions, schema, *columns = _HEADINGS.get(language, _HEADINGS["en"])
    parts = [f"# {title}"]
    if evidence:
        parts += [f"## {definitions}", *(_prose(text.strip()) for text in evidence.split("\n") if text.strip())]
    if described:
        parts.append(f"## {schema}")
        for table, found in described:
            parts += [_section(table, found, files[table.name], columns)]
    return ("\n\n".join(parts) + "\n").encode()


def _notes_on(table: TableSchema, notes: Notes) -> list[ColumnNote]:
    """Return the notes on columns that the table has; sources spell both in whatever case."""
    own = next((found for name, found in notes.items() if name.lower() == table.name.lower()), ())
    by_name = {note.column.lower(): note for note in own}
    return [by_name[c.name.lower()] for c in table.columns if c.name.lower() in by_name]


def _section(table: TableSchema, notes: list[ColumnNote], file: str, columns: Sequence[str]) -> str:
    where, *heads = columns
    lines = [f"| {' | '.join(heads)} |", "|" + " --- |" * len(heads)]
    lines += [_row(note) for note in notes]
    return f"### {_name(table.name)}\n\n{where}: `{file}`\n\n" + "\n".join(lines)


def _row(note: ColumnNote) -> str:
    meaning = note.meaning or note.long_name
    return f"| {_name(note.column)} | {_cell(meaning)} | {_cell(note.values)} |"


def _name(name: str) -> str:
    """A name as code reads the same in the source of the page and on the screen."""
    return _cell(name) if set(name) & set("`|\n\r\\") or name != name.strip() else f"`{name}`"


def _cell(text: str) -> str:
    lines = (line.strip() for line in text.replace("\xa0", " ").splitlines())
    return "<br>".join(_prose(line) for line in lines if line)


def _prose(line: str) -> str:
    """Escape what would change the meaning of a line, and nothing else: people and agents read the source."""
    line = _MARKS.sub(r"\\\1", line)
    return _BLOCK_START.sub(r"\1\\\2", line)
