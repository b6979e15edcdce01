"""Every text of the agreement report is Chinese on a Chinese page, and no translation is left over."""

import ast
from dataclasses import replace
from pathlib import Path

import pytest
from builders import both_done, disputed, imported, reviewed
from refusals import part_of, unnamed

import review_app.agreement
from review_app import accounts, agreement_cases
from review_app.agreement import report as reports
from review_app.agreement.cases import Compared, case_of
from review_app.agreement_cases import JOIN_CLASSES
from review_app.domain.content import RepairCategory, Verdict
from review_app.domain.events import TaskRemoved
from review_app.ui.agreement_words import CATALOGUE, NAMES, table_in_chinese
from review_app.ui.sentences import template
from review_app.ui.words import catalogue

ENTRIES = {str(message.id): str(message.string) for message in catalogue(CATALOGUE) if message.id}
SOURCES = [*Path(review_app.agreement.__file__).parent.glob("*.py"), Path(agreement_cases.__file__)]
RULES = '{"columns":[{"digits":2,"mode":"decimal_places","type":"number","unit":"plain"}],"order_sensitive":true}'
NO_WORDS = {"—", "1", "2"}


@pytest.fixture(scope="module")
def report():
    """Of tasks of every size, with and without order and joins, settled at every step."""
    histories = [
        both_done(reviewed("ann", meaning=RULES), reviewed("bob", Verdict.REVISE, passed=False)),
        [*disputed(), TaskRemoved("lea", disputed()[-1].at, "rounds")],
    ]
    one, removed = (case_of([imported(f"task_{n}"), *history[1:]]) for n, history in enumerate(histories, start=1))
    cases = [
        replace(
            one, task_id=f"task_{10 + place}", rows=10**place, ordered=place % 2 == 0, joins=("", *JOIN_CLASSES)[place]
        )
        for place in range(5)
    ]
    settled = [replace(one, task_id=f"task_{20 + place}", settled_by=step) for place, step in enumerate(reports.STEPS)]
    kinds = tuple(kind.value for kind in RepairCategory)
    odd = replace(one, modalities="none", domain="tasks", repairs=kinds, compared=Compared(False, 0.5, 0.5, ("V5",)))
    return reports.report([*cases, *settled, odd, replace(removed, task_id="task_3")], draws=20)


def own(table, row):
    """The places of a row's texts that are ours: not what people wrote, and no name of theirs."""
    texts = {place for place, cell in enumerate(row) if isinstance(cell, str)}
    if table.name in ("removed", "differences") or (table.name == "answers" and row[0] in NAMES):
        texts -= {1 if table.name == "answers" else 0}
    return texts


def test_every_text_of_the_report_is_chinese(report):
    assert all(table.rows for table in report.tables)
    left = set()
    for table, there in ((table, table_in_chinese(table)) for table in report.tables):
        pairs = [(table.title, there.title), (table.note, there.note), *zip(table.columns, there.columns, strict=True)]
        for row, said in zip(table.rows, there.rows, strict=True):
            pairs += [(row[place], said[place]) for place in own(table, row)]
        left |= {english for english, said in pairs if english == said}
    assert left - NO_WORDS == set()


def test_figures_and_what_people_wrote_stay(report):
    for table in report.tables:
        said = table_in_chinese(table)
        for row, there in zip(table.rows, said.rows, strict=True):
            assert [cell for cell in row if not isinstance(cell, str)] == [
                cell for cell in there if not isinstance(cell, str)
            ]
    assert "rounds" in {row[0] for row in table_in_chinese(report.table("removed")).rows}
    assert ("领域", "tasks") in {row[:2] for row in table_in_chinese(report.table("answers")).rows}


def test_rows_of_strata_and_judgements_read_as_chinese(report):
    answers = {row[:2] for row in table_in_chinese(report.table("answers")).rows}
    assert {("全部", "全部"), ("行的顺序", "计入比较"), ("标准答案的行数", "超过 1,000"), ("连接数", "未知")} <= answers
    judged = {row[:2] for row in table_in_chinese(report.table("judgements")).rows}
    assert ("行序是否计入（自行设定）", "Cohen 的 kappa") in judged
    pairs = {row[:3] for row in table_in_chinese(report.table("marginals")).rows}
    assert ("判定", "接受", "需修订") in pairs


def test_no_translation_is_left_over():
    texts = {"True", "False"}
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.add(node.value)
            if isinstance(node, ast.JoinedStr):
                texts.add("".join(part_of(part) for part in node.values))
    after = {text for text in ENTRIES if text == "{judgement}, set alone"}  # built of two
    assert {text for text in ENTRIES if unnamed(text) not in texts} - after == set()
    assert ", set alone" in texts


def test_the_chinese_fills_in_the_same_values():
    for english, said in ENTRIES.items():
        assert template(english, "").names == template(said, "").names, english
        assert any("一" <= sign <= "鿿" for sign in said), english


def test_a_chinese_leads_page_on_agreement_has_no_english_head(house):
    house.dispute()
    with house.office.write() as session:
        accounts.set_locale(session, house.ids["lea"], "zh")
    at = house.screen("lea", "agreement")
    assert not at.exception
    heads = {str(name).strip() for frame in at.dataframe for name in frame.value.columns}
    english = {name for name in heads if name.isascii()}
    assert english == set()
    assert "两份答案为何不同" in {one.label.replace("\\", "") for one in at.expander}
