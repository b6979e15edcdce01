"""A query without one of its parts, to see whether the part matters on a database, and the rows that it turns away.

The parts are every conjunct of WHERE, HAVING and ON, every DISTINCT, and every inner join of whose table nothing else
is used. Trees should be qualified: where a column does not say its table, fewer parts are found.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from sqlglot import exp

from pipeline.sql.tree import render

MOST_PARTS = 60  # of one query; what is beyond is not asked


class Part(StrEnum):
    """What is taken away. `link` is a conjunct that compares columns of several tables."""

    CONDITION = "condition"
    LINK = "join condition"
    DISTINCT = "DISTINCT"
    JOIN = "joined table"


@dataclass(frozen=True)
class Miss:
    """A block of a query of its own, whose rows are those that one part alone turns away.

    `order` is what puts those first that are nearly let in, as SQL; empty where none is nearer than another.
    """

    select: exp.Select
    order: str = ""


@dataclass(frozen=True)
class Mutation:
    """A query without one part: `what` is the part as SQL, `sql` the rest, `misses` the rows that the part turns away.

    There are none for a link (they would be nearly all pairs of rows), nor where all rows are seen anyway.
    """

    part: Part
    what: str
    sql: str
    misses: tuple[Miss, ...] = ()

    @property
    def links(self) -> bool:
        """Whether the part keeps tables together, so that many more rows are joined without it."""
        return self.part is Part.LINK


_Change = Callable[[exp.Select], None]


def mutations(tree: exp.Query) -> list[Mutation]:
    """Return the query without each of its parts, in the order in which they stand, at most MOST_PARTS."""
    found = [one for at, select in enumerate(tree.find_all(exp.Select)) for one in _of_block(tree, at, select)]
    return found[:MOST_PARTS]


def _of_block(tree: exp.Query, at: int, select: exp.Select) -> Iterator[Mutation]:
    for number, (clause, part) in enumerate(conditions(select)):
        yield _without_condition(tree, at, number, clause, part)
    if select.args.get("distinct") is not None and select.find_ancestor(exp.In, exp.Exists) is None:
        yield Mutation(Part.DISTINCT, "DISTINCT", render(_changed(tree, at, lambda s: s.set("distinct", None))[0]))
    for number, node in enumerate(_distinct_aggregates(select)):
        yield Mutation(Part.DISTINCT, render(node), render(_changed(tree, at, _plain_aggregate(number))[0]))
    for number, join in enumerate(select.args.get("joins") or []):
        if _is_inner(join) and not _used_elsewhere(select, join):
            yield _without_join(tree, at, number, join)


def conditions(select: exp.Select) -> list[tuple[exp.Expr, exp.Expr]]:
    """Return each conjunct of a block with the clause that it stands in: a Where, a Having, or a Join."""
    found = []
    for join in select.args.get("joins") or []:
        found += [(join, part) for part in _conjuncts(join.args.get("on"))]
    for name in ("where", "having"):
        if (clause := select.args.get(name)) is not None:
            found += [(clause, part) for part in _conjuncts(clause.this)]
    return found


def _conjuncts(condition: exp.Expr | None) -> list[exp.Expr]:
    inner = condition.unnest() if condition is not None else None
    if inner is None or isinstance(inner, exp.Boolean):  # the library writes ON TRUE by itself
        return []
    if not isinstance(inner, exp.And):
        return [inner]
    return [part for side in (inner.this, inner.expression) for part in _conjuncts(side)]


def _without_condition(tree: exp.Query, at: int, number: int, clause: exp.Expr, part: exp.Expr) -> Mutation:
    select = part.find_ancestor(exp.Select)
    assert select is not None
    tables = {column.table for column in _own_columns(part)}
    kind = Part.LINK if len(tables) > 1 else Part.CONDITION
    outer = isinstance(clause, exp.Join) and not _is_inner(clause)
    certain = len(_sources(select)) == 1 or "" not in tables
    ways = [] if kind is Part.LINK or outer or not certain or isinstance(clause, exp.Having) else turned_away(part)
    misses = tuple(Miss(_changed(tree, at, _in_place_of(number, way))[1], order) for way, order in ways)
    return Mutation(kind, render(part), render(_changed(tree, at, _in_place_of(number, exp.true()))[0]), misses)


def turned_away(part: exp.Expr) -> list[tuple[exp.Expr, str]]:
    """Return conditions for the rows that a condition turns away, each with the order that puts the nearest first.

    A comparison by size has its edge, BETWEEN has two; the last condition is for rows where the answer is NULL.
    """
    null = (exp.Is(this=_in_brackets(part), expression=exp.Null()), "")
    if isinstance(part, exp.Between) and part.this.find(exp.Query) is None:
        low = exp.LT(this=part.this.copy(), expression=part.args["low"].copy())
        high = exp.GT(this=part.this.copy(), expression=part.args["high"].copy())
        return [(low, f"{render(part.this)} DESC"), (high, render(part.this)), null]
    return [(exp.Not(this=_in_brackets(part)), _edge(part)), null]


def _edge(part: exp.Expr) -> str:
    """Return the order of the rows that a comparison by size turns away; empty for another condition."""
    if not isinstance(part, exp.GT | exp.GTE | exp.LT | exp.LTE):
        return ""
    greater = isinstance(part, exp.GT | exp.GTE)
    if not _own_columns(part.this):
        return f"{render(part.expression)}{'' if greater else ' DESC'}"
    return f"{render(part.this)}{' DESC' if greater else ''}"


def _without_join(tree: exp.Query, at: int, number: int, join: exp.Join) -> Mutation:
    def drop(select: exp.Select) -> None:
        del select.args["joins"][number]

    def miss(select: exp.Select) -> None:
        dropped = select.args["joins"].pop(number)
        inner = exp.select("1").from_(dropped.this.copy())
        if (on := dropped.args.get("on")) is not None:
            inner = inner.where(on.copy(), copy=False)
        select.where(exp.Not(this=exp.Exists(this=inner)), copy=False)

    misses = (Miss(_changed(tree, at, miss)[1]),) if join.args.get("on") is not None else ()
    return Mutation(Part.JOIN, render(join).strip(), render(_changed(tree, at, drop)[0]), misses)


def _changed(tree: exp.Query, at: int, change: _Change) -> tuple[exp.Query, exp.Select]:
    """Return a copy of the query of which one block is changed, and that block in it."""
    copy = tree.copy()
    select = list(copy.find_all(exp.Select))[at]
    change(select)
    return copy, select


def _in_place_of(number: int, condition: exp.Expr) -> _Change:
    def change(select: exp.Select) -> None:
        conditions(select)[number][1].replace(_in_brackets(condition))

    return change


def _plain_aggregate(number: int) -> _Change:
    def change(select: exp.Select) -> None:
        node = _distinct_aggregates(select)[number]
        node.set("this", node.this.expressions[0].copy())

    return change


def _distinct_aggregates(select: exp.Select) -> list[exp.AggFunc]:
    found = [node for node in select.find_all(exp.AggFunc) if node.parent_select is select]
    return [node for node in found if isinstance(node.this, exp.Distinct) and len(node.this.expressions) == 1]


def _own_columns(node: exp.Expr) -> list[exp.Column]:
    """Return the columns of an expression outside its inner queries."""
    inner = {id(column) for query in node.find_all(exp.Query) for column in query.find_all(exp.Column)}
    return [column for column in node.find_all(exp.Column) if id(column) not in inner]


def _is_inner(join: exp.Join) -> bool:
    plain = not join.args.get("side") and not join.args.get("method") and not join.args.get("using")
    return plain and str(join.args.get("kind") or "").upper() in {"", "INNER", "CROSS"}


def _used_elsewhere(select: exp.Select, join: exp.Join) -> bool:
    """Return whether something outside ON could be a column of the joined table."""
    if any(output.is_star for output in select.expressions):
        return True
    own = {id(column) for column in join.find_all(exp.Column)}
    others = [column for column in select.find_all(exp.Column) if id(column) not in own]
    return any(column.table in {"", join.this.alias_or_name} for column in others)


def _sources(select: exp.Select) -> list[exp.Expr]:
    origin = select.args.get("from_")
    return [*([origin.this] if origin is not None else []), *(j.this for j in select.args.get("joins") or [])]


def _in_brackets(node: exp.Expr) -> exp.Expr:
    return exp.Paren(this=node.copy())
