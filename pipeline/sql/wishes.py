"""Which rows must exist so that a query finds something: the query flattened to rows and conditions on them.

A witness needs one row for each table that a query reads, at any depth, and conditions that say how their cells
hang together. Groups are thought of as `copies` rows that are equal where it matters: COUNT is then that number, SUM
so many times the value, and MIN, MAX and AVG the value itself.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from sqlglot import exp

Columns = Mapping[str, Mapping[str, str]]
"""The declared type of each column by its name, by the name of the table; all names in lower case."""

Fold = Callable[[str], list[object]]
"""The first column of what a query gives on the database as it is now; empty if it fails, as correlated ones do."""

_RANKS = (exp.RowNumber, exp.Rank, exp.DenseRank, exp.Ntile)
_SAME = (exp.Min, exp.Max, exp.Avg, exp.GroupConcat, exp.AnyValue)


class NoWish(Exception):
    """The query cannot be flattened; `str()` says at what."""


@dataclass
class Wish:
    """Rows by a name of their own with their tables, and conditions over `row.column`. `shared` are grouped by."""

    rows: dict[str, str] = field(default_factory=dict)
    conditions: list[exp.Expr] = field(default_factory=list)
    outputs: list[exp.Expr] = field(default_factory=list)
    shared: list[exp.Expr] = field(default_factory=list)


@dataclass(frozen=True)
class Way:
    """One way to flatten a query: how many copies a group has, which side of an OR or UNION, and whether inner queries
    that stand alone are replaced by what they give now."""

    copies: int = 1
    side: int = 0
    fold: bool = True


Scope = dict[str, dict[str, exp.Expr]]
Named = dict[str, exp.Expr]


def wish_of(tree: exp.Query, columns: Columns, way: Way, fold: Fold) -> Wish:
    """Return the rows that a query wishes for. Raises NoWish for what cannot be flattened."""
    flattener = _Flattener(columns, way, fold)
    flattener.wish.outputs = [expression for _, expression in flattener.query(tree, [], {})]
    return flattener.wish


class _Flattener:
    def __init__(self, columns: Columns, way: Way, fold: Fold) -> None:
        self.wish = Wish()
        self._columns = columns
        self._way = way
        self._fold = fold

    def query(self, node: exp.Expr, outer: list[Scope], named: Named) -> list[tuple[str, exp.Expr]]:
        """Add the rows of a query and return its outputs by their names."""
        clause = node.args.get("with_")
        for table in clause.expressions if clause is not None else []:
            named = {**named, table.alias.lower(): table.this}
        if isinstance(node, exp.Subquery):
            return self.query(node.this, outer, named)
        if isinstance(node, exp.SetOperation):
            return self._both(node, outer, named)
        if not isinstance(node, exp.Select):
            raise NoWish(f"a {node.key} where a query is expected")
        return self._select(node, outer, named)

    def _both(self, node: exp.SetOperation, outer: list[Scope], named: Named) -> list[tuple[str, exp.Expr]]:
        sides = [node.this, node.expression]
        if not isinstance(node, exp.Intersect):
            return self.query(sides[self._way.side if isinstance(node, exp.Union) else 0], outer, named)
        one, other = (self.query(side, outer, named) for side in sides)
        self.wish.conditions += [_equal(a, b) for (_, a), (_, b) in zip(one, other, strict=False)]
        return one

    def _select(self, node: exp.Select, outer: list[Scope], named: Named) -> list[tuple[str, exp.Expr]]:
        scope: Scope = {}
        scopes = [scope, *outer]
        origin = node.args.get("from_")
        joins = node.args.get("joins") or []
        for source in [*([origin.this] if origin is not None else []), *(join.this for join in joins)]:
            scope[source.alias_or_name.lower() or f"#{len(scope)}"] = self._source(source, outer, named)
        outputs = [part for p in node.expressions for part in self._projection(p, scopes, named)]
        aliases = [*scopes, {"#outputs": dict(outputs)}]
        for join in joins:
            self._join(join, scopes, named)
        for name in ("where", "having"):
            if (clause := node.args.get(name)) is not None:
                self._condition(clause.this, aliases, named)
        group = node.args.get("group")
        for key in group.expressions if group is not None else []:
            if not isinstance(key, exp.Literal):
                self.wish.shared.append(self._value(key, aliases, named))
        return outputs

    def _source(self, source: exp.Expr, outer: list[Scope], named: Named) -> dict[str, exp.Expr]:
        if isinstance(source, exp.Table):
            name = source.name.lower()
            if name in named:
                return dict(self.query(named[name], outer, {k: v for k, v in named.items() if k != name}))
            if name not in self._columns:
                raise NoWish(f"no table {source.name}")
            row = f"r{len(self.wish.rows)}"
            self.wish.rows[row] = name
            return {column: exp.column(column, row) for column in self._columns[name]}
        return {name.lower(): value for name, value in self.query(source, outer, named)}

    def _join(self, join: exp.Join, scopes: list[Scope], named: Named) -> None:
        if (on := join.args.get("on")) is not None:
            self._condition(on, scopes, named)
        joined = scopes[0][join.this.alias_or_name.lower()]
        others = [s for name, s in scopes[0].items() if s is not joined]
        using = [part.name.lower() for part in join.args.get("using") or []]
        if str(join.args.get("method") or "").upper() == "NATURAL":
            using = [name for name in joined if any(name in other for other in others)]
        for name in using:
            other = next((other for other in others if name in other), None)
            if other is not None:
                self.wish.conditions.append(_equal(joined[name], other[name]))

    def _projection(self, node: exp.Expr, scopes: list[Scope], named: Named) -> list[tuple[str, exp.Expr]]:
        if isinstance(node, exp.Star) or (isinstance(node, exp.Column) and isinstance(node.this, exp.Star)):
            only = node.table.lower() if isinstance(node, exp.Column) else ""
            tables = [columns for alias, columns in scopes[0].items() if only in {"", alias}]
            return [pair for columns in tables for pair in columns.items()]
        return [(node.alias_or_name.lower(), self._value(node.unalias(), scopes, named))]

    def _condition(self, node: exp.Expr, scopes: list[Scope], named: Named) -> None:
        if isinstance(node, exp.Paren | exp.And):
            for part in [node.this, node.args.get("expression")]:
                if part is not None:
                    self._condition(part, scopes, named)
        elif isinstance(node, exp.Or) and node.find(exp.Query) is not None:
            self._condition([node.this, node.expression][self._way.side], scopes, named)
        elif isinstance(node, exp.Exists):
            self.query(node.this, scopes, named)
        elif isinstance(node, exp.In) and node.args.get("query") is not None:
            self._among(node, scopes, named)
        elif not (isinstance(node, exp.Not) and node.find(exp.Query) is not None):  # fresh rows lie outside
            self.wish.conditions.append(self._value(node, scopes, named))

    def _among(self, node: exp.In, scopes: list[Scope], named: Named) -> None:
        inner = node.args["query"]
        left = node.this.expressions if isinstance(node.this, exp.Tuple) else [node.this]
        wanted = [self._value(part, scopes, named) for part in left]
        query = inner.unnest()
        if self._way.fold and len(wanted) == 1 and any(query.args.get(c) is not None for c in ("limit", "group")):
            found = self._fold(_standalone(query, named))
            if found and found[0] is not None:
                self.wish.conditions.append(_equal(wanted[0], exp.convert(found[0])))
                return
        outputs = self.query(query, scopes, named)
        self.wish.conditions += [_equal(a, b) for a, (_, b) in zip(wanted, outputs, strict=False)]

    def _value(self, node: exp.Expr, scopes: list[Scope], named: Named) -> exp.Expr:
        """Return an expression over the rows of the wish, without aggregates, windows and inner queries."""
        if isinstance(node, exp.Column):
            return self._column(node, scopes)
        if isinstance(node, exp.Subquery | exp.Select | exp.SetOperation):
            return self._scalar(node, scopes, named)
        if isinstance(node, exp.Exists) or (isinstance(node, exp.In) and node.args.get("query") is not None):
            self._condition(node, scopes, named)
            return exp.true()
        if isinstance(node, exp.Window):
            return exp.Literal.number(1) if isinstance(node.this, _RANKS) else self._value(node.this, scopes, named)
        if isinstance(node, exp.Count):
            return exp.Literal.number(self._way.copies)
        if isinstance(node, _SAME) and not node.expressions:
            return self._value(node.this, scopes, named)
        if isinstance(node, exp.Sum):
            return exp.Mul(
                this=exp.Paren(this=self._value(node.this, scopes, named)), expression=_number(self._way.copies)
            )
        if isinstance(node, exp.Distinct) and node.expressions:
            return self._value(node.expressions[0], scopes, named)
        copy = node.copy()
        for child, own in zip(list(copy.iter_expressions()), list(node.iter_expressions()), strict=True):
            child.replace(self._value(own, scopes, named))
        return copy

    def _scalar(self, node: exp.Expr, scopes: list[Scope], named: Named) -> exp.Expr:
        query = node.unnest() if isinstance(node, exp.Subquery) else node
        if self._way.fold:
            found = self._fold(_standalone(query, named))
            if found and found[0] is not None:
                return exp.convert(found[0])
        outputs = self.query(query, scopes, named)
        return exp.Paren(this=outputs[0][1].copy())

    def _column(self, node: exp.Column, scopes: list[Scope]) -> exp.Expr:
        name, table = node.name.lower(), node.table.lower()
        for scope in scopes:
            for alias, columns in scope.items():
                if name in columns and table in {"", alias}:
                    return columns[name].copy()
        if isinstance(node.this, exp.Identifier) and node.this.quoted and not table:
            return exp.Literal.string(node.name)  # as SQLite reads a quoted word that names nothing
        raise NoWish(f"no column {node.name}")


def _standalone(query: exp.Expr, named: Named) -> str:
    copy = query.copy()
    if named and not copy.args.get("with_"):
        tables = [exp.CTE(this=q.copy(), alias=exp.TableAlias(this=exp.to_identifier(n))) for n, q in named.items()]
        copy.set("with_", exp.With(expressions=tables))
    return copy.sql(dialect="sqlite")


def _number(value: int) -> exp.Expr:
    return exp.Literal.number(value)


def _equal(one: exp.Expr, other: exp.Expr) -> exp.Expr:
    return exp.EQ(this=one.copy(), expression=other.copy())
