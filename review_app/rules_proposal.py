"""Rules proposed for a gold: from its cells, and from its SQL where there is one. Rules checked, against both."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema

from evaluator.errors import EvaluatorError
from evaluator.infer import Proposal, infer_from_table
from evaluator.rules import ColumnRule, ColumnType, NumberMode, load_rules
from evaluator.tables import Table
from pipeline.checks import Hints, sql_hints
from review_app.comparing import misfit


@dataclass(frozen=True)
class Checked:
    """What is wrong with a task config, empty if nothing is; each sentence names field or cell."""

    problems: tuple[str, ...]


def propose(gold: Table, task_id: str, sql: str | None = None) -> Proposal:
    """Return rules for the gold with a reason a field; what the SQL says wins over what the cells show.

    Raises:
        CheckError: the SQL does not parse.
    """
    proposal = infer_from_table(gold, task_id)
    return proposal if sql is None else _with_hints(proposal, sql_hints(sql, len(gold.header)))


def _with_hints(proposal: Proposal, hints: Hints) -> Proposal:
    columns, reasons = list(proposal.rules.columns), list(proposal.reasons)
    for place, origin in enumerate(hints.columns):
        rule = columns[place]
        if rule.type is not ColumnType.NUMBER:
            continue
        if origin.is_count:
            columns[place] = replace(rule, mode=NumberMode.INTEGER, digits=None)
            reasons[place] = f"{_name(rule)}: whole numbers, the SQL counts"
        elif origin.rounded_to is not None and origin.rounded_to >= 0:
            columns[place] = replace(rule, mode=NumberMode.DECIMAL_PLACES, digits=origin.rounded_to)
            reasons[place] = f"{_name(rule)}: {origin.rounded_to} decimal places, the SQL rounds to them"
    if hints.ordered:
        reasons[-1] = "row order: compared, the SQL orders its rows"
    rules = replace(proposal.rules, columns=tuple(columns), order_sensitive=hints.ordered)
    return Proposal(rules, tuple(reasons))


def _name(rule: ColumnRule) -> str:
    return rule.gold_name or f"column {rule.gold_index + 1}"


def check(config: Path, gold: Table | None = None) -> Checked:
    """Return what the schema, the loader and the gold say against a task config file.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is no UTF-8 JSON.
    """
    problems = [*_against_schema(json.loads(config.read_text(encoding="utf-8")))]
    try:
        rules = load_rules(config)
    except EvaluatorError as error:
        return Checked((*problems, str(error)))
    problem = misfit(gold, rules) if gold is not None else ""
    return Checked((*problems, *([problem] if problem else [])))


def _against_schema(document: Any) -> Sequence[str]:
    schema = json.loads(files("evaluator").joinpath("rules.schema.json").read_text(encoding="utf-8"))
    found = jsonschema.Draft202012Validator(schema).iter_errors(document)
    return [f"schema, {error.json_path}: {error.message}" for error in found]
