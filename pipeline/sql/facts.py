"""What a gold SQL says, as one value: tables, columns, joins, predicates, aggregates, grouping, order, clock."""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from pipeline.sql.clock import clock_reading
from pipeline.sql.features import Features, features
from pipeline.sql.resolve import Place, Resolver
from pipeline.sql.tree import render

Value = None | bool | int | float | str

_COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Like, exp.ILike, exp.Glob, exp.Is)
_MIRRORED = {"gt": "lt", "gte": "lte", "lt": "gt", "lte": "gte"}


@dataclass(frozen=True)
class Predicate:
    """A comparison of a column with values: `places` are the columns behind it, `operator` is `eq`, `like`, `in` …

    Values have the type that they are written with: 1 is not '1'. `bare`: the column stands alone, in no function.
    """

    places: tuple[Place, ...]
    operator: str
    values: tuple[Value, ...]
    negated: bool
    bare: bool


@dataclass(frozen=True)
class Facts:
    """What a query says. Tables and columns are those of the database, whatever the query calls them.

    `joins` are pairs of columns that must be equal (ON, USING, WHERE, or IN a query), each pair sorted; `aggregates`,
    `group_by` and `order_by` are SQL of the qualified query; `limits` and `offsets` those of all queries inside that
    name a number; `clock` is the piece that reads the clock or draws random numbers.
    """

    tables: tuple[str, ...]
    columns: tuple[Place, ...]
    joins: tuple[tuple[Place, Place], ...]
    predicates: tuple[Predicate, ...]
    aggregates: tuple[str, ...]
    group_by: tuple[str, ...]
    order_by: tuple[str, ...]
    limits: tuple[int, ...]
    offsets: tuple[int, ...]
    set_operations: tuple[str, ...]
    clock: str | None
    features: Features


def facts(tree: exp.Query) -> Facts:
    """Return the facts of a query whose names are resolved (`pipeline.sql.qualified.qualified`)."""
    resolver = Resolver(tree)
    places = {place for column in resolver.columns() for place in resolver.places(column)}
    sources = [source for scope in resolver.scopes for source in scope.sources.values()]
    return Facts(
        tables=tuple(sorted({source.name.lower() for source in sources if isinstance(source, exp.Table)})),
        columns=tuple(sorted(places)),
        joins=tuple(sorted(set(_joins(tree, resolver)))),
        predicates=tuple(predicates(tree, resolver)),
        aggregates=_texts(tree, exp.AggFunc),
        group_by=tuple(render(key) for group in tree.find_all(exp.Group) for key in group.expressions),
        order_by=tuple(render(key) for order in tree.find_all(exp.Order) for key in order.expressions),
        limits=_numbers(tree, exp.Limit),
        offsets=_numbers(tree, exp.Offset),
        set_operations=tuple(node.key for node in tree.find_all(exp.SetOperation)),
        clock=clock_reading(render(tree)),
        features=features(tree),
    )


def predicates(tree: exp.Expr, resolver: Resolver) -> Iterator[Predicate]:
    """Yield every comparison of a column (bare, or inside functions) with values that are written out."""
    for node in tree.find_all(*_COMPARISONS, exp.Between, exp.In):
        column, operator, values = _compared(node)
        if column is None or not values:
            continue
        found = {place for part in column.find_all(exp.Column) for place in resolver.places(part)}
        if found:
            yield Predicate(tuple(sorted(found)), operator, values, _is_negated(node), isinstance(column, exp.Column))


def _compared(node: exp.Expr) -> tuple[exp.Expr | None, str, tuple[Value, ...]]:
    if isinstance(node, exp.Between):
        parts = [node.args["low"], node.args["high"]]
    elif isinstance(node, exp.In):
        parts = list(node.expressions)
    elif literal(node.expression) is not _NO_VALUE:
        parts = [node.expression]
    else:
        mirrored = literal(node.this)
        ready = () if isinstance(mirrored, _NoValue) else (mirrored,)
        return node.expression, _MIRRORED.get(node.key, node.key), ready
    values = [literal(part) for part in parts]
    written = tuple(value for value in values if not isinstance(value, _NoValue))
    return node.this, node.key, written if len(written) == len(values) else ()


class _NoValue:
    """Stands for an expression that is no written value; None is one."""


_NO_VALUE = _NoValue()


def literal(node: exp.Expr) -> Value | _NoValue:
    """Return a written value with its type: text, integer, float, NULL, or a truth value."""
    node = node.unnest()
    if isinstance(node, exp.Neg):
        inner = literal(node.this)
        return -inner if isinstance(inner, int | float) else _NO_VALUE
    if isinstance(node, exp.Null):
        return None
    if isinstance(node, exp.Boolean):
        return bool(node.this)
    if not isinstance(node, exp.Literal):
        return _NO_VALUE
    return node.name if node.is_string else _number(node.name)


def _number(text: str) -> int | float:
    return int(text) if text.isdigit() else float(text)


def _is_negated(node: exp.Expr) -> bool:
    parent = node.parent
    while isinstance(parent, exp.Paren):
        parent = parent.parent
    return isinstance(parent, exp.Not)


def _joins(tree: exp.Query, resolver: Resolver) -> Iterator[tuple[Place, Place]]:
    for node in tree.find_all(exp.EQ, exp.In):
        query = node.args.get("query") if isinstance(node, exp.In) else None
        other = query.unnest().selects[0].unalias() if query is not None else node.args.get("expression")
        if not (isinstance(node.this, exp.Column) and isinstance(other, exp.Column)):
            continue
        one, two = resolver.place(node.this), resolver.place(other)
        same_source = node.this.table == other.table and query is None
        if one is not None and two is not None and not same_source:
            yield (one, two) if one <= two else (two, one)


def _texts(tree: exp.Query, kind: type[exp.Expr]) -> tuple[str, ...]:
    return tuple(render(node) for node in tree.find_all(kind))


def _numbers(tree: exp.Query, kind: type[exp.Expr]) -> tuple[int, ...]:
    values = [literal(node.expression) for node in tree.find_all(kind)]
    return tuple(value for value in values if isinstance(value, int) and not isinstance(value, bool))
