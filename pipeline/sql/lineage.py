"""Which rows of its tables each block of a query sees: the row numbers to keep so that a sample gives the same result.

For every SELECT at any depth and every table in its FROM: the row numbers of that table under the same FROM and WHERE,
without grouping, ordering and LIMIT. A sample with those rows, and any others, shows every block all rows that it saw:
rows that a block turned down, it turns down again, since by induction its inner queries give the same.

Three cases ask for more rows than that. A block that refers to an outer one is joined with the outer FROM, under those
of the outer conditions that hold no query. Behind LEFT JOIN only conditions on tables that are never filled with NULL
count, since a row that finds no partner passes a different WHERE. RIGHT and FULL JOIN keep all rows.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sqlglot import exp

from pipeline.sql.tree import render

RowNumber = Callable[[str], str | None]
"""Under which name the row number of a table can be read; None if the table has none or is unknown."""


@dataclass(frozen=True)
class Lineage:
    """The row numbers that one block sees.

    `tables` are those of the block that have row numbers, `numbers` the expressions under which to read them.
    `origins` are FROM clauses with conditions, to be tried in order: the first that SQLite accepts is right. None of
    them accepted, or none there, means all rows.
    """

    tables: tuple[str, ...]
    numbers: tuple[str, ...]
    origins: tuple[str, ...]
    defined: str
    order: str = ""
    first: int = 0

    def select(self, columns: str) -> list[str]:
        """Return the queries for some columns, one an origin."""
        return [f"{self.defined}SELECT {columns} {origin}" for origin in self.origins]


@dataclass(frozen=True)
class _Block:
    select: exp.Select
    outer: tuple[exp.Select, ...]


def lineages(tree: exp.Query, row_number: RowNumber) -> list[Lineage]:
    """Return one query a block that reads tables. Tables without row numbers are left to be kept whole."""
    found = [lineage_of(select, row_number) for select in tree.find_all(exp.Select)]
    return [one for one in found if one is not None]


def lineage_of(select: exp.Select, row_number: RowNumber) -> Lineage | None:
    """Return the query for one block within its tree, or None if the block reads no table with row numbers."""
    block = _block(select)
    tables = [s for s in _sources(select) if _is_table(s, block) and row_number(s.name) is not None]
    if not tables:
        return None
    names = tuple(table.name for table in tables)
    numbers = tuple(_number(table, row_number) for table in tables)
    origins = () if _keeps_all(select) else tuple(_origins(block))
    return Lineage(names, numbers, origins, _defined(select), *_first_rows(select))


def _first_rows(select: exp.Select) -> tuple[str, int]:
    """Return the sort keys of a block that takes rows of an order without grouping, and how many it takes."""
    order, limit = select.args.get("order"), select.args.get("limit")
    number = limit.expression if isinstance(limit, exp.Limit) else None
    if order is None or not isinstance(number, exp.Literal) or number.is_string or select.args.get("group"):
        return "", 0
    offset = select.args.get("offset")
    skipped = offset.expression if isinstance(offset, exp.Offset) else exp.Literal.number(0)
    if not number.name.isdigit() or not skipped.name.isdigit():
        return "", 0
    return ", ".join(render(key) for key in order.expressions), int(number.name) + int(skipped.name)


def _number(table: exp.Expr, row_number: RowNumber) -> str:
    return render(exp.column(row_number(table.name) or "rowid", exp.to_identifier(table.alias_or_name, quoted=True)))


def _block(select: exp.Select) -> _Block:
    outer = []
    parent = select.parent_select
    while isinstance(parent, exp.Query):
        if isinstance(parent, exp.Select) and not _is_source_of(select, parent):
            outer.append(parent)
        parent = parent.parent_select
    return _Block(select, tuple(outer))


def _is_source_of(select: exp.Select, outer: exp.Select) -> bool:
    """Return whether a query stands in FROM or WITH of another, where it cannot refer to it."""
    node: exp.Expr = select
    while node.parent is not None and node.parent is not outer:
        node = node.parent
    return node.arg_key in {"from_", "with_"} or (node.arg_key == "joins" and _stands_in_join_source(select, node))


def _stands_in_join_source(select: exp.Expr, join: exp.Expr) -> bool:
    node = select
    while node.parent is not join and node.parent is not None:
        node = node.parent
    return node.arg_key == "this"


def _sources(select: exp.Select) -> list[exp.Expr]:
    origin = select.args.get("from_")
    return [*([origin.this] if origin is not None else []), *(j.this for j in select.args.get("joins") or [])]


def _is_table(source: exp.Expr, block: _Block) -> bool:
    return isinstance(source, exp.Table) and source.name.lower() not in _named(block.select)


def _named(node: exp.Expr) -> set[str]:
    return {table.alias.lower() for clause in _with_clauses(node) for table in clause.expressions}


def _with_clauses(node: exp.Expr | None) -> list[exp.With]:
    clauses = []
    while node is not None:
        if isinstance(clause := node.args.get("with_"), exp.With):
            clauses.append(clause)
        node = node.parent
    return clauses[::-1]


def _side(join: exp.Join) -> str:
    return str(join.args.get("side") or "").upper()


def _keeps_all(select: exp.Select) -> bool:
    """Return whether some join makes rows of NULL that later conditions could pick: those blocks keep all rows."""
    joins = select.args.get("joins") or []
    certain = {s.alias_or_name.lower() for s in _sources(select)} - _optional(select)
    behind_left = False
    for join in joins:
        on = join.args.get("on")
        plain = on is None and not join.args.get("using") and not join.args.get("method")
        if _side(join) in {"RIGHT", "FULL"}:
            return True
        if behind_left and _side(join) != "LEFT" and not (plain or (on is not None and _speaks_only_of(on, certain))):
            return True
        behind_left = behind_left or _side(join) == "LEFT"
    return False


def _origins(block: _Block) -> Iterator[str]:
    """Return the FROM and WHERE of a block alone, then together with one outer block more each time."""
    for depth in range(len(block.outer) + 1):
        outer = block.outer[:depth]
        pieces = [_from_clause(select) for select in [*outer[::-1], block.select]]
        conditions = [c for select in outer for c in _conjuncts(select) if c.find(exp.Query) is None]
        conditions += _conjuncts(block.select)
        text = "FROM " + ", ".join(piece for piece in pieces if piece)
        yield text + " WHERE " * bool(conditions) + " AND ".join(f"({render(c)})" for c in conditions)


def _defined(select: exp.Select) -> str:
    clauses = _with_clauses(select)
    tables = [render(table) for clause in clauses for table in clause.expressions]
    recursive = "RECURSIVE " if any(clause.args.get("recursive") for clause in clauses) else ""
    return f"WITH {recursive}{', '.join(tables)} " if tables else ""


def _from_clause(select: exp.Select) -> str:
    origin = select.args.get("from_")
    if origin is None:
        return ""
    return " ".join(
        [render(origin.this), *(render(join).removeprefix(", ") for join in select.args.get("joins") or [])]
    )


def _conjuncts(select: exp.Select) -> list[exp.Expr]:
    where = select.args.get("where")
    parts = [part.copy() for part in where.this.flatten()] if where and isinstance(where.this, exp.And) else []
    parts = parts or ([where.this.copy()] if where else [])
    optional = _optional(select)
    if not optional:
        return parts
    certain = {s.alias_or_name.lower() for s in _sources(select)} - optional
    return [part for part in parts if _speaks_only_of(part, certain)]


def _optional(select: exp.Select) -> set[str]:
    joins = select.args.get("joins") or []
    return {join.this.alias_or_name.lower() for join in joins if _side(join) == "LEFT"}


def _speaks_only_of(condition: exp.Expr, tables: set[str]) -> bool:
    """A column without its table could be any table's, an inner query could refer to any."""
    columns = list(condition.find_all(exp.Column))
    return condition.find(exp.Query) is None and all(column.table.lower() in tables for column in columns)
