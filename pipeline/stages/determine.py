"""Do the data determine the answer of a gold? Found by running other queries that the SQL could mean."""

from collections import Counter
from dataclasses import dataclass

from sqlglot import exp

from pipeline.content import Reason, Rejected, Stage
from pipeline.sandbox import Answer, Cell, QueryFailed
from pipeline.sql.bare import bare_variants
from pipeline.sql.grouping import ColumnsOf
from pipeline.sql.ties import tie_variants
from pipeline.sql.tree import NotParsed, parse, render
from pipeline.sql.windows import concatenation_variants, window_variants
from pipeline.stages.execute import Run, rows_as_text

DIGITS_THAT_COUNT = 12  # the last digits of a sum depend on the order in which the rows are added

_MESSAGES = {
    Reason.LIMIT_CUTS_A_TIE: "LIMIT keeps some of several tied rows; which ones, the data do not say",
    Reason.WINDOW_CUTS_A_TIE: "a window takes tied rows in an order that the data do not give",
    Reason.CONCATENATION_WITHOUT_ORDER: "texts are put together in no order; these are the first and last of them",
    Reason.BARE_COLUMN: (
        "a column outside GROUP BY has several values in a group; which one counts, the data do not say"
    ),
}


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
    variants = {
        Reason.LIMIT_CUTS_A_TIE: tie_variants(tree, lambda node: _width(node, run)),
        Reason.WINDOW_CUTS_A_TIE: window_variants(tree, columns_of),
        Reason.CONCATENATION_WITHOUT_ORDER: concatenation_variants(tree),
        Reason.BARE_COLUMN: bare_variants(tree, columns_of),
    }
    ordered = tree.args.get("order") is not None
    if not any(variants.values()):
        return Determined(ordered, ordered, ())
    if (problem := _misread(tree, answer, run)) is not None:
        return Determined(ordered, ordered, (problem,))
    unchecked: list[str] = []
    answers = {reason: _answers(made, run, reason, unchecked) for reason, made in variants.items()}
    for reason, found in answers.items():
        _must_agree(found, reason)
    return Determined(ordered, ordered and _same_order(answers[Reason.LIMIT_CUTS_A_TIE]), tuple(unchecked))


def _misread(tree: exp.Query, answer: Answer, run: Run) -> str | None:
    """Return why the tree does not stand for the SQL, or None: variants of another query would prove nothing."""
    try:
        again = run(render(tree))
    except QueryFailed as error:
        return f"the library writes the SQL in a way that fails: {error}"
    return None if bag(again.rows) == bag(answer.rows) else "the library reads the SQL in another way than SQLite"


def _must_agree(answers: list[Answer], reason: Reason) -> None:
    for other in answers[1:]:
        if bag(other.rows) != bag(answers[0].rows):
            raise Rejected(Stage.DETERMINE, reason, _MESSAGES[reason], _difference(answers[0], other))


def _same_order(answers: list[Answer]) -> bool:
    sequences = [[comparable(row) for row in answer.rows] for answer in answers]
    return all(sequence == sequences[0] for sequence in sequences)


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


def _answers(variants: list[str], run: Run, reason: Reason, unchecked: list[str]) -> list[Answer]:
    """Return the answers of all variants, or none, with a note, if one of them cannot be run."""
    try:
        return [run(variant) for variant in variants]
    except QueryFailed as error:
        unchecked.append(f"{reason}: {error}")
        return []


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
