"""Markdown: a page with a table, every punctuation mark escaped so that it reads as it is.

The reader is written from the rules of GitHub's Markdown tables, not from the writer.
"""

import html
import re
from collections.abc import Sequence

from pipeline.render.typed import number_in, number_text

Row = tuple[object, ...]

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_TYPES = {int: "integer", float: "number", str: "text"}
_CELL = re.compile(r"((?:[^\\|]|\\.)*)\|", re.DOTALL)
_PIECE = re.compile(r"\\(.)|(<br>)|(&#?\w+;)|(.)", re.DOTALL)


def write(table: str, header: Sequence[str], rows: Sequence[Row]) -> bytes:
    """Return a page for a table: its name, the type of each column, and the rows.

    Needs columns of one type, no control characters, and not NULL and empty text together (see `route`).
    """
    types = [_type_of(rows, at) for at in range(len(header))]
    columns = "\n".join(f"- {escaped(name)} ({kind})" for name, kind in zip(header, types, strict=True))
    empty = "empty text" if any("" in row for row in rows) else "a missing value"
    lines = [_line([escaped(name) for name in header]), _line(["---"] * len(header))]
    lines += [_line([_cell(cell) for cell in row]) for row in rows]
    table_text = "\n".join(lines)
    return (
        f"# {escaped(table)}\n\n{len(rows)} rows. An empty cell is {empty}.\n\n"
        f"## Columns\n\n{columns}\n\n## Rows\n\n{table_text}\n"
    ).encode()


def read(data: bytes) -> tuple[list[str], list[Row]]:
    """Return header and rows of a page, each cell with the type that the page names. Raises ValueError."""
    text = data.decode()
    head, _, body = text.partition("\n## Rows\n\n")
    names_part = head.partition("\n## Columns\n\n")[2]
    types = [line.rpartition("(")[2].rstrip(")") for line in names_part.splitlines() if line.startswith("- ")]
    missing = "" if "An empty cell is empty text" in head else None
    lines = [_cells(line) for line in body.split("\n") if line]
    if len(lines) < 2 or any(len(line) != len(types) for line in lines):
        raise ValueError("the table is not rectangular")
    return lines[0], [tuple(map(_value, line, types, [missing] * len(types))) for line in lines[2:]]


def escaped(text: str) -> str:
    """Return text whose Markdown reads as exactly this text, blanks at the ends and line ends included."""
    body = _PUNCTUATION.sub(r"\\\1", text).replace("\n", "<br>")
    body = re.sub(r"^ | $", "&#32;", body)
    return body.replace("\u00a0", "&#160;").replace("\u3000", "&#12288;")


def _cell(cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, int | float):
        return number_text(cell)
    assert isinstance(cell, str)
    return escaped(cell)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _type_of(rows: Sequence[Row], at: int) -> str:
    return next((_TYPES[type(row[at])] for row in rows if row[at] is not None), "text")


def _cells(line: str) -> list[str]:
    if not line.startswith("|"):
        raise ValueError(f"no row of a table: {line[:40]}")
    return [_unescaped(cell.strip(" ")) for cell in _CELL.findall(line[1:])]


def _unescaped(cell: str) -> str:
    return "".join(_meaning(match) for match in _PIECE.finditer(cell))


def _meaning(match: re.Match[str]) -> str:
    mark, line_end, entity, plain = match.groups()
    if mark is not None:
        return mark if _PUNCTUATION.match(mark) else f"\\{mark}"
    if line_end is not None:
        return "\n"
    return html.unescape(entity) if entity is not None else plain


def _value(text: str, kind: str, missing: str | None) -> object:
    if not text:
        return missing if kind == "text" else None
    if kind == "text":
        return text
    number = number_in(text)
    if number is None or isinstance(number, float) is not (kind == "number"):
        raise ValueError(f"no {kind}: {text[:40]}")
    return number
