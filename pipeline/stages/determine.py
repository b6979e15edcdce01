"""Do the data determine the answer of a gold? Found by running other queries that the SQL could mean."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from pipeline.content import Reason, Rejected, Stage
from pipeline.sandbox import Answer, Cell, QueryFailed
from pipeline.sql.bare import bare_variants
from pipeline.sql.grouping import ColumnsOf
from pipeline.sql.ties import tie_variants
from pipeline.sql.tree import NotParsed, parse, render
from pipeline.stages.execute import Run, rows_as_text

DIGITS_THAT_COUNT = 12  # the last digits of a sum depend on the order in which the rows are added


@dataclass(frozen=True)
class Determined:
    """A gold whose answer the data determine.

    `ordered`: the outermost query has an ORDER BY; `order_fixed`: it leaves no two different rows tied.
    `unchecked` names checks that could not run, with SQLite's objection.
    """

    ordered: bool
    order_fixed: bool
    unchecked: tuple[str, ...]


def determine(sql: str, answer: Answer, run: Run, columns_of: ColumnsOf) -> Determined:
    """Return that the answer is determined. Raises Rejected with two answers that the SQL may give."""
    try:
        tree = parse(sql)
    except NotParsed as error:
        message = f"the SQL library cannot read the SQL, so that its ties cannot be checked: {error}"
        raise Rejected(Stage.SQL, Reason.DOES_NOT_PARSE, message, str(error)) from error
    unchecked: list[str] = []
    order_fixed = _ties(tree, answer, run, unchecked)
    _bare_columns(tree, run, columns_of, unchecked)
    ordered = tree.args.get("order") is not None
    return Determined(ordered, ordered and order_fixed, tuple(unchecked))


def _ties(tree: exp.Query, answer: Answer, run: Run, unchecked: list[str]) -> bool:
    """Return whether the order of the rows is determined too."""

    def width(node: exp.Query) -> int | None:
        return len(answer.columns) if node is tree else _width(node, run)

    answers = list(_answers(tie_variants(tree, width), run, "ties", unchecked))
    if len(answers) < 2:
        return True
    up, down = answers
    if bag(up.rows) != bag(down.rows):
        message = "LIMIT keeps some of several tied rows; which ones, the data do not say"
        raise Rejected(Stage.DETERMINE, Reason.LIMIT_CUTS_A_TIE, message, _difference(up, down))
    return [comparable(row) for row in up.rows] == [comparable(row) for row in down.rows]


def _width(node: exp.Query, run: Run) -> int | None:
    first = node
    while isinstance(first, exp.SetOperation):
        first = first.left
    if isinstance(first, exp.Select) and not any(p.is_star for p in first.expressions):
        return len(first.expressions)
    try:
        return len(run(f"SELECT * FROM ({render(node)}) LIMIT 0").columns)
    except QueryFailed:
        return None


def _bare_columns(tree: exp.Query, run: Run, columns_of: ColumnsOf, unchecked: list[str]) -> None:
    answers = list(_answers(bare_variants(tree, columns_of), run, "bare columns", unchecked))
    for other in answers[1:]:
        if bag(other.rows) != bag(answers[0].rows):
            message = "a column outside GROUP BY has several values in a group; which one counts, the data do not say"
            raise Rejected(Stage.DETERMINE, Reason.BARE_COLUMN, message, _difference(answers[0], other))


def _answers(variants: list[str], run: Run, what: str, unchecked: list[str]) -> Iterator[Answer]:
    for variant in variants:
        try:
            yield run(variant)
        except QueryFailed as error:
            unchecked.append(f"{what}: {error}")
            return


def bag(rows: tuple[tuple[Cell, ...], ...]) -> Counter[tuple[Cell, ...]]:
    """Return rows as a multiset in which floats count with twelve digits."""
    return Counter(comparable(row) for row in rows)


def comparable(row: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Return a row whose floats are cut to twelve digits."""
    return tuple(float(f"{c:.{DIGITS_THAT_COUNT}g}") if isinstance(c, float) else c for c in row)


def _difference(one: Answer, other: Answer) -> str:
    first, second = bag(one.rows), bag(other.rows)
    shown = [
        f"{label}:\n{rows_as_text(tuple(rows)[:5])}"
        for label, rows in (("one answer has", first - second), ("another has", second - first))
    ]
    return "\n".join(shown)
