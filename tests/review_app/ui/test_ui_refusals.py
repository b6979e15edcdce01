"""Every refusal that the code can make is there in Chinese, with its values, and no translation is left over."""

import string

import pytest
import refusals
from hypothesis import given
from hypothesis import strategies as st
from screens import problems

from evaluator.rules import ColumnRule, ColumnType, Rules, RulesError, parse_rules
from evaluator.tables import Table, TableError, parse_table
from review_app import accounts, comparing, rules_draft
from review_app.desk import verifying
from review_app.domain.decide import need_role
from review_app.domain.errors import ReviewError
from review_app.domain.people import Person, Role
from review_app.rules_draft import ColumnDraft
from review_app.ui.plain import md
from review_app.ui.refusal_words import CATALOGUE, LISTS, MEMBERS, SENTENCES, chinese
from review_app.ui.sentences import LONGEST, template
from review_app.ui.words import catalogue
from review_app.workspace.uploads import DELIMITERS, UploadError, parse_paste, parse_upload

# Names a file, so only a command says it.
COMMANDS_ONLY = {"{}: {}", "{}: cannot be read: {}"}
ENTRIES = [
    (message.context or "", str(message.id), str(message.string)) for message in catalogue(CATALOGUE) if message.id
]
SAID = {english: said for context, english, said in ENTRIES if not context}
# No blank and no small letter: values that cannot be taken for the words around them.
VALUES = st.text("一二三，。ABC019'\"{}\\[]()*+?.^$|\n", max_size=12)


def fields(text):
    return [name for _, name, _, _ in string.Formatter().parse(text) if name is not None]


@pytest.fixture(scope="module")
def made():
    return refusals.sentences()


def test_every_refusal_of_the_code_has_its_chinese(made):
    assert len(made) > 200
    here = {refusals.unnamed(english) for english in SAID}
    missing = {sentence: place for sentence, place in made.items() if sentence not in here | COMMANDS_ONLY}
    assert missing == {}


def test_no_refusal_is_left_over(made):
    assert [english for english in SAID if refusals.unnamed(english) not in made] == []


def test_no_refusal_stands_twice():
    assert CATALOGUE.read_text(encoding="utf-8").count("\nmsgid ") == len(ENTRIES) + 1  # and the header
    assert len({(context, refusals.unnamed(english)) for context, english, _ in ENTRIES}) == len(ENTRIES)


def test_the_chinese_fills_in_the_same_values_each_of_its_own_name():
    for _, english, said in ENTRIES:
        assert sorted(fields(english)) == sorted(fields(said)), english
        assert len(set(fields(english))) == len(fields(english)), english
        assert any("一" <= sign <= "鿿" for sign in said), english


def test_between_two_values_stand_words_and_enough_of_them_to_know_the_sentence_by():
    for context, english, said in ENTRIES:
        texts = template(english, said).texts
        assert all(texts[1:-1]), english
        assert context or sum(map(len, texts)) >= 9, english


def test_a_context_names_a_value_and_all_that_it_can_be():
    named = {name for english in SAID for name in fields(english)}
    contexts = {}
    for context, english, _ in ENTRIES:
        contexts.setdefault(context, set()).add(english)
    assert contexts.keys() - {""} <= named
    assert SENTENCES | MEMBERS | LISTS.keys() <= named
    assert contexts["delimiter"] == set(DELIMITERS.values())
    of = {"the row order", "{fields} and {count} more"}
    columns = rules_draft.empty(1).columns[0]
    assert contexts["fields"] - of == {f"{field} of {{name}}" for field in vars(columns) if field != "shown"}


@given(st.data())
def test_a_finished_sentence_becomes_the_chinese_of_its_own_template(data):
    """No template takes another's sentence, whatever the values are."""
    for english, said in SAID.items():
        values = {name: data.draw(VALUES, name) for name in fields(english)}
        assert chinese(english.format(**values)) == said.format(**values), english


@given(st.text(), st.lists(st.sampled_from(sorted(SAID)), max_size=3), st.text())
def test_no_text_breaks_it_and_what_is_no_refusal_stays(before, templates, after):
    assert isinstance(chinese(before + "".join(templates) + after), str)
    foreign = f"{before}\N{SNOWMAN}{after}"
    assert chinese(foreign) == foreign


def test_a_refusal_within_a_refusal_is_translated_so_deep_and_no_deeper():
    nested = "the rules do not read: " * 30 + "the seat is taken"
    assert chinese("the rules do not read: the seat is taken") == "规则无法读取：该席位已被占用"
    assert chinese(nested).count("规则无法读取：") == 5
    assert chinese(f"the rules do not read: {'x' * LONGEST}").startswith("the rules")


def refused(error, call, *arguments):
    with pytest.raises(error) as caught:
        call(*arguments)
    return chinese(str(caught.value))


def test_what_a_person_gets_to_read():
    gold = Table(("城市", "销量, 万元"), (("京", "一二"),))
    rules = Rules("task_1", False, (ColumnRule(0, "城市", ColumnType.TEXT), ColumnRule(1, "", ColumnType.DATE)))
    draft = rules_draft.empty(2)
    half = rules_draft.RulesDraft((ColumnDraft(ColumnType.TEXT), *draft.columns[1:]), None)
    many = rules_draft.empty(9)
    names = tuple("甲乙丙丁戊己庚辛壬")
    expected = {
        chinese(comparing.misfit(gold, rules)): (
            "标准答案不能按这些规则读取：标准答案第 2 列（'销量, 万元'）第 2 行：'一二' 不能读作日期"
            "（这不是 ISO 8601 格式的日期或时间）；请改正标准答案或规则。请选择适合该列所有单元格的类型"
        ),
        chinese(verifying._unfinished(half, gold.header)): "规则尚不完整；还须设定：行的顺序、“销量, 万元”的类型",
        chinese(verifying._unfinished(many, names)): (
            "规则尚不完整；还须设定：行的顺序、“甲”的类型、“乙”的类型、“丙”的类型、“丁”的类型、“戊”的类型，另有 4 项"
        ),
        refused(ReviewError, need_role, Person("a", frozenset({Role.EXPERT})), Role.LEAD): (
            "只有具有“负责人”角色的人才能执行此操作；请向管理员申请该角色"
        ),
        refused(UploadError, parse_paste, "甲;乙\n1;2;3"): (
            "第 2 行有 3 个单元格，而表头有 2 个；请让每行的每一列都有单元格，含分号的单元格请加双引号"
        ),
        refused(UploadError, parse_upload, b"[1, 2]"): (
            '文件中没有表格；请写成对象的列表（[{"name": "Alpha", "size": 12}]）、首行为表头的行列表，或 '
            '{"columns": [...], "rows": [...]}'
        ),
        refused(TableError, parse_table, b"a,b\n1\n"): "第 2 行有 1 个单元格，而表头有 2 个",
        refused(RulesError, parse_rules, {"schema_version": "1.0", "task_id": "x"}): (
            "task_id 须为 \"task_\" 加数字，而不是 'x'"
        ),
    }
    assert list(expected) == list(expected.values())


@pytest.fixture
def chinese_house(house):
    for login in ("ann", "lea"):
        with house.office.write() as session:
            accounts.set_locale(session, house.ids[login], "zh")
    return house


def test_a_refusal_on_a_chinese_page_is_chinese(chinese_house):
    at = chinese_house.screen("ann", "task", "task_9")
    assert [box.value for box in at.error] == [md("您的任务列表中没有任务 'task_9'；请用“下一个任务”领取一个")]
    chinese_house.dispute()
    at = chinese_house.screen("ann", "task", "task_1")
    assert problems(at.button(key="send-task_1-all").click().run()) == ["消息为空；请先写点内容"]


def test_a_refused_table_is_refused_in_chinese(chinese_house):
    chinese_house.seat("ann", "bob")
    at = chinese_house.screen("ann", "task", "task_1")
    at.segmented_control(key="way-task_1").set_value("Paste").run()
    chinese_house.types("ann", "pasted", 'a,b\n"unclosed')
    (said,) = problems(at.run())
    assert said.startswith("第 2 行不是可读的表格") and said.endswith("；请检查该处及之前的双引号")


def test_whoever_is_not_signed_in_reads_why_in_both_languages(house):
    (said,) = problems(house.screen("nobody"))
    english, sentence = (
        "your sign-in has ended; sign in again. Your drafts are kept",
        "您的登录已结束；请重新登录。您的草稿仍保留",
    )
    assert said == f"{md(english)}  \n{md(sentence)}"
