"""The stage that gives an instance in another language: question, database and SQL together, checked both ways."""

from dataclasses import asdict, dataclass, replace

from pipeline.content import Instance, Reason, Rejected, Stage
from pipeline.database import Database
from pipeline.names import sibling_key
from pipeline.sandbox import QueryFailed, Sandbox
from pipeline.sql.quotes import with_plain_literals
from pipeline.sql.tree import NotParsed
from pipeline.stages.execute import Limits, execute
from pipeline.translate.model import Direction, Parts
from pipeline.translate.plan import Plan, Planner
from pipeline.translate.rewrite import normal, rewritten, texts_in
from pipeline.translate.verify import check_golds, does_not_hold

MOST_KEPT_SHOWN = 200


@dataclass(frozen=True)
class Asked:
    """A question in the target language with the definitions that belong to it, and where it comes from."""

    question: str
    evidence: str
    origin: str


@dataclass(frozen=True)
class Work:
    """What the translation of one instance goes by; `asked` is None where nobody has the question."""

    direction: Direction
    parts: Parts
    source: Database
    planner: Planner
    asked: Asked | None


def plan_for(instance: Instance, work: Work, sandbox: Sandbox, limits: Limits) -> tuple[str, Plan]:
    """Return the gold with its texts in single quotes, and the plan for it. Raises Rejected."""
    plain, _ = with_plain_literals(instance.sql.strip(), lambda query: _objection(sandbox, work.source, query, limits))
    try:
        asked = work.asked.question if work.asked is not None and work.parts is Parts.ALL else None
        return plain, work.planner.plan(plain, asked)
    except (NotParsed, RecursionError) as error:
        message = f"the SQL cannot be rewritten: {error}; write it as one SELECT"
        raise Rejected(Stage.TRANSLATE, Reason.DOES_NOT_PARSE, message, plain) from error


def with_workspace(
    instance: Instance, plain: str, plan: Plan, work: Work, target: Database, sandbox: Sandbox, limits: Limits
) -> Instance:
    """Return the instance over the translated database. Raises Rejected if gold or way back do not hold."""
    maps, texts = plan.maps, work.planner.texts
    sql = rewritten(plain, maps, texts)
    before = execute(sandbox, work.source.path, plain, limits)
    try:
        after = execute(sandbox, target.path, sql, limits)
    except Rejected as rejected:
        raise does_not_hold(f"the translated SQL fails: {rejected.message}", sql) from rejected
    check_golds(plain, maps, texts, before, after)
    names = maps.names()
    back = rewritten(sql, maps.inverse(), {names.get(name, name).lower(): found for name, found in texts.items()})
    if normal(back) != normal(plain):
        raise does_not_hold("the way back gives another SQL", f"{normal(plain)}\n{normal(back)}")
    return replace(instance, sql=sql)


def with_question(instance: Instance, work: Work) -> Instance:
    """Return the instance with the question of the target language, if there is one."""
    if work.asked is None or work.parts is Parts.WORKSPACE:
        return instance
    return replace(instance, question=work.asked.question, evidence=work.asked.evidence, language=work.direction.target)


def translated(
    old: Instance, new: Instance, work: Work, plan: Plan | None, plain: str | None
) -> tuple[Instance, dict[str, object]]:
    """Return the finished instance, which shares its key with the old one, and the record of what was done.

    `plain` is the old SQL as the way back gives it: with its texts in single quotes. Raises Rejected if nothing is
    different.
    """
    names_changed = plan is not None and (any(a != b for a, b in plan.maps.tables.items()) or plan.maps.names())
    if new.question == old.question and not (plan and (names_changed or plan.maps.values)):
        message = f"no source of words knows anything of this instance in {work.direction.target}; give a glossary"
        raise Rejected(Stage.TRANSLATE, Reason.NOTHING_TRANSLATED, message, old.question)
    key = sibling_key(old.pair, old.db, old.sql)
    return replace(new, pair=key, tags=(*old.tags, f"translated {work.direction}")), _record(old, new, work, plan) | (
        {"plain_sql": plain} if plain else {}
    )


def _record(old: Instance, new: Instance, work: Work, plan: Plan | None) -> dict[str, object]:
    origin = work.asked.origin if work.asked is not None and new.question != old.question else "kept"
    question = {"origin": origin, "source": old.question, "evidence": old.evidence, "language": old.language}
    record: dict[str, object] = {
        "direction": work.direction,
        "parts": work.parts,
        "question": {**question, "terms_not_in_it": _terms_not_in(new, plan)},
        "source_sql": old.sql,
        "source_database": {"name": old.db, "digest": work.source.digest},
    }
    return record if plan is None else record | _of_plan(plan, work.source)


def _terms_not_in(new: Instance, plan: Plan | None) -> list[str]:
    """Return the translated texts of the gold that the question does not write: a hint for people, no objection."""
    if plan is None:
        return []
    values = set(plan.maps.values.values())
    return sorted(text for text in texts_in(new.sql) & values if text not in new.question)


def _of_plan(plan: Plan, source: Database) -> dict[str, object]:
    columns = [column.name for table in source.tables for column in table.columns]
    names = plan.maps.names()
    return {
        "maps": plan.maps.to_json(),
        "coverage": {
            "tables": [sum(a != b for a, b in plan.maps.tables.items()), len(source.tables)],
            "columns": [sum(name.lower() in names for name in columns), len(columns)],
            "values": [plan.covered, len(plan.texts)],
        },
        "kept": [asdict(kept) for kept in plan.kept[:MOST_KEPT_SHOWN]],
        "kept_in_all": len(plan.kept),
        "collisions": [asdict(collision) for collision in plan.collisions],
    }


def _objection(sandbox: Sandbox, database: Database, query: str, limits: Limits) -> str | None:
    try:
        sandbox.run(database.path, f"EXPLAIN {query}", seconds=limits.time_limit_seconds, rows=0)
    except QueryFailed as error:
        return str(error)
    return None
