"""Multisets, and bipartite graphs of columns: perfect matchings, the smallest one, and why there is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence

Graph = Sequence[Sequence[int]]  # for each gold column the prediction columns it may take, ascending


def same_multiset(one: Iterable[Hashable], other: Iterable[Hashable]) -> bool:
    """Return whether two iterables hold the same values, each as often, in any order."""
    # As plain dictionaries: Counter's own comparison allows for zero counts, at ten times the cost.
    return dict.__eq__(Counter(one), Counter(other))


def smallest_perfect_matching(graph: Graph) -> list[int] | None:
    """Return the lexicographically smallest perfect matching, or None if there is none.

    Augmenting paths, then one repair a fixed node: at most n * n * edges steps for n nodes a side.
    """
    owner: dict[int, int] = {}
    if not all(_augment(graph, left, owner, set()) for left in range(len(graph))):
        return None
    fixed: set[int] = set()
    for left in range(len(graph)):
        for right in graph[left]:
            if right not in fixed and _move(graph, left, right, owner, fixed):
                fixed.add(right)
                break
    return _chosen(owner, len(graph))


def hall_violator(graph: Graph) -> tuple[list[int], list[int]] | None:
    """Return left nodes and all their right nodes, fewer than they are, or None if all can be matched.

    It is the certificate that no perfect matching exists; from the first left node that finds none.
    """
    owner: dict[int, int] = {}
    for left in range(len(graph)):
        seen: set[int] = set()
        if not _augment(graph, left, owner, seen):
            return sorted({left, *(owner[right] for right in seen)}), sorted(seen)
    return None


def _augment(graph: Graph, left: int, owner: dict[int, int], seen: set[int]) -> bool:
    for right in graph[left]:
        if right in seen:
            continue
        seen.add(right)
        if right not in owner or _augment(graph, owner[right], owner, seen):
            owner[right] = left
            return True
    return False


def _move(graph: Graph, left: int, right: int, owner: dict[int, int], fixed: set[int]) -> bool:
    """Give `right` to `left` if the matching can be repaired without touching fixed nodes."""
    holder = owner[right]
    if holder == left:
        return True
    trial = {node: of for node, of in owner.items() if of != left}
    trial[right] = left
    if not _augment(graph, holder, trial, fixed | {right}):
        return False
    owner.clear()
    owner.update(trial)
    return True


def _chosen(owner: dict[int, int], size: int) -> list[int]:
    left_to_right = {left: right for right, left in owner.items()}
    return [left_to_right[left] for left in range(size)]
