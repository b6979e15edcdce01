"""Where the output columns of a query come from."""

from dataclasses import dataclass

from sqlglot import exp

_DEPTH = 6  # derived tables inside derived tables; deeper ones are judged by their values alone


@dataclass(frozen=True)
class Output:
    """How an output column is computed, as far as the SQL shows it.

    `rounded_to` is the number of places of an outermost ROUND; `divides` tells of `/` or AVG inside;
    `times_hundred` of a factor 100; `is_count` of an outermost COUNT.
    """

    is_count: bool = False
    rounded_to: int | None = None
    divides: bool = False
    times_hundred: bool = False


def outputs(tree: exp.Query, width: int) -> list[Output]:
    """Return one Output a column; all unknown where the columns cannot be told from the SQL (`SELECT *`)."""
    projections = _projections(tree)
    if len(projections) != width or any(p.is_star for p in projections):
        return [Output()] * width
    return [_described(_origin(p, tree)) for p in projections]


def _projections(query: exp.Expr) -> list[exp.Expr]:
    while isinstance(query, exp.SetOperation | exp.Subquery):
        query = query.this
    return list(query.expressions) if isinstance(query, exp.Select) else []


def _origin(projection: exp.Expr, query: exp.Expr, depth: int = 0) -> exp.Expr:
    """Return the expression behind a column that a derived table or a CTE only hands on."""
    node = projection.unalias()
    while isinstance(node, exp.Paren):
        node = node.this
    if not isinstance(node, exp.Column) or depth == _DEPTH:
        return node
    for inner in _inner_queries(node, query):
        for candidate in _projections(inner):
            if candidate.alias_or_name.lower() == node.name.lower() and not candidate.is_star:
                return _origin(candidate, inner, depth + 1)
    return node


def _inner_queries(column: exp.Column, query: exp.Expr) -> list[exp.Expr]:
    while isinstance(query, exp.SetOperation | exp.Subquery):
        query = query.this
    origin = query.args.get("from_")
    sources = [*([origin.this] if origin is not None else []), *(j.this for j in query.args.get("joins") or [])]
    named = [s for s in sources if not column.table or s.alias_or_name.lower() == column.table.lower()]
    return [q for source in named if (q := _query_of(source, query)) is not None]


def _query_of(source: exp.Expr, query: exp.Expr) -> exp.Expr | None:
    if isinstance(source, exp.Subquery):
        inner: exp.Expr = source.this
        return inner
    around: exp.Expr | None = query
    while around is not None:
        clause = around.args.get("with_")
        for table in clause.expressions if clause is not None else []:
            if table.alias.lower() == source.name.lower() and not _lies_in(query, table):
                defined: exp.Expr = table.this
                return defined
        around = around.parent
    return None


def _lies_in(node: exp.Expr, around: exp.Expr) -> bool:
    while node is not around and node.parent is not None:
        node = node.parent
    return node is around


def _described(node: exp.Expr) -> Output:
    rounded = None
    if isinstance(node, exp.Round):
        places = node.args.get("decimals")
        rounded = 0 if places is None else _integer(places)
    factors = [literal for literal in node.find_all(exp.Literal) if not literal.is_string and _is_hundred(literal)]
    return Output(
        is_count=isinstance(node, exp.Count),
        rounded_to=rounded,
        divides=node.find(exp.Div, exp.Avg) is not None,
        times_hundred=any(isinstance(factor.parent, exp.Mul) for factor in factors),
    )


def _integer(node: exp.Expr) -> int | None:
    return int(node.name) if isinstance(node, exp.Literal) and node.name.isdigit() else None


def _is_hundred(literal: exp.Literal) -> bool:
    return literal.name.rstrip("0").rstrip(".") in {"1", "100"} and float(literal.name) == 100
