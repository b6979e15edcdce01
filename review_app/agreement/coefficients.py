"""Agreement on categorical judgements: raw, Cohen's kappa, Gwet's AC1, Krippendorff's alpha.

AC1 and alpha are written here: of the libraries that have them, one is silently wrong on current pandas, the other
is not free enough. Kappa is statsmodels'.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
import numpy.typing as npt
from statsmodels.stats.inter_rater import cohens_kappa

Matrix = npt.NDArray[np.float64]
Unit = Sequence[str | None]  # one thing that was judged: each rater's category, None where a rater gave none
# Each unit, or each different unit with how often it occurs: the coefficients see no order.
Units = Sequence[Unit] | Mapping[tuple[str | None, ...], int]
Rated = list[tuple[tuple[str, ...], int]]


@dataclass(frozen=True)
class Coefficient:
    """A coefficient over `units` things that at least two raters judged. `value` is None where it is undefined.

    `why` says why it is undefined, with the raw agreement; empty where it is defined.
    """

    value: float | None
    units: int
    why: str = ""


def raw_agreement(units: Units) -> Coefficient:
    """Return the share of agreeing pairs of ratings, averaged over the units; undefined without any pair."""
    paired = _paired(units)
    if not paired:
        return Coefficient(None, 0, "undefined: nothing was judged twice")
    return Coefficient(_observed(paired), _total(paired))


def cohen_kappa(units: Units) -> Coefficient:
    """Return Cohen's kappa (1960) of two fixed raters: the first and the second place of every unit.

    Undefined without pairs, and where both raters used one category only: chance agreement is then complete.
    """
    pairs = {pair: times for pair, times in _counted(units).items() if None not in pair[:2]}
    if not pairs:
        return Coefficient(None, 0, "undefined: nothing was judged by both")
    names = sorted({str(name) for pair in pairs for name in pair[:2]})
    if len(names) == 1:
        return _one_category(units)
    table = np.zeros((len(names), len(names)))
    for (first, second, *_), times in pairs.items():
        table[names.index(str(first)), names.index(str(second))] += times
    return Coefficient(float(cohens_kappa(table, return_results=False)), sum(pairs.values()))


def gwet_ac1(units: Units, categories: Sequence[str]) -> Coefficient:
    """Return Gwet's AC1 (2008), which skewed categories do not pull down as they do kappa.

    `categories` are those that could be chosen, also those that nobody chose. Undefined without pairs or with fewer
    than two categories.
    """
    paired = _paired(units)
    if not paired:
        return Coefficient(None, 0, "undefined: nothing was judged twice")
    names = sorted({*categories, *(name for rated, _ in paired for name in rated)})
    if len(names) < 2:
        return _one_category(units)
    total = _total(paired)
    shares = np.array(
        [sum(times * rated.count(name) / len(rated) for rated, times in paired) / total for name in names]
    )
    chance = float((shares * (1 - shares)).sum() / (len(names) - 1))
    return Coefficient((_observed(paired) - chance) / (1 - chance), total)


def krippendorff_alpha(units: Units, metric: str = "nominal") -> Coefficient:
    """Return Krippendorff's alpha (2011): any number of raters, changing ones, missing ratings.

    `metric` is nominal, ordinal, interval or ratio; for the last three the categories are numbers as text. Undefined
    without pairs, and where one category only was used.
    """
    paired = _paired(units)
    if not paired:
        return Coefficient(None, 0, "undefined: nothing was judged twice")
    names = sorted({name for rated, _ in paired for name in rated}, key=_order(metric))
    if len(names) == 1:
        return _one_category(units)
    together = _coincidences(paired, names)
    marginal: Matrix = together.sum(axis=1)
    distance = _distances(names, marginal, metric)
    observed = (together * distance).sum()
    expected = (np.outer(marginal, marginal) * distance).sum() / (marginal.sum() - 1)
    return Coefficient(float(1 - observed / expected), _total(paired))


def _one_category(units: Units) -> Coefficient:
    raw = raw_agreement(units)
    return Coefficient(None, raw.units, f"undefined, raw agreement {100 * (raw.value or 0):.0f} %")


def _counted(units: Units) -> Mapping[tuple[str | None, ...], int]:
    return units if isinstance(units, Mapping) else Counter(map(tuple, units))


def _paired(units: Units) -> Rated:
    """The ratings of each unit that at least two raters judged, and how often they occur."""
    rated = ((tuple(name for name in unit if name is not None), times) for unit, times in _counted(units).items())
    return [(names, times) for names, times in rated if len(names) > 1 and times > 0]


def _total(paired: Rated) -> int:
    return sum(times for _, times in paired)


def _observed(paired: Rated) -> float:
    return sum(times * _agreeing(rated) for rated, times in paired) / _total(paired)


def _agreeing(rated: tuple[str, ...]) -> float:
    """The share of agreeing pairs among all pairs of ratings of one unit."""
    count = len(rated)
    return sum(many * (many - 1) for many in Counter(rated).values()) / (count * (count - 1))


def _coincidences(paired: Rated, names: list[str]) -> Matrix:
    """How often two ratings of one unit were these two categories; a unit of n ratings counts n times in all."""
    place = {name: number for number, name in enumerate(names)}
    table: Matrix = np.zeros((len(names), len(names)))
    for rated, times in paired:
        for first, second in permutations(rated, 2):
            table[place[first], place[second]] += times / (len(rated) - 1)
    return table


def _order(metric: str) -> Callable[[str], float | str]:
    return (lambda name: name) if metric == "nominal" else float


def _distances(names: list[str], marginal: Matrix, metric: str) -> Matrix:
    """The squared distance of each two categories under the metric."""
    if metric == "nominal":
        return 1.0 - np.eye(len(names))
    if metric == "ordinal":
        # from the middle of one category's ratings to the middle of the other's
        middle = np.cumsum(marginal) - marginal / 2
        apart: Matrix = middle[:, None] - middle[None, :]
        return apart * apart
    values = np.array([float(name) for name in names])
    difference: Matrix = values[:, None] - values[None, :]
    if metric == "interval":
        return difference * difference
    total = values[:, None] + values[None, :]
    part: Matrix = np.divide(difference, total, out=np.zeros_like(difference), where=total != 0)
    return part * part
