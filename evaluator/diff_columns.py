"""Which prediction column stands for which gold column when the tables are not equal: the best guess."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from itertools import islice

from evaluator.cells import Unreadable, Value
from evaluator.diff_sides import Sides

# Weights of one column pair: values in common, then the header, then readability, then the position.
_OVERLAP, _HEADER, _READABLE, _POSITION = 10_000, 900, 200, 1
_SAMPLED = 2_000


def best_mapping(sides: Sides) -> tuple[int | None, ...]:
    """Return for each gold column the prediction column that fits it best, None where columns run out.

    The assignment of greatest total weight; where columns hold the same values, those already told
    apart say which rows belong together, and the weights are taken again over (row, value) pairs.
    """
    if not sides.prediction.header:
        return tuple(None for _ in sides.gold.header)
    weights = _weights(sides, sides.gold_columns, sides.readings)
    mapping = _assigned(weights)
    anchors = [i for i, row in enumerate(weights) if mapping[i] is not None and _is_clear(row)]
    if 0 < len(anchors) < len(mapping) and len(sides.gold.rows) > 1:
        keyed = _keyed(sides, anchors, mapping)
        mapping = _assigned(_weights(sides, *keyed))
    return mapping


def assignment(weights: Sequence[Sequence[int]]) -> list[int]:
    """Return for each row of a square matrix its column, all different, with the greatest total.

    Shortest augmenting paths with potentials, O(n^3).
    """
    size = len(weights)
    rows, columns = [0] * (size + 1), [0] * (size + 1)
    owner = [0] * (size + 1)
    for row in range(1, size + 1):
        owner[0] = row
        _grow(weights, rows, columns, owner)
    chosen = [0] * size
    for column in range(1, size + 1):
        chosen[owner[column] - 1] = column - 1
    return chosen


def _grow(weights: Sequence[Sequence[int]], rows: list[int], columns: list[int], owner: list[int]) -> None:
    size = len(weights)
    slack: list[float] = [float("inf")] * (size + 1)
    came_from = [0] * (size + 1)
    used = [False] * (size + 1)
    column = 0
    while owner[column]:
        used[column] = True
        row = owner[column]
        for other in range(1, size + 1):
            cost = -weights[row - 1][other - 1] - rows[row] - columns[other]
            if not used[other] and cost < slack[other]:
                slack[other], came_from[other] = cost, column
        nearest = min((c for c in range(1, size + 1) if not used[c]), key=lambda c: slack[c])
        step = int(slack[nearest])
        for other in range(size + 1):
            if used[other]:
                rows[owner[other]] += step
                columns[other] -= step
            else:
                slack[other] -= step
        column = nearest
    while column:
        owner[column] = owner[came_from[column]]
        column = came_from[column]


def overlap(gold: Counter[Hashable], prediction: Counter[Hashable]) -> float:
    """Return how many values two multisets have in common; estimated from gold's first values if it has many."""
    keys = set(islice(gold, _SAMPLED))
    common = keys & prediction.keys()  # most pairs of columns share next to nothing: not key by key
    return sum(min(gold[key], prediction[key]) for key in common) * (len(gold) / max(len(keys), 1))


def _weights(
    sides: Sides, gold: Sequence[Sequence[Hashable]], readings: Sequence[Sequence[Sequence[Hashable]]]
) -> list[list[int]]:
    wanted = [Counter(column) for column in gold]
    offered = [[Counter(column) for column in kind] for kind in readings]
    unreadable = [[sum(isinstance(v, Unreadable) for v in column) for column in kind] for kind in sides.readings]
    rows = max(len(sides.gold.rows), len(sides.prediction.rows), 1)
    width = range(len(sides.prediction.header))

    def weight(i: int, j: int) -> int:
        kind = sides.kinds[i]
        share = min(overlap(wanted[i], offered[kind][j]) / rows, 1.0)
        readable = 1 - unreadable[kind][j] / rows
        same_name = _name(sides.gold.header[i]) == _name(sides.prediction.header[j])
        return round(_OVERLAP * share + _HEADER * same_name + _READABLE * readable) + _POSITION * (i == j)

    return [[weight(i, j) for j in width] for i in range(len(sides.gold.header))]


def _name(header: str) -> str:
    return header.strip().casefold()


def _is_clear(weights: list[int]) -> bool:
    """Whether one prediction column fits clearly better than any other."""
    best = sorted(weights, reverse=True)
    return best[0] >= _OVERLAP // 2 and (len(best) == 1 or best[0] - best[1] > _HEADER + _READABLE)


def _assigned(weights: list[list[int]]) -> tuple[int | None, ...]:
    height, width = len(weights), len(weights[0])
    size = max(height, width)
    square = [[*row, *[0] * (size - width)] for row in weights] + [[0] * size for _ in range(size - height)]
    chosen = assignment(square)[:height]
    return tuple(j if j < width else None for j in chosen)


def _keyed(
    sides: Sides, anchors: list[int], mapping: Sequence[int | None]
) -> tuple[list[list[Hashable]], list[list[list[Hashable]]]]:
    """Return all columns with each value joined to its row's values in the anchor columns."""
    numbers: dict[tuple[Value, ...], int] = {}  # equal rows of anchors have one number: quicker to hash than the rows
    chosen = [(i, mapping[i]) for i in anchors]
    gold_keys = _numbered(numbers, zip(*(sides.gold_columns[i] for i in anchors), strict=True))
    keys = _numbered(numbers, zip(*(sides.reading(i, j) for i, j in chosen if j is not None), strict=True))
    gold: list[list[Hashable]] = [list(zip(gold_keys, column, strict=True)) for column in sides.gold_columns]
    readings: list[list[list[Hashable]]] = [
        [list(zip(keys, column, strict=True)) for column in kind] for kind in sides.readings
    ]
    return gold, readings


def _numbered(numbers: dict[tuple[Value, ...], int], rows: Iterable[tuple[Value, ...]]) -> list[int]:
    return [numbers.setdefault(row, len(numbers)) for row in rows]
