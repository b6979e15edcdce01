"""Does a translation hold? The two databases side by side, the gold on both, and the way back."""

import sqlite3
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory

from pipeline.content import Reason, Rejected, Stage
from pipeline.database import Database, TableSchema, describe, quoted, reading
from pipeline.sandbox import Answer, Cell
from pipeline.sql.clock import tokens_of
from pipeline.sql.tree import parse
from pipeline.stages.determine import bag, comparable
from pipeline.stages.execute import rows_as_text
from pipeline.stages.keep import row_number
from pipeline.translate.flow import flow_of, key_places
from pipeline.translate.model import Maps
from pipeline.translate.rebuild import rebuild

_NO_LIMIT = 1 << 62


def does_not_hold(message: str, evidence: str = "") -> Rejected:
    """Return the rejection of a translation that fails a check."""
    return Rejected(Stage.TRANSLATE, Reason.TRANSLATION_DOES_NOT_HOLD, message, evidence)


def check_databases(source: Database, target: Database, maps: Maps) -> dict[str, int]:
    """Return the rows of each table of the target. Raises Rejected unless both are equal up to renaming.

    Compared are tables, columns, types, keys, foreign keys, indexes, and every row count.
    """
    expected, got = [_shape(t, maps) for t in source.tables], [_shape(t, None) for t in target.tables]
    for one, other in zip_longest(expected, got):
        if one != other:
            raise does_not_hold("the schema differs by more than names", f"expected {one}\ngot {other}")
    counts = {}
    with reading(source.path) as left, reading(target.path) as right:
        for one, other in zip(source.tables, target.tables, strict=True):
            before, after = _count(left, one.name), _count(right, other.name)
            if before != after:
                raise does_not_hold(f"the table {one.name} has {before} rows, its translation {after}")
            counts[other.name] = after
    return counts


def check_way_back(source: Database, target: Database, maps: Maps) -> None:
    """Raise Rejected unless the inverse maps make the source again from the target.

    Same statements but for quotes and blanks, and every row with its number, values and storage types.
    """
    with TemporaryDirectory() as scratch:
        path = Path(scratch) / "back.sqlite"
        rebuild(target, path, maps.inverse())
        back = describe(path, "the way back", _NO_LIMIT)
        for one, other in zip_longest(source.tables, back.tables):
            if one is None or other is None or _statements(one) != _statements(other):
                raise does_not_hold("the way back gives another schema", f"{one and one.sql}\n{other and other.sql}")
        with reading(source.path) as left, reading(path) as right:
            for table in source.tables:
                _same_rows(left, right, table)


def check_golds(sql: str, maps: Maps, texts: Mapping[str, object], before: Answer, after: Answer) -> None:
    """Raise Rejected unless the translated gold gives the translation of the old result.

    Compared are the rows as a multiset, floats with twelve digits, and the order of what the gold orders by and shows.
    Rows that it leaves tied may change places, as they may on any other database.
    """
    words = _exchanged(sql, maps, texts, before)
    expected = tuple(_translated(row, words) for row in before.rows)
    places = key_places(parse(sql))
    if bag(expected) != bag(after.rows) or _at(places, expected) != _at(places, after.rows):
        evidence = f"expected:\n{rows_as_text(expected[:5])}\ngot:\n{rows_as_text(after.rows[:5])}"
        raise does_not_hold("the translated SQL gives another result than the old one", evidence)


def _at(places: Sequence[int], rows: Sequence[tuple[Cell, ...]]) -> list[tuple[Cell, ...]]:
    return [comparable(tuple(row[place] for place in places)) for row in rows]


def _exchanged(sql: str, maps: Maps, texts: Mapping[str, object], answer: Answer) -> list[Mapping[str, str]]:
    """Return for each column of a result the map of its texts: none where they are frozen or computed."""
    flow = flow_of(parse(sql), texts)
    outputs = flow.outputs
    if len(outputs) != len(answer.columns) or None in outputs:
        outputs = [flow.named.get(name.lower(), frozenset()) for name in answer.columns]
    free = [bool(names) and not (names or frozenset()) & maps.frozen.keys() for names in outputs]
    return [maps.values if is_free else {} for is_free in free]


def _translated(row: Sequence[Cell], words: list[Mapping[str, str]]) -> tuple[Cell, ...]:
    pairs = zip(row, words, strict=True)
    return tuple(known.get(cell, cell) if isinstance(cell, str) else cell for cell, known in pairs)


def _shape(table: TableSchema, maps: Maps | None) -> tuple[object, ...]:
    """Return what two tables that are equal up to renaming have in common, in the names of the target."""
    tables = {k.lower(): v.lower() for k, v in maps.tables.items()} if maps else {}
    columns = {k: v.lower() for k, v in maps.names().items()} if maps else {}

    def named(name: str) -> str:
        return columns.get(name.lower(), name.lower())

    def table_named(name: str) -> str:
        return tables.get(name.lower(), name.lower())

    keys = [
        (tuple(map(named, key.columns)), table_named(key.parent), tuple(map(named, key.parent_columns)))
        for key in table.foreign_keys
    ]
    shown = [(named(column.name), column.declared, column.key, column.generated) for column in table.columns]
    return table_named(table.name), tuple(shown), tuple(sorted(keys)), len(table.indexes)


def _statements(table: TableSchema) -> list[list[str]]:
    """Return the words of a table's statements and indexes, without quotes."""
    every = [[token.text for token in tokens_of(sql)] for sql in (table.sql, *table.indexes)]
    return [every[0], *sorted(every[1:])]


def _count(connection: sqlite3.Connection, table: str) -> int:
    return int(connection.execute(f"SELECT count(*) FROM {quoted(table)}").fetchone()[0])


def _same_rows(left: sqlite3.Connection, right: sqlite3.Connection, table: TableSchema) -> None:
    number = row_number(left, table)
    names = [*([number] if number else []), *(quoted(column.name) for column in table.columns)]
    order = f" ORDER BY {number}" if number else ""
    query = f"SELECT {', '.join(names)} FROM {quoted(table.name)}{order}"
    for at, (one, other) in enumerate(zip_longest(left.execute(query), right.execute(query)), 1):
        if one != other or [*map(type, one)] != [*map(type, other)]:
            raise does_not_hold(f"the way back changes row {at} of {table.name}", f"{one!r}\n{other!r}")
