"""One look at a database: the texts of each column, and which columns belong together."""

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from pipeline.database import Database, quoted, reading

MOST_OVERLAPPING = 40  # a text that stands in more columns than this says nothing about any two of them
LEAST_SHARED = 2
LEAST_SHARE = 0.5


@dataclass(frozen=True)
class Survey:
    """The different texts of all columns of one name (in lower case), and the groups of names that are linked."""

    texts: Mapping[str, frozenset[str]]
    groups: Mapping[str, frozenset[str]]


def survey(database: Database) -> Survey:
    """Return the texts and links of a database.

    Columns are linked by a common name, by a foreign key, or where at least half of the texts of one (two at least)
    occur in the other. Raises sqlite3.Error.
    """
    texts: dict[str, set[str]] = defaultdict(set)
    with reading(database.path) as connection:
        for table in database.tables:
            for column in table.columns:
                texts[column.name.lower()] |= _texts(connection, table.name, column.name)
    keys = [
        (child.lower(), parent.lower())
        for table in database.tables
        for key in table.foreign_keys
        for child, parent in zip(key.columns, _targets(database, key.parent, key.parent_columns), strict=False)
    ]
    return Survey({name: frozenset(found) for name, found in texts.items()}, grouped(texts, [*keys, *_overlaps(texts)]))


def grouped(names: Iterable[str], links: Iterable[tuple[str, str]]) -> dict[str, frozenset[str]]:
    """Return for each name the group of all that are linked with it, itself included."""
    group: dict[str, set[str]] = {name: {name} for name in names}
    for one, other in links:
        if one in group and other in group and group[one] is not group[other]:
            merged = group[one] | group[other]
            for name in merged:
                group[name] = merged
    return {name: frozenset(found) for name, found in group.items()}


def _texts(connection: sqlite3.Connection, table: str, column: str) -> set[str]:
    name = quoted(column)
    query = f"SELECT DISTINCT {name} FROM {quoted(table)} WHERE typeof({name}) = 'text'"
    return {text for (text,) in connection.execute(query) if _is_text(text)}


def _is_text(text: str) -> bool:
    return not any("\ud800" <= c <= "\udfff" for c in text)


def _targets(database: Database, parent: str, columns: tuple[str, ...]) -> tuple[str, ...]:
    table = database.table(parent)
    if columns or table is None:
        return columns
    return tuple(column.name for column in sorted(table.columns, key=lambda c: c.key) if column.key)


def _overlaps(texts: Mapping[str, set[str]]) -> list[tuple[str, str]]:
    columns: dict[str, list[str]] = defaultdict(list)
    for name in sorted(texts):
        for text in texts[name]:
            columns[text].append(name)
    shared = Counter(
        pair for names in columns.values() if len(names) <= MOST_OVERLAPPING for pair in combinations(names, 2)
    )
    return [
        (a, b)
        for (a, b), count in sorted(shared.items())
        if count >= max(LEAST_SHARED, LEAST_SHARE * min(len(texts[a]), len(texts[b])))
    ]
