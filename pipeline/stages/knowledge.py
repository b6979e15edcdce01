"""`knowledge.md`: what the source says about the data and the question. Never the gold SQL."""

from collections.abc import Mapping, Sequence

from pipeline.database import TableSchema
from pipeline.render.markdown import escaped
from pipeline.sources.base import ColumnNote, Notes

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
        parts += [f"## {definitions}", *(_paragraph(text) for text in evidence.split("\n") if text.strip())]
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
    return f"### {escaped(table.name)}\n\n{where}: `{file}`\n\n" + "\n".join(lines)


def _row(note: ColumnNote) -> str:
    meaning = note.meaning or note.long_name
    return f"| {_clean(note.column)} | {_clean(meaning)} | {_clean(note.values)} |"


def _paragraph(text: str) -> str:
    return escaped(text.strip())


def _clean(text: str) -> str:
    return escaped("\n".join(line.strip() for line in text.splitlines() if line.strip()))
