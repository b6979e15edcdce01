"""The shape of a query in a few numbers, for strata: joins, nesting, aggregation, ordering."""

from dataclasses import dataclass

from sqlglot import exp

from pipeline.sql.grouping import aggregates

_SEVERAL = 2


@dataclass(frozen=True)
class Features:
    """How a query is built: `joins` at all depths, `nesting` is how deep queries lie in queries (0: flat)."""

    joins: int
    nesting: int
    aggregated: bool
    grouped: bool
    ordered: bool
    limited: bool
    set_operations: int
    windows: bool

    @property
    def stratum(self) -> str:
        """The stratum in words that sort: joins (0, 1, 2+), flat or nested, plain or aggregated, free or ordered."""
        joins = f"{_SEVERAL}+ joins" if self.joins >= _SEVERAL else f"{self.joins} joins"
        nested = "nested" if self.nesting or self.set_operations else "flat"
        aggregated = "aggregated" if self.aggregated else "plain"
        return f"{joins}, {nested}, {aggregated}, {'ordered' if self.ordered else 'free'}"


def features(tree: exp.Query) -> Features:
    """Return the features of a query."""
    selects = list(tree.find_all(exp.Select))
    return Features(
        joins=sum(1 for _ in tree.find_all(exp.Join)),
        nesting=max((_depth(select) for select in selects), default=0),
        aggregated=any(aggregates(select) for select in selects),
        grouped=tree.find(exp.Group) is not None,
        ordered=any(isinstance(order.parent, exp.Query) for order in tree.find_all(exp.Order)),
        limited=tree.find(exp.Limit, exp.Offset) is not None,
        set_operations=sum(1 for _ in tree.find_all(exp.SetOperation)),
        windows=tree.find(exp.Window) is not None,
    )


def _depth(select: exp.Select) -> int:
    """How many SELECTs lie around one; the sides of a set operation lie beside each other."""
    depth, node = 0, select.parent
    while node is not None:
        depth += isinstance(node, exp.Select)
        node = node.parent
    return depth
