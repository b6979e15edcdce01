"""Soft scores: how near a prediction is, and which weaker rules it would satisfy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from evaluator.diff_model import Scores
from evaluator.diff_numbers import within
from evaluator.diff_repairs import CellPair
from evaluator.diff_rows import Pairing
from evaluator.diff_sides import Sides
from evaluator.matching import same_multiset
from evaluator.rules import ColumnType


def scores_of(sides: Sides, mapping: Sequence[int | None], pairing: Pairing, pairs: Sequence[CellPair]) -> Scores:
    """Return the scores of a prediction that did not pass, under its best mapping and row pairing."""
    whole = None not in mapping
    equal = pairing.equal if whole else 0
    gold_rows, prediction_rows = len(sides.gold.rows), len(sides.prediction.rows)
    precision, recall = _share(equal, prediction_rows), _share(equal, gold_rows)
    agreement = _agreement(sides, mapping, pairing, pairs)
    return Scores(
        precision,
        recall,
        2 * precision * recall / (precision + recall) if precision + recall else 0.0,
        sum(agreement) / len(agreement),
        _columns_matched(sides, mapping),
        agreement,
        _weaker(sides, mapping, pairing, pairs),
    )


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


def _agreement(
    sides: Sides, mapping: Sequence[int | None], pairing: Pairing, pairs: Sequence[CellPair]
) -> tuple[float, ...]:
    wrong = Counter(pair.gold_column for pair in pairs)
    paired = pairing.equal + len(pairing.pairs)
    rows = len(sides.gold.rows)
    return tuple(0.0 if j is None else _share(paired - wrong[i], rows) for i, j in enumerate(mapping))


def _columns_matched(sides: Sides, mapping: Sequence[int | None]) -> float:
    same = [j is not None and same_multiset(sides.gold_columns[i], sides.reading(i, j)) for i, j in enumerate(mapping)]
    return sum(same) / len(same)


def _weaker(
    sides: Sides, mapping: Sequence[int | None], pairing: Pairing, pairs: Sequence[CellPair]
) -> tuple[str, ...]:
    if None in mapping:
        return ()
    gold, prediction = sides.rows(mapping)
    exact_width = len(mapping) == len(sides.prediction.header)
    paired = exact_width and not (pairing.missing or pairing.extra or pairing.truncated)
    checks: dict[str, Callable[[], bool]] = {
        "ignoring row order": lambda: exact_width and same_multiset(gold, prediction),
        "as sets of rows": lambda: exact_width and set(gold) == set(prediction),
        "ignoring extra columns": lambda: not exact_width and same_multiset(gold, prediction),
        "numbers within 1e-6 relative": lambda: paired and _all_within(sides, pairs, relative="1e-6"),
        "numbers within 0.01": lambda: paired and _all_within(sides, pairs, absolute="0.01"),
    }
    return tuple(name for name, holds in checks.items() if holds())


def _all_within(sides: Sides, pairs: Sequence[CellPair], *, relative: str = "0", absolute: str = "0") -> bool:
    return bool(pairs) and all(
        sides.rule(pair.gold_column).type is ColumnType.NUMBER
        and within(pair.gold, pair.prediction, sides.rule(pair.gold_column), relative=relative, absolute=absolute)
        for pair in pairs
    )
