"""A JSON document as a tree: bounded whatever it holds, and every place is found by its pointer."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_app.workspace.json_tree import CHILDREN, GRANDCHILDREN, MAX_TEXT, branch, document, pointed
from review_app.workspace.preview import PreviewError

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("a/~0é", max_size=3), inner, max_size=3),
    max_leaves=12,
)


def places(value, pointer=""):
    """Every pointer of a document, written as RFC 6901 says, with its value."""
    yield pointer, value
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in members:
        yield from places(inner, f"{pointer}/{str(name).replace('~', '~0').replace('/', '~1')}")


@given(values)
def test_every_pointer_leads_to_its_value(value):
    assert all(pointed(value, pointer) is inner for pointer, inner in places(value))


@pytest.mark.parametrize("pointer", ["a", "/b", "/a/2", "/a/-1", "/a/٣", "/a/" + "9" * 5000, "/a/0/x", "/"])
def test_a_pointer_to_nothing_finds_nothing(pointer):
    with pytest.raises(LookupError):
        pointed({"a": [1, 2]}, pointer)


def test_a_branch_shows_one_page_of_its_values_and_the_first_of_theirs():
    shown = branch([list(range(1000))] * 250, first=200)
    assert (shown.size, len(shown.children), shown.children[0].name) == (250, 50, "200")
    assert {(one.size, len(one.children)) for one in shown.children} == {(1000, GRANDCHILDREN)}
    assert len(branch(list(range(9999))).children) == CHILDREN


def test_long_texts_are_cut_and_kinds_are_told_apart():
    shown = branch({"a": "x" * 9000, "b": [], "c": {"d": None}})
    assert [one.kind for one in shown.children] == ["value", "list", "object"]
    assert len(shown.children[0].text) == MAX_TEXT
    assert shown.children[2].children[0].text == "null"


def test_json_lines_are_a_list(tmp_path):
    path = tmp_path / "f.jsonl"
    path.write_text('{"a": 1}\n\n{"a": 2}\n')
    assert document(path) == [{"a": 1}, {"a": 2}]


@pytest.mark.parametrize("text", ["{", "[" * 200_000, json.dumps("x") + "}"])
def test_what_is_no_json_is_refused_in_words(tmp_path, text):
    path = tmp_path / "f.json"
    path.write_text(text)
    with pytest.raises(PreviewError, match="does not read as JSON"):
        document(path)
