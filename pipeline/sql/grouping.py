"""Which columns of a query stand outside its aggregate functions and grouping keys."""

from collections.abc import Callable

from sqlglot import exp

_OTHER_AGGREGATES = {"total", "json_group_array", "json_group_object", "string_agg"}

ColumnsOf = Callable[[str], list[str]]
"""The columns of a table by its name; empty for one that is not known."""


def bare_columns(select: exp.Select) -> list[exp.Column]:
    """Return the bare columns of a query: outside aggregates, in a query that has some, and no grouping key."""
    if not aggregates(select):
        return []
    keys = group_keys(select)
    aliases = {p.alias.lower() for p in select.expressions if p.alias}
    places = [p for p in select.expressions if not _is_key(p, keys, select)]
    found = [c for place in places for c in own_columns(place, keys)]
    for name in ("having", "order"):
        clause = select.args.get(name)
        if clause is not None:
            found += [c for c in own_columns(clause, keys) if c.table or c.name.lower() not in aliases]
    return found


def own_columns(place: exp.Expr, keys: list[exp.Expr]) -> list[exp.Column]:
    """Return the columns below a node that belong to its query and stand outside aggregates and keys."""
    found, waiting = [], [place]
    while waiting:
        node = waiting.pop()
        if _is_aggregate(node) or isinstance(node, exp.Query) or _is_among(node, keys):
            continue
        if isinstance(node, exp.Column):
            if not isinstance(node.this, exp.Star):
                found.append(node)
            continue
        waiting += list(node.iter_expressions())
    return found


def _is_among(node: exp.Expr, keys: list[exp.Expr]) -> bool:
    return any(node == key or _is_same_column(node, key) for key in keys)


def _is_same_column(one: exp.Expr, other: exp.Expr) -> bool:
    """A name with and without its table is one column: SQLite refuses a name that could be two."""
    if not (isinstance(one, exp.Column) and isinstance(other, exp.Column)):
        return False
    tables = {one.table.lower(), other.table.lower()} - {""}
    return one.name.lower() == other.name.lower() and len(tables) <= 1


def aggregates(select: exp.Select) -> bool:
    """Return whether a query groups its rows or aggregates them all."""
    if select.args.get("group") is not None:
        return True
    return any(_has_aggregate(p) for p in select.expressions) or select.args.get("having") is not None


def _has_aggregate(node: exp.Expr) -> bool:
    if isinstance(node, exp.Query):
        return False
    if isinstance(node, exp.Window):
        parts = [p for p in node.iter_expressions() if p is not node.this]
        return any(_has_aggregate(p) for p in [*parts, *node.this.iter_expressions()])
    return _is_aggregate(node) or any(_has_aggregate(child) for child in node.iter_expressions())


def _is_aggregate(node: exp.Expr) -> bool:
    if isinstance(node, exp.Min | exp.Max) and node.expressions:
        return False  # max(a, b) is a scalar function
    if isinstance(node, exp.Filter):
        return True
    if isinstance(node, exp.Anonymous):
        return node.name.lower() in _OTHER_AGGREGATES
    return isinstance(node, exp.AggFunc | exp.JSONArrayAgg | exp.JSONObjectAgg)


def group_keys(select: exp.Select) -> list[exp.Expr]:
    """Return the expressions of GROUP BY as they are written."""
    group = select.args.get("group")
    return list(group.expressions) if group is not None else []


def _is_key(projection: exp.Expr, keys: list[exp.Expr], select: exp.Select) -> bool:
    """Return whether GROUP BY names the projection: by its text, its alias or its position."""
    position = next(n for n, p in enumerate(select.expressions, 1) if p is projection)
    names = {key.name.lower() for key in keys if isinstance(key, exp.Column) and not key.table}
    ordinals = {key.name for key in keys if isinstance(key, exp.Literal) and not key.is_string}
    alias = projection.alias.lower()
    return _is_among(projection.unalias(), keys) or bool(alias and alias in names) or str(position) in ordinals


def single_extremum(select: exp.Select) -> exp.Min | exp.Max | None:
    """Return the MIN or MAX of a query if it has exactly one; SQLite takes bare columns from its row."""
    places = [*select.expressions, select.args.get("having"), select.args.get("order")]
    calls = {node for place in places if place is not None for node in _own_extrema(place)}
    return calls.pop() if len(calls) == 1 else None


def _own_extrema(place: exp.Expr) -> list[exp.Min | exp.Max]:
    if isinstance(place, exp.Query | exp.Window):
        return []
    if isinstance(place, exp.Min | exp.Max) and not place.expressions:
        return [place]
    return [node for child in place.iter_expressions() for node in _own_extrema(child)]


def resolved(key: exp.Expr, select: exp.Select) -> exp.Expr:
    """Return what a grouping key stands for: the output that it names by position or alias, else itself."""
    if isinstance(key, exp.Literal) and not key.is_string:
        output: exp.Expr = select.expressions[int(key.name) - 1].unalias()
        return output
    if isinstance(key, exp.Column) and not key.table:
        named = [p for p in select.expressions if isinstance(p, exp.Alias) and p.alias.lower() == key.name.lower()]
        return named[0].this if named else key
    return key


def expand_stars(tree: exp.Query, columns_of: ColumnsOf) -> None:
    """Write out `SELECT *` in the queries that aggregate, where it names tables that are known."""
    for select in tree.find_all(exp.Select):
        if any(p.is_star for p in select.expressions) and aggregates(select):
            parts = [part for p in select.expressions for part in _expanded(p, select, columns_of)]
            select.set("expressions", parts)


def _expanded(projection: exp.Expr, select: exp.Select, columns_of: ColumnsOf) -> list[exp.Expr]:
    if not projection.is_star or isinstance(projection, exp.Count):
        return [projection]
    origin = select.args.get("from_")
    sources = [*([origin.this] if origin is not None else []), *(j.this for j in select.args.get("joins") or [])]
    only = projection.table.lower() if isinstance(projection, exp.Column) else ""
    wanted = [s for s in sources if isinstance(s, exp.Table) and only in {"", s.alias_or_name.lower()}]
    columns = [
        exp.column(exp.to_identifier(name, quoted=True), exp.to_identifier(s.alias_or_name, quoted=True))
        for s in wanted
        for name in columns_of(s.name)
    ]
    return list(columns) or [projection]
