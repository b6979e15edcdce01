"""Turn an edited question, gold or rules into a proposed revision, and say what is wrong with it."""

from dataclasses import dataclass, replace
from datetime import datetime

from sqlmodel import Session

from evaluator.rules import ColumnRule, ColumnType, Rules
from evaluator.tables import Table
from pipeline.checks import CheckError, execute_gold
from review_app.accounts import Profile
from review_app.comparing import misfit, rules_from, rules_text
from review_app.desk.office import MakeEvent, Office
from review_app.domain.consensus import agreed_rules
from review_app.domain.content import RepairCategory, Reply, Revision
from review_app.domain.decide import Facts
from review_app.domain.errors import NotPossible, Unfit
from review_app.domain.events import Event, RepairProposed
from review_app.domain.task import Task


@dataclass(frozen=True)
class Change:
    """What a repair edits. `before` is the digest of the revision that the person looked at.

    None leaves a part as it is. Gold by SQL is executed on the sampled database.
    """

    before: str
    category: RepairCategory
    reason: str
    replies: tuple[Reply, ...]
    question: str | None = None
    gold_sql: str | None = None
    gold_table: Table | None = None
    rules: Rules | None = None


@dataclass(frozen=True)
class Proposed:
    """The revision that the change gives, and why it cannot be proposed (empty if it can)."""

    revision: Revision
    re_executable: bool
    problem: str


def proposal(office: Office, task: Task, change: Change) -> MakeEvent:
    """Return what makes the event. SQL runs here, before the transaction: it may take seconds.

    Raises:
        Unfit: the repaired SQL fails.
    """
    proposed = propose(office, task, change)

    def make(_: Session, __: Task, profile: Profile, now: datetime) -> tuple[Event, Facts]:
        event = RepairProposed(
            actor=profile.id,
            at=now,
            before=task.revision.digest,
            after=proposed.revision,
            category=change.category,
            reason=change.reason.strip(),
            replies=change.replies,
            re_executable=proposed.re_executable,
        )
        return event, Facts(problem=proposed.problem)

    return make


def propose(office: Office, task: Task, change: Change) -> Proposed:
    """Return the changed revision. Its blobs are stored; nothing refers to them until the event is recorded.

    Raises:
        Unfit: the repaired SQL fails.
    """
    if change.before != task.revision.digest:
        raise NotPossible("the task changed since you opened it; reload the page and propose again")
    if not any(part is not None for part in (change.question, change.gold_sql, change.gold_table, change.rules)):
        return Proposed(task.revision, True, "")
    revision = task.revision
    re_executable = True
    if change.question is not None:
        revision = replace(revision, question=change.question.strip())
    if change.gold_sql is not None and change.gold_sql.strip() != office.text(revision.gold_sql).strip():
        revision = _with_sql(office, revision, change.gold_sql)
    if change.gold_table is not None and change.gold_table != office.table(revision.gold):
        re_executable = False  # a table edit has no derivation: said in the event and in every release
        revision = _with_gold(office, revision, change.gold_table)
    rules = change.rules or rules_from(agreed_rules(task) or revision.rules)
    gold = office.table(revision.gold)
    rules = fitted(rules, gold)
    return Proposed(replace(revision, rules=rules_text(rules)), re_executable, _problem(revision, gold, rules))


def _problem(revision: Revision, gold: Table, rules: Rules) -> str:
    if not revision.question:
        return "the question is empty; write it"
    return misfit(gold, rules)


def _with_sql(office: Office, revision: Revision, sql: str) -> Revision:
    try:
        gold = execute_gold(office.blobs.path(revision.sampled_db), sql)
    except CheckError as error:
        raise Unfit(f"the repaired SQL does not give a gold: {error}") from error
    return replace(_with_gold(office, revision, gold), gold_sql=office.put(sql.strip().encode() + b"\n"))


def _with_gold(office: Office, revision: Revision, gold: Table) -> Revision:
    return replace(revision, gold=office.put_table(gold), gold_columns=gold.header, gold_rows=len(gold.rows))


def fitted(rules: Rules, gold: Table) -> Rules:
    """Return the rules with the gold's column names, and a text rule for each column that they do not know."""
    known = rules.columns[: len(gold.header)]
    named = tuple(replace(rule, gold_name=gold.header[place]) for place, rule in enumerate(known))
    fresh = tuple(
        ColumnRule(place, gold.header[place], ColumnType.TEXT) for place in range(len(known), len(gold.header))
    )
    return replace(rules, columns=named + fresh)
