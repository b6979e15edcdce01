"""The comparison rules to edit in a repair, started from those that stand, and to read."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evaluator.rules import ColumnRule, ColumnType, NumberMode, Rules, Unit
from review_app.ui.page import Page
from review_app.ui.plain import md

MAX_DIGITS = 30


def rules_form(page: Page, key: str, start: Rules, names: tuple[str, ...]) -> Rules:
    """Draw the form and return the rules as they stand in it."""
    order = st.checkbox(page.t("The order of the rows counts"), value=start.order_sensitive, key=f"{key}-order")
    columns = tuple(_column(page, f"{key}-{place}", rule, names[place]) for place, rule in enumerate(start.columns))
    return Rules(start.task_id, order, columns)


def _column(page: Page, key: str, start: ColumnRule, name: str) -> ColumnRule:
    with st.container(border=True):
        st.markdown(f"**{start.gold_index + 1}. {md(name)}**")
        boxes = st.columns(3)
        kinds = list(ColumnType)
        kind = boxes[0].selectbox(
            page.t("Type"), kinds, kinds.index(start.type), format_func=page.word, key=f"{key}-type"
        )
        if kind is not ColumnType.NUMBER:
            return ColumnRule(start.gold_index, name, kind)
        return _number(page, key, start, name, boxes[1:])


def _number(page: Page, key: str, start: ColumnRule, name: str, boxes: Sequence[DeltaGenerator]) -> ColumnRule:
    modes, units = list(NumberMode), list(Unit)
    mode = boxes[0].selectbox(
        page.t("Compared by"),
        modes,
        modes.index(start.mode or NumberMode.DECIMAL_PLACES),
        format_func=page.word,
        key=f"{key}-mode",
    )
    digits = None
    if mode is not NumberMode.INTEGER:
        digits = boxes[1].number_input(
            page.t("Digits"), 0, MAX_DIGITS, 2 if start.digits is None else start.digits, key=f"{key}-digits"
        )
    percent = st.checkbox(page.t("A % sign may follow"), start.allow_percent_sign, key=f"{key}-percent")
    unit = Unit(start.unit)
    if percent:
        unit = boxes[1].selectbox(page.t("Unit"), units, units.index(unit), format_func=page.word, key=f"{key}-unit")
    return ColumnRule(start.gold_index, name, ColumnType.NUMBER, mode, digits, unit, percent)


def rules_lines(page: Page, rules: Rules) -> None:
    """Draw rules to read."""
    order = "the order of the rows counts" if rules.order_sensitive else "the order of the rows does not count"
    lines = [
        f"- {page.t(order)}",
        *(f"- **{md(rule.gold_name) or '—'}**: {rule_line(page, rule)}" for rule in rules.columns),
    ]
    st.markdown("\n".join(lines))


def rule_line(page: Page, rule: ColumnRule) -> str:
    """Return one column's rule in a line."""
    parts = [page.word(rule.type)]
    if rule.mode is not None:
        parts.append(page.word(rule.mode))
    if rule.digits is not None and rule.mode is not NumberMode.INTEGER:
        parts.append(str(rule.digits))
    if rule.allow_percent_sign:
        parts.append(f"% {page.word(rule.unit)}")
    return " · ".join(parts)
