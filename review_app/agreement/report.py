"""The agreement report: tables of figures from cases, the same for the same cases and seed.

First-round blind work only, but for the section on the process; a round that a lead unblinded is none. Tables of
answers have no finite set of categories, so their agreement is given as shares with intervals, never as a kappa;
categorical judgements carry three coefficients beside the raw agreement, because each fails somewhere (kappa under
skewed categories, alpha with few units).
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from statistics import median, quantiles
from typing import Any

import numpy as np
import numpy.typing as npt

from evaluator.rules import ColumnType, NumberMode, Unit
from review_app.agreement.cases import Case
from review_app.agreement.coefficients import (
    Coefficient,
    cohen_kappa,
    gwet_ac1,
    krippendorff_alpha,
    raw_agreement,
)
from review_app.agreement.intervals import DRAWS, Places, bootstrap, share
from review_app.domain.content import Verdict

ROW_CLASSES = ((1, "1"), (10, "2 to 10"), (100, "11 to 100"), (1_000, "101 to 1,000"))
MANY_ROWS = "over 1,000"
QUARTERS = 4

Pair = tuple[str | None, str | None]
Pairs = Callable[[Case], list[Pair]]
Counts = Mapping[tuple[str | None, ...], int]


@dataclass(frozen=True)
class Table:
    """One table of the report: a title, what it says, the names of its columns, and rows of texts and numbers."""

    name: str
    title: str
    note: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True)
class Report:
    """All tables. `cases` is how many tasks they rest on."""

    cases: int
    seed: int
    tables: tuple[Table, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain values."""
        return asdict(self)

    def table(self, name: str) -> Table:
        """Return one table by its name.

        Raises:
            KeyError: there is none.
        """
        return {table.name: table for table in self.tables}[name]


def report(cases: Sequence[Case], seed: int = 0, draws: int = DRAWS) -> Report:
    """Return the report on these cases, in the order of their tasks; intervals rest on so many draws."""
    ordered = sorted(cases, key=lambda case: int(case.task_id.removeprefix("task_")))
    blind = [case for case in ordered if not case.unblinded]  # DESIGN.md section 3: the round leaves the statistics
    tables = (
        _answers(blind),
        _differences(blind),
        _soft(blind, seed, draws),
        _judgements(blind, seed, draws),
        _marginals(blind),
        _steps(ordered),
        _process(ordered),
        _repairs(ordered),
        _removed(ordered),
        _drift(blind),
    )
    return Report(len(ordered), seed, tables)


# --- tables of answers -------------------------------------------------------------------------------------------

STRATA: tuple[tuple[str, Callable[[Case], str]], ...] = (
    ("all", lambda case: "all"),
    ("domain", lambda case: case.domain),
    ("language", lambda case: case.language),
    ("modalities", lambda case: case.modalities),
    ("joins", lambda case: case.joins or "not known"),
    ("order of the rows", lambda case: "counts" if case.ordered else "does not count"),
    ("rows of the gold", lambda case: row_class(case.rows)),
    ("experts", lambda case: case.pair),
)


AGREEMENT_COLUMNS = ("answers equal", "of", "share", "low", "high", "equal to gold", "of", "share", "low", "high")


def row_class(rows: int) -> str:
    """Return the class of a gold by its number of rows."""
    return next((name for most, name in ROW_CLASSES if rows <= most), MANY_ROWS)


def _answers(cases: Sequence[Case]) -> Table:
    rows = []
    for stratum, of in STRATA:
        for value in sorted({of(case) for case in cases}):
            here = [case for case in cases if of(case) == value]
            rows.append((stratum, value, *_equal(here), *_gold(here)))
    return Table(
        "answers",
        "Exact agreement of the two sealed answers, and of each with the gold",
        "Shares with Wilson intervals (95 %). Tables fall into no finite set of categories, so there is no kappa.",
        ("stratum", "value", *AGREEMENT_COLUMNS),
        tuple(rows),
    )


def _equal(cases: Sequence[Case]) -> tuple[Any, ...]:
    said = [case.compared.equal for case in cases if case.compared.equal is not None]
    return _share(sum(said), len(said))


def _gold(cases: Sequence[Case]) -> tuple[Any, ...]:
    said = [one.matches_gold for case in cases for one in case.judgements if one.matches_gold is not None]
    return _share(sum(said), len(said))


def _share(count: int, total: int) -> tuple[Any, ...]:
    found = share(count, total)
    return found.count, found.total, found.value, found.low, found.high


def _differences(cases: Sequence[Case]) -> Table:
    different = [case for case in cases if case.compared.equal is False]
    counts = Counter(code for case in different for code in set(case.compared.codes))
    rows = tuple((code, *_share(count, len(different))) for code, count in sorted(counts.items()))
    note = "Of the pairs of answers that differ: in how many the evaluator finds this difference."
    columns = ("difference", "pairs", "of", "share", "low", "high")
    return Table("differences", "Why two answers differ", note, columns, rows)


def _soft(cases: Sequence[Case], seed: int, draws: int) -> Table:
    measures: tuple[tuple[str, list[float | None]], ...] = (
        ("F1 of rows", [case.compared.row_f1 for case in cases]),
        ("cells", [case.compared.cell_accuracy for case in cases]),
    )
    rows = []
    for name, values in measures:
        known = np.array([np.nan if value is None else value for value in values], dtype=np.float64)
        interval = bootstrap(len(known), lambda places, known=known: _mean(known[places]), seed, draws)  # type: ignore[misc]
        rows.append((name, int(np.isfinite(known).sum()), _mean(known), interval.low, interval.high))
    note = "Means over pairs of answers; intervals by drawing tasks with replacement."
    columns = ("measure", "pairs", "mean", "low", "high")
    return Table("soft", "How near two answers are to each other", note, columns, tuple(rows))


def _mean(values: npt.NDArray[np.float64]) -> float | None:
    known = values[np.isfinite(values)]
    return float(known.mean()) if known.size else None


# --- categorical judgements --------------------------------------------------------------------------------------


def _field(name: str, alone: bool) -> Pairs:
    """The two experts' settings of a field in every column's rule; `alone`: only where neither saw a proposal."""

    def pairs(case: Case) -> list[Pair]:
        one, other = case.judgements
        if one.rules is None or other.rules is None:
            return []
        columns = zip(one.rules["columns"], other.rules["columns"], strict=False)
        return [
            (_text(left.get(name)), _text(right.get(name)))
            for place, (left, right) in enumerate(columns, start=1)
            if not (alone and f"columns.{place}.{name}" in one.proposed | other.proposed)
        ]

    return pairs


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _verdict(case: Case) -> list[Pair]:
    one, other = case.judgements
    return [(one.verdict.value, other.verdict.value)]


def _order(alone: bool) -> Pairs:
    def pairs(case: Case) -> list[Pair]:
        one, other = case.judgements
        if one.rules is None or other.rules is None or (alone and "order_sensitive" in one.proposed | other.proposed):
            return []
        return [(_text(one.rules["order_sensitive"]), _text(other.rules["order_sensitive"]))]

    return pairs


def _members(kind: Any) -> tuple[str, ...]:
    return tuple(member.value for member in kind)


def _named(alone: bool) -> tuple[tuple[str, Pairs, tuple[str, ...], str], ...]:
    """Name, where the pairs come from, the categories there are, and the metric of alpha."""
    after = ", set alone" if alone else ""
    return (
        (f"order counts{after}", _order(alone), ("True", "False"), "nominal"),
        (f"type of a column{after}", _field("type", alone), _members(ColumnType), "nominal"),
        (f"way to compare{after}", _field("mode", alone), _members(NumberMode), "nominal"),
        (f"unit{after}", _field("unit", alone), _members(Unit), "nominal"),
        (f"digits{after}", _field("digits", alone), (), "ordinal"),
    )


def judged() -> tuple[tuple[str, Pairs, tuple[str, ...], str], ...]:
    """Return all categorical judgements, those on rules also over the fields that were set without a proposal."""
    return (("verdict", _verdict, _members(Verdict), "nominal"), *_named(False), *_named(True))


def _judgements(cases: Sequence[Case], seed: int, draws: int) -> Table:
    rows = [row for one in judged() for row in _judgement(cases, seed, draws, *one)]
    note = (
        "Kappa takes the two places of a task as two fixed raters; AC1 and alpha hold for changing ones. "
        "Intervals by drawing tasks with replacement. “Set alone”: neither expert had seen the tool's proposal."
    )
    columns = ("judgement", "coefficient", "units", "value", "low", "high")
    return Table("judgements", "Agreement on categorical judgements", note, columns, tuple(rows))


def _judgement(
    cases: Sequence[Case], seed: int, draws: int, name: str, pairs: Pairs, categories: tuple[str, ...], metric: str
) -> list[tuple[Any, ...]]:
    """The coefficients of one judgement. Draws add up the counts of different pairs: coefficients see no order."""
    counted = [Counter(pairs(case)) for case in cases]
    kinds = sorted({pair for counts in counted for pair in counts}, key=str)
    matrix = np.array([[counts[kind] for kind in kinds] for counts in counted], dtype=np.int64)
    coefficients: tuple[tuple[str, Callable[[Counts], Coefficient]], ...] = (
        ("raw agreement", raw_agreement),
        ("Cohen's kappa", cohen_kappa),
        ("Gwet's AC1", lambda counts: gwet_ac1(counts, categories)),
        ("Krippendorff's alpha", lambda counts: krippendorff_alpha(counts, metric)),
    )
    rows: list[tuple[Any, ...]] = []
    for called, coefficient in coefficients:
        found = coefficient(_counts(kinds, matrix.sum(axis=0)))
        if found.value is None:
            rows.append((name, called, found.units, found.why, None, None))
            continue
        interval = bootstrap(len(cases), _drawn(kinds, matrix, coefficient), seed, draws)
        rows.append((name, called, found.units, found.value, interval.low, interval.high))
    return rows


def _drawn(
    kinds: list[Pair], matrix: npt.NDArray[np.int64], coefficient: Callable[[Counts], Coefficient]
) -> Callable[[Places], float | None]:
    """The coefficient of drawn tasks. Many draws give the same counts, and it is computed once for each."""
    known: dict[bytes, float | None] = {}

    def of(places: Places) -> float | None:
        counts = matrix[places].sum(axis=0)
        key = counts.tobytes()
        if key not in known:
            known[key] = coefficient(_counts(kinds, counts)).value
        return known[key]

    return of


def _counts(kinds: list[Pair], counts: npt.NDArray[np.int64]) -> Counts:
    return {kind: int(count) for kind, count in zip(kinds, counts, strict=True) if count} if kinds else {}


def _marginals(cases: Sequence[Case]) -> Table:
    rows = []
    for name, pairs, _, _ in judged():
        counts = Counter(pair for case in cases for pair in pairs(case))
        rows += [
            (name, first or "—", second or "—", count) for (first, second), count in sorted(counts.items(), key=str)
        ]
    note = "How often the first and the second expert of a task judged so: what the coefficients rest on."
    return Table("marginals", "Pairs of judgements", note, ("judgement", "first", "second", "count"), tuple(rows))


# --- the process -------------------------------------------------------------------------------------------------

STEPS = ("at once", "settlement", "repair", "another round", "removed", "open")


def _steps(cases: Sequence[Case]) -> Table:
    counts = Counter(case.settled_by for case in cases)
    rows = tuple((step, *_share(counts[step], len(cases))) for step in STEPS)
    note = "Share of the tasks whose first round is done; a repair or settlement counts when it was confirmed."
    return Table(
        "steps", "At which step tasks were settled", note, ("step", "tasks", "of", "share", "low", "high"), rows
    )


def _process(cases: Sequence[Case]) -> Table:
    closed = [case for case in cases if case.closed_at is not None]
    works = [one for case in cases for one in case.judgements]
    measures: tuple[tuple[str, list[float]], ...] = (
        ("hours from import to both reviews", [_hours(case.imported_at, case.opened_at) for case in cases]),
        (
            "hours from both reviews to the end",
            [_hours(case.opened_at, case.closed_at or case.opened_at) for case in closed],
        ),
        ("rounds", [float(case.rounds) for case in closed]),
        ("objections", [float(case.objections) for case in closed]),
        ("minutes at work: solving", [one.solving_seconds / 60 for one in works]),
        ("minutes at work: checking the gold", [one.checking_seconds / 60 for one in works]),
    )
    rows = [(name, len(values), *_quartiles(values)) for name, values in measures]
    rows.append(
        ("first rounds unblinded, left out above", len(cases), sum(case.unblinded for case in cases), None, None)
    )
    columns = ("measure", "count", "median", "lower quartile", "upper quartile")
    return Table("process", "Time and rounds", "Active time as each expert's page counted it.", columns, tuple(rows))


def _hours(start: datetime, end: datetime) -> float:
    return (end - start).total_seconds() / 3600


def _quartiles(values: list[float]) -> tuple[float | None, float | None, float | None]:
    if not values:
        return None, None, None
    if len(values) == 1:
        return values[0], values[0], values[0]
    low, _, high = quantiles(values, n=4, method="inclusive")
    return median(values), low, high


def _repairs(cases: Sequence[Case]) -> Table:
    counts = Counter(category for case in cases for category in case.repairs)
    rows = tuple(sorted(counts.items()))
    return Table("repairs", "Accepted repairs by kind", "Over all rounds.", ("category", "repairs"), rows)


def _removed(cases: Sequence[Case]) -> Table:
    counts = Counter(case.removed_because for case in cases if case.settled_by == "removed")
    rows = tuple(sorted(counts.items()))
    return Table("removed", "Removed tasks by reason", "In the lead's words.", ("reason", "tasks"), rows)


def _drift(cases: Sequence[Case]) -> Table:
    done = sorted(cases, key=lambda case: (case.opened_at, case.task_id))
    rows = []
    for quarter in range(QUARTERS):
        here = done[quarter * len(done) // QUARTERS : (quarter + 1) * len(done) // QUARTERS]
        rows.append((quarter + 1, len(here), *_equal(here), *_gold(here)))
    note = "The tasks in the order in which both reviews came in, in four parts: does agreement change over time?"
    return Table("drift", "Agreement over time", note, ("part", "tasks", *AGREEMENT_COLUMNS), tuple(rows))
