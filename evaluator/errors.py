"""What can go wrong on the operator's side; a participant's fault is a value, never one of these."""

from __future__ import annotations


class EvaluatorError(Exception):
    """Base of every refusal. `str(error)` names the thing, the place and the remedy."""


class RulesError(EvaluatorError):
    """A task config cannot be used: the message names the field and what it must be."""


class GoldError(EvaluatorError):
    """A gold table does not fit its rules: the message names the column and the row."""


class SuiteError(EvaluatorError):
    """A folder of tasks cannot be scored: a root is missing, holds no task config, or a gold is broken."""
