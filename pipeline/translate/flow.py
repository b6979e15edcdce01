"""Where the texts of columns go in a gold: which texts of the SQL are theirs, and what depends on their spelling.

Everything goes by names: columns of one name hold texts of one kind, and an alias holds what it stands for. So what is
found errs to the side of freezing too much.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from sqlglot import exp

from pipeline.sql.tree import render

_EQUAL = (exp.EQ, exp.NEQ, exp.Is, exp.NullSafeEQ, exp.NullSafeNEQ)
_COUNTING = (exp.Count, exp.Exists, exp.Not, exp.And, exp.Or)
_SPELLING = (exp.Ordered, exp.Between, exp.Func, exp.Binary)
_PASSING_ON = (exp.Coalesce, exp.Lag, exp.Lead, exp.FirstValue, exp.LastValue, exp.NthValue)
LABEL = "(texts of the gold alone)"
"""Stands for the texts that only the gold has, such as those of CASE."""


@dataclass
class Flow:
    """What a walk through one gold finds.

    `spelled` has the columns whose texts must not change, each with the use that forbids it; `linked` the pairs of
    columns that are compared or mixed; `texts` the literals that stand for values and `patterns` those of LIKE, each
    with the columns that they are held against; `outputs` what each place of the result may show
    (None: a star), and `named` what every name in the gold may stand for.
    """

    spelled: dict[str, str] = field(default_factory=dict)
    linked: set[tuple[str, str]] = field(default_factory=set)
    texts: list[tuple[exp.Literal, frozenset[str]]] = field(default_factory=list)
    patterns: list[tuple[exp.Literal, frozenset[str]]] = field(default_factory=list)
    outputs: list[frozenset[str] | None] = field(default_factory=list)
    named: dict[str, frozenset[str]] = field(default_factory=dict)


def flow_of(tree: exp.Query, columns: Mapping[str, object]) -> Flow:
    """Return where the texts of `columns` (names in lower case) go in a gold."""
    walk = _Walk(columns)
    walk.define_names(tree)
    walk.use_all(tree)
    return walk.flow


def key_places(tree: exp.Query) -> list[int]:
    """Return the places of the result, from 0, that the leading keys of the outer ORDER BY show as they are."""
    order, branches = tree.args.get("order"), _branches(tree)
    shown = _shown(branches[0]) if branches else []
    if order is None or any(_is_star(column) or isinstance(column, exp.Star) for column in shown):
        return []
    found = []
    for key in (ordered.this for ordered in order.expressions):
        spelled = {render(key).lower()}
        place = next((at for at, column in enumerate(shown) if spelled & _spellings(column, at)), None)
        if place is None:
            break
        found.append(place)
    return found


def _spellings(column: exp.Expr, at: int) -> set[str]:
    """Return how a key of ORDER BY may name a column of the result: by number, name or expression."""
    return {str(at + 1), column.alias_or_name.lower(), render(column.unalias()).lower()}


class _Walk:
    def __init__(self, columns: Mapping[str, object]) -> None:
        self.flow = Flow()
        self._columns = columns
        self._meant: dict[str, list[exp.Expr]] = defaultdict(list)
        self._open: set[str] = set()

    def define_names(self, tree: exp.Query) -> None:
        """Note what each alias and each column of a CTE stands for."""
        for alias in tree.find_all(exp.Alias):
            self._meant[alias.alias.lower()].append(alias.this)
        for columns in tree.find_all(exp.TableAlias):
            query = columns.parent.this if columns.parent else None
            for branch in _branches(query) if isinstance(query, exp.Query) else ():
                for name, expression in zip(columns.columns, branch.expressions, strict=False):
                    self._meant[name.name.lower()].append(expression)

    def use_all(self, tree: exp.Query) -> None:
        """Find every use of a text."""
        for node in tree.walk():
            self._use(node)
        self.flow.named = {name: self._stands_for(name) for name in {*self._columns, *self._meant}}
        self.flow.outputs = [self._place(column) for column in zip(*map(_shown, _branches(tree)), strict=False)]

    def _place(self, expressions: tuple[exp.Expr, ...]) -> frozenset[str] | None:
        """Return what a place of the result may show; None if only its name can tell."""
        if any(isinstance(_bare(expression), exp.Star) or _is_star(expression) for expression in expressions):
            return None
        return frozenset().union(*(self.origin(expression) for expression in expressions))

    def origin(self, node: exp.Expr | None) -> frozenset[str]:
        """Return the names of the columns whose texts an expression may give unchanged."""
        node = _bare(node)
        if isinstance(node, exp.Column) and not isinstance(node.this, exp.Star):
            return self._stands_for(node.name.lower())
        if isinstance(node, exp.Literal):
            return frozenset({LABEL}) if node.is_string else frozenset()
        parts = list(_giving(node))
        return frozenset().union(*(self.origin(part) for part in parts)) if parts else frozenset()

    def _stands_for(self, name: str) -> frozenset[str]:
        found = frozenset({name}) if name in self._columns else frozenset()
        if name in self._meant and name not in self._open:
            self._open.add(name)
            found = found.union(*(self.origin(expression) for expression in self._meant[name]))
            self._open.discard(name)
        return found

    def _use(self, node: exp.Expr) -> None:
        if isinstance(node, _EQUAL):
            self._together([node.this, node.expression], node)
        elif isinstance(node, exp.In):
            query = node.args.get("query")
            self._together([node.this, *node.expressions, *([query] if query else [])], node)
        elif isinstance(node, (exp.Case, exp.If, exp.Nullif, *_PASSING_ON)):
            self._mixed(node)
        elif isinstance(node, exp.SetOperation):
            for column in zip(*map(_shown, _branches(node)), strict=False):
                self._link([self.origin(expression) for expression in column])
                self._note_texts(column)
        elif isinstance(node, exp.Select):
            for expression in node.expressions:
                self._note_texts([expression])
        elif isinstance(node, exp.Like):
            self._like(node)
        elif not isinstance(node, _COUNTING):
            self._spelling(node)

    def _mixed(self, node: exp.Expr) -> None:
        if isinstance(node, exp.Case) and node.this is not None:
            self._together([node.this, *(branch.this for branch in node.args["ifs"])], node)
        parts = list(_giving(node))
        if isinstance(node, exp.Nullif):
            parts = [node.this, node.expression]
        if not (isinstance(node, exp.If) and isinstance(node.parent, exp.Case)):
            self._link([self.origin(part) for part in parts])
            self._note_texts(parts)

    def _together(self, sides: list[exp.Expr], node: exp.Expr) -> None:
        """Sides of an equality: their texts are translated alike, unless one is computed from its spelling."""
        if any(isinstance(_bare(side), exp.Tuple) for side in sides):
            self._freeze(
                frozenset().union(*(self.origin(c) for side in sides for c in side.find_all(exp.Column))), node
            )
            return
        origins = [self.origin(side) for side in sides]
        computed = [not origin and not _is_plain(side) for origin, side in zip(origins, sides, strict=True)]
        if any(computed):
            self._freeze(frozenset().union(*origins), node)
        self._link(origins)
        self._note_texts(sides)

    def _like(self, node: exp.Like) -> None:
        named = self.origin(node.this) - {LABEL}
        pattern = _bare(node.expression)
        escaped = isinstance(node.parent, exp.Escape)
        if named and isinstance(pattern, exp.Literal) and pattern.is_string and not escaped:
            self.flow.patterns.append((pattern, named))
        else:
            self._freeze(named | (self.origin(node.expression) - {LABEL}), node)

    def _spelling(self, node: exp.Expr) -> None:
        """Any other use, such as an order, a range, or a function, depends on how a text is spelled."""
        if isinstance(node, exp.Connector | exp.Dot) or not isinstance(node, _SPELLING):
            return
        for child in node.iter_expressions():
            if isinstance(child, exp.Literal) and child.is_string:
                continue
            self._freeze(self.origin(self._ordered_by(child) if isinstance(node, exp.Ordered) else child), node)

    def _ordered_by(self, key: exp.Expr) -> exp.Expr:
        """Return what a key of ORDER BY stands for: a number names a place of the result."""
        query = key.find_ancestor(exp.Query)
        branches = _branches(query)
        if isinstance(key, exp.Literal) and not key.is_string and key.name.isdigit() and branches:
            shown = _shown(branches[0])
            return shown[int(key.name) - 1] if 0 < int(key.name) <= len(shown) else key
        return key

    def _freeze(self, columns: frozenset[str], node: exp.Expr) -> None:
        for name in columns:
            use = "orders by it" if isinstance(node, exp.Ordered) else f"computes with it: {render(node)[:120]}"
            self.flow.spelled.setdefault(name, f"the gold {use}")

    def _link(self, origins: list[frozenset[str]]) -> None:
        names = sorted(frozenset().union(*origins) - {LABEL}) if origins else []
        self.flow.linked |= set(pairwise(names))

    def _note_texts(self, expressions: list[exp.Expr] | tuple[exp.Expr, ...]) -> None:
        named = frozenset().union(*(self.origin(expression) for expression in expressions)) - {LABEL}
        for expression in map(_bare, expressions):
            if isinstance(expression, exp.Literal) and expression.is_string:
                self.flow.texts.append((expression, named or frozenset({LABEL})))


def _bare(node: exp.Expr | None) -> exp.Expr | None:
    while isinstance(node, exp.Paren | exp.Alias | exp.Window | exp.IgnoreNulls | exp.Filter | exp.Distinct):
        node = node.expressions[0] if isinstance(node, exp.Distinct) and node.expressions else node.this
    return node


def _is_plain(node: exp.Expr) -> bool:
    """Return whether a side without a text of a column is a constant, which no text of a column depends on."""
    return isinstance(_bare(node), exp.Literal | exp.Null | exp.Boolean | exp.Neg | exp.Parameter)


def _is_star(node: exp.Expr) -> bool:
    return isinstance(node, exp.Column) and isinstance(node.this, exp.Star)


def _branches(query: exp.Expr | None) -> list[exp.Select]:
    """Return the SELECTs whose rows a query gives."""
    if isinstance(query, exp.Subquery):
        return _branches(query.this)
    if isinstance(query, exp.SetOperation):
        return [*_branches(query.this), *_branches(query.expression)]
    return [query] if isinstance(query, exp.Select) else []


def _shown(select: exp.Select) -> list[exp.Expr]:
    return list(select.expressions)


def _giving(node: exp.Expr | None) -> Iterator[exp.Expr]:
    """Yield the parts of an expression one of which it gives, as it is."""
    if isinstance(node, exp.Case):
        yield from (branch.args["true"] for branch in node.args["ifs"])
        yield from [node.args["default"]] if node.args.get("default") is not None else []
    elif isinstance(node, exp.If):
        yield from (part for key in ("true", "false") if (part := node.args.get(key)) is not None)
    elif isinstance(node, exp.Coalesce):
        yield from (node.this, *node.expressions)
    elif isinstance(node, (exp.Max, exp.Min)):
        yield node.this
    elif isinstance(node, (exp.Nullif, *_PASSING_ON)):
        yield from (part for key in ("this", "default") if (part := node.args.get(key)) is not None)
    elif isinstance(node, exp.Query):
        yield from (select.expressions[0] for select in _branches(node) if select.expressions)
