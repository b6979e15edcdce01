"""All lints of a gold on a database: what a person should look at before an expert spends an hour."""

from collections.abc import Callable, Iterator, Sequence

from pipeline.checks.lint_blocks import constant_predicates, distinct_without_effect, fan_out, join_without_effect
from pipeline.checks.lint_case import Case, GoldLint, LintKind, Severity, lint
from pipeline.checks.lint_parts import condition_without_effect
from pipeline.checks.lint_result import duplicate_names, long_floats
from pipeline.checks.lint_values import like_without_wildcard, null_in_sort_key, number_stored_as_text, types_differ
from pipeline.content import Reason, Rejected
from pipeline.database import Database
from pipeline.sandbox import Answer, QueryFailed
from pipeline.sql.facts import facts
from pipeline.sql.qualified import known_schema, qualified
from pipeline.sql.resolve import Resolver
from pipeline.sql.tree import NotParsed, render
from pipeline.stages.determine import Determined, bag, determine
from pipeline.stages.execute import Run

LINTS: Sequence[Callable[[Case], Iterator[GoldLint]]] = (
    duplicate_names,
    long_floats,
    like_without_wildcard,
    null_in_sort_key,
    number_stored_as_text,
    types_differ,
    distinct_without_effect,
    fan_out,
    constant_predicates,
    join_without_effect,
    condition_without_effect,
)


def lints_of(
    sql: str, database: Database, answer: Answer, run: Run, determined: Determined | None = None
) -> tuple[GoldLint, ...]:
    """Return everything to look at in a gold that ran, gravest first.

    Args:
        sql: the gold, with texts in single quotes.
        run: executes a query on the gold's database within limits.
        determined: what is known of ties; found out here where it is not.

    Raises:
        NotParsed: the SQL library reads the gold in another way than SQLite, so that nothing can be said of it.
    """
    case = _case(sql, database, answer, run)
    found = list(_ties(sql, database, answer, run) if determined is None else _order(sql, determined))
    for check in LINTS:
        found += check(case)
    order = list(Severity)
    return tuple(sorted(dict.fromkeys(found), key=lambda one: order.index(one.severity)))


def _case(sql: str, database: Database, answer: Answer, run: Run) -> Case:
    tree = qualified(sql, known_schema(database.columns))
    try:
        again = run(render(tree))
    except QueryFailed as error:
        raise NotParsed(f"the library writes the SQL in a way that fails: {error}") from error
    if bag(again.rows) != bag(answer.rows):
        raise NotParsed("the library reads the SQL in another way than SQLite")
    tables = {t.name.lower(): {c.name.lower(): c.declared for c in t.columns} for t in database.tables}
    return Case(tree, Resolver(tree), facts(tree), answer, run, tables)


def _ties(sql: str, database: Database, answer: Answer, run: Run) -> Iterator[GoldLint]:
    def columns_of(name: str) -> list[str]:
        table = database.table(name)
        return [column.name for column in table.columns] if table is not None else []

    try:
        yield from _order(sql, determine(sql, answer, run, columns_of))
    except Rejected as rejected:
        if rejected.reason is Reason.LIMIT_CUTS_A_TIE:
            yield lint(LintKind.TIE_AT_CUT, Severity.ERROR, rejected.message, rejected.evidence)


def _order(sql: str, determined: Determined) -> Iterator[GoldLint]:
    if determined.ordered and not determined.order_fixed:
        message = "ORDER BY leaves different rows tied; their order is luck, so that it is not compared"
        yield lint(LintKind.ORDER_NOT_FIXED, Severity.NOTE, message, sql)
