"""Foreign keys of a sample: what kept rows refer to, all of it, and some of what refers to them."""

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.database import ForeignKey, TableSchema, quoted
from pipeline.sampling.scratch import Scratch

_ROUNDS = 60  # of closing over foreign keys; a chain of references that is longer stays open
_PARENTS = 50  # of which children are kept, for each foreign key
_CHILDREN = 2  # that are kept of each of them

Unique = set[tuple[str, frozenset[str]]]
"""The sets of columns, with the name of their table, of which no two rows have the same values; in lower case."""


@dataclass(frozen=True)
class Reference:
    """A foreign key that can be followed: both tables have row numbers, and the columns of the parent are unique."""

    child: TableSchema
    parent: TableSchema
    pairs: tuple[tuple[str, str], ...]


def references(scratch: Scratch, tables: Sequence[TableSchema], unique: Unique) -> list[Reference]:
    """Return the foreign keys of some tables that can be followed; keys to what is not unique are none."""
    found = [_reference(scratch, child, key, unique) for child in tables for key in child.foreign_keys]
    return [one for one in found if one is not None]


def _reference(scratch: Scratch, child: TableSchema, key: ForeignKey, unique: Unique) -> Reference | None:
    parent = scratch.database.table(key.parent)
    if parent is None or parent.name not in scratch.places:
        return None
    keys = sorted((column for column in parent.columns if column.key), key=lambda column: column.key)
    targets = key.parent_columns or tuple(column.name for column in keys)
    named = frozenset(target.lower() for target in targets)
    if len(targets) != len(key.columns) or (parent.name.lower(), named) not in unique:
        return None
    return Reference(child, parent, tuple(zip(key.columns, targets, strict=True)))


def keep_parents(scratch: Scratch, keys: Sequence[Reference]) -> None:
    """Keep the rows that kept rows refer to, until there are no more. Raises QueryFailed."""
    before = -1
    for _ in range(_ROUNDS):
        total = sum(scratch.counts(name)[0] for name in scratch.places)
        if total == before or not keys:
            return
        before = total
        for key in keys:
            kept, there = scratch.counts(key.parent.name)
            if kept < there:
                scratch.run(_parents(scratch, key))


def _parents(scratch: Scratch, key: Reference) -> str:
    on = " AND ".join(f"p.{quoted(target)} = c.{quoted(column)}" for column, target in key.pairs)
    return (
        f"INSERT OR IGNORE INTO keep.{scratch.places[key.parent.name]} SELECT p.{_number(scratch, key.parent)} "
        f"FROM keep.{scratch.places[key.child.name]} k JOIN main.{quoted(key.child.name)} c "
        f"ON c.{_number(scratch, key.child)} = k.r JOIN main.{quoted(key.parent.name)} p ON {on}"
    )


def keep_children(scratch: Scratch, keys: Sequence[Reference]) -> None:
    """Keep two rows that refer to each of at most fifty kept rows, for each foreign key.

    Parents without any children would give away that they were chosen; without a cap, their children and those rows'
    parents would soon be the whole database.
    """
    for key in keys:
        kept, there = scratch.counts(key.child.name)
        if kept < there and scratch.counts(key.parent.name)[0]:
            scratch.tries(_children(scratch, key))


def _children(scratch: Scratch, key: Reference) -> str:
    child, parent = _number(scratch, key.child), _number(scratch, key.parent)
    targets = "".join(f", pr.{quoted(target)} AS k{at}" for at, (_, target) in enumerate(key.pairs))
    parents = (
        f"SELECT pr.{parent} AS r{targets} FROM keep.{scratch.places[key.parent.name]} k "
        f"JOIN main.{quoted(key.parent.name)} pr ON pr.{parent} = k.r "
        f"ORDER BY {scratch.hashed(f'pr.{parent}')}, pr.{parent} LIMIT {_PARENTS}"
    )
    on = " AND ".join(f"p.k{at} = c.{quoted(column)}" for at, (column, _) in enumerate(key.pairs))
    drawn = f"row_number() OVER (PARTITION BY p.r ORDER BY {scratch.hashed(f'c.{child}')}, c.{child})"
    return (
        f"INSERT OR IGNORE INTO keep.{scratch.places[key.child.name]} "
        f"SELECT n FROM (SELECT c.{child} AS n, {drawn} AS at "
        # in this order: one pass over the children, whatever their number
        f"FROM main.{quoted(key.child.name)} c CROSS JOIN ({parents}) p ON {on}) WHERE at <= {_CHILDREN}"
    )


def _number(scratch: Scratch, table: TableSchema) -> str:
    return scratch.numbers[table.name.lower()]
