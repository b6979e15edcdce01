"""Why a file is no table, and files that are tables of another kind."""

from __future__ import annotations

import csv
import io
import re

from evaluator.diff_model import Difference, difference
from evaluator.diff_repairs import would_be_equal
from evaluator.rules import Rules
from evaluator.tables import Table, TableError, TableFault

_CODES = {
    TableFault.MISSING: "F1",
    TableFault.NOT_A_FILE: "F2",
    TableFault.SYMLINK: "F2",
    TableFault.UNREADABLE: "F2",
    TableFault.CHANGED: "F2",
    TableFault.ENCODING: "F3",
    TableFault.NUL: "F4",
    TableFault.QUOTING: "F5",
    TableFault.RAGGED: "F6",
    TableFault.EMPTY: "F6",
    TableFault.NO_COLUMNS: "F6",
    TableFault.TOO_MANY_BYTES: "F7",
    TableFault.CELL_TOO_LONG: "F7",
    TableFault.TOO_MANY_ROWS: "F7",
    TableFault.TOO_MANY_COLUMNS: "F7",
}
_DELIMITERS = {";": "semicolons", "\t": "tabs", "|": "vertical bars"}
_LOOKED_AT = 200_000


def file_finding(error: TableError, data: bytes, gold: Table, rules: Rules) -> Difference:
    """Return the F difference for bytes or a path that are no table.

    Args:
        error: why they are none.
        data: the bytes, empty if there are none.
        gold: the gold table, to prove that another delimiter would have been right.
        rules: the rules.
    """
    text = data[:_LOOKED_AT].decode("utf-8", "replace")
    wrapper = _wrapper(text)
    if wrapper is not None and error.kind in (TableFault.RAGGED, TableFault.QUOTING):
        return _wrapped(wrapper, text, gold, rules)
    detail = _detail(error, data, text)
    sentence = str(error) + (f" ({detail})" if detail else "")
    return difference(_CODES[error.kind], sentence, exact=True, detail=detail)


def wrapper_finding(gold: Table, prediction: Table, rules: Rules) -> Difference | None:
    """Return F8 for a table that was read as CSV but is Markdown, JSON, HTML or has another delimiter."""
    lines = [",".join(row) for row in (prediction.header, *prediction.rows[:2000])]
    text = "\n".join(lines)
    wrapper = _wrapper(text)
    if wrapper is None or (wrapper in _DELIMITERS.values() and len(prediction.header) == len(gold.header)):
        return None
    return _wrapped(wrapper, text, gold, rules)


def _detail(error: TableError, data: bytes, text: str) -> str:
    if error.kind in (TableFault.ENCODING, TableFault.NUL):
        return _encoding(data)
    if error.kind is TableFault.RAGGED:
        return _ragged_cause(error, text)
    return ""


def _encoding(data: bytes) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "it looks like UTF-16"
    head = data[:_LOOKED_AT]
    if 0 in head:
        return "it looks like UTF-16 without a byte order mark" if head.count(0) * 3 > len(head) else ""
    if data[:4] in (b"PK\x03\x04", b"%PDF", b"\x89PNG", b"PAR1"):
        return "it is no text file"
    for name, label in (("gb18030", "GBK"), ("latin-1", "Latin-1")):
        try:
            text = head.decode(name)
        except UnicodeDecodeError:
            continue
        if name == "latin-1" or re.search("[\u4e00-\u9fff]", text):
            return f"it looks like {label}"
    return ""


def _ragged_cause(error: TableError, text: str) -> str:
    if "\r\r\n" in text:
        return "lines end with CR CR LF"
    if re.search(r"[^\r\n]\r[^\n]", text) and "\r\n" not in text and text.count("\n") > 1:
        return "a lone CR inside a cell splits its row; quote the cell"
    if not str(error).endswith("is a blank line; remove it"):
        return "cells and header do not match in number; quote cells with commas"
    lines = text.splitlines()
    return "trailing blank line" if error.line is not None and error.line >= len(lines) else "blank line inside"


def _wrapper(text: str) -> str | None:
    start = text.lstrip("\ufeff \t\r\n")
    lines = start.splitlines()
    if start.startswith("```"):
        return "a Markdown code fence"
    if start.startswith("|") and len(lines) > 1 and re.fullmatch(r"[|:\- ,]+", lines[1]):
        return "a Markdown table"
    if re.match(r"(?is)(<!doctype|<html|<table)", start):
        return "HTML"
    if re.match(r"[\[{]\s*[\[{\"\]}]", start):
        return "JSON"
    return next((name for mark, name in _DELIMITERS.items() if lines and _splits(lines, mark)), None)


def _splits(lines: list[str], mark: str) -> bool:
    counts = {line.count(mark) for line in lines[:50] if line}
    return len(counts) == 1 and counts != {0}


def _wrapped(wrapper: str, text: str, gold: Table, rules: Rules) -> Difference:
    table = _unwrapped(wrapper, text)
    exact = table is not None and would_be_equal(gold, table, rules)
    kind = f"{wrapper} between the cells" if wrapper in _DELIMITERS.values() else wrapper
    sentence = f"the file is not CSV with commas: it has {kind}" + ("; read so the tables are equal" if exact else "")
    return difference("F8", sentence, exact=exact, detail=wrapper)


def _unwrapped(wrapper: str, text: str) -> Table | None:
    """Return the table inside the wrapper where that is plain to see, None otherwise."""
    try:
        rows = _rows_inside(wrapper, text)
    except csv.Error:  # a cell beyond the limit, or a line end where none can be
        return None
    if len(rows) < 1 or len({len(row) for row in rows}) != 1:
        return None
    return Table(tuple(rows[0]), tuple(map(tuple, rows[1:])))


def _rows_inside(wrapper: str, text: str) -> list[list[str]]:
    if wrapper in _DELIMITERS.values():
        mark = next(mark for mark, name in _DELIMITERS.items() if name == wrapper)
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=mark))
    if wrapper == "a Markdown code fence":
        inside = [line for line in text.strip().splitlines() if not line.startswith("```")]
        return list(csv.reader(inside))
    if wrapper == "a Markdown table":
        lines = [line.strip().strip("|") for line in text.strip().splitlines()]
        return [[cell.strip() for cell in line.split("|")] for line in lines[:1] + lines[2:]]
    return []
