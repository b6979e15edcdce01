"""Why two tables differ, for people: one primary difference, proved where it can be, with example cells.

The verdict is the comparison's and nothing here changes it. Everything is deterministic and bounded;
`truncated` says when a bound was reached.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from evaluator.compare import (
    Comparison,
    ErrorCode,
    arranged,
    arrangement,
    check_gold,
    compare,
    compare_answers,
    failed,
)
from evaluator.diff_cells import cell_findings, cell_pairs
from evaluator.diff_columns import best_mapping
from evaluator.diff_files import file_finding, wrapper_finding
from evaluator.diff_html import explain_html
from evaluator.diff_model import (
    MAX_CELLS,
    NO_SCORES,
    CellDifference,
    Diff,
    Difference,
    Scores,
    difference,
    in_order,
    primary_of,
)
from evaluator.diff_order import join_finding, mapping_notes, order_finding, pass_notes
from evaluator.diff_repairs import CellPair, proved
from evaluator.diff_rows import Pairing, pair_rows
from evaluator.diff_scores import scores_of
from evaluator.diff_shape import column_findings, row_findings
from evaluator.diff_sides import Sides, read_sides
from evaluator.diff_text import explain_text
from evaluator.matching import hall_violator
from evaluator.rules import Rules
from evaluator.tables import Table, TableError, TableFault, parse_table, read_bytes

__all__ = [
    "CellDifference",
    "Diff",
    "Difference",
    "Scores",
    "explain",
    "explain_answers",
    "explain_bytes",
    "explain_file",
    "explain_html",
    "explain_text",
]


def explain(gold: Table, prediction: Table, rules: Rules) -> Diff:
    """Return why a prediction differs from gold under the rules.

    Raises:
        GoldError: gold does not fit its rules (see `check_gold`).
    """
    return _explained(gold, prediction, rules, compare(gold, prediction, rules))


def explain_answers(first: Table, second: Table, rules: Rules) -> Diff:
    """Return why two experts' answers differ under the same rules; the first stands in gold's place.

    Neither is gold: a cell that cannot be read is a difference, not an error. The outcome is that of
    `compare_answers`, the same whichever comes first. Gold columns are the rules' columns: the first
    answer's in the order in which the rules can read them.
    """
    if len(first.header) != len(rules.columns):
        finding = _column_count(len(first.header), len(rules.columns))
        return _unaligned(compare_answers(first, second, rules), len(rules.columns), [finding])
    order = arrangement(first, rules)
    placed = first if order is None else arranged(first, order)
    return _explained(placed, second, rules, compare_answers(placed, second, rules))


def explain_bytes(gold: Table, data: bytes, rules: Rules) -> Diff:
    """Return why the bytes of a prediction file differ from gold; what is no table is explained too.

    Raises:
        GoldError: gold does not fit its rules.
    """
    try:
        prediction = parse_table(data)
    except TableError as error:
        return _no_table(gold, rules, error, data)
    return explain(gold, prediction, rules)


def explain_file(gold: Table, path: Path, rules: Rules) -> Diff:
    """Return why a prediction file differs from gold; a missing or unreadable one is explained too.

    Raises:
        GoldError: gold does not fit its rules.
    """
    try:
        data = read_bytes(path)
    except TableError as error:
        return _no_table(gold, rules, error, b"")
    return explain_bytes(gold, data, rules)


def _no_table(gold: Table, rules: Rules, error: TableError, data: bytes) -> Diff:
    check_gold(gold, rules)
    missing = error.kind is TableFault.MISSING
    code = ErrorCode.MISSING_PREDICTION if missing else ErrorCode.INVALID_PREDICTION_CSV
    outcome = failed(gold, None, code, str(error))
    return _unaligned(outcome, len(gold.header), [file_finding(error, data, gold, rules)])


def _unaligned(outcome: Comparison, width: int, findings: list[Difference]) -> Diff:
    found = in_order(findings)
    return Diff(outcome, primary_of(found), found, (), False, NO_SCORES, (None,) * width)


def _column_count(found: int, wanted: int) -> Difference:
    return difference("S2" if found < wanted else "S1", f"{found} columns where the rules have {wanted}", exact=True)


def _explained(gold: Table, prediction: Table, rules: Rules, outcome: Comparison) -> Diff:
    if outcome.error_code == ErrorCode.UNDECIDED:  # no difference may be claimed
        return _unaligned(outcome, len(gold.header), [])
    sides = read_sides(gold, prediction, rules)
    if outcome.column_mapping is not None:
        return _passed(sides, outcome, outcome.column_mapping)
    wrapper = wrapper_finding(gold, prediction, rules)
    if wrapper is not None:
        return _unaligned(outcome, len(gold.header), [wrapper])
    mapping = best_mapping(sides)
    order = order_finding(sides, mapping)
    pairing = pair_rows(*sides.rows(mapping), ordered=rules.order_sensitive and order is None)
    pairs, cut = cell_pairs(sides, mapping, pairing)
    pairing, pairs = _without_strangers(pairing, pairs, mapping)
    scores = scores_of(sides, mapping, pairing, pairs)
    findings = [*column_findings(sides, mapping), *row_findings(sides, mapping, pairing), *_unfit(sides)]
    complete = not (pairing.missing or pairing.extra or pairing.truncated or cut or None in mapping)
    exact = bool(pairs) and complete and proved(gold, prediction, rules, pairs)
    join = None if exact else join_finding(sides, mapping)
    findings += [found for found in (order, join) if found is not None]
    findings += cell_findings(sides, pairs, exact=exact)
    findings += mapping_notes(sides, mapping, scores.column_agreement)
    found = in_order(findings)
    truncated = cut or pairing.truncated or len(pairs) > MAX_CELLS
    rows = _numbered(pairing.missing), _numbered(pairing.extra)
    return Diff(outcome, primary_of(found), found, _cells(pairs), truncated, scores, mapping, *rows)


def _numbered(rows: Sequence[int]) -> tuple[int, ...]:
    return tuple(row + 2 for row in rows[:MAX_CELLS])


def _passed(sides: Sides, outcome: Comparison, mapping: Sequence[int]) -> Diff:
    full = Scores(1.0, 1.0, 1.0, 1.0, 1.0, tuple(1.0 for _ in mapping))
    return Diff(outcome, None, in_order(pass_notes(sides, mapping)), (), False, full, tuple(mapping))


def _unfit(sides: Sides) -> list[Difference]:
    """Return T2 if several gold columns compete for too few prediction columns that their rules can read."""
    if len(sides.prediction.header) != len(sides.gold.header):
        return []
    violator = hall_violator(sides.readable())
    if violator is None or len(violator[0]) < 2:
        return []
    names = ", ".join(sides.name(i) for i in violator[0])
    offered = ", ".join(str(j + 1) for j in violator[1]) or "none"
    sentence = f"gold {names} need {len(violator[0])} prediction columns, but only these can be read so: {offered}"
    return [difference("T2", sentence, exact=True, column=violator[0][0], count=len(violator[0]))]


def _without_strangers(
    pairing: Pairing, pairs: list[CellPair], mapping: Sequence[int | None]
) -> tuple[Pairing, list[CellPair]]:
    """Take rows that share no cell and whose cells are unlike in no named way for different rows, not for a pair."""
    width = sum(j is not None for j in mapping)
    if width < 2:
        return pairing, pairs
    unlike = Counter(
        (pair.gold_row, pair.prediction_row) for pair in pairs if pair.kind in _NAMELESS or pair.kind[:2] == "V7"
    )
    strangers = {rows for rows, count in unlike.items() if count == width}
    if not strangers:
        return pairing, pairs
    kept = tuple(rows for rows in pairing.pairs if rows not in strangers)
    missing = tuple(sorted((*pairing.missing, *(gold for gold, _ in strangers))))
    extra = tuple(sorted((*pairing.extra, *(prediction for _, prediction in strangers))))
    rest = [pair for pair in pairs if (pair.gold_row, pair.prediction_row) not in strangers]
    return Pairing(pairing.equal, kept, missing, extra, pairing.truncated), rest


_NAMELESS = frozenset(
    ("V4 other", "V5 other", "V6 other", "V5 one grid step", "V1 null in gold", "V1 null in prediction")
)


def _cells(pairs: Sequence[CellPair]) -> tuple[CellDifference, ...]:
    return tuple(
        CellDifference(
            pair.gold_row + 2,
            pair.prediction_row + 2,
            pair.gold_column,
            pair.prediction_column,
            pair.gold,
            pair.prediction,
            pair.kind,
        )
        for pair in pairs[:MAX_CELLS]
    )
