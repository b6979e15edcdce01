"""Rows in another order, rows joined wrongly, and what there is to say about the mapping."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from evaluator.diff_model import Difference, difference, plural
from evaluator.diff_sides import Row, Sides
from evaluator.matching import same_multiset
from evaluator.rules import ColumnType

_SWAPPED_CELLS = 2_000_000  # cells looked at to find other mappings


def order_finding(sides: Sides, mapping: Sequence[int | None]) -> Difference | None:
    """Return O1 if order counts and the rows are the same multiset in another order, proved."""
    if not sides.rules.order_sensitive or None in mapping:
        return None
    gold, prediction = sides.rows(mapping)
    if not same_multiset(gold, prediction):
        return None
    moved = [row for row, (one, other) in enumerate(zip(gold, prediction, strict=True)) if one != other]
    detail = _order_kind(sides, mapping, gold, prediction)
    sentence = f"the rows are those of gold, but {plural(len(moved), 'row')} in another place"
    sentence += f" ({detail}); sorted alike the tables are equal"
    examples = [f"row {row + 2}" for row in moved[:5]]
    return difference("O1", sentence, exact=True, count=len(moved), examples=examples, detail=detail or "other order")


def _order_kind(sides: Sides, mapping: Sequence[int | None], gold: list[Row], prediction: list[Row]) -> str:
    if prediction == gold[::-1]:
        return "reversed"
    kept = [i for i, column in enumerate(zip(*gold, strict=True)) if column == tuple(row[i] for row in prediction)]
    if kept and any(len({row[i] for row in gold}) > 1 for i in kept):
        return f"ties only: {sides.name(kept[0])} is in order"
    for i in range(len(mapping)):
        column = mapping[i]
        texts = [row[column].strip() for row in sides.prediction.rows] if column is not None else []
        if len(set(texts)) < 2:
            continue
        if sides.rule(i).type is ColumnType.NUMBER and texts in (sorted(texts), sorted(texts, reverse=True)):
            return f"{sides.name(i)} is sorted as text"
        if texts in (sorted(texts), sorted(texts, reverse=True)):
            return f"sorted by {sides.name(i)}"
    return "other order"


def join_finding(sides: Sides, mapping: Sequence[int | None]) -> Difference | None:
    """Return A2 if every column holds its gold values, but the rows put them together differently."""
    if None in mapping or len(mapping) < 2 or len(sides.gold.rows) != len(sides.prediction.rows):
        return None
    pairs = [(i, j) for i, j in enumerate(mapping) if j is not None]
    if not all(same_multiset(sides.gold_columns[i], sides.reading(i, j)) for i, j in pairs):
        return None
    gold, prediction = sides.rows(mapping)
    moved = (Counter(gold) - Counter(prediction)).total()
    if not moved:
        return None
    sentence = (
        f"every column holds the values of gold, but {plural(moved, 'row')} combine them differently:"
        " the columns were joined or sorted apart from each other"
    )
    return difference("A2", sentence, exact=True, count=moved)


def mapping_notes(sides: Sides, mapping: Sequence[int | None], agreement: Sequence[float]) -> list[Difference]:
    """Return A1: which columns were taken for each other, unless they are in gold order anyway."""
    if list(mapping) == list(range(len(sides.prediction.header))):
        return []
    named = [
        f"{sides.name(i)} <- {'none' if j is None else f'{j + 1} ({sides.prediction.header[j]})'}: {share:.0%} agree"
        for i, (j, share) in enumerate(zip(mapping, agreement, strict=True))
    ]
    sentence = "columns were compared as follows: " + "; ".join(named[:12]) + ("; …" if len(named) > 12 else "")
    return [difference("A1", sentence, count=len(mapping))]


def pass_notes(sides: Sides, mapping: Sequence[int]) -> list[Difference]:
    """Return A3 and A4, on a pass: other mappings that fit, and headers that the mapping crosses."""
    return [note for note in (_several(sides, mapping), _crossed(sides, mapping)) if note is not None]


def _several(sides: Sides, mapping: Sequence[int]) -> Difference | None:
    """Count the mappings that come from this one by exchanging two columns."""
    width = range(len(mapping))
    alike = [(a, b) for a in width for b in width if a < b and sides.kinds[a] == sides.kinds[b]]
    tries = _SWAPPED_CELLS // (len(mapping) * len(sides.gold.rows) + 1)
    fits = 1
    for a, b in alike:
        one, other = sides.gold_columns[a], sides.gold_columns[b]
        if one == other:
            fits += 1
        elif tries > 0:
            tries -= 1
            fits += _fits_exchanged(sides, mapping, a, b)
    if fits == 1:
        return None
    sentence = f"at least {fits} column mappings fit; the first in column order is shown"
    return difference("A3", sentence, exact=True, count=fits)


def _fits_exchanged(sides: Sides, mapping: Sequence[int], a: int, b: int) -> bool:
    exchanged = list(mapping)
    exchanged[a], exchanged[b] = exchanged[b], exchanged[a]
    gold, prediction = sides.rows(exchanged)
    return gold == prediction if sides.rules.order_sensitive else same_multiset(gold, prediction)


def _crossed(sides: Sides, mapping: Sequence[int]) -> Difference | None:
    names = {header.strip().casefold(): i for i, header in enumerate(sides.gold.header) if header.strip()}
    crossed = []
    for i, j in enumerate(mapping):
        other = names.get(sides.prediction.header[j].strip().casefold(), i)
        if other != i and sides.rule(other).type is sides.rule(i).type:
            crossed.append(
                f"prediction column {j + 1} is headed {sides.gold.header[other]!r} but equals {sides.name(i)}"
            )
    if not crossed:
        return None
    sentence = "it passes only because headers are not scored: " + "; ".join(crossed[:3])
    return difference("A4", sentence, exact=True, count=len(crossed), examples=crossed)
