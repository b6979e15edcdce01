"""Rows by which one gold SQL finds something, tried in several ways until SQLite agrees."""

import re
import sqlite3
from collections.abc import Iterator
from itertools import islice, product
from pathlib import Path

from sqlglot import exp

from pipeline.content import Rejected
from pipeline.sandbox import QueryFailed, Sandbox
from pipeline.sql.classes import Classes, classes_of
from pipeline.sql.tree import NotParsed, parse
from pipeline.sql.wishes import NoWish, Way, wish_of
from pipeline.stages.execute import Limits, execute, objection
from pipeline.synthesize.domains import Value
from pipeline.synthesize.made import MadeDatabase, Placed
from pipeline.synthesize.solve import Solver

_MOST_COPIES = 60
_MOST_WAYS = 24
_LIMITS = Limits(time_limit_seconds=5.0, row_limit=100_000)
_COUNTS = re.compile(r"\b\d{1,2}\b")


class Witnesses:
    """Makes gold SQLs find something in a database that grows by it."""

    def __init__(self, database: MadeDatabase, path: Path, sandbox: Sandbox) -> None:
        self._database = database
        self._path = path
        self._sandbox = sandbox
        self._solver = Solver(path.parent, sandbox)

    def objection(self, sql: str) -> str | None:
        """Return why the result of a SQL is no result, or None: it fails, or is empty, NULL or a lone 0."""
        try:
            problem = objection(execute(self._sandbox, self._path, sql.strip(), _LIMITS))
        except Rejected as rejected:
            return rejected.message
        return problem.message if problem is not None else None

    def make(self, sql: str) -> str | None:
        """Add rows so that a SQL finds something; return None, or why that did not work."""
        problem = self.objection(sql)
        if problem is None:
            return None
        try:
            tree = parse(sql)
        except NotParsed as error:
            return f"cannot be read: {error}"
        for way, through_functions in islice(_ways(tree), _MOST_WAYS):
            try:
                placed = self._placed(tree, way, through_functions)
            except (NoWish, sqlite3.Error, RecursionError) as error:
                problem = f"no witness: {error}"
                continue
            if placed and self.objection(sql) is None:
                return None
            self._database.remove(placed)
        return problem

    def _placed(self, tree: exp.Query, way: Way, through_functions: bool) -> list[Placed]:
        wish = wish_of(tree, self._database.columns, way, self._fold)
        classes = classes_of(wish, self._database.columns, self._database.keys, through_functions)
        names = {number: column for (_, column), number in classes.of.items()}
        values = self._solver.solve(classes, lambda number: self._fresh(classes, names, number))
        if values is None:
            return []
        free = set(classes.types) - {n for c in classes.conditions for n in c.classes} - classes.shared
        rows: list[tuple[str, dict[str, Value]]] = []
        for copy in range(way.copies):
            if copy:
                values = {**values, **{number: self._fresh(classes, names, number) for number in sorted(free)}}
            rows += [(table, _cells(classes, row, values)) for row, table in classes.rows.items()]
        return self._database.insert(rows)

    def _fresh(self, classes: Classes, names: dict[int, str], number: int) -> Value:
        return self._database.fresh(classes.types[number], names[number])

    def _fold(self, sql: str) -> list[object]:
        try:
            answer = self._sandbox.run(self._path, sql, seconds=_LIMITS.time_limit_seconds, rows=1)
        except QueryFailed:
            return []
        return [row[0] for row in answer.rows]


def _cells(classes: Classes, row: str, values: dict[int, Value]) -> dict[str, Value]:
    return {column: values[number] for (owner, column), number in classes.of.items() if owner == row}


def _ways(tree: exp.Query) -> Iterator[tuple[Way, bool]]:
    """Return ways to flatten a query, the plainest first; numbers in it may be the size that a group needs."""
    text = tree.sql(dialect="sqlite")
    named = sorted({int(number) + more for number in _COUNTS.findall(text) for more in (0, 1)})
    grouped = tree.find(exp.AggFunc) is not None
    copies = [1, *(n for n in [2, *named] if grouped and 1 < n <= _MOST_COPIES)]
    sides = [0, 1] if tree.find(exp.Or, exp.Union) is not None else [0]
    inner = sum(1 for _ in tree.find_all(exp.Select)) > 1
    for n, side, fold in product(dict.fromkeys(copies), sides, [True, False] if inner else [True]):
        for through_functions in (True, False):
            yield Way(n, side, fold), through_functions
