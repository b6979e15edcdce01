"""What differs between two reviews of a round: computed, never stored."""

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from review_app.domain.consensus import admits_own_error
from review_app.domain.task import Round

OWN_ERROR_ADMITTED, NOT_EXPLAINED = "own error admitted", "not explained"


class Kind(StrEnum):
    """The kinds of disagreement (DESIGN.md section 3)."""

    VERDICT = "verdict"
    RULES = "rules"
    ANSWER_AGAINST_GOLD = "answer_against_gold"
    ANSWER_AGAINST_ANSWER = "answer_against_answer"


@dataclass(frozen=True)
class Disagreement:
    """One thing that differs. `where` names a rules field or a reviewer's letter; a and b are the two sides."""

    kind: Kind
    where: str
    a: str
    b: str


def disagreements(current: Round, answers_match: bool | None) -> tuple[Disagreement, ...]:
    """Return what differs between the two reviews of a finished round, in the order of Kind.

    Args:
        current: a round whose two reviews are submitted; for any other the result is empty.
        answers_match: what the evaluator says of one sealed answer against the other; None if it cannot tell.
    """
    if not current.done:
        return ()
    first, second = (seat.review for seat in current.seats)
    assert first is not None and second is not None
    found: list[Disagreement] = []
    if first.verdict is not second.verdict:
        found.append(Disagreement(Kind.VERDICT, "verdict", first.verdict.value, second.verdict.value))
    found += [
        Disagreement(Kind.RULES, where, a, b)
        for where, a, b in rules_differences(first.rules_meaning, second.rules_meaning)
    ]
    for letter, review in (("A", first), ("B", second)):
        if review.outcome is not None and not review.outcome.passed:
            said = OWN_ERROR_ADMITTED if admits_own_error(review.findings) else NOT_EXPLAINED
            found.append(Disagreement(Kind.ANSWER_AGAINST_GOLD, letter, review.outcome.error_code or "differs", said))
    if answers_match is False:
        found.append(Disagreement(Kind.ANSWER_AGAINST_ANSWER, "tables", "A", "B"))
    return tuple(found)


def rules_differences(first: str, second: str) -> list[tuple[str, str, str]]:
    """Return (field, first's value, second's value) for each field in which two canonical rules differ.

    Rules that were left out (empty text) differ in nothing: there is nothing to compare.
    """
    if not first or not second or first == second:
        return []
    left, right = _flat(json.loads(first)), _flat(json.loads(second))
    return [
        (where, left.get(where, "—"), right.get(where, "—"))
        for where in sorted({*left, *right})
        if left.get(where) != right.get(where)
    ]


def _flat(value: Any, prefix: str = "") -> dict[str, str]:
    if isinstance(value, dict):
        pairs = list(value.items())
    elif isinstance(value, list):
        pairs = [(str(place + 1), element) for place, element in enumerate(value)]
    else:
        return {prefix: json.dumps(value, ensure_ascii=False)}
    flat: dict[str, str] = {}
    for key, element in pairs:
        flat |= _flat(element, f"{prefix}.{key}" if prefix else str(key))
    return flat
