"""Two rules against each other, field by field: what differs, and how much is the same."""

import json
from collections import Counter

import pandas as pd
import streamlit as st

from evaluator.rules import Rules
from review_app.comparing import meaning
from review_app.domain.content import FieldOrigin, Origin
from review_app.domain.disagreement import rules_differences
from review_app.ui.diff_words import LONGEST_NAME
from review_app.ui.page import Page
from review_app.ui.plain import short
from review_app.ui.rules_entry import FIELDS

_YES_NO = {"true": "yes", "false": "no"}


def draw(page: Page, first: Rules | None, second: Rules | None, names: tuple[str, str]) -> None:
    """Draw the fields in which two rules differ. `names` are those of the two sides, in the person's language.

    Rules that were left out are said to be so: there is nothing to compare.
    """
    for rules, name in ((first, names[0]), (second, names[1])):
        if rules is None:
            st.caption(page.t("{side} wrote no rules.", side=name))
    if first is None or second is None:
        return
    found = rules_differences(meaning(first), meaning(second))
    if not found:
        st.success(page.t("Both wrote the same rules."), icon=":material/check_circle:")
        return
    longer = max(first, second, key=lambda rules: len(rules.columns))
    rows = [(_field(page, longer, where), _value(page, one), _value(page, other)) for where, one, other in found]
    st.dataframe(pd.DataFrame(rows, columns=[page.t("Field"), *names]), hide_index=True)
    st.caption(page.t("Fields that differ: {count}. All others are the same.", count=len(rows)))


def origins_line(page: Page, origins: tuple[FieldOrigin, ...]) -> None:
    """Say how many fields of a review's rules were set alone, taken from the tool's proposal, or changed after it."""
    if not origins:
        return
    counts = Counter(one.origin for one in origins)
    words = {Origin.OWN: "set alone: {n}", Origin.TAKEN: "proposal taken: {n}", Origin.CHANGED: "proposal changed: {n}"}
    st.caption(" · ".join(page.t(text, n=counts[origin]) for origin, text in words.items() if counts[origin]))


def _field(page: Page, rules: Rules, where: str) -> str:
    if not where.startswith("columns."):
        return page.t("The order of the rows counts")
    _, place, field = where.split(".", 2)
    rule = rules.columns[int(place) - 1]
    return f"{place}. {short(rule.gold_name, LONGEST_NAME)} · {page.t(FIELDS[field])}"


def _value(page: Page, text: str) -> str:
    """A value of the canonical rules in words; it is JSON, or a dash for a field that the other rules lack."""
    if text in _YES_NO:
        return page.t(_YES_NO[text])
    if text.startswith('"'):
        return page.word(json.loads(text))
    return "—" if text == "null" else text
