"""Which prediction row stands for which gold row: equal rows first, then the rows that agree most."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from difflib import SequenceMatcher

from evaluator.cells import Unreadable, Value
from evaluator.diff_sides import Row

MAX_LEFTOVERS = 2_000
_MAX_POSTINGS = 60
_MAX_SEQUENCE = 600


@dataclass(frozen=True, slots=True)
class Pairing:
    """Rows of gold and prediction that stand for each other; indices from 0.

    Attributes:
        equal: number of rows that are equal (as multisets, or in place if order counts).
        pairs: (gold row, prediction row) that differ, in gold order.
        missing, extra: gold rows and prediction rows without a counterpart.
        truncated: whether there were more leftovers than are looked at.
    """

    equal: int
    pairs: tuple[tuple[int, int], ...]
    missing: tuple[int, ...]
    extra: tuple[int, ...]
    truncated: bool = False


def pair_rows(gold: list[Row], prediction: list[Row], *, ordered: bool) -> Pairing:
    """Return the pairing of two lists of rows of the same width.

    Args:
        gold, prediction: rows over the mapped columns.
        ordered: pair by place; lists of different lengths by their longest common subsequence.
    """
    if ordered:
        return _by_place(gold, prediction)
    missing, extra = _leftovers(gold, prediction)
    equal = len(gold) - len(missing)
    truncated = max(len(missing), len(extra)) > MAX_LEFTOVERS
    near, cut = _nearest(gold, prediction, missing[:MAX_LEFTOVERS], extra[:MAX_LEFTOVERS])
    near += _by_rank(gold, prediction, missing, extra, near)
    return _pairing(equal, near, missing, extra, truncated or cut)


def _pairing(equal: int, pairs: list[tuple[int, int]], missing: list[int], extra: list[int], cut: bool) -> Pairing:
    gold_used, prediction_used = {g for g, _ in pairs}, {p for _, p in pairs}
    return Pairing(
        equal,
        tuple(sorted(pairs)),
        tuple(row for row in missing if row not in gold_used),
        tuple(row for row in extra if row not in prediction_used),
        cut,
    )


def _leftovers(gold: list[Row], prediction: list[Row]) -> tuple[list[int], list[int]]:
    """Return the rows that remain when equal rows are crossed off, the later ones of equals first to stay."""
    return _beyond(gold, Counter(prediction)), _beyond(prediction, Counter(gold))


def _beyond(rows: list[Row], allowed: Counter[Row]) -> list[int]:
    left = []
    for index, row in enumerate(rows):
        if allowed[row] > 0:
            allowed[row] -= 1
        else:
            left.append(index)
    return left


def _by_place(gold: list[Row], prediction: list[Row]) -> Pairing:
    if len(gold) == len(prediction):
        pairs = [(row, row) for row in range(len(gold)) if gold[row] != prediction[row]]
        return Pairing(len(gold) - len(pairs), tuple(pairs), (), ())
    head = 0
    while head < min(len(gold), len(prediction)) and gold[head] == prediction[head]:
        head += 1
    if max(len(gold), len(prediction)) - head > _MAX_SEQUENCE:
        missing, extra = _leftovers(gold, prediction)
        return Pairing(len(gold) - len(missing), (), tuple(missing), tuple(extra), True)
    blocks = SequenceMatcher(None, gold[head:], prediction[head:], autojunk=False).get_opcodes()
    pairs, missing, extra, equal = [], [], [], head
    for kind, g0, g1, p0, p1 in blocks:
        if kind == "equal":
            equal += g1 - g0
            continue
        both = min(g1 - g0, p1 - p0)
        pairs += [(head + g0 + k, head + p0 + k) for k in range(both)]
        missing += range(head + g0 + both, head + g1)
        extra += range(head + p0 + both, head + p1)
    return Pairing(equal, tuple(pairs), tuple(missing), tuple(extra))


def _nearest(
    gold: list[Row], prediction: list[Row], missing: list[int], extra: list[int]
) -> tuple[list[tuple[int, int]], bool]:
    """Pair the rows that agree in most columns, found through values that few rows have."""
    postings: dict[tuple[int, Value], list[int]] = defaultdict(list)
    for row in extra:
        for column, value in enumerate(prediction[row]):
            if not isinstance(value, Unreadable):
                postings[column, value].append(row)
    cut = False
    scored: list[tuple[int, int, int]] = []
    for row in missing:
        found: Counter[int] = Counter()
        for column, value in enumerate(gold[row]):
            rows = postings.get((column, value), [])
            cut |= len(rows) > _MAX_POSTINGS
            found.update(rows[:_MAX_POSTINGS])
        scored.extend((-agreeing, row, other) for other, agreeing in found.items())
    return _greedy(scored), cut


def _greedy(scored: list[tuple[int, int, int]]) -> list[tuple[int, int]]:
    pairs: list[tuple[int, int]] = []
    gold_used: set[int] = set()
    prediction_used: set[int] = set()
    for _, gold, prediction in sorted(scored):
        if gold not in gold_used and prediction not in prediction_used:
            pairs.append((gold, prediction))
            gold_used.add(gold)
            prediction_used.add(prediction)
    return pairs


def _by_rank(
    gold: list[Row], prediction: list[Row], missing: list[int], extra: list[int], pairs: list[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Pair rows that agree in no column by their rank, if they are equally many: scaling keeps ranks."""
    gold_used, prediction_used = {g for g, _ in pairs}, {p for _, p in pairs}
    alone = [row for row in missing if row not in gold_used][:MAX_LEFTOVERS]
    others = [row for row in extra if row not in prediction_used][:MAX_LEFTOVERS]
    if len(alone) != len(others):
        return []
    alone.sort(key=lambda row: _rank(gold[row]))
    others.sort(key=lambda row: _rank(prediction[row]))
    return list(zip(alone, others, strict=True))


def _rank(row: Row) -> tuple[tuple[int, float, str], ...]:
    return tuple(_value_rank(value) for value in row)


def _value_rank(value: Value) -> tuple[int, float, str]:
    if isinstance(value, Unreadable):
        return (2, 0.0, value.cell)
    if value is None:
        return (0, 0.0, "")
    try:
        number = float(value)
    except ValueError:
        return (1, 0.0, str(value).casefold())
    except OverflowError:
        return (1, float("inf"), "")
    return (1, number if number == number else 0.0, "")
