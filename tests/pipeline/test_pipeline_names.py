import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.names import file_stems, is_safe_component, normalised_sql, sibling_key, slug

ANY_NAME = st.text(max_size=400)


@given(ANY_NAME)
def test_a_slug_is_one_plain_part_of_a_path(name):
    stem = slug(name)
    assert is_safe_component(stem) and len(stem.encode()) <= 120 and not stem.startswith(".")


@given(st.sets(ANY_NAME | st.sampled_from(["a", "A", "ａ", "a_2", "A_2", "../a", "a/"]), max_size=12))
def test_stems_differ_even_where_case_does_not_count(names):
    stems = file_stems(names)
    assert set(stems) == names
    assert len({stem.casefold() for stem in stems.values()}) == len(names)


def test_chinese_names_are_kept():
    assert file_stems(["电视频道", "grün", "../x", "x"]) == {
        "电视频道": "电视频道",
        "grün": "grün",
        "../x": "x",
        "x": "x_2",
    }


@pytest.mark.parametrize("name", ["", ".", "..", "../x", "a/b", "a\\b", "C:x", "a\0b", "a\nb", "x" * 300, "\ud800"])
def test_a_name_that_leads_elsewhere_is_unsafe(name):
    assert not is_safe_component(name)


@pytest.mark.parametrize(
    "sql",
    [
        "select  Name\nFROM t WHERE a = 'X y';",
        "SELECT name from T where A = 'X y'",
        " select name from t where a = 'X y' ",
    ],
)
def test_siblings_have_the_same_sql_up_to_case_and_blanks(sql):
    assert normalised_sql(sql) == "select name from t where a = 'X y'"


def test_literals_and_databases_tell_siblings_apart():
    keys = {sibling_key(None, db, f"SELECT '{x}'") for db in "ab" for x in ("x", "X", "x ")}
    assert len(keys) == 6
    assert sibling_key("pair-7", "a", "SELECT 1") == "pair-7"
