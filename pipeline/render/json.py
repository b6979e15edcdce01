"""JSON: a list with one object a row, columns as keys, missing values as null."""

import json
from collections.abc import Sequence

Row = tuple[object, ...]


def write(header: Sequence[str], rows: Sequence[Row]) -> bytes:
    """Return a table as a JSON list, one row a line, UTF-8. An empty table is an empty list."""
    lines = [json.dumps(dict(zip(header, row, strict=True)), ensure_ascii=False, allow_nan=False) for row in rows]
    return ("[\n" + ",\n".join(lines) + "\n]\n").encode() if lines else b"[]\n"


def read(data: bytes, header: Sequence[str]) -> tuple[list[str], list[Row]]:
    """Return header and rows of a JSON list of objects; `header` stands for that of an empty list.

    Raises ValueError if it is no such list, or the objects have different keys.
    """
    objects = json.loads(data.decode())
    if not isinstance(objects, list) or not all(isinstance(row, dict) for row in objects):
        raise ValueError("no list of objects")
    names = list(objects[0]) if objects else list(header)
    if any(list(row) != names for row in objects):
        raise ValueError("the objects have different keys")
    return names, [tuple(row.values()) for row in objects]
