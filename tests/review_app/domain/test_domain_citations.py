"""Locators of citations: text that people read and links that open the place are the same thing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_app.domain.citations import (
    Lines,
    Moment,
    PdfPage,
    Pointer,
    Query,
    Rows,
    Words,
    read,
    result_digest,
    written,
)

names = st.text(max_size=12)
counts = st.integers(0, 10**11)
locators = st.one_of(
    st.builds(Rows, counts, counts, names, names),
    st.builds(PdfPage, st.integers(0, 10**8), names),
    st.builds(Lines, counts, counts),
    st.builds(Pointer, names),
    st.builds(Moment, st.integers(0, 9999 * 36000)),
    st.builds(Query, names, counts, st.sampled_from(["", "0123456789ab"])),
)


@given(locators)
def test_what_was_written_is_read_as_the_same_place(locator):
    assert read(written(locator)) == locator


@given(st.text(max_size=30))
def test_any_text_is_a_locator_and_stays_as_it_is(text):
    assert written(read(text)) == text


@pytest.mark.parametrize(
    ("text", "locator"),
    [
        ("row 12", Rows(12, 12)),
        ('table "fund", rows 3-9, column "规模"', Rows(3, 9, "fund", "规模")),
        ('page 4, "net assets"', PdfPage(4, "net assets")),
        ("lines 10-14", Lines(10, 14)),
        ('value "/funds/0/size"', Pointer("/funds/0/size")),
        ("00:01:03.2", Moment(632)),
        ('query "SELECT 1", 1 rows', Query("SELECT 1", 1)),
        ('query "SELECT 1", 1 rows, result 0123456789ab', Query("SELECT 1", 1, "0123456789ab")),
        ("third table, near the end", Words("third table, near the end")),
        ("row 007", Words("row 007")),
        ('page 4, "open', Words('page 4, "open')),
    ],
)
def test_known_forms_open_their_place_and_others_are_words(text, locator):
    assert read(text) == locator


def test_a_results_digest_depends_on_names_cells_and_their_order():
    results = [
        (("a", "b"), (("1", "2"), ("3", None))),
        (("a", "c"), (("1", "2"), ("3", None))),
        (("a", "b"), (("3", None), ("1", "2"))),
        (("a", "b"), (("1", "2"), ("3", ""))),
    ]
    assert len({result_digest(*result) for result in results}) == 4
