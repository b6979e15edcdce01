from hypothesis import given
from hypothesis import strategies as st

from pipeline.stages.route import Modality, route
from pipeline.stages.shape import Shape, shape_of

CELLS = st.none() | st.text(max_size=3) | st.integers() | st.floats() | st.binary(max_size=2)
SHAPES = st.integers(1, 3).flatmap(
    lambda n: st.lists(st.tuples(*[CELLS] * n), max_size=4).map(lambda r: shape_of(r, n))
)


def plain(rows=10, **changes):
    fields = {"rows": rows, "columns": 3, "longest": 9, "text_cells": rows, "mixed": 0}
    flags = ("has_bytes", "has_infinite", "has_control", "has_broken_text", "has_null", "has_empty_text")
    return Shape(**{**fields, **dict.fromkeys(flags, False), **changes})


def modalities(shapes, seed=0):
    return {decision.table: decision.modality for decision in route(shapes, {}, seed)}


@given(st.dictionaries(st.text(max_size=4), SHAPES, max_size=9), st.integers(0, 3))
def test_each_table_gets_one_place_that_can_hold_it_and_a_reason(shapes, seed):
    routes = route(shapes, {}, seed)
    assert [decision.table for decision in routes] == list(shapes)
    for decision in routes:
        shape = shapes[decision.table]
        assert decision.reason
        assert decision.modality is Modality.SQLITE or not (shape.has_bytes or shape.has_infinite)
        assert decision.modality is not Modality.MARKDOWN or not (shape.has_control or shape.mixed)
    assert routes == route(shapes, {}, seed)


@given(st.lists(st.integers(0, 300), min_size=4, max_size=12), st.integers(0, 5))
def test_four_plain_tables_use_all_four_modalities(rows, seed):
    shapes = {f"t{n}": plain(count) for n, count in enumerate(rows)}
    assert set(modalities(shapes, seed).values()) == set(Modality)


def test_the_only_short_table_becomes_markdown():
    shapes = {"a": plain(9000), "b": plain(9000), "c": plain(12), "d": plain(9000)}
    assert modalities(shapes)["c"] is Modality.MARKDOWN


def test_bytes_lie_in_sqlite_and_long_tables_not_in_markdown():
    assert modalities({"a": plain(has_bytes=True)}) == {"a": Modality.SQLITE}
    assert Modality.MARKDOWN not in modalities({"a": plain(401), "b": plain(401)}).values()
    assert modalities({"a": plain(columns=1, has_null=True)})["a"] not in {Modality.CSV, Modality.MARKDOWN}
