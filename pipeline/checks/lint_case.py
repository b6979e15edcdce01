"""What a lint of a gold is, and what a lint gets to see: the resolved tree, the result, and the database."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum

from sqlglot import exp

from pipeline.content import shortened
from pipeline.sandbox import Answer, Cell, QueryFailed
from pipeline.sql.facts import Facts
from pipeline.sql.resolve import Resolver
from pipeline.sql.tree import render
from pipeline.stages.determine import bag
from pipeline.stages.execute import Run

EVIDENCE = 400


class Severity(StrEnum):
    """`error`: the answer is luck or cannot be what is meant; `warning`: look at it; `note`: good to know."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class LintKind(StrEnum):
    """What may be wrong with a gold. The values stand in reports and in the provenance."""

    TIE_AT_CUT = "tie at the cut"
    NULL_IN_SORT_KEY = "NULL in a sort key"
    NUMBER_AS_TEXT = "number stored as text"
    TYPES_DIFFER = "comparison of different types"
    DUPLICATE_NAMES = "duplicate column names"
    ORDER_NOT_FIXED = "order asked for but not fixed"
    DISTINCT_NOTHING = "DISTINCT changes nothing"
    DISTINCT_EVERYTHING = "DISTINCT leaves one row"
    FAN_OUT = "join fan-out"
    LIKE_PLAIN = "LIKE without wildcard"
    LONG_FLOAT = "float with 15 digits"
    ALWAYS_TRUE = "predicate always true"
    NEVER_TRUE = "predicate never true"
    JOIN_WITHOUT_EFFECT = "joined table without effect"
    CONDITION_NOTHING = "condition without effect"


@dataclass(frozen=True)
class GoldLint:
    """One thing to look at in a gold: what, how grave, a sentence, and what proves it."""

    kind: LintKind
    severity: Severity
    message: str
    evidence: str

    def to_json(self) -> dict[str, str]:
        """Return the fields as a JSON object."""
        return {key: str(value) for key, value in asdict(self).items()}


def lint(kind: LintKind, severity: Severity, message: str, evidence: object) -> GoldLint:
    """Return a lint whose evidence is cut to a readable length."""
    return GoldLint(kind, severity, message, shortened(str(evidence), EVIDENCE))


@dataclass(frozen=True)
class Case:
    """A gold with names resolved, its answer, and a way to ask its database.

    `tables` gives the declared type of each column by its name, by the name of the table, all in lower case.
    """

    tree: exp.Query
    resolver: Resolver
    facts: Facts
    answer: Answer
    run: Run
    tables: Mapping[str, Mapping[str, str]]
    _asked: dict[str, Answer | None] = field(default_factory=dict)

    def ask(self, sql: str) -> tuple[tuple[Cell, ...], ...] | None:
        """Return the rows of a query, or None if it cannot be run: an inner query that refers outside, or a limit."""
        if sql not in self._asked:
            try:
                self._asked[sql] = self.run(sql)
            except QueryFailed:
                self._asked[sql] = None
        answer = self._asked[sql]
        return answer.rows if answer is not None and not answer.more else None

    def number(self, sql: str) -> int | None:
        """Return the one number that a query counts, or None."""
        rows = self.ask(sql)
        return rows[0][0] if rows and isinstance(rows[0][0], int) else None

    def same_without(self, change: Callable[[], Callable[[], None]]) -> bool:
        """Return whether the gold gives the same rows after a change of its tree; the change returns what undoes it."""
        undo = change()
        try:
            rows = self.ask(render(self.tree))
        finally:
            undo()
        return rows is not None and bag(rows) == bag(self.answer.rows)

    def selects(self) -> list[exp.Select]:
        """Return every SELECT of the gold."""
        return list(self.tree.find_all(exp.Select))

    def base(self, source: exp.Expr) -> bool:
        """Return whether a source is a table of the database, and no name of a WITH."""
        named = {cte.alias.lower() for cte in self.tree.find_all(exp.CTE)}
        return isinstance(source, exp.Table) and source.name.lower() in self.tables and source.name.lower() not in named


def sources(select: exp.Select) -> list[exp.Expr]:
    """Return what stands in FROM and its joins."""
    origin = select.args.get("from_")
    return [*([origin.this] if origin is not None else []), *(join.this for join in select.args.get("joins") or [])]


def conjuncts(condition: exp.Expr | None) -> list[exp.Expr]:
    """Return the parts of a condition that must all hold."""
    if condition is None:
        return []
    inner = condition.unnest()
    if not isinstance(inner, exp.And):
        return [inner]
    return [part for side in (inner.this, inner.expression) for part in conjuncts(side)]


def defined(node: exp.Expr) -> str:
    """Return the WITH clauses in sight of a query, as the start of another query over the same tables."""
    clauses: list[exp.With] = []
    inner: exp.Expr | None = node
    while inner is not None:
        if isinstance(clause := inner.args.get("with_"), exp.With):
            clauses.insert(0, clause)
        inner = inner.parent
    tables = [render(table) for clause in clauses for table in clause.expressions]
    recursive = "RECURSIVE " if any(clause.args.get("recursive") for clause in clauses) else ""
    return f"WITH {recursive}{', '.join(tables)} " if tables else ""


def block(select: exp.Select, outputs: str, *, grouped: bool) -> str:
    """Return a query for other outputs over the rows that a SELECT sees, without its order and limit."""
    copy = select.copy()
    for name in ("with_", "order", "limit", "offset", "distinct", *(() if grouped else ("group", "having"))):
        copy.set(name, None)
    copy.set("expressions", [exp.Placeholder(this="outputs")])
    return defined(select) + render(copy).replace(":outputs", outputs, 1)
