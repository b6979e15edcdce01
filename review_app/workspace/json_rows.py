"""Read a JSON file as a table of texts: a list of objects, a list of lists, or columns with rows."""

import json
from typing import Any

from evaluator.tables import MAX_COLUMNS

FORMS = (
    'a list of objects ([{"name": "Alpha", "size": 12}]), a list of rows with the header first, '
    'or {"columns": [...], "rows": [...]}'
)


class JsonError(Exception):
    """The text holds no table; the message says which forms there are."""


class NotJson(JsonError):
    """The text is no JSON at all."""


def read(text: str) -> tuple[list[str], list[list[str]], bool]:
    """Return header, rows, and whether a value was missing. Numbers keep the digits that are written.

    Raises:
        NotJson: it is something else, or broken.
        JsonError: no table, or a cell that is a list or an object.
    """
    try:
        document = json.loads(text, parse_float=str, parse_int=str, parse_constant=str)
    except ValueError as error:
        raise NotJson(f"the file does not read as JSON: {error}") from error
    except RecursionError as error:
        raise JsonError(f"the file is nested too deep for a table; write {FORMS}") from error
    header, rows = _table(document)
    names = [str(name) for name in header]
    cells = [[_cell(value, at, names, place) for place, value in enumerate(row)] for at, row in enumerate(rows, 1)]
    return names, cells, any(value is None for row in rows for value in row)


def _table(document: Any) -> tuple[list[Any], list[list[Any]]]:
    if isinstance(document, dict):
        header: Any = document.get("columns")
        rows: Any = document.get("rows", document.get("data"))
        if isinstance(header, list) and _lists(rows):
            return header, rows
    if isinstance(document, list) and document and all(isinstance(row, dict) for row in document):
        names = list(dict.fromkeys(name for row in document for name in row))
        if len(names) > MAX_COLUMNS:  # before a cell is made of each name and row
            raise JsonError(
                f"the table has {len(names)} columns, an answer may have {MAX_COLUMNS}; keep those that were asked for"
            )
        return names, [[row.get(name) for name in names] for row in document]
    if _lists(document) and document:
        return document[0], document[1:]
    raise JsonError(f"the file holds no table; write {FORMS}")


def _lists(rows: Any) -> bool:
    return isinstance(rows, list) and all(isinstance(row, list) for row in rows)


def _cell(value: Any, row: int, names: list[str], place: int) -> str:
    if isinstance(value, list | dict):
        column = names[place] if place < len(names) else str(place + 1)
        raise JsonError(f"row {row}, column {column!r} holds a list or an object; a cell of a table is one value")
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)
