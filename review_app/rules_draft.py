"""Rules while an expert writes them: every field starts empty, and each remembers what the tool had shown before it."""

import json
from dataclasses import asdict, dataclass
from typing import Any

from evaluator.rules import ColumnRule, ColumnType, NumberMode, Rules, Unit
from review_app.domain.content import FieldOrigin, Origin

ORDER = "order_sensitive"
Value = str | int | bool
Values = dict[str, Value]


@dataclass(frozen=True)
class ColumnDraft:
    """What is set for one column, None for what is not. Names are those of the canonical rules.

    `shown` holds what was set when the tool's proposal for this column was asked for, None if it never was.
    """

    type: ColumnType | None = None
    mode: NumberMode | None = None
    digits: int | None = None
    allow_percent_sign: bool | None = None
    unit: Unit | None = None
    shown: Values | None = None

    def values(self) -> Values:
        """Return the fields that matter under what is set, and are set."""
        found = {name: getattr(self, name) for name in self.needed()}
        return {name: value for name, value in found.items() if value is not None}

    def needed(self) -> tuple[str, ...]:
        """Return the fields that matter, as far as what is set already says."""
        if self.type is not ColumnType.NUMBER:
            return ("type",)
        digits = () if self.mode in (None, NumberMode.INTEGER) else ("digits",)
        unit = ("unit",) if self.allow_percent_sign else ()
        return ("type", "mode", *digits, "allow_percent_sign", *unit)

    def missing(self) -> tuple[str, ...]:
        """Return the fields that matter and are not set."""
        return tuple(name for name in self.needed() if getattr(self, name) is None)

    def rule(self, index: int, name: str) -> ColumnRule | None:
        """Return the finished rule, None while something is missing."""
        if self.type is None or self.missing():
            return None
        if self.type is not ColumnType.NUMBER:
            return ColumnRule(index, name, self.type)
        digits = None if self.mode is NumberMode.INTEGER else self.digits
        percent = bool(self.allow_percent_sign)
        unit = self.unit if percent and self.unit else Unit.PLAIN
        return ColumnRule(index, name, self.type, self.mode, digits, unit, percent)


@dataclass(frozen=True)
class RulesDraft:
    """Rules as far as they are set, one ColumnDraft a gold column."""

    columns: tuple[ColumnDraft, ...]
    order_sensitive: bool | None = None
    order_shown: Values | None = None

    @property
    def untouched(self) -> bool:
        """Whether nothing at all is set."""
        return self.order_sensitive is None and not any(column.values() for column in self.columns)


@dataclass(frozen=True)
class Missing:
    """A field that is not set: of a column (from 0), or the row order (None)."""

    column: int | None
    field: str


def empty(width: int) -> RulesDraft:
    """Return the draft in which nothing is set."""
    return RulesDraft((ColumnDraft(),) * width)


def missing(draft: RulesDraft) -> tuple[Missing, ...]:
    """Return what is still to be set, the row order first; empty if the rules are complete."""
    order = (Missing(None, ORDER),) if draft.order_sensitive is None else ()
    rest = (Missing(place, name) for place, column in enumerate(draft.columns) for name in column.missing())
    return (*order, *rest)


def finished(draft: RulesDraft, task_id: str, names: tuple[str, ...]) -> Rules | None:
    """Return the rules, None while anything is missing. `names` are the gold's headers."""
    rules = [column.rule(place, names[place]) for place, column in enumerate(draft.columns)]
    complete = tuple(rule for rule in rules if rule is not None)
    if draft.order_sensitive is None or len(complete) != len(rules):
        return None
    return Rules(task_id, draft.order_sensitive, complete)


def so_far(draft: RulesDraft, task_id: str, names: tuple[str, ...]) -> Rules:
    """Return rules to look at a comparison with: what is not finished is compared as text, in any order of rows.

    Nothing of the tool's proposal enters, so looking at the comparison does not give it away.
    """
    columns = (
        column.rule(place, names[place]) or ColumnRule(place, names[place], ColumnType.TEXT)
        for place, column in enumerate(draft.columns)
    )
    return Rules(task_id, bool(draft.order_sensitive), tuple(columns))


def of_rule(rule: ColumnRule) -> ColumnDraft:
    """Return a finished rule as a draft; what has no effect is left out."""
    if rule.type is not ColumnType.NUMBER:
        return ColumnDraft(rule.type)
    digits = None if rule.mode is NumberMode.INTEGER else rule.digits
    if not rule.allow_percent_sign:
        return ColumnDraft(rule.type, rule.mode, digits, False)
    unit = Unit.FRACTION if rule.unit is Unit.FRACTION else Unit.PERCENTAGE_POINTS
    return ColumnDraft(rule.type, rule.mode, digits, True, unit)


def origins(draft: RulesDraft, proposed: Rules) -> tuple[FieldOrigin, ...]:
    """Return for each field that is set whether the expert set it alone, took the proposal, or changed it.

    What was set before the proposal was shown and still stands is the expert's own, even if the tool says the same.
    """
    order: Values = {} if draft.order_sensitive is None else {ORDER: draft.order_sensitive}
    found = _origins("", order, draft.order_shown, {ORDER: proposed.order_sensitive})
    for place, column in enumerate(draft.columns):
        wanted = of_rule(proposed.columns[place]).values()
        found += _origins(f"columns.{place + 1}.", column.values(), column.shown, wanted)
    return tuple(found)


def _origins(prefix: str, values: Values, shown: Values | None, proposed: Values) -> list[FieldOrigin]:
    def origin(name: str, value: Value) -> Origin:
        if shown is None or shown.get(name) == value:
            return Origin.OWN
        return Origin.TAKEN if proposed.get(name) == value else Origin.CHANGED

    return [FieldOrigin(prefix + name, origin(name, value)) for name, value in values.items()]


def to_text(draft: RulesDraft) -> str:
    """Return the draft as the JSON text that is stored; `from_text` reads it back."""
    return json.dumps(asdict(draft), sort_keys=True, separators=(",", ":"))


def from_text(text: str, width: int) -> RulesDraft:
    """Return a stored draft; the empty one for no text, and for one of another number of columns."""
    document: dict[str, Any] = json.loads(text) if text else {}
    if len(document.get("columns", ())) != width:
        return empty(width)
    columns = tuple(_column(values) for values in document["columns"])
    return RulesDraft(columns, document["order_sensitive"], document["order_shown"])


def _column(values: dict[str, Any]) -> ColumnDraft:
    def choice(kind: Any, name: str) -> Any:
        return None if values[name] is None else kind(values[name])

    return ColumnDraft(
        choice(ColumnType, "type"),
        choice(NumberMode, "mode"),
        values["digits"],
        values["allow_percent_sign"],
        choice(Unit, "unit"),
        values["shown"],
    )
