"""What an explanation of two tables consists of."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from evaluator.compare import Comparison

MAX_EXAMPLES = 5
MAX_CELLS = 200
_SHOWN = 80

TITLES = {
    "F1": "File missing",
    "F2": "Not a regular file",
    "F3": "Wrong encoding",
    "F4": "NUL character",
    "F5": "Broken quotes",
    "F6": "Rows of unequal length",
    "F7": "Limit exceeded",
    "F8": "Wrong file format",
    "S1": "Extra columns",
    "S2": "Missing columns",
    "S3": "Missing rows",
    "S4": "Extra rows",
    "T1": "Unreadable cells",
    "T2": "Columns do not fit one to one",
    "O1": "Row order",
    "A1": "Suggested column mapping",
    "A2": "Rows joined wrongly",
    "A3": "Several mappings fit",
    "A4": "Headers crossed",
    "V1": "Null against value",
    "V2": "Null against zero",
    "V3": "Null against a null word",
    "V4": "Text differs",
    "V5": "Number differs",
    "V6": "Date or time differs",
    "V7": "Truth value differs",
}

# Findings that say something without being a reason to fail.
NOTES = frozenset(("A1", "A3", "A4"))
_FAMILIES = "FSTOAV"


@dataclass(frozen=True, slots=True)
class Difference:
    """One named difference between prediction and gold.

    Attributes:
        code: entry of the taxonomy, a letter (F file, S shape, T type, O order, A alignment, V value) and a number.
        title: the entry's name.
        sentence: what differs, for people.
        exact: True if proved: with the repair that the sentence names the tables are equal. Otherwise likely.
        column: gold column from 0, or None if the difference belongs to no single column.
        count: how many cells, rows or columns it concerns.
        examples: at most five, raw text escaped, rows as numbered in the file (the header is row 1).
        detail: the sub-kind in a few words, stable for programs; empty if there is none.
    """

    code: str
    title: str
    sentence: str
    exact: bool
    column: int | None
    count: int
    examples: tuple[str, ...] = ()
    detail: str = ""


@dataclass(frozen=True, slots=True)
class CellDifference:
    """Two cells that stand for each other under the best alignment and disagree.

    Rows are numbered as in the file (the header is row 1, the first data row is 2), columns from 0.
    `kind` is a code and its sub-kind, such as `V5 scale x100`.
    """

    gold_row: int
    prediction_row: int
    gold_column: int
    prediction_column: int
    gold: str
    prediction: str
    kind: str


@dataclass(frozen=True, slots=True)
class Scores:
    """How near the prediction is; never part of the verdict. Shares from 0 to 1.

    Attributes:
        row_precision, row_recall, row_f1: equal rows as multisets, under the best alignment.
        cell_accuracy: agreeing cells of paired rows over all gold cells (1 for a gold without rows).
        columns_matched: share of gold columns whose values all occur in the aligned column, rows ignored.
        column_agreement: per gold column the share of its rows that agree, 0 for a missing column.
        would_pass_under: weaker rules that the prediction would satisfy.
    """

    row_precision: float
    row_recall: float
    row_f1: float
    cell_accuracy: float
    columns_matched: float
    column_agreement: tuple[float, ...]
    would_pass_under: tuple[str, ...] = ()


NO_SCORES = Scores(0.0, 0.0, 0.0, 0.0, 0.0, ())


@dataclass(frozen=True, slots=True)
class Diff:
    """Why a prediction does not equal gold, or how it does.

    Attributes:
        outcome: the verdict; nothing below changes it.
        primary: the first difference by precedence (file, shape, type, order, alignment, value); None on a pass
            and on an undecided outcome, of which nothing is claimed.
        differences: all of them in that order, notes included.
        cells: disagreeing cells, at most MAX_CELLS, in gold order.
        truncated: whether a cap was hit, so that counts or cells may be incomplete.
        scores: soft scores.
        mapping: for each gold column the prediction column that stands for it, None if there is none.
        missing, extra: rows of gold and of the prediction without a counterpart, numbered as in the file (the header
            is row 1), each at most MAX_CELLS.
    """

    outcome: Comparison
    primary: Difference | None
    differences: tuple[Difference, ...]
    cells: tuple[CellDifference, ...]
    truncated: bool
    scores: Scores
    mapping: tuple[int | None, ...]
    missing: tuple[int, ...] = ()
    extra: tuple[int, ...] = ()

    def to_json(self) -> dict[str, object]:
        """Return plain lists and dictionaries, ready for `json.dumps`; the same tables give the same bytes."""
        return asdict(self)


def difference(
    code: str,
    sentence: str,
    *,
    exact: bool = False,
    column: int | None = None,
    count: int = 1,
    examples: tuple[str, ...] | list[str] = (),
    detail: str = "",
) -> Difference:
    """Return a difference under its entry's title, with at most five examples."""
    return Difference(code, TITLES[code], sentence, exact, column, count, tuple(examples[:MAX_EXAMPLES]), detail)


def in_order(differences: list[Difference]) -> tuple[Difference, ...]:
    """Return the differences by precedence; within an entry the order in which they were found."""
    return tuple(sorted(differences, key=_precedence))


def _precedence(found: Difference) -> tuple[int, bool, str]:
    # Cells that are unreadable for no known cause say less than columns that cannot fit.
    nameless = found.code == "T1" and found.detail == "other"
    return _FAMILIES.index(found.code[0]), nameless, found.code


def primary_of(differences: tuple[Difference, ...]) -> Difference | None:
    """Return the first difference that is a reason to fail."""
    return next((found for found in differences if found.code not in NOTES), None)


def shown(cell: str) -> str:
    """Return a cell for people: quoted, control characters escaped, cut after 80 characters."""
    text = cell if len(cell) <= _SHOWN else cell[:_SHOWN] + "…"
    return '"' + "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text) + '"'


def plural(count: int, noun: str) -> str:
    """Return "1 row", "2 rows"."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
