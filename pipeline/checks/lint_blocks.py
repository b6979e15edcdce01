"""Lints of parts of a gold that do nothing, or more than is meant: found by running the gold without them."""

from collections.abc import Callable, Iterator
from functools import partial

from sqlglot import exp

from pipeline.checks.lint_case import Case, GoldLint, LintKind, Severity, block, conjuncts, defined, lint, sources
from pipeline.sql.grouping import aggregates
from pipeline.sql.tree import render

_ADDING = (exp.Sum, exp.Avg, exp.Count)


def distinct_without_effect(case: Case) -> Iterator[GoldLint]:
    """DISTINCT changes nothing, or leaves one row of many. Not in IN and EXISTS, where it never can."""
    for select in case.selects():
        if select.args.get("distinct") is None or select.find_ancestor(exp.In, exp.Exists) is not None:
            continue
        if case.same_without(partial(_without, select, "distinct")):
            yield lint(LintKind.DISTINCT_NOTHING, Severity.NOTE, "DISTINCT changes nothing", render(select))
        elif select is case.tree and len(case.answer.rows) == 1:
            message = "DISTINCT leaves one row of several that are all the same"
            yield lint(LintKind.DISTINCT_EVERYTHING, Severity.NOTE, message, render(select))
    for count in case.tree.find_all(exp.Count):
        inner = count.this
        if not isinstance(inner, exp.Distinct) or len(inner.expressions) != 1:
            continue
        if case.same_without(partial(_replaced, count, inner)):
            message = "COUNT(DISTINCT) counts no value twice here"
            yield lint(LintKind.DISTINCT_NOTHING, Severity.NOTE, message, render(count))


def _without(node: exp.Expr, name: str) -> Callable[[], None]:
    old = node.args.get(name)
    node.set(name, None)
    return lambda: node.set(name, old)


def _replaced(count: exp.Count, inner: exp.Distinct) -> Callable[[], None]:
    count.set("this", inner.expressions[0].copy())
    return lambda: count.set("this", inner)


def fan_out(case: Case) -> Iterator[GoldLint]:
    """A sum, average or count goes over rows of a table that a join repeats within one group.

    A count, and a sum of cases, is meant for the many side of a join whatever column it names: it is a lint only
    where the rows of every table are repeated.
    """
    for select in case.selects():
        if len(sources(select)) < 2:
            continue
        bases = [source.alias_or_name for source in sources(select) if case.base(source)]
        for node in select.find_all(*_ADDING):
            alias = _only_alias(node)
            if node.parent_select is not select or alias not in bases or isinstance(node.this, exp.Distinct):
                continue
            counts = isinstance(node, exp.Count) or node.find(exp.Case) is not None
            repeated = [_groups_repeating(case, select, other) for other in (bases if counts else [alias])]
            if all(repeated):
                message = f"{repeated[0]} groups take rows of {alias} more than once, since the join repeats them"
                yield lint(LintKind.FAN_OUT, Severity.WARNING, message, render(node))


def _groups_repeating(case: Case, select: exp.Select, alias: str) -> int:
    number = render(exp.column("rowid", exp.to_identifier(alias, quoted=True)))
    asked = block(select, f"count({number}) AS a, count(DISTINCT {number}) AS b", grouped=True)
    return case.number(f"SELECT count(*) FROM ({asked}) WHERE a > b") or 0


def _only_alias(node: exp.Expr) -> str | None:
    tables = {column.table for column in node.find_all(exp.Column)}
    return tables.pop() if len(tables) == 1 else None


def constant_predicates(case: Case) -> Iterator[GoldLint]:
    """A condition on one table holds for all of its rows, or for none."""
    for select in case.selects():
        optional = _optional(select)  # WHERE sees those with NULL for rows that found no partner
        named = {source.alias_or_name: source for source in sources(select) if source.alias_or_name not in optional}
        for part in _conditions(select):
            tables = {column.table for column in part.find_all(exp.Column)}
            if len(tables) == 1 and (alias := tables.pop()) in named:
                yield from _constant(case, select, part, f" FROM {render(_plain(named[alias]))}")
            elif not tables and part.find(exp.Query) is None:
                yield from _constant(case, select, part, "")


def _optional(select: exp.Select) -> set[str]:
    joins = select.args.get("joins") or []
    if any(join.args.get("side") in {"RIGHT", "FULL"} for join in joins):
        return {source.alias_or_name for source in sources(select)}
    return {join.this.alias_or_name for join in joins if join.args.get("side")}


def _conditions(select: exp.Select) -> list[exp.Expr]:
    where = select.args.get("where")
    inner = [join for join in select.args.get("joins") or [] if not join.args.get("side")]
    found = conjuncts(where.this if where is not None else None)
    found += [part for join in inner for part in conjuncts(join.args.get("on"))]
    return [part for part in found if not isinstance(part, exp.Boolean)]  # the library writes ON TRUE by itself


def _plain(source: exp.Expr) -> exp.Expr:
    copy = source.copy()
    copy.set("joins", None)
    return copy


def _constant(case: Case, select: exp.Select, part: exp.Expr, origin: str) -> Iterator[GoldLint]:
    sql = render(part)
    rows = case.ask(f"{defined(select)}SELECT count(*), count(CASE WHEN {sql} THEN 1 END){origin}")
    if not rows or not rows[0][0]:
        return
    total, true = rows[0]
    if true == total:
        guard = isinstance(part, exp.Not) and isinstance(part.this.unnest(), exp.Is)
        severity = Severity.NOTE if guard else Severity.WARNING
        yield lint(LintKind.ALWAYS_TRUE, severity, f"the condition holds for all {total} rows of its table", sql)
    elif true == 0:
        yield lint(LintKind.NEVER_TRUE, Severity.ERROR, f"the condition holds for none of {total} rows", sql)


def join_without_effect(case: Case) -> Iterator[GoldLint]:
    """The result is the same without a table that is joined and of which nothing else is used."""
    for select in case.selects():
        for join in select.args.get("joins") or []:
            alias = join.this.alias_or_name
            if _used_elsewhere(select, join, alias):
                continue
            if case.same_without(partial(_dropped, select, join)):
                severity = Severity.NOTE if aggregates(select) else Severity.WARNING  # a count may differ and not show
                message = f"the result is the same without {render(join.this)}"
                yield lint(LintKind.JOIN_WITHOUT_EFFECT, severity, message, render(join).strip())


def _used_elsewhere(select: exp.Select, join: exp.Join, alias: str) -> bool:
    own = {id(column) for column in join.find_all(exp.Column)}
    return any(column.table == alias and id(column) not in own for column in select.find_all(exp.Column))


def _dropped(select: exp.Select, join: exp.Join) -> Callable[[], None]:
    joins = list(select.args["joins"])
    select.set("joins", [other for other in joins if other is not join])
    return lambda: select.set("joins", joins)
