"""Rules by example: what these rules accept and what they refuse, the rules as JSON, and whether the gold reads."""

import json
from collections import Counter

import streamlit as st

from evaluator.rules import to_document
from evaluator.tables import Table
from review_app import rules_draft
from review_app.desk import verifying
from review_app.near_misses import Change, NearMiss
from review_app.rules_draft import RulesDraft
from review_app.ui.diff_steps import LONGEST_BESIDE, visible
from review_app.ui.diff_words import LONGEST_NAME
from review_app.ui.page import Page
from review_app.ui.plain import md, short

SHOWN = 10


def draw(page: Page, task_id: str, gold: Table, draft: RulesDraft) -> None:
    """Draw near misses of the gold under the rules as far as they are finished."""
    found = verifying.examples(gold, draft, task_id)
    if not found:
        st.caption(page.t("Examples of what your rules accept and refuse appear when a column is complete."))
        return
    st.markdown(f"**{page.t('The gold with one small change, under your rules')}**")
    left, right = st.columns(2)
    with left:
        _side(page, gold, "Accepted", "green", [miss for miss in found if miss.accepted])
    with right:
        _side(page, gold, "Refused", "red", [miss for miss in found if not miss.accepted])
    _document(page, task_id, gold, draft)


def _side(page: Page, gold: Table, title: str, colour: str, misses: list[NearMiss]) -> None:
    st.markdown(f":{colour}[**{page.t(title)}**] ({len(misses)})")
    if not misses:
        st.caption(page.t("none"))
        return
    misses = _telling_first(misses)
    st.markdown("\n".join(_line(page, gold, miss) for miss in misses[:SHOWN]))
    if len(misses) > SHOWN:
        with st.expander(page.t("and {count} more", count=len(misses) - SHOWN)):
            st.markdown("\n".join(_line(page, gold, miss) for miss in misses[SHOWN:]))


def _telling_first(misses: list[NearMiss]) -> list[NearMiss]:
    """One example of each change before a second one of any."""
    order = list(Change)
    seen: Counter[Change] = Counter()
    ranked = []
    for place, miss in enumerate(misses):
        ranked.append((seen[miss.change], order.index(miss.change), place))
        seen[miss.change] += 1
    return [misses[place] for _, _, place in sorted(ranked)]


def _line(page: Page, gold: Table, miss: NearMiss) -> str:
    change = page.word(miss.change)
    if miss.column is None:
        return f"- {change}"
    before, after = (md(visible(cell, LONGEST_BESIDE)) for cell in (miss.before, miss.after))
    name = short(gold.header[miss.column], LONGEST_NAME // 2)
    return f"- {md(name)}: “{before}” → **“{after}”** · {change}"


def _document(page: Page, task_id: str, gold: Table, draft: RulesDraft) -> None:
    rules = rules_draft.finished(draft, task_id, gold.header)
    if rules is None:
        return
    with st.expander(page.t("The rules as JSON")):
        st.code(json.dumps(to_document(rules), ensure_ascii=False, indent=2), language="json")
