"""The official outcome of comparing a prediction with gold under rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from evaluator.align import Alignment, Column, Readings, Search, align
from evaluator.cells import Canonical, CellFault, ColumnReader
from evaluator.errors import GoldError
from evaluator.matching import hall_violator, smallest_perfect_matching
from evaluator.numbers import MAX_KEY_DIGITS, too_large_for_official
from evaluator.rules import ColumnRule, ColumnType, Rules, meaning
from evaluator.tables import Table


class ErrorCode(StrEnum):
    """Why a task is not passed, in the order in which the official evaluator looks; UNDECIDED is ours."""

    MISSING_PREDICTION = "missing_prediction"
    INVALID_PREDICTION_CSV = "invalid_prediction_csv"
    COLUMN_COUNT_MISMATCH = "column_count_mismatch"
    ROW_COUNT_MISMATCH = "row_count_mismatch"
    TYPE_NORMALIZATION_FAILED = "type_normalization_failed"
    RELATION_MISMATCH = "relation_mismatch"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Comparison:
    """The outcome of one comparison.

    Attributes:
        passed: whether the prediction equals gold under the rules.
        error_code: None if passed, else one of ErrorCode. `undecided` counts as not passed, never as wrong.
        error: one sentence for people, None if passed.
        column_mapping: if passed, for each gold column the prediction column, the lexicographically smallest.
        gold_column_count, prediction_column_count, gold_row_count, prediction_row_count: sizes; data rows
            only; 0 for a prediction that could not be read.
    """

    passed: bool
    error_code: str | None
    error: str | None
    column_mapping: tuple[int, ...] | None
    gold_column_count: int
    prediction_column_count: int
    gold_row_count: int
    prediction_row_count: int


@dataclass(frozen=True, slots=True)
class PreparedGold:
    """A gold table read under its rules, ready for any number of predictions."""

    table: Table
    rules: Rules
    readers: tuple[ColumnReader, ...]
    kinds: tuple[int, ...]
    columns: tuple[list[Canonical], ...]


def compare(gold: Table, prediction: Table, rules: Rules) -> Comparison:
    """Return whether the prediction equals gold under the rules, as the official evaluator (1.0.0) decides.

    Headers never count. Columns may be in any order, rows too unless the rules say otherwise.

    Raises:
        GoldError: gold does not fit its rules (see `check_gold`).
    """
    return compare_prepared(prepare_gold(gold, rules), prediction)


def check_gold(gold: Table, rules: Rules) -> None:
    """Do nothing if every gold cell can be read under its column's rule.

    Raises:
        GoldError: another number of columns than rules, a cell that its rule cannot read, or a number
            so large that the official evaluator dies on it; names column, row and cell.
    """
    prepare_gold(gold, rules)


def compare_answers(first: Table, second: Table, rules: Rules) -> Comparison:
    """Return whether two experts' answers are equal under the same rules; neither is gold.

    Each is taken for gold in turn, its columns in the first order that the rules can read, and the
    answers are equal if the other one passes either way. A cell that cannot be read is a difference:
    such an answer equals nothing, not even itself. Sizes are those of first and second, and the
    mapping gives for each column of the first the column of the second.
    """
    there = _with_one_as_gold(first, second, rules)
    back = there if there.passed else _with_one_as_gold(second, first, rules)
    if there.passed or not back.passed or back.column_mapping is None:
        return there
    mapping = tuple(back.column_mapping.index(j) for j in range(len(first.header)))
    return replace(there, passed=True, error_code=None, error=None, column_mapping=mapping)


def arrangement(answer: Table, rules: Rules) -> tuple[int, ...] | None:
    """Return for each rule a column of the answer that it can read, the first such order, None if there is none."""
    if len(answer.header) != len(rules.columns):
        return None
    readers, kinds = readers_for(rules)
    columns = answer.columns()
    fits = [[reader.fits(cells) for cells in columns] for reader in readers]
    chosen = smallest_perfect_matching([[j for j, fit in enumerate(fits[kind]) if fit] for kind in kinds])
    return None if chosen is None else tuple(chosen)


def arranged(answer: Table, order: Sequence[int]) -> Table:
    """Return the answer with its columns in another order."""
    return Table(tuple(answer.header[j] for j in order), tuple(tuple(row[j] for j in order) for row in answer.rows))


def _with_one_as_gold(one: Table, other: Table, rules: Rules) -> Comparison:
    order = arrangement(one, rules)
    if order is None and len(one.header) != len(rules.columns):
        sentence = f"an answer has {len(one.header)} columns where the rules have {len(rules.columns)}"
        return failed(one, other, ErrorCode.COLUMN_COUNT_MISMATCH, sentence)
    try:
        found = compare_prepared(_prepared(one if order is None else arranged(one, order), rules), other)
    except GoldError as error:
        sentence = f"an answer has cells that the rules cannot read: {error}"
        return failed(one, other, ErrorCode.TYPE_NORMALIZATION_FAILED, sentence)
    if found.column_mapping is None or order is None:
        return found
    back = {column: found.column_mapping[i] for i, column in enumerate(order)}
    return replace(found, column_mapping=tuple(back[column] for column in range(len(order))))


def prepare_gold(gold: Table, rules: Rules) -> PreparedGold:
    """Return gold read under its rules; raises GoldError as `check_gold` says."""
    return _prepared(gold, rules, _refuse_oversized)


def _prepared(
    gold: Table, rules: Rules, check: Callable[[Table, ColumnRule, Column], None] | None = None
) -> PreparedGold:
    if len(gold.header) != len(rules.columns):
        raise GoldError(f"gold has {len(gold.header)} columns but its rules have {len(rules.columns)}; list each once")
    readers, kinds = readers_for(rules)
    columns = []
    for rule, kind, cells in zip(rules.columns, kinds, gold.columns(), strict=True):
        read = readers[kind].read(cells)
        if isinstance(read, CellFault):
            raise _gold_fault(gold, rule, read)
        if check is not None:
            check(gold, rule, read)
        columns.append(read)
    return PreparedGold(gold, rules, tuple(readers), tuple(kinds), tuple(columns))


def readers_for(rules: Rules) -> tuple[list[ColumnReader], list[int]]:
    """Return one reader for each different rule, and for each gold column the number of its reader."""
    numbers: dict[tuple[object, ...], int] = {}
    readers: list[ColumnReader] = []
    for rule in rules.columns:
        if meaning(rule) not in numbers:
            numbers[meaning(rule)] = len(readers)
            readers.append(ColumnReader(rule))
    return readers, [numbers[meaning(rule)] for rule in rules.columns]


def compare_prepared(gold: PreparedGold, prediction: Table) -> Comparison:
    """Return the outcome of one prediction against a prepared gold."""
    rules, table = gold.rules, gold.table
    if len(prediction.header) != len(table.header):
        sentence = f"the prediction has {len(prediction.header)} columns where gold has {len(table.header)}"
        return failed(table, prediction, ErrorCode.COLUMN_COUNT_MISMATCH, sentence)
    if len(prediction.rows) != len(table.rows):
        sentence = f"the prediction has {len(prediction.rows)} rows where gold has {len(table.rows)}"
        return failed(table, prediction, ErrorCode.ROW_COUNT_MISMATCH, sentence)
    readings = read_prediction(gold, prediction)
    violator = hall_violator(readings.readable())
    if violator is not None:
        return failed(table, prediction, ErrorCode.TYPE_NORMALIZATION_FAILED, _unfit(rules, *violator))
    return _outcome(table, prediction, align(readings, ordered=rules.order_sensitive))


def read_prediction(gold: PreparedGold, prediction: Table) -> Readings:
    """Return every prediction column under every different rule of the gold, to be read when needed."""
    columns = prediction.columns()
    fits = [[reader.fits(cells) for cells in columns] for reader in gold.readers]

    def read(kind: int, index: int) -> Column:
        keys = gold.readers[kind].keys(columns[index])
        assert keys is not None, "only columns that fit are read"
        return keys

    return Readings(gold.columns, gold.kinds, fits, read)


def failed(gold: Table, prediction: Table | None, code: ErrorCode, sentence: str) -> Comparison:
    """Return a comparison that did not pass; without a prediction its sizes are 0."""
    columns, rows = (0, 0) if prediction is None else (len(prediction.header), len(prediction.rows))
    return Comparison(False, code, sentence, None, len(gold.header), columns, len(gold.rows), rows)


def _outcome(gold: Table, prediction: Table, alignment: Alignment) -> Comparison:
    if alignment.search is Search.UNDECIDED:
        sentence = (
            "the columns are too much alike to be told apart within the work allowed; this says nothing about them"
        )
        return failed(gold, prediction, ErrorCode.UNDECIDED, sentence)
    if alignment.mapping is None:
        sentence = "no assignment of the prediction's columns makes its rows equal to those of gold"
        return failed(gold, prediction, ErrorCode.RELATION_MISMATCH, sentence)
    width, rows = len(gold.header), len(gold.rows)
    return Comparison(True, None, None, alignment.mapping, width, width, rows, rows)


def _unfit(rules: Rules, gold: list[int], prediction: list[int]) -> str:
    names = ", ".join(f"{i + 1} ({rules.columns[i].type.value})" for i in gold)
    if not prediction:
        return f"no prediction column can be read as gold column {names}"
    fit = ", ".join(str(j + 1) for j in prediction)
    return f"gold columns {names} compete for too few prediction columns that can be read so: {fit}"


def _gold_fault(gold: Table, rule: ColumnRule, fault: CellFault) -> GoldError:
    column = f"column {rule.gold_index + 1} ({gold.header[rule.gold_index]!r})"
    return GoldError(
        f"gold {column}, row {fault.row + 2}: {_shown(fault.cell)} cannot be read as {rule.type.value}:"
        f" {fault.reason}; correct the gold or the rule"
    )


def _refuse_oversized(gold: Table, rule: ColumnRule, read: Column) -> None:
    if rule.type is not ColumnType.NUMBER:
        return
    texts = [number for number in read if isinstance(number, str)]
    if not texts or (max(map(len, texts)) <= MAX_KEY_DIGITS and "E" not in "".join(texts)):
        return
    large = {number for number in texts if too_large_for_official(number, rule)}
    if large:
        row = next(row for row, number in enumerate(read) if number in large)
        cell = gold.rows[row][rule.gold_index]
        raise _gold_fault(gold, rule, CellFault(row, cell, "the number has more digits than can be compared"))


def _shown(cell: str) -> str:
    return repr(cell) if len(cell) <= 60 else repr(cell[:60]) + "..."
