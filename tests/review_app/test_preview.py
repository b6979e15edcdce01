"""Workspace files are shown bounded and read-only, whatever they hold; a file that cannot be shown says why."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from review_app.workspace import preview
from review_app.workspace.preview import MAX_TEXT, PreviewError


@pytest.fixture
def file(tmp_path):
    """Write a file and return its path."""

    def write(data):
        path = tmp_path / "f"
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    return write


def test_a_missing_file_is_refused_in_words(tmp_path):
    with pytest.raises(PreviewError):
        preview.text_of(tmp_path / "gone")


@pytest.mark.parametrize("shift", range(4))
@pytest.mark.parametrize("codec", ["utf-8", "gb18030"])
def test_a_character_on_the_edge_of_the_first_bytes_does_not_garble_the_file(file, shift, codec):
    text = "a" * shift + "数据\n" * 30_000
    assert preview.text_of(file(text.encode(codec))) == text


def test_a_text_is_read_no_further_than_is_shown(file):
    assert len(preview.text_of(file("x" * (MAX_TEXT + 1)))) == MAX_TEXT


# --- Markdown ---------------------------------------------------------------------------------------------------------


def images(text):
    """How many images a CommonMark reader would load."""
    tokens = MarkdownIt("commonmark").parse(text)
    return sum(child.type == "image" for token in tokens for child in token.children or ())


IMAGES = [
    "![x](http://example.org/x.png)",
    "![](http://example.org/x.png 'title')",
    "![x][ref]\n\n[ref]: http://example.org/x.png",
    "![ref][]\n\n[ref]: http://example.org/x.png",
    "![ref]\n\n[ref]: http://example.org/x.png",
    "[![x](http://example.org/x.png)](http://example.org)",
    "![a ![b](http://example.org/b.png) c](http://example.org/a.png)",
    "!![x](http://example.org/x.png)",
    "\\\\![x](http://example.org/x.png)",
    "> - ![x](<http://example.org/x.png>)",
]


@pytest.mark.parametrize("text", IMAGES)
def test_no_form_of_an_image_stays_active(text):
    assert images(text) > 0
    assert images(preview.markdown_without_images(text)) == 0


@given(st.lists(st.sampled_from(["!", "[", "]", "(", ")", "\\", "x", "[x]: /u", "\n", "&#33;", "`", *IMAGES])))
def test_no_mixture_of_signs_makes_an_image(pieces):
    assert images(preview.markdown_without_images("".join(pieces))) == 0


def test_text_without_images_stays_as_it_is():
    text = "# Notes\n\n[link](http://example.org) costs 5! [sic] `a[0]`\n"
    assert preview.markdown_without_images(text) == text
