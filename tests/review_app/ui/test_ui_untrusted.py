"""Texts of others are shown as they are: no Markdown, no HTML, nothing loaded from elsewhere."""

import hashlib
import json
import re

import pytest
from candidates_folder import write_candidates
from google.protobuf.message import Message
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from screens import RULES, WRONG
from streamlit.testing.v1 import AppTest

from evaluator.tables import Table
from review_app.accounts import NewAccount
from review_app.candidates import import_candidates
from review_app.domain.content import Evidence, Finding, FindingKind, Part, Verdict
from review_app.domain.people import Role
from review_app.ui.frames import frame_of
from review_app.ui.plain import md, short

HOSTILE = (
    "![qz](http://evil.test/x.png) <b>qz</b> :material_home: :material/home: $x$ [qz](http://evil.test) a -> b `c`"
)
DOMAIN = "![qz](http://evil.test) <b>"
FILE = "![qz] <b> :material_home: $x$.csv"
MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])
# What Streamlit replaces in texts after all escapes are gone.
REPLACED = re.compile(r":material_\w+:|:streamlit:|(^|\s)(<->|->|<-|--|>=|<=|~=)(\s|$)")

signs = st.sampled_from(list("![](){}<>*_~`$:|#+-=.\\/&;\"'@ \t\n1a")) | st.sampled_from(
    [
        "    ",
        "\n\n",
        "\r\n",
        " -> ",
        " -- ",
        ":material_home:",
        ":streamlit:",
        "http://",
        "<!--",
        "&amp;",
        "\n- ",
        "\n1. ",
        "```",
    ]
)
texts = st.lists(signs, max_size=20).map("".join) | st.text(st.characters(codec="utf-8", exclude_categories=("C",)))


def shown(markdown):
    """What a reader of Markdown sees, with line ends; fails on anything but paragraphs of text."""
    lines = []
    for token in MARKDOWN.parse(markdown):
        assert token.type in ("paragraph_open", "paragraph_close", "inline"), token
        for child in token.children or ():
            assert child.type in ("text", "text_special", "softbreak", "hardbreak"), child
        if token.type == "inline":
            lines.append("".join("\n" if one.type.endswith("break") else one.content for one in token.children))
    return "\n".join(lines)


def plain(text):
    """A text but for blanks, of which a page shows one where there are several."""
    text = text.replace("\u2060", "").replace("\xa0", " ")
    return [" ".join(line.split()) for line in re.split(r"\r\n|\r|\n", text) if line.split()]


@given(texts)
@example(HOSTILE)
@example("a\n\n    indented\n\tand so")
@example("    code")
@example("a\r\rb")
@example("- x\n- y\n\n1. z\n> q\n# h\n===\n***")
def test_escaped_text_is_shown_as_it_is(text):
    assert plain(shown(md(text))) == plain(text)


@example(" \t!")
@given(texts)
@example("a -> b")
@example("->")
@example("a\n>=\nb -- c <-> d")
@example(":material_home::streamlit:")
def test_nothing_that_streamlit_would_replace_is_left_in_escaped_text(text):
    assert not REPLACED.search(shown(md(text)))


@given(texts, st.integers(2, 40))
def test_a_shortened_text_is_one_line_of_that_length(text, length):
    line = short(text, length)
    assert len(line) <= length
    assert "\n" not in line


@pytest.mark.parametrize(
    "columns", [("a", "a", "a (2)"), ("a (2)", "a", "a"), ("", ""), ("a", "a (2)", "a", "a (2)"), ("x",)]
)
def test_columns_of_a_frame_have_names_of_their_own(columns):
    names = list(frame_of(columns, (columns,)).columns)
    assert len(set(names)) == len(columns)
    assert all(name.startswith(column) for name, column in zip(names, columns, strict=True))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("one two three", "one three"),
        ("a b", "a x b"),
        ("a", "a\n\nnew paragraph"),
        ("old\n\nlines", "new"),
        ("", HOSTILE),
    ],
)
def test_a_diff_of_texts_shows_both_texts_and_marks_no_more_than_they_differ(before, after):
    def draw(before, after):
        from review_app.ui.text_diff import text_diff

        text_diff(before, after)

    drawn = AppTest.from_function(draw, args=(before, after)).run().markdown[0].value
    mark = r"(?<!\\):(?:green|red)-background\[((?:\\.|[^\]\\])*)\]"
    assert not re.search(mark.replace("[^\\]\\\\]", "\n[ ]*\n"), drawn)
    green = re.sub(mark.replace("green|red", "green"), r"\1", re.sub(mark.replace("green|red", "red"), "", drawn))
    red = re.sub(mark.replace("green|red", "red"), r"\1", re.sub(mark.replace("green|red", "green"), "", drawn))
    assert plain(shown(green)) == plain(after)
    assert plain(shown(red.replace("~~", ""))) == plain(before)


# Where a text of others may stand unescaped: no Markdown is read there.
RAW = {
    "selectbox.options",
    "selectbox.raw_value",
    "text_area.default",
    "text_input.default",
    "code.code_text",
    "text.body",
    "bidi_component.json",  # our own components put texts into the page as texts
}


def raw_places(messages):
    """Where in the messages to the browser a text of others stands unescaped."""
    found = set()

    def walk(message, path):
        for field, value in message.ListFields():
            for one in value if field.is_repeated else [value]:
                if isinstance(one, Message):
                    walk(one, [*path, field.name])
                elif isinstance(one, str) and ("![qz" in one or "<b>" in one):
                    found.add(".".join([*path, field.name][-2:]))

    for message in messages:
        walk(message, [])
    return found


@pytest.fixture
def hostile(staffed, fork, tmp_path):
    """A task and people all of whose texts are hostile."""
    house = fork(staffed)
    for login in ("eve", "max"):
        house.hire(NewAccount(login, HOSTILE, "correct horse battery", (Role.EXPERT,)))
    gold = f'"{HOSTILE}",size\nAlpha,12.50\n'.encode()
    folder = write_candidates(
        tmp_path / "candidates", question=HOSTILE, domain=DOMAIN, gold=gold, sql=f"SELECT '{HOSTILE}'"
    )
    rename(folder)
    assert import_candidates(house.office, folder).refused == {}
    house.seat("eve", "max")
    return house


def rename(folder):
    """Give a workspace file a hostile name."""
    home = folder / "task_1"
    (home / "context" / "fund.csv").rename(home / "context" / FILE)
    provenance = home / "private" / "provenance.json"
    provenance.write_text(provenance.read_text().replace("fund.csv", FILE))
    manifest = json.loads((folder / "manifest.json").read_text())
    files = manifest["tasks"][0]["files"]
    files[f"context/{FILE}"] = files.pop("context/fund.csv")
    files["private/provenance.json"] = hashlib.sha256(provenance.read_bytes()).hexdigest()
    manifest["tasks"][0]["instance"] = HOSTILE
    (folder / "manifest.json").write_text(json.dumps(manifest))


def writes_rules(house):
    house.expert("eve").seal("task_1", Table((HOSTILE, "size"), ((f"Alpha {HOSTILE}", "12.50"), (HOSTILE, "1"))))
    house.write_rules("eve")


def disputes(house):
    found = (Finding("", Part.QUESTION, FindingKind.OTHER, HOSTILE, (Evidence(FILE, HOSTILE),)),)
    for login in ("eve", "max"):
        house.expert(login).save_draft("task_1", "answer", f'"{HOSTILE}"\n1\n', 0)
        house.expert(login).seal("task_1", WRONG)
        house.expert(login).submit_review("task_1", Verdict.REVISE, found, RULES)
    house.expert("max").post_message("task_1", HOSTILE)


def proposes(house):
    disputes(house)
    change = house.change(question=HOSTILE + " and more", gold_sql=f"SELECT '{HOSTILE}' AS name, 1 AS size")
    house.expert("max").propose_repair("task_1", change)


@pytest.mark.parametrize(
    ("login", "page", "does"),
    [
        ("eve", "", None),
        ("eve", "task", None),
        ("eve", "task", lambda house: house.expert("eve").seal("task_1", WRONG)),
        ("eve", "task", writes_rules),
        ("eve", "task", disputes),
        ("eve", "task", proposes),
        ("lea", "", None),
        ("lea", "review", None),
        ("lea", "review", disputes),
        ("lea", "review", proposes),
        ("ada", "", None),
    ],
)
def test_texts_of_others_stand_unescaped_only_where_no_markdown_is_read(hostile, protos, login, page, does):
    if does:
        does(hostile)
    at = hostile.screen(login, page, "task_1" if page else "")
    assert not at.exception
    assert raw_places(protos) - RAW == set()


def test_the_check_sees_an_unescaped_text(hostile, protos, monkeypatch):
    monkeypatch.setattr("review_app.ui.files.md", lambda text: text)
    hostile.screen("eve", "task", "task_1")
    assert raw_places(protos) - RAW == {"markdown.body"}


def test_a_refusal_that_names_a_hostile_task_is_plain(house, protos):
    house.screen("ann", "task", HOSTILE)
    assert raw_places(protos) - RAW == set()


def test_a_markdown_file_of_the_workspace_loads_no_image(house, sent):
    house.seat("ann")
    at = house.screen("ann", "task", "task_1")
    at.selectbox(key="file-task_1").select_index(1).run()
    shown_file = next(element.value for element in at.markdown if "Sizes are in millions" in element.value)
    assert "image" not in [child.type for token in MARKDOWN.parse(shown_file) for child in token.children or ()]
    assert "![" not in shown_file
