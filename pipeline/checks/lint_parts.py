"""The lint of conditions that do nothing; the builder's `liveness` says so of every part, on sample and source."""

from collections.abc import Iterator

from pipeline.checks.lint_case import Case, GoldLint, LintKind, Severity, lint
from pipeline.sql.mutations import Part, mutations
from pipeline.stages.determine import bag


def condition_without_effect(case: Case) -> Iterator[GoldLint]:
    """The result is the same without a condition. Not asked of conditions that join tables."""
    expected = bag(case.answer.rows)
    for mutation in mutations(case.tree):
        if mutation.part is not Part.CONDITION:
            continue
        rows = case.ask(mutation.sql)
        if rows is not None and bag(rows) == expected:
            message = "the result is the same without this condition"
            yield lint(LintKind.CONDITION_NOTHING, Severity.NOTE, message, mutation.what)
