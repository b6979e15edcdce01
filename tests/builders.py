"""Situations that many tests begin with."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from review_app.domain.content import (
    Evidence,
    Finding,
    FindingKind,
    Outcome,
    Part,
    RepairCategory,
    Reply,
    Revision,
    Verdict,
    WorkspaceFile,
)
from review_app.domain.decide import Facts, decide
from review_app.domain.events import (
    AnswerSealed,
    Event,
    ExpertAssigned,
    RecheckSubmitted,
    RepairAccepted,
    RepairProposed,
    ReviewSubmitted,
    TaskImported,
)
from review_app.domain.folding import apply, fold
from review_app.domain.people import Person, Role
from review_app.domain.task import Task

START = datetime(2026, 3, 1, 9, tzinfo=UTC)
ANN, BOB, CHO, DAN = (
    Person(name, frozenset({Role.EXPERT}), frozenset({"*"}), frozenset({"en", "zh"}))
    for name in ("ann", "bob", "cho", "dan")
)
LEA, MO = (Person(name, frozenset({Role.LEAD})) for name in ("lea", "mo"))
PEOPLE = {person.id: person for person in (ANN, BOB, CHO, DAN, LEA, MO)}
RULES = '{"columns":[{"gold_index":0}],"order_sensitive":false}'
MEANING = '{"columns":[{"type":"text"}],"order_sensitive":false}'


def digest(letter: str) -> str:
    return letter * 64


def revision(**changes: object) -> Revision:
    base = Revision(
        question="Which fund is the largest?",
        workspace=(WorkspaceFile("fund.csv", "csv", digest("a"), 120, ("fund",)),),
        gold=digest("b"),
        gold_columns=("name",),
        gold_rows=1,
        gold_sql=digest("c"),
        sampled_db=digest("d"),
        provenance=digest("e"),
        rules=RULES,
    )
    return replace(base, **changes)


def imported(task_id: str = "task_1", **changes: object) -> TaskImported:
    event = TaskImported(
        actor="builder",
        at=START,
        task_id=task_id,
        revision=revision(),
        language="en",
        domain="fund",
        sibling=f"sibling of {task_id}",
        instance="demo:1",
        max_rechecks=3,
    )
    return replace(event, **changes)


def at(minutes: int) -> datetime:
    return START + timedelta(minutes=minutes)


def assigned(expert: str, seat: int, minutes: int = 1) -> ExpertAssigned:
    return ExpertAssigned(expert, at(minutes), expert, seat, 3600, "1")


def sealed(expert: str, answer: str = "f", minutes: int = 2) -> AnswerSealed:
    return AnswerSealed(expert, at(minutes), digest(answer), 1, 1, 60)


def finding(number: str, part: Part = Part.QUESTION, kind: FindingKind = FindingKind.AMBIGUOUS) -> Finding:
    return Finding(number, part, kind, "largest by what?", (Evidence("fund.csv", "row 2"),))


def reviewed(
    expert: str,
    verdict: Verdict = Verdict.ACCEPT,
    *,
    passed: bool = True,
    findings: tuple[Finding, ...] | None = None,
    meaning: str = MEANING,
    minutes: int = 3,
) -> ReviewSubmitted:
    if findings is None:
        findings = () if verdict is Verdict.ACCEPT else (finding(f"{expert}-1"),)
    outcome = Outcome(passed, None if passed else "relation_mismatch")
    return ReviewSubmitted(expert, at(minutes), verdict, findings, RULES, meaning, outcome, 30)


def both_seated() -> list[Event]:
    return [imported(), assigned("ann", 1), assigned("bob", 2)]


def both_done(first: ReviewSubmitted, second: ReviewSubmitted) -> list[Event]:
    return [*both_seated(), sealed("ann"), sealed("bob"), first, second]


def disputed() -> list[Event]:
    return both_done(reviewed("ann"), reviewed("bob", Verdict.REVISE))


def proposed(by: str, task: Task, **changes: object) -> RepairProposed:
    changes = changes or {"question": "Which fund has the largest size?"}
    replies = tuple(Reply(one.id, True, "said which") for one in task.open_findings)
    after = replace(task.revision, **changes)
    return RepairProposed(
        by, at(9), task.revision.digest, after, RepairCategory.QUESTION_CLARIFIED, "say which", replies, True
    )


def in_recheck() -> list[Event]:
    history = disputed()
    history.append(proposed("ann", task_of(history)))
    return [*history, accepted("lea", task_of(history))]


def accepted(by: str, task: Task) -> RepairAccepted:
    return RepairAccepted(by, at(10), task.proposed_at, "clear now")


def rechecked(expert: str, task: Task, confirm: bool = True) -> RecheckSubmitted:
    findings = () if confirm else (finding(f"{expert}-again-{task.objections}"),)
    return RecheckSubmitted(expert, at(11), task.revision.digest, confirm, findings)


def task_of(history: list[Event]) -> Task:
    task = fold(history)
    assert task is not None
    return task


def tried(task: Task, event: Event, facts: Facts | None = None) -> Task:
    """Decide, then apply, as the desk does."""
    decide(task, event, PEOPLE[event.actor], facts or Facts())
    return apply(task, event)
