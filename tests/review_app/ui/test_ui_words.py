"""Every word on a screen is there in both languages, and no translation is left over."""

import ast
import string
from enum import StrEnum
from pathlib import Path

import pytest

import review_app.ui
from evaluator.compare import ErrorCode
from evaluator.rules import ColumnType, NumberMode, Unit
from review_app.domain.content import FindingKind, Part, RepairCategory, SkipReason, Verdict
from review_app.domain.disagreement import Kind
from review_app.domain.people import Role
from review_app.domain.task import Phase, State
from review_app.near_misses import Change
from review_app.requests import Work
from review_app.ui.words import CATALOGUE, ZH
from review_app.workspace.index import Condition
from review_app.workspace.uploads import Note

SHOWN: tuple[type[StrEnum], ...] = (
    Change,
    ErrorCode,
    Verdict,
    Part,
    FindingKind,
    RepairCategory,
    SkipReason,
    State,
    Phase,
    Kind,
    Role,
    ColumnType,
    NumberMode,
    Unit,
    Work,
    Note,
    Condition,
)
MEMBERS = {member.value for shown in SHOWN for member in shown} | {"differs"}  # an outcome without a code
SOURCES = [
    path
    for path in sorted(Path(review_app.ui.__file__).parent.rglob("*.py"))
    if path.name not in ("words.py", "__init__.py")
]
# Shown in both languages as they are, or no words at all.
NO_WORDS = {
    "DataSpace Review",
    "Ctrl+Enter",
    "Alt+Enter",
    "Alt+O",
    "English",
    "中文",
    '<a href="/sign-in" target="_self">Sign in · 登录</a>',
}


def constants(tree):
    """All texts of a module but docstrings and parts of f-strings."""
    left_out = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            left_out.add(id(node.value))
        if isinstance(node, ast.JoinedStr):
            left_out |= {id(part) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in left_out:
            yield node


def arguments(tree, names):
    """The first arguments of calls of page.t, page.word and their like."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in names
            and node.args
        ):
            yield node.args[0]


def literals(node):
    """The texts that an expression of texts can give, as far as it says so itself."""
    if isinstance(node, ast.IfExp):
        return literals(node.body) + literals(node.orelse)
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


@pytest.fixture(scope="module")
def modules():
    return {path.name: ast.parse(path.read_text(encoding="utf-8")) for path in SOURCES}


@pytest.fixture(scope="module")
def texts(modules):
    return {node.value for tree in modules.values() for node in constants(tree)}


def test_every_text_that_a_page_says_has_a_translation(modules):
    said = {text for tree in modules.values() for node in arguments(tree, {"t", "word"}) for text in literals(node)}
    assert len(said) > 100
    assert said - ZH.keys() == set()


def test_every_text_that_reads_like_words_has_a_translation(texts):
    """Titles and labels reach page.t through variables, tables and parameters; they begin with a capital letter."""
    words = {text for text in texts if text[:1].isupper() and text[1:2].islower()}
    assert words - ZH.keys() - NO_WORDS == set()


@pytest.mark.parametrize("shown", SHOWN, ids=lambda shown: shown.__name__)
def test_every_member_that_is_shown_has_a_translation(shown):
    assert {member.value for member in shown} - ZH.keys() == set()


def test_no_translation_is_left_over(texts):
    assert ZH.keys() - texts - MEMBERS == set()


def test_no_text_stands_twice_in_the_catalogue():
    assert CATALOGUE.read_text(encoding="utf-8").count("\nmsgid ") == len(ZH) + 1  # and the header


def test_translations_fill_in_the_same_values():
    def fields(text):
        return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}

    assert [english for english, chinese in ZH.items() if fields(english) != fields(chinese)] == []


def test_translations_are_chinese():
    latin = {english for english, chinese in ZH.items() if not any("一" <= sign <= "鿿" for sign in chinese)}
    assert latin == set()


def test_no_screen_renders_html_of_others(modules):
    calls = [node for tree in modules.values() for node in ast.walk(tree) if isinstance(node, ast.Call)]
    named = {keyword.arg for call in calls for keyword in call.keywords}
    assert not {"unsafe_allow_html", "unsafe_allow_javascript"} & named


def test_html_is_drawn_in_known_places_only(modules):
    places = {
        name
        for name, tree in modules.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in ("html", "iframe")
    }
    assert places == {"files.py", "frame.py"}
