"""Values that carry their types, as JSON and SQLite give them, made into the columns of a table."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

import pyarrow as pa

CHUNK = 50_000
INTEGERS = range(-(2**63), 2**63)
ARROW_KINDS: dict[str, set[type]] = {"int64": {int}, "double": {float}, "string": {str}, "bool": {bool}, "null": set()}


class Chunk:
    """Some rows, column by column, with the kinds of values in each."""

    def __init__(self, rows: list[Any], width: int) -> None:
        self.columns = [list(values) for values in zip(*rows, strict=True)] if rows else [[] for _ in range(width)]
        self.kinds = [_kinds(values) for values in self.columns]


def _kinds(values: list[Any]) -> set[type]:
    """The kinds of the values but None; text among them if an integer is too large for 64 bits."""
    # Arrow looks at a column of one kind much faster than we could
    with suppress(pa.ArrowException, OverflowError, UnicodeEncodeError):
        found = ARROW_KINDS.get(str(pa.array(values).type))
        if found is not None:
            return found
    kinds = {type(value) for value in values if value is not None}
    if int in kinds and not all(value in INTEGERS for value in values if type(value) is int):
        kinds.add(str)
    return kinds


def chunks_of(rows: Iterable[Any], width: int) -> Iterator[Chunk]:
    """Yield the rows, some at a time."""
    stream = iter(rows)
    while batch := list(islice(stream, CHUNK)):
        yield Chunk(batch, width)


def kind_of(kinds: set[type]) -> str:
    """Return the type of a column that holds these kinds of values; mixed ones are text."""
    if kinds <= {int} and kinds:
        return "BIGINT"
    if kinds <= {int, float} and kinds:
        return "DOUBLE"
    return "BOOLEAN" if kinds == {bool} else "VARCHAR"


def array_of(values: list[Any], found: set[type], kind: str) -> pa.Array:
    """Return the values as a column of this kind; `found` are those that they have."""
    if kind == "BIGINT":
        return pa.array(values, pa.int64())
    if kind == "DOUBLE":
        numbers = values if found == {float} else [None if value is None else float(value) for value in values]
        return pa.array(numbers, pa.float64())
    if kind == "BOOLEAN":
        return pa.array(values, pa.bool_())
    texts = values if found <= {str} else [None if value is None else _text(value) for value in values]
    try:
        return pa.array(texts, pa.string())
    except UnicodeEncodeError:  # half a character, which JSON can hold
        return pa.array([text and text.encode(errors="replace").decode() for text in texts], pa.string())


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
