"""Other queries that the same SQL could mean where a window function or a concatenation depends on row order.

ROW_NUMBER, NTILE, LAG, LEAD, FIRST_VALUE and sums over ROWS take tied rows in any order. GROUP_CONCAT
without ORDER BY puts its texts one after another in any order.
"""

from sqlglot import exp

from pipeline.sql.grouping import ColumnsOf, aggregates
from pipeline.sql.tree import render

_BY_POSITION = (exp.RowNumber, exp.Ntile, exp.Lag, exp.Lead, exp.FirstValue)


def window_variants(tree: exp.Query, columns_of: ColumnsOf) -> list[str]:
    """Return the SQL with the ties of its windows broken upwards, and downwards; empty if no window has any.

    Ties are broken by the columns of the query and the row numbers of its tables (those for which
    `columns_of` knows columns). Windows over groups and windows with a name are left alone.
    """
    return [sql for descending in (False, True) if (sql := _broken(tree, columns_of, descending))]


def _broken(tree: exp.Query, columns_of: ColumnsOf, descending: bool) -> str:
    copy = tree.copy()
    windows = [window for window in copy.find_all(exp.Window) if _depends_on_order(window)]
    for window in windows:
        select = window.parent_select
        assert isinstance(select, exp.Select)
        order = window.args.get("order")
        kept = list(order.expressions) if order is not None else []
        more = [exp.Ordered(this=column, desc=descending) for column in _breakers(select, columns_of)]
        window.set("order", exp.Order(expressions=[*kept, *more]))
    return render(copy) if windows else ""


def _depends_on_order(window: exp.Window) -> bool:
    select = window.parent_select
    if window.args.get("alias") is not None or not isinstance(select, exp.Select) or aggregates(select):
        return False
    frame = window.args.get("spec")
    return isinstance(window.this, _BY_POSITION) or (
        frame is not None and str(frame.args.get("kind")).upper() == "ROWS"
    )


def _breakers(select: exp.Select, columns_of: ColumnsOf) -> list[exp.Expr]:
    outside = [part for p in select.expressions if not p.find(exp.Window) for part in p.find_all(exp.Column)]
    columns: list[exp.Expr] = [c.copy() for c in outside if c.parent_select is select and not c.is_star]
    origin = select.args.get("from_")
    sources = [*([origin.this] if origin is not None else []), *(j.this for j in select.args.get("joins") or [])]
    tables = [s for s in sources if isinstance(s, exp.Table) and columns_of(s.name)]
    return columns + [exp.column("rowid", exp.to_identifier(s.alias_or_name, quoted=True)) for s in tables]


def concatenation_variants(tree: exp.Query) -> list[str]:
    """Return the SQL with the least, and with the greatest text in place of each concatenation without an order.

    They differ exactly if some concatenation has two different texts to put in some order. One over a single
    derived table that has an ORDER BY is taken as ordered: SQLite had no other way before 3.44.
    """
    variants = []
    for chosen in (exp.Min, exp.Max):
        copy = tree.copy()
        loose = [node for node in copy.find_all(exp.GroupConcat, exp.JSONArrayAgg) if not _has_order(node)]
        for node in loose:
            node.replace(chosen(this=_texts(node)))
        if loose:
            variants.append(render(copy))
    return variants


def _has_order(node: exp.Expr) -> bool:
    if isinstance(node.this, exp.Order) or isinstance(node.parent, exp.Window):
        return True
    select = node.parent_select
    origin = select.args.get("from_") if select is not None else None
    inner = origin.this.this if origin is not None and isinstance(origin.this, exp.Subquery) else None
    return isinstance(inner, exp.Query) and inner.args.get("order") is not None


def _texts(node: exp.Expr) -> exp.Expr:
    text: exp.Expr = node.this.expressions[0] if isinstance(node.this, exp.Distinct) else node.this
    return text.copy()
