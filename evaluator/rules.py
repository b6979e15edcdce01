"""Rules: how a table is compared with gold (the official task config, schema version 1.0)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from evaluator.errors import RulesError

SCHEMA_VERSION = "1.0"
MAX_DIGITS = 30
_TASK_ID = re.compile(r"task_\d+")
Choice = TypeVar("Choice", bound=StrEnum)


class ColumnType(StrEnum):
    """What the cells of a gold column are."""

    TEXT = "text"
    NUMBER = "number"
    DATE = "date"
    DATETIME = "datetime"
    BOOLEAN = "boolean"


class NumberMode(StrEnum):
    """How exactly two numbers must agree."""

    INTEGER = "integer"
    DECIMAL_PLACES = "decimal_places"
    SIGNIFICANT_DIGITS = "significant_digits"


class Unit(StrEnum):
    """What a percent sign means: only under FRACTION is `12%` read as 0.12."""

    PLAIN = "plain"
    PERCENTAGE_POINTS = "percentage_points"
    FRACTION = "fraction"


@dataclass(frozen=True, slots=True)
class ColumnRule:
    """The rule of one gold column.

    Args:
        gold_index: position in the gold table, from 0.
        gold_name: for people; never compared with a header.
        type: what the cells are.
        mode: for numbers only; None otherwise.
        digits: 0 to 30, for numbers except under `integer`; None otherwise.
        unit: for numbers only; matters only if a percent sign is allowed.
        allow_percent_sign: whether a number may end with `%`; otherwise such a cell is unreadable.

    Raises:
        RulesError: a number without a mode, or a mode that needs digits without digits in 0 to 30.
    """

    gold_index: int
    gold_name: str
    type: ColumnType
    mode: NumberMode | None = None
    digits: int | None = None
    unit: Unit = Unit.PLAIN
    allow_percent_sign: bool = False

    def __post_init__(self) -> None:
        if self.type is not ColumnType.NUMBER:
            return
        if self.mode is None:
            raise RulesError(f"column {self.gold_index}: a number needs a comparison mode")
        if self.mode is not NumberMode.INTEGER and (self.digits is None or not 0 <= self.digits <= MAX_DIGITS):
            raise RulesError(f"column {self.gold_index}: {self.mode} needs digits from 0 to {MAX_DIGITS}")


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one task: whether the row order counts, and one rule a gold column, in gold order."""

    task_id: str
    order_sensitive: bool
    columns: tuple[ColumnRule, ...]


def parse_rules(document: object, *, task_id: str | None = None) -> Rules:
    """Return the rules in a parsed task config.

    What the official loader accepts is accepted, and read as it reads it (`digits: true` is 1, keys
    without a meaning are ignored).

    Args:
        document: what `json.loads` gave.
        task_id: the id the config must carry (its file's stem), or None to take any.

    Raises:
        RulesError: a field is missing or wrong; the message names it and says what it must be.
    """
    if not isinstance(document, dict):
        raise RulesError("the task config must be a JSON object")
    if document.get("schema_version") != SCHEMA_VERSION:
        raise RulesError(f'schema_version must be the string "{SCHEMA_VERSION}"')
    found = _task_id(document.get("task_id"), task_id)
    order = document.get("order_sensitive")
    if not isinstance(order, bool):
        raise RulesError("order_sensitive must be true or false")
    columns = document.get("columns")
    if not isinstance(columns, list) or not columns:
        raise RulesError("columns must be a list with one object a gold column")
    return Rules(found, order, tuple(_column(position, column) for position, column in enumerate(columns)))


def load_rules(path: Path) -> Rules:
    """Return the rules in a task config file. A file named after a task (`task_7.json`) must hold that task's rules.

    Raises:
        RulesError: the file cannot be read, is not UTF-8 JSON, or a field is wrong; names the file.
    """
    named = path.stem if _TASK_ID.fullmatch(path.stem) else None
    try:
        return rules_from_bytes(path.read_bytes(), task_id=named)
    except OSError as error:
        raise RulesError(f"{path}: cannot be read: {error.strerror}") from error
    except RulesError as error:
        raise RulesError(f"{path}: {error}") from error


def rules_from_bytes(data: bytes, *, task_id: str | None = None) -> Rules:
    """Return the rules in the bytes of a task config; the errors are those of `load_rules` without the path."""
    try:
        document = json.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise RulesError("not UTF-8; save the task config as UTF-8 without a BOM") from error
    except RecursionError as error:
        raise RulesError("nested too deeply; a task config has four levels") from error
    except ValueError as error:
        raise RulesError(f"not JSON: {error}") from error
    return parse_rules(document, task_id=task_id)


def to_document(rules: Rules) -> dict[str, object]:
    """Return the official task config for these rules, ready for `json.dumps`; `parse_rules` reads it back."""
    return {
        "schema_version": SCHEMA_VERSION,
        "task_id": rules.task_id,
        "order_sensitive": rules.order_sensitive,
        "columns": [
            {
                "gold_index": rule.gold_index,
                "gold_name": rule.gold_name,
                "type": rule.type.value,
                **_number_fields(rule),
            }
            for rule in rules.columns
        ],
    }


def canonical(rules: Rules) -> dict[str, object]:
    """Return what the rules mean: two rules compare all tables alike iff these are equal.

    Task id and names are dropped, and so is what has no effect: number fields of other types, digits
    of integers, and the unit, except `fraction` where a percent sign is allowed.
    """
    return {
        "order_sensitive": rules.order_sensitive,
        "columns": [{"type": rule.type.value, **_number_meaning(rule)} for rule in rules.columns],
    }


def canonical_json(rules: Rules) -> str:
    """Return `canonical(rules)` as compact JSON with sorted keys; equal texts mean equal rules."""
    return json.dumps(canonical(rules), sort_keys=True, separators=(",", ":"))


def meaning(rule: ColumnRule) -> tuple[object, ...]:
    """Return a hashable key of how the column's cells are read; equal keys read every cell alike."""
    return (rule.type.value, *_number_meaning(rule).values())


def _number_fields(rule: ColumnRule) -> dict[str, object]:
    if rule.type is not ColumnType.NUMBER or rule.mode is None:
        return {}
    comparison: dict[str, object] = {"mode": rule.mode.value}
    if rule.mode is not NumberMode.INTEGER:
        comparison["digits"] = rule.digits
    return {"comparison": comparison, "unit": rule.unit.value, "allow_percent_sign": rule.allow_percent_sign}


def _number_meaning(rule: ColumnRule) -> dict[str, object]:
    if rule.type is not ColumnType.NUMBER or rule.mode is None:
        return {}
    divides = rule.allow_percent_sign and rule.unit is Unit.FRACTION
    return {
        "mode": rule.mode.value,
        "digits": None if rule.mode is NumberMode.INTEGER else rule.digits,
        "allow_percent_sign": rule.allow_percent_sign,
        "unit": (Unit.FRACTION if divides else Unit.PLAIN).value,
    }


def _task_id(value: object, expected: str | None) -> str:
    if not isinstance(value, str) or not _TASK_ID.fullmatch(value):
        raise RulesError(f'task_id must be "task_" and a number, not {value!r}'[:200])
    if expected is not None and value != expected:
        raise RulesError(f"task_id is {value} where {expected} is expected; rename the file or the id")
    return value


def _column(position: int, column: object) -> ColumnRule:
    where = f"columns[{position}]"
    if not isinstance(column, dict):
        raise RulesError(f"{where} must be an object")
    if column.get("gold_index") != position:
        raise RulesError(f"{where}.gold_index must be {position}; columns are listed in gold order")
    name = column.get("gold_name")
    if not isinstance(name, str):
        raise RulesError(f"{where}.gold_name must be a string")
    kind = _choice(ColumnType, column.get("type"), f"{where}.type")
    if kind is not ColumnType.NUMBER:
        return ColumnRule(position, name, kind)
    mode, digits = _comparison(column.get("comparison"), f"{where}.comparison")
    unit = _choice(Unit, column.get("unit", Unit.PLAIN.value), f"{where}.unit")
    return ColumnRule(position, name, kind, mode, digits, unit, bool(column.get("allow_percent_sign", False)))


def _comparison(comparison: object, where: str) -> tuple[NumberMode, int | None]:
    if not isinstance(comparison, dict):
        raise RulesError(f"{where} must be an object with mode and digits")
    mode = _choice(NumberMode, comparison.get("mode"), f"{where}.mode")
    if mode is NumberMode.INTEGER:
        return mode, None
    digits = comparison.get("digits")
    if not isinstance(digits, int) or not 0 <= digits <= MAX_DIGITS:
        raise RulesError(f"{where}.digits must be an integer from 0 to {MAX_DIGITS}")
    return mode, int(digits)


def _choice(kind: type[Choice], value: object, where: str) -> Choice:
    if isinstance(value, str) and value in list(kind):
        return kind(value)
    raise RulesError(f"{where} must be one of {', '.join(kind)}, not {value!r}"[:200])
