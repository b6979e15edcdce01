"""What an expert does with the rules after the seal: write them field by field, see examples, hand the review in."""

from dataclasses import replace
from functools import lru_cache

from evaluator.infer import Proposal
from evaluator.rules import Rules
from evaluator.tables import Table
from pipeline.checks import CheckError
from review_app import comparing, near_misses, rules_draft, rules_proposal
from review_app.desk.expert import ExpertDesk
from review_app.domain.content import Finding, Verdict
from review_app.domain.errors import Incomplete
from review_app.drafts import Receipt
from review_app.near_misses import NearMiss
from review_app.rules_draft import ColumnDraft, RulesDraft

PART = "rules"


def proposal(desk: ExpertDesk, task_id: str) -> Proposal:
    """Return the rules that the tool proposes for the gold, with a reason a column and one for the row order.

    Made from gold and SQL alone, never from what anybody wrote. An SQL that does not parse is left out.

    Raises:
        UnknownTask: the gold is not revealed yet.
    """
    return _proposed(desk.gold(task_id), task_id, desk.gold_sql(task_id))


@lru_cache(maxsize=16)
def _proposed(gold: Table, task_id: str, sql: str) -> Proposal:
    """Pure; kept, since a page asks again at every click."""
    try:
        return rules_proposal.propose(gold, task_id, sql)
    except CheckError:
        return rules_proposal.propose(gold, task_id)


def load(desk: ExpertDesk, task_id: str, width: int) -> tuple[RulesDraft, Receipt]:
    """Return the own rules as far as they are written, and the receipt of that draft."""
    receipt = desk.drafts(task_id).get(PART, Receipt("", 0, None))
    return rules_draft.from_text(receipt.body, width), receipt


def save(desk: ExpertDesk, task_id: str, draft: RulesDraft, read_version: int) -> Receipt:
    """Store the own rules as far as they are written.

    Raises:
        StaleDraft: another window stored newer ones.
    """
    return desk.save_draft(task_id, PART, rules_draft.to_text(draft), read_version)


def column_problem(gold: Table, place: int, column: ColumnDraft) -> str:
    """Return why a gold column does not read under its rule; empty if it does, or the rule is not finished."""
    rule = column.rule(0, gold.header[place])
    if rule is None:
        return ""
    alone = Table((gold.header[place],), tuple((row[place],) for row in gold.rows))
    problem = comparing.misfit(alone, Rules("task_0", False, (rule,)))
    return problem.replace("column 1 ", f"column {place + 1} ", 1)


def rules_so_far(gold: Table, draft: RulesDraft, task_id: str) -> Rules:
    """Return rules to look at a comparison with; columns under whose rule the gold does not read are text too."""
    columns = (
        ColumnDraft() if column_problem(gold, place, column) else column for place, column in enumerate(draft.columns)
    )
    return rules_draft.so_far(replace(draft, columns=tuple(columns)), task_id, gold.header)


def examples(gold: Table, draft: RulesDraft, task_id: str) -> tuple[NearMiss, ...]:
    """Return near misses of the gold under the rules as far as they are finished."""
    finished = frozenset(
        place for place, column in enumerate(draft.columns) if column.rule(place, gold.header[place]) is not None
    )
    if draft.order_sensitive is not None and len(finished) == len(gold.header):
        return near_misses.near_misses(gold, rules_draft.so_far(draft, task_id, gold.header))
    rules = rules_draft.so_far(draft, task_id, gold.header)
    return near_misses.near_misses(gold, rules, finished) if len(finished) < len(gold.header) else ()


def hand_in(desk: ExpertDesk, task_id: str, verdict: Verdict, findings: tuple[Finding, ...], draft: RulesDraft) -> None:
    """Hand in the review with the rules of the draft, and where each of their fields came from.

    Rules of which nothing is set are left out of a review that does not accept the gold.

    Raises:
        Incomplete: the verdict is accept, or something is set, and fields are missing; the message counts them.
        ReviewError: as `ExpertDesk.submit_review` says.
    """
    names = desk.gold(task_id).header
    rules = rules_draft.finished(draft, task_id, names)
    if rules is None:
        if verdict is Verdict.ACCEPT or not draft.untouched:
            raise Incomplete(_unfinished(draft, names))
        desk.submit_review(task_id, verdict, findings, None)
        return
    origins = rules_draft.origins(draft, proposal(desk, task_id).rules)
    desk.submit_review(task_id, verdict, findings, rules, origins)


def _unfinished(draft: RulesDraft, names: tuple[str, ...]) -> str:
    missing = rules_draft.missing(draft)
    places = ("the row order" if one.column is None else f"{one.field} of {names[one.column]}" for one in missing)
    shown = list(dict.fromkeys(places))
    more = f" and {len(shown) - 6} more" if len(shown) > 6 else ""
    return f"the rules are not complete; still to be set: {', '.join(shown[:6])}{more}"
