"""An expert's day on Chinese pages: files as Chinese spreadsheets write them, and no English sentence on the way."""

import re

import pytest
from candidates_folder import GOLD, write_candidates

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("chinese")]

TASK = "task_1"
SENTENCE = re.compile(r"[A-Za-z]+(?: [A-Za-z]+){3,}")
AT_THE_TOP = """() => document.querySelector('[data-testid="stMain"]').scrollTop === 0"""
FILES = {"gb18030": "基金,规模\n阿尔法,12.5\n", "utf-16": "基金,规模\n贝塔,8\n", "utf-8-sig": "基金,规模\n伽马,7\n"}


@pytest.fixture
def chen(system, tmp_path):
    system.command("import", write_candidates(tmp_path / "candidates", 1))
    system.add("chen", "expert")
    person = system.sign_in("chen")
    person.press("locale")
    person.sees("我的任务")
    return person


def english_on(person) -> list[str]:
    """The English sentences that a page shows; question, files and tables of the task are English themselves."""
    ours = person.page.locator("label, button, .stAlert, [data-testid=stCaptionContainer], h1, h2, h3")
    shown = {text for text in ours.all_inner_texts() if SENTENCE.search(text)}
    return sorted(shown)


def test_a_day_of_an_expert_on_chinese_pages(chen):
    chen.press("next")
    chen.sees("您的答案")
    for encoding, table in FILES.items():
        chen.upload(f"upload-{TASK}", f"{encoding}.csv", table.encode(encoding))
        chen.sees(encoding.removesuffix("-sig"))
        chen.click("作为我的答案")
    assert english_on(chen) == []
    chen.shoot("chinese-solve")

    chen.upload(f"upload-{TASK}", "ragged.csv", b"a,b\n1\n")
    chen.sees("第 2 行")
    assert english_on(chen) == []
    chen.upload(f"upload-{TASK}", "answer.csv", GOLD)
    chen.click("作为我的答案")
    chen.tick(f"sure-{TASK}")
    assert not chen.page.evaluate(AT_THE_TOP)
    chen.press("seal")
    chen.sees("标准答案")
    chen.page.wait_for_function(AT_THE_TOP)
    chen.choose(f"verdict-{TASK}", "接受")
    chen.press("submit-review")  # no rule is set yet
    chen.page.locator(".stAlert", has_text="规则").first.wait_for()
    assert english_on(chen) == []
    chen.page.emulate_media(color_scheme="dark")
    chen.settle()
    chen.shoot("chinese-verify-dark")
    chen.take_rules(TASK, "规则已填写完整。")
    chen.press("submit-review")
    chen.sees("评审已提交")
    assert english_on(chen) == []
    chen.shoot("chinese-submitted-dark")
