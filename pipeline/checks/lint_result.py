"""Lints that the result of a gold shows by itself."""

from collections import Counter
from collections.abc import Iterator

from pipeline.checks.lint_case import Case, GoldLint, LintKind, Severity, lint

LONG = 15  # digits at which a double is at its end: the last ones depend on the order of additions


def duplicate_names(case: Case) -> Iterator[GoldLint]:
    """Two columns of the result have one name, whatever the case: a person cannot tell them apart."""
    counts = Counter(name.lower() for name in case.answer.columns)
    double = [name for name, count in counts.items() if count > 1]
    if double:
        message = f"{len(double)} names of columns occur more than once; give each column a name"
        yield lint(LintKind.DUPLICATE_NAMES, Severity.NOTE, message, ", ".join(case.answer.columns))


def long_floats(case: Case) -> Iterator[GoldLint]:
    """A number has 15 digits or more: it was computed and not rounded, and its last digits mean nothing."""
    for at, name in enumerate(case.answer.columns):
        cells = [row[at] for row in case.answer.rows if isinstance(row[at], float)]
        long = [cell for cell in cells if isinstance(cell, float) and _digits(cell) >= LONG]
        if long:
            message = f"{len(long)} of {len(cells)} numbers in {name} have {LONG} digits or more; say how many count"
            yield lint(LintKind.LONG_FLOAT, Severity.NOTE, message, repr(long[0]))


def _digits(number: float) -> int:
    return len(repr(abs(number)).partition("e")[0].replace(".", "").strip("0"))
