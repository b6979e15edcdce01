"""The expert's rules, field by field: empty at first, the tool's proposal only on asking, saved at every change."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evaluator.infer import Proposal
from evaluator.rules import ColumnRule, ColumnType, NumberMode, Unit
from evaluator.tables import Table
from review_app import rules_draft
from review_app.desk import verifying
from review_app.drafts import Receipt
from review_app.rules_draft import ColumnDraft, RulesDraft, Values
from review_app.ui import reasons
from review_app.ui.diff_words import LONGEST_NAME
from review_app.ui.page import Page, act, refusals
from review_app.ui.plain import md, short
from review_app.ui.rules_form import MAX_DIGITS, rule_line

COLUMNS_A_PAGE = 8
YES, NO = "yes", "no"
TYPES = {
    ColumnType.TEXT: "Compared sign by sign, capitals too; only blanks around it do not count.",
    ColumnType.NUMBER: "Compared as numbers: 12.5 and 12.50 are the same.",
    ColumnType.DATE: "A day in ISO form, such as 2024-03-01.",
    ColumnType.DATETIME: "A day with a time in ISO form, such as 2024-03-01T09:30.",
    ColumnType.BOOLEAN: "True and false, in any of the usual words: yes, no, 1, 0.",
}
MODES = {
    NumberMode.INTEGER: "Only whole numbers; 12.5 is refused.",
    NumberMode.DECIMAL_PLACES: "Both are rounded to so many places after the point.",
    NumberMode.SIGNIFICANT_DIGITS: "Both are rounded to so many digits from the first one that is not 0.",
}
UNITS = {Unit.PERCENTAGE_POINTS: "12% is the number 12", Unit.FRACTION: "12% is the number 0.12"}
FIELDS = {
    "type": "Type",
    "mode": "Compared by",
    "digits": "Digits",
    "allow_percent_sign": "May a % sign follow?",
    "unit": "What does % mean?",
}


def draw(page: Page, task_id: str, gold: Table) -> RulesDraft:
    """Draw the form, save what changed, and return the rules as far as they are written."""
    stored, receipt = verifying.load(page.expert, task_id, len(gold.header))
    if _elsewhere(page, task_id, receipt):
        return stored
    proposal = verifying.proposal(page.expert, task_id)
    place = _place_of_page(page, task_id, len(gold.header))
    order = _order(page, task_id, stored, proposal)
    columns = list(stored.columns)
    for number in range(place, min(place + COLUMNS_A_PAGE, len(columns))):
        columns[number] = _column(page, task_id, (stored, number), gold.header[number], proposal)
        problem = verifying.column_problem(gold, number, columns[number])
        if problem:
            st.warning(page.refusal(problem))
    written = replace(stored, order_sensitive=order, columns=tuple(columns))
    with refusals(page):
        if written != stored:
            receipt = _save(page, task_id, written)
        _state(page, written, gold.header, receipt)
    return written


def _version(task_id: str) -> str:
    return f"rules-{task_id}-version"


def _elsewhere(page: Page, task_id: str, receipt: Receipt) -> bool:
    """Whether another window saved these rules since this page was opened; then only what it saved is shown."""
    if st.session_state.setdefault(_version(task_id), receipt.version) == receipt.version:
        return False
    st.warning(page.t("Another window saved other rules for this task. Go on with those."))
    if st.button(page.t("Show those rules"), key=f"rules-reload-{task_id}"):
        for key in [key for key in st.session_state if str(key).startswith(f"rules-{task_id}-")]:
            del st.session_state[key]
        st.rerun()
    return True


def _save(page: Page, task_id: str, draft: RulesDraft) -> Receipt:
    receipt = verifying.save(page.expert, task_id, draft, int(st.session_state[_version(task_id)]))
    st.session_state[_version(task_id)] = receipt.version
    return receipt


def _place_of_page(page: Page, task_id: str, width: int) -> int:
    """The first column of the page of columns that is open; few columns need no pages."""
    pages = -(-width // COLUMNS_A_PAGE)
    if pages < 2:
        return 0
    st.caption(page.t("{count} columns, {shown} a page", count=width, shown=COLUMNS_A_PAGE))
    return (st.pagination(pages, key=f"rules-page-{task_id}") - 1) * COLUMNS_A_PAGE


def _choice(page: Page, label: str, options: Sequence[str], value: str | None, key: str, words: dict[str, str]) -> str:
    """One of a few; "" while none is chosen."""
    st.session_state.setdefault(key, value)
    chosen = st.segmented_control(
        page.t(label),
        options,
        format_func=lambda option: page.t(words[option]) if words else page.word(option),
        key=key,
    )
    return str(chosen) if chosen else ""


def _yes_no(page: Page, label: str, value: bool | None, key: str) -> bool | None:
    words = {YES: "yes", NO: "no"}
    start = None if value is None else YES if value else NO
    chosen = _choice(page, label, [YES, NO], start, key, words)
    return chosen == YES if chosen else None


def _order(page: Page, task_id: str, stored: RulesDraft, proposal: Proposal) -> bool | None:
    with st.container(border=True):
        key = f"rules-{task_id}-order"
        head = _head(page.t("Row order"))
        order = _yes_no(page, "Does the order of the rows count?", stored.order_sensitive, key)
        st.caption(page.t("Only if the question asks for an order; else rows are compared in any order."))
        if stored.order_shown is None:
            values: Values = {} if order is None else {rules_draft.ORDER: order}
            with head:
                _ask(page, task_id, "order", replace(stored, order_sensitive=order, order_shown=values))
            return order
        word = page.t("yes") if proposal.rules.order_sensitive else page.t("no")
        _proposed(page, word, reasons.words(page, proposal.reasons[-1]))
        take = {key: YES if proposal.rules.order_sensitive else NO}
        st.button(page.t("Take it"), key=f"rules-take-{task_id}-order", on_click=_set, args=(take,))
    return order


def _head(title: str) -> DeltaGenerator:
    """A line with a title (Markdown), to which a button is added later at its right."""
    head = st.container(horizontal=True, vertical_alignment="center")
    head.markdown(f"**{title}**", width="stretch")
    return head


def _ask(page: Page, task_id: str, what: str, after: RulesDraft) -> None:
    """Offer the proposal; that it was shown is stored before it is."""
    if st.button(
        page.t("Show the tool's proposal"),
        key=f"rules-show-{task_id}-{what}",
        type="tertiary",
        icon=":material/lightbulb:",
    ):
        act(page, partial(_save, page, task_id, after))


def _proposed(page: Page, proposal: str, reason: str) -> None:
    st.info(f"{page.t('The tool proposes:')} **{proposal}**  \n{reason}", icon=":material/lightbulb:")


def _set(values: dict[str, str | int | None]) -> None:
    for key, value in values.items():
        st.session_state[key] = value


def _column(page: Page, task_id: str, at: tuple[RulesDraft, int], name: str, proposal: Proposal) -> ColumnDraft:
    stored, number = at
    key = f"rules-{task_id}-{number}"
    start = stored.columns[number]
    with st.container(border=True):
        head = _head(f"{number + 1}. {md(name) or '—'}")
        kind = _choice(page, "Type", list(ColumnType), start.type, f"{key}-type", {})
        column = replace(start, type=ColumnType(kind) if kind else None)
        if column.type is not None:
            st.caption(page.t(TYPES[column.type]))
        if column.type is ColumnType.NUMBER:
            column = _number(page, key, column)
        if start.shown is None:
            columns = (*stored.columns[:number], replace(column, shown=column.values()), *stored.columns[number + 1 :])
            with head:
                _ask(page, task_id, str(number), replace(stored, columns=columns))
        else:
            _with_proposal(page, key, proposal.rules.columns[number], proposal.reasons[number])
    return column


def _with_proposal(page: Page, key: str, rule: ColumnRule, reason: str) -> None:
    _proposed(page, rule_line(page, rule), reasons.of_column(page, rule, reason))
    wanted = rules_draft.of_rule(rule)
    percent = None if wanted.allow_percent_sign is None else YES if wanted.allow_percent_sign else NO
    fields = {
        "type": wanted.type,
        "mode": wanted.mode,
        "digits": wanted.digits,
        "percent": percent,
        "unit": wanted.unit,
    }
    take = {f"{key}-{field}": value for field, value in fields.items() if value is not None}
    st.button(page.t("Take it"), key=f"{key}-take", on_click=_set, args=(take,))


def _number(page: Page, key: str, start: ColumnDraft) -> ColumnDraft:
    mode = _choice(page, "Compared by", list(NumberMode), start.mode, f"{key}-mode", {})
    column = replace(start, mode=NumberMode(mode) if mode else None)
    if column.mode is not None:
        st.caption(page.t(MODES[column.mode]))
    if "digits" in column.needed():
        st.session_state.setdefault(f"{key}-digits", start.digits)
        digits = st.number_input(page.t("Digits"), 0, MAX_DIGITS, step=1, key=f"{key}-digits", width=180)
        column = replace(column, digits=None if digits is None else int(digits))
    percent = _yes_no(page, "May a % sign follow?", start.allow_percent_sign, f"{key}-percent")
    column = replace(column, allow_percent_sign=percent)
    if percent:
        words = {unit.value: text for unit, text in UNITS.items()}
        unit = _choice(page, "What does % mean?", list(UNITS), start.unit, f"{key}-unit", words)
        column = replace(column, unit=Unit(unit) if unit else None)
    return column


def _state(page: Page, draft: RulesDraft, names: tuple[str, ...], receipt: Receipt) -> None:
    """Say what is still to be set, and when it was saved."""
    places: dict[int | None, list[str]] = {}
    for one in rules_draft.missing(draft):
        places.setdefault(one.column, []).append(page.t(FIELDS[one.field]) if one.field in FIELDS else "")
    if places:
        named = [_place(page, column, fields, names) for column, fields in places.items()]
        rest = "" if len(named) <= COLUMNS_A_PAGE else " …"
        st.caption(f"{page.t('Still to be set:')} {' · '.join(named[:COLUMNS_A_PAGE])}{rest}")
    else:
        st.caption(f":green[:material/check:] {page.t('The rules are complete.')}")
    if receipt.at is not None:
        st.caption(page.t("Rules saved {time}", time=page.clock(receipt.at)))


def _place(page: Page, column: int | None, fields: list[str], names: tuple[str, ...]) -> str:
    if column is None:
        return page.t("the order of the rows")
    return f"{column + 1}. {md(short(names[column], LONGEST_NAME))} ({', '.join(fields)})"
