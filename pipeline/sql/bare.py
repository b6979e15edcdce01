"""Other queries that the same SQL could mean where GROUP BY leaves a column bare.

SQLite takes the value of a bare column from any row of the group, and beside a single MIN or MAX from a row
that has the extremum. A variant chooses one of those values explicitly. Two variants with different answers
prove that the gold is luck.
"""

from collections.abc import Callable

from sqlglot import exp

from pipeline.sql.grouping import ColumnsOf, bare_columns, expand_stars, group_keys, resolved, single_extremum
from pipeline.sql.tree import render

Choice = Callable[[exp.Expr, exp.Expr], exp.Expr]
"""Makes the value of a group from a column and from the number of rows among which to choose."""


def bare_variants(tree: exp.Query, columns_of: ColumnsOf) -> list[str]:
    """Return the SQL with each bare column as the least, the greatest, or (if any) the missing value of its group.

    Empty if no column is bare. `columns_of` is asked for `SELECT *` in a query that groups.
    """
    variants = []
    for choice in (_least, _greatest, _missing):
        copy = tree.copy()
        expand_stars(copy, columns_of)
        with_bare = [(select, bare) for select in copy.find_all(exp.Select) if (bare := bare_columns(select))]
        if not with_bare:
            return []
        for select, bare in with_bare:
            _choose(select, bare, choice)
        variants.append(render(copy))
    return variants


def _choose(select: exp.Select, bare: list[exp.Column], choice: Choice) -> None:
    extremum = single_extremum(select)
    if extremum is None:
        for column in bare:
            _replace(column, choice(column.copy(), exp.Count(this=exp.Star())))
        return
    inner = _ranked(select, extremum)
    rows = exp.condition("COUNT(CASE WHEN r = 1 THEN 1 END)")
    for column in bare:
        at_extremum = exp.Case(ifs=[exp.If(this=exp.condition("r = 1"), true=column.copy())])
        _replace(column, choice(at_extremum, rows.copy()))
    _read_from(select, inner)


def _ranked(select: exp.Select, extremum: exp.Min | exp.Max) -> exp.Select:
    """Return the rows that a query groups, with `r = 1` for those that have their group's extremum."""
    value = extremum.this.copy()
    missing_last = exp.Ordered(this=exp.Is(this=exp.Paren(this=value), expression=exp.Null()))
    best_first = exp.Ordered(this=value.copy(), desc=isinstance(extremum, exp.Max))
    rank = exp.Window(
        this=exp.Anonymous(this="RANK"),
        partition_by=[resolved(key, select).copy() for key in group_keys(select)],
        order=exp.Order(expressions=[missing_last, best_first]),
    )
    inner = exp.Select(expressions=[exp.alias_(rank, "r")])
    for clause in ("from_", "joins", "where"):
        inner.set(clause, select.args.get(clause))
    return inner


def _read_from(select: exp.Select, inner: exp.Select) -> None:
    """Make a query group the rows of `inner`, under whose names its columns are then known."""
    for clause in ("from_", "joins", "where"):
        select.set(clause, None)
    names: dict[str, str] = {}
    for column in _columns_to_rename(select):
        name = names.setdefault(render(column), f"x{len(names)}")
        if name not in {p.alias for p in inner.expressions}:
            inner.append("expressions", exp.alias_(column.copy(), name))
        _replace(column, exp.column(name))
    select.set("from_", exp.From(this=inner.subquery("ranked")))


def _columns_to_rename(select: exp.Select) -> list[exp.Column]:
    aliases = {p.alias.lower() for p in select.expressions if p.alias}
    clauses = [clause for name in ("group", "having", "order") if (clause := select.args.get(name)) is not None]
    outputs = [column for p in select.expressions for column in p.find_all(exp.Column) if column.name != "r"]
    others = [column for clause in clauses for column in clause.find_all(exp.Column)]
    named = [column for column in others if column.table or column.name.lower() not in aliases | {"r"}]
    return [column for column in [*outputs, *named] if column.parent_select is select]


def _replace(column: exp.Column, chosen: exp.Expr) -> None:
    if isinstance(column.parent, exp.Select):  # the output keeps its name
        chosen = exp.alias_(chosen, column.name, quoted=True)
    column.replace(chosen)


def _least(value: exp.Expr, _rows: exp.Expr) -> exp.Expr:
    return exp.Min(this=value)


def _greatest(value: exp.Expr, _rows: exp.Expr) -> exp.Expr:
    return exp.Max(this=value)


def _missing(value: exp.Expr, rows: exp.Expr) -> exp.Expr:
    """Return NULL where the group has one, since MIN and MAX pass over it."""
    some = exp.LT(this=exp.Count(this=value.copy()), expression=rows)
    return exp.Case(ifs=[exp.If(this=some, true=exp.Null())], default=exp.Min(this=value))
