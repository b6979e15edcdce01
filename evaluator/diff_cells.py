"""Disagreeing cells, one by one and rolled up by column."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from evaluator.dates import parse_moment
from evaluator.diff_model import Difference, difference, plural, shown
from evaluator.diff_numbers import plain, shared_factor, shared_offset
from evaluator.diff_repairs import CellPair
from evaluator.diff_rows import Pairing
from evaluator.diff_sides import Sides
from evaluator.diff_values import classify
from evaluator.diff_words import said

MAX_CLASSIFIED = 20_000


def cell_pairs(sides: Sides, mapping: Sequence[int | None], pairing: Pairing) -> tuple[list[CellPair], bool]:
    """Return the disagreeing cells of paired rows in gold order, and whether there were too many to look at."""
    columns = [(i, j, sides.reading(i, j)) for i, j in enumerate(mapping) if j is not None]
    found: list[CellPair] = []
    for gold_row, prediction_row in pairing.pairs:
        if len(found) >= MAX_CLASSIFIED:
            return _with_shared(sides, found), True
        for i, j, reading in columns:
            if sides.gold_columns[i][gold_row] != reading[prediction_row]:
                one, other = sides.gold.rows[gold_row][i], sides.prediction.rows[prediction_row][j]
                kind = classify(one, other, sides.rule(i))
                found.append(CellPair(gold_row, prediction_row, i, j, one, other, kind))
    return _with_shared(sides, found), False


def cell_findings(sides: Sides, pairs: Sequence[CellPair], *, exact: bool) -> list[Difference]:
    """Return the disagreeing cells rolled up: one difference a column and class, the largest class first.

    Args:
        sides: both tables.
        pairs: the disagreeing cells.
        exact: whether repairing all of them by their class was proved to make the tables equal.
    """
    classes: dict[int, dict[str, list[CellPair]]] = defaultdict(lambda: defaultdict(list))
    for pair in pairs:
        classes[pair.gold_column][pair.kind].append(pair)
    several = sum(map(len, classes.values())) > 1
    proof = "" if not exact else "; with all that is named repaired" if several else "; with that repaired"
    return [
        _finding(sides, column, kind, members, len(kinds) == 1, proof)
        for column, kinds in sorted(classes.items())
        for kind, members in sorted(kinds.items(), key=lambda entry: (-len(entry[1]), entry[0]))
    ]


def _finding(sides: Sides, column: int, kind: str, members: list[CellPair], alone: bool, proof: str) -> Difference:
    code, _, detail = kind.partition(" ")
    every = "all " if alone and len(members) > 1 else ""
    words = said(code, detail, type_name=sides.rule(column).type.value, shift=members[0].shift)
    sentence = f"{sides.name(column)}: {every}{plural(len(members), 'differing cell')}: {words}"
    if proof:
        sentence += f"{proof} the tables are equal"
    examples = [_example(pair) for pair in members[:5]]
    return difference(
        code, sentence, exact=bool(proof), column=column, count=len(members), examples=examples, detail=detail
    )


def _example(pair: CellPair) -> str:
    gold = f"gold row {pair.gold_row + 2} {shown(pair.gold)}"
    return f"{gold}, prediction row {pair.prediction_row + 2} {shown(pair.prediction)}"


def _with_shared(sides: Sides, pairs: list[CellPair]) -> list[CellPair]:
    """Name what the unexplained cells of a whole column share: a factor, an amount, a shift in time."""
    columns: dict[int, list[CellPair]] = defaultdict(list)
    for pair in pairs:
        columns[pair.gold_column].append(pair)
    shared = {column: _shared(sides, column, members) for column, members in columns.items()}
    return [
        replace(pair, kind=named[0], shift=named[1]) if (named := shared[pair.gold_column]) else pair for pair in pairs
    ]


def _shared(sides: Sides, column: int, members: list[CellPair]) -> tuple[str, str] | None:
    codes = {pair.kind[:2] for pair in members}
    if len(members) < 2:
        return _one_shift(members[0])
    raw = [(pair.gold, pair.prediction) for pair in members]
    if codes == {"V5"} and _unexplained(members):
        return _shared_number(sides, column, raw)
    if codes == {"V6"} and not _zone_trouble(members):
        return _shared_shift(members)
    return None


def _unexplained(members: list[CellPair]) -> bool:
    """Whether no single class covers the column, or only the two that say nothing."""
    kinds = Counter(pair.kind for pair in members)
    return len(kinds) > 1 or set(kinds) <= {"V5 other", "V5 one grid step"}


def _shared_number(sides: Sides, column: int, raw: list[tuple[str, str]]) -> tuple[str, str] | None:
    factor = shared_factor(raw, sides.rule(column))
    if factor is not None and abs(factor - 1) > Decimal("1e-6"):
        return "V5 constant factor", plain(factor)
    offset = shared_offset(raw, sides.rule(column))
    return None if offset is None else ("V5 constant offset", plain(offset))


def _zone_trouble(members: list[CellPair]) -> bool:
    return any("time zone" in pair.kind for pair in members)


def _one_shift(pair: CellPair) -> tuple[str, str] | None:
    if pair.kind in ("V6 one day", "V6 shifted by hours"):
        return pair.kind, str(_seconds(pair))
    return None


def _shared_shift(members: list[CellPair]) -> tuple[str, str] | None:
    gaps = {_seconds(pair) for pair in members}
    if len(gaps) != 1:
        return None
    gap = gaps.pop()
    if abs(gap) == 86_400:
        return "V6 one day", str(gap)
    return ("V6 shifted by hours" if abs(gap) <= 14 * 3600 else "V6 constant shift"), str(gap)


def _seconds(pair: CellPair) -> int:
    one, other = parse_moment(pair.gold.strip())[0], parse_moment(pair.prediction.strip())[0]
    return round((other - one).total_seconds())
