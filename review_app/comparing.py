"""Where the desk meets the evaluator: rules as documents, outcomes, and what is wrong with what was handed in."""

import json

from evaluator.compare import check_gold, compare
from evaluator.diff import Diff, explain, explain_answers
from evaluator.errors import EvaluatorError
from evaluator.rules import Rules, canonical_json, parse_rules, to_document
from evaluator.tables import Table
from review_app.domain.content import Outcome
from review_app.domain.errors import Unfit
from review_app.kept import Kept

_KEPT = Kept(64)


def rules_text(rules: Rules) -> str:
    """Return the task config as the JSON text that revisions and reviews hold."""
    return json.dumps(to_document(rules), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def rules_from(text: str) -> Rules:
    """Return the rules in such a text.

    Raises:
        Unfit: it holds none.
    """
    try:
        return parse_rules(json.loads(text))
    except (EvaluatorError, ValueError) as error:
        raise Unfit(f"the rules do not read: {error}") from error


def meaning(rules: Rules) -> str:
    """Return the canonical form by which rules are compared."""
    return canonical_json(rules)


def misfit(gold: Table, rules: Rules) -> str:
    """Say why the gold does not read under the rules, empty if it does."""
    if len(rules.columns) != len(gold.header):
        return (
            f"the rules speak of {len(rules.columns)} columns, the gold has {len(gold.header)}; give one rule a column"
        )
    try:
        check_gold(gold, rules)
    except EvaluatorError as error:
        return f"the gold does not read under these rules: {error}. Choose a type that every cell of the column fits"
    return ""


def outcome(gold: Table, answer: Table, rules: Rules) -> Outcome:
    """Return what the evaluator says of an answer; the very code that later scores agents."""
    comparison = compare(gold, answer, rules)
    return Outcome(comparison.passed, comparison.error_code)


def difference(gold: Table, answer: Table, rules: Rules) -> Diff | None:
    """Return the evaluator's diff, None where the gold does not read under the rules."""

    def make() -> Diff | None:
        try:
            return explain(gold, answer, rules)
        except EvaluatorError:
            return None

    return _KEPT.get((gold, answer), rules, "gold", make)


def answers_difference(first: Table, second: Table, rules: Rules) -> Diff:
    """Return the evaluator's diff of two experts' answers, of which neither is gold."""
    found = _KEPT.get((first, second), rules, "answers", lambda: explain_answers(first, second, rules))
    assert found is not None, "two answers always have a diff"
    return found
