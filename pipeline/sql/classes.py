"""Cells that a wish makes equal, and its conditions over those classes of cells."""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlglot import exp

from pipeline.sql.tree import render
from pipeline.sql.wishes import Columns, Wish

Cell = tuple[str, str]
"""A row of a wish and a column of it, in lower case."""

Keys = dict[str, str | None]
"""The primary key of each table, if it has one of a single column."""


@dataclass(frozen=True)
class Condition:
    """A condition over classes, as SQL in which the class N is the column `dN.v`; the literals in it as texts."""

    sql: str
    classes: frozenset[int]
    literals: tuple[str, ...]
    patterns: tuple[str, ...]
    dated: bool
    may_be_null: bool


@dataclass(frozen=True)
class Classes:
    """The cells of a wish by class (`of`), rows without those that turned out to be another one, and conditions."""

    rows: dict[str, str]
    of: dict[Cell, int]
    types: dict[int, str]
    conditions: tuple[Condition, ...]
    outputs: tuple[Condition, ...]
    shared: frozenset[int]


def classes_of(wish: Wish, columns: Columns, keys: Keys, through_functions: bool) -> Classes:
    """Return the classes of a wish. Cells are one class if a condition says that they are equal.

    Rows of one table with one primary key are one row. With `through_functions`, `f(x) = f(y)` makes x and y equal.
    """
    union = _Union()
    rest = [c for c in wish.conditions if not _unite(c, union, through_functions)]
    rows = _merged(wish.rows, columns, keys, union)
    for place in [*rest, *wish.outputs, *wish.shared]:
        for cell in _cells(place):
            union.find(cell)
    numbers: dict[Cell, int] = {}
    of = {cell: numbers.setdefault(union.find(cell), len(numbers)) for cell in sorted(union.parents)}
    types: dict[int, str] = {}
    for (row, column), number in of.items():
        types.setdefault(number, columns[wish.rows[row]][column])
    shared = frozenset(of[cell] for place in wish.shared for cell in _cells(place))
    conditions = tuple(_condition(c, of) for c in rest)
    return Classes(rows, of, types, conditions, tuple(_condition(o, of) for o in wish.outputs), shared)


class _Union:
    def __init__(self) -> None:
        self.parents: dict[Cell, Cell] = {}

    def find(self, cell: Cell) -> Cell:
        parent = self.parents.setdefault(cell, cell)
        if parent != cell:
            self.parents[cell] = parent = self.find(parent)
        return parent

    def unite(self, one: Cell, other: Cell) -> None:
        first, second = sorted((self.find(one), self.find(other)))
        self.parents[second] = first


def _cells(node: exp.Expr) -> list[Cell]:
    return [(column.table, column.name) for column in node.find_all(exp.Column)]


def _unite(condition: exp.Expr, union: _Union, through_functions: bool) -> bool:
    if not isinstance(condition, exp.EQ):
        return False
    one, other = condition.this.unnest(), condition.expression.unnest()
    first, second = _cells(one), _cells(other)
    if len(first) != 1 or len(second) != 1:
        return False
    bare = isinstance(one, exp.Column) and isinstance(other, exp.Column)
    if not bare and not (through_functions and _without_column(one) == _without_column(other)):
        return False
    union.unite(first[0], second[0])
    return True


def _without_column(node: exp.Expr) -> str:
    copy = exp.Paren(this=node.copy())
    for column in list(copy.find_all(exp.Column)):
        column.replace(exp.Var(this="x"))
    return render(copy)


def _merged(rows: dict[str, str], columns: Columns, keys: Keys, union: _Union) -> dict[str, str]:
    """Return the rows without those whose primary key is in the class of an earlier one's; their cells are united."""
    kept = dict(rows)
    changed = True
    while changed:
        changed = False
        seen: dict[tuple[str, Cell], str] = {}
        for row, table in list(kept.items()):
            key = keys.get(table)
            if key is None or (row, key) not in union.parents:
                continue
            first = seen.setdefault((table, union.find((row, key))), row)
            if first != row:
                for column in columns[table]:
                    union.unite((first, column), (row, column))
                del kept[row]
                changed = True
    return kept


def _condition(node: exp.Expr, of: dict[Cell, int]) -> Condition:
    copy = exp.Paren(this=node.copy())
    for column in list(copy.find_all(exp.Column)):
        column.replace(exp.column("v", f"d{of[column.table, column.name]}"))
    sql = render(copy)
    patterns = [like.expression.name for like in node.find_all(exp.Like, exp.Glob) if like.expression.is_string]
    return Condition(
        sql=sql,
        classes=frozenset(of[cell] for cell in _cells(node)),
        literals=tuple(_literals(node.find_all(exp.Literal))),
        patterns=tuple(patterns),
        dated=_is_dated(sql),
        may_be_null=node.find(exp.Is) is not None and "NULL" in sql,
    )


def _literals(found: Iterable[exp.Literal]) -> list[str]:
    return [f"-{literal.name}" if isinstance(literal.parent, exp.Neg) else literal.name for literal in found]


def _is_dated(sql: str) -> bool:
    low = sql.lower()
    return any(f"{name}(" in low for name in ("date", "datetime", "strftime", "julianday", "time"))
