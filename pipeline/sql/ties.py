"""Other queries that the same SQL could mean where a LIMIT cuts a tie: SQLite may keep any of the tied rows.

A variant makes such choices explicitly. Two variants with different answers prove that the gold is luck.
"""

from collections.abc import Callable

from sqlglot import exp

from pipeline.sql.tree import render

Width = Callable[[exp.Query], int | None]
"""How many columns a query returns; None if that cannot be found out."""


def tie_variants(tree: exp.Query, width: Width) -> list[str]:
    """Return the SQL with all ties broken upwards and with all broken downwards, by the output columns.

    Every query with a LIMIT inside the SQL is changed, and the outermost one if it has an ORDER BY. Empty
    if there is nothing to break.
    """
    if not any(_breaks(node, tree) for node in tree.find_all(exp.Query)):
        return []
    return [render(_with_ties_broken(tree, width, descending)) for descending in (False, True)]


def _breaks(node: exp.Query, root: exp.Query) -> bool:
    if node.args.get("limit") is not None or node.args.get("offset") is not None:
        return True
    return node is root and node.args.get("order") is not None


def _with_ties_broken(tree: exp.Query, width: Width, descending: bool) -> exp.Query:
    copy = tree.copy()
    for node in [node for node in copy.find_all(exp.Query) if _breaks(node, copy)]:
        columns = width(node) or 1
        more = [exp.Ordered(this=exp.Literal.number(n), desc=descending) for n in range(1, columns + 1)]
        order = node.args.get("order")
        kept = list(order.expressions) if order is not None else []
        node.set("order", exp.Order(expressions=[*kept, *more]))
    return copy
