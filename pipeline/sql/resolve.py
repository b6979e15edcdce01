"""From a column as a query names it to the column of a table that is behind it, through aliases and subqueries."""

from dataclasses import dataclass

from sqlglot import exp
from sqlglot.optimizer.scope import Scope, traverse_scope

_DEPTH = 8  # queries in queries in queries; a recursive one would never end


@dataclass(frozen=True, order=True)
class Place:
    """A column of a table of the database, in lower case."""

    table: str
    column: str


class Resolver:
    """Finds the places behind the columns of one qualified query."""

    def __init__(self, tree: exp.Query) -> None:
        self.scopes: list[Scope] = list(traverse_scope(tree))
        self._scope_of: dict[int, Scope] = {}
        for scope in self.scopes:  # inner scopes come first: the first one to name a column is its own
            for column in scope.columns:
                self._scope_of.setdefault(id(column), scope)

    def columns(self) -> list[exp.Column]:
        """Return every column of the query, each once."""
        found = {id(column): column for scope in self.scopes for column in scope.columns}
        return list(found.values())

    def places(self, column: exp.Column) -> frozenset[Place]:
        """Return the places whose values reach this column; none for what is computed from no column."""
        scope = self._scope_of.get(id(column))
        return self._behind(column.name, column.table, scope, 0) if scope is not None else frozenset()

    def place(self, column: exp.Column) -> Place | None:
        """Return the place behind a column if there is exactly one."""
        found = self.places(column)
        return next(iter(found)) if len(found) == 1 else None

    def _behind(self, name: str, table: str, scope: Scope | None, depth: int) -> frozenset[Place]:
        while scope is not None and table not in scope.sources:
            scope = scope.parent
        if scope is None or depth == _DEPTH:
            return frozenset()
        source = scope.sources[table]
        if isinstance(source, exp.Table):
            return frozenset({Place(source.name.lower(), name.lower())})
        return self._handed_on(name, source, depth)

    def _handed_on(self, name: str, source: Scope, depth: int) -> frozenset[Place]:
        found: frozenset[Place] = frozenset()
        for part in _sides(source):
            at = _position(name, source)
            outputs = part.expression.selects if isinstance(part.expression, exp.Query) else []
            if at is None or at >= len(outputs):
                continue
            for column in outputs[at].find_all(exp.Column):
                found |= self._behind(column.name, column.table, part, depth + 1)
        return found


def _sides(source: Scope) -> list[Scope]:
    if not source.set_operation_scopes:
        return [source]
    return [part for side in source.set_operation_scopes for part in _sides(side)]


def _position(name: str, source: Scope) -> int | None:
    outputs = source.expression.selects if isinstance(source.expression, exp.Query) else []
    named = [output.alias_or_name.lower() for output in outputs]
    return named.index(name.lower()) if name.lower() in named else None
