"""Shares with Wilson's interval, and intervals of any statistic by drawing tasks with replacement."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from statsmodels.stats.proportion import proportion_confint

LEVEL = 0.95
DRAWS = 1_000
Places = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Share:
    """`count` of `total`, with the ends of its interval; all None for nothing."""

    count: int
    total: int
    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Interval:
    """The ends of an interval; None where too few draws gave a value."""

    low: float | None
    high: float | None


def share(count: int, total: int) -> Share:
    """Return count of total with Wilson's score interval (1927) at 95 %."""
    if total == 0:
        return Share(0, 0, None, None, None)
    low, high = proportion_confint(count, total, alpha=1 - LEVEL, method="wilson")
    return Share(count, total, count / total, float(low), float(high))


def bootstrap(tasks: int, statistic: Callable[[Places], float | None], seed: int, draws: int = DRAWS) -> Interval:
    """Return the percentile interval of a statistic when whole tasks are drawn with replacement.

    `statistic` gets the places of the drawn tasks, from 0. A draw in which it is undefined is left out; if that
    happens in half of the draws or more there is no interval. The same seed gives the same ends.
    """
    if tasks < 2:
        return Interval(None, None)
    generator = np.random.default_rng(seed)
    found = [statistic(generator.integers(0, tasks, size=tasks)) for _ in range(draws)]
    values = [value for value in found if value is not None]
    if len(values) * 2 <= draws:
        return Interval(None, None)
    low, high = np.quantile(values, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Interval(float(low), float(high))
