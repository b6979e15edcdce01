"""Every reason that the tool gives for a rule is there in the person's language."""

from types import SimpleNamespace

import pytest

from evaluator.tables import Table
from review_app import rules_proposal
from review_app.ui import reasons
from review_app.ui.page import Page

COLUMNS = {
    "empty": ("", ""),
    "codes": ("001", "002"),
    "names": ("Alpha", "Beta"),
    "truth": ("true", "false"),
    "whole": ("1", "22"),
    "shares": ("12%", "7%"),
    "tenths": ("12.5%", "7.25%"),
    "many": ("0.123456789012", "1.5"),
    "large": ("1" + "0" * 60 + ".5", "2.5"),
    "day": ("2024-03-01", "2024-03-02"),
    "moment": ("2024-03-01T09:30:00", "2024-03-02T10:00:00"),
    "": ("1.5", "2.25"),
    "counted": ("1", "2"),
    "rounded": ("1.5", "2.25"),
}
TABLE = Table(tuple(COLUMNS), tuple(zip(*COLUMNS.values(), strict=True)))
PLAIN = ", ".join(f"a.c{place}" for place in range(len(COLUMNS) - 2))
SQL = f"SELECT {PLAIN}, count(*), round(sum(a.x), 3) FROM a ORDER BY 1"


@pytest.fixture(params=[None, SQL], ids=["cells", "sql"])
def given(request):
    return rules_proposal.propose(TABLE, "task_1", request.param)


def said(given, locale):
    page = Page(None, None, SimpleNamespace(locale=locale), {})
    columns = zip(given.rules.columns, given.reasons[:-1], strict=True)
    return [*(reasons.of_column(page, *column) for column in columns), reasons.words(page, given.reasons[-1])]


def test_every_reason_is_chinese_on_a_chinese_page(given):
    assert [words for words in said(given, "zh") if not any("一" <= sign <= "鿿" for sign in words)] == []


def test_every_reason_is_known_and_each_kind_occurs(given):
    assert all(words.endswith(".") for words in said(given, "en"))
    assert len(set(said(given, "en"))) >= 11
