"""The alignment against trying every order, and what no permutation may change."""

from collections import Counter
from itertools import permutations

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from evaluator.align import Readings, Search, align
from evaluator.compare import compare, prepare_gold, read_prediction
from evaluator.matching import hall_violator, smallest_perfect_matching
from evaluator.rules import ColumnRule, ColumnType, NumberMode, Rules
from evaluator.tables import Table

KINDS = (
    lambda i: ColumnRule(i, "", ColumnType.TEXT),
    lambda i: ColumnRule(i, "", ColumnType.NUMBER, NumberMode.INTEGER),
    lambda i: ColumnRule(i, "", ColumnType.NUMBER, NumberMode.DECIMAL_PLACES, 1),
    lambda i: ColumnRule(i, "", ColumnType.BOOLEAN),
)
# Read differently by the four rules: 1 and 1.0 are one number and two texts; 1.04 rounds to 1.
CELLS = ("0", "1", "1.0", "1.04", "", "null")
READABLE = {0: CELLS, 1: ("0", "1", "1.0", ""), 2: CELLS, 3: ("0", "1", "")}


@st.composite
def any_pair(draw, max_width=5):
    kinds = draw(st.lists(st.integers(0, 3), min_size=1, max_size=max_width))
    rules = Rules("task_1", draw(st.booleans()), tuple(KINDS[kind](i) for i, kind in enumerate(kinds)))
    row = st.tuples(*[st.sampled_from(READABLE[kind]) for kind in kinds])
    gold = Table(("g",) * len(kinds), tuple(draw(st.lists(row, max_size=4))))
    rows = [list(r) for r in draw(st.permutations(gold.rows))]
    if rows and draw(st.booleans()):
        changed = draw(st.sampled_from(rows))
        changed[draw(st.integers(0, len(kinds) - 1))] = draw(st.sampled_from(CELLS))
    order = draw(st.permutations(range(len(kinds))))
    prediction = Table(("p",) * len(kinds), tuple(tuple(r[j] for j in order) for r in rows))
    return gold, prediction, rules


def by_trying_every_order(readings: Readings, *, ordered: bool) -> tuple[int, ...] | None:
    gold = list(zip(*readings.gold, strict=True))
    for order in permutations(range(len(readings.gold))):
        if not all(readings.fits[readings.kinds[i]][j] for i, j in enumerate(order)):
            continue
        rows = list(zip(*readings.mapped(order), strict=True))
        if rows == gold if ordered else Counter(rows) == Counter(gold):
            return order
    return None


@settings(max_examples=400)
@given(any_pair())
def test_the_mapping_is_the_first_that_trying_every_order_finds(pair):
    gold, prediction, rules = pair
    readings = read_prediction(prepare_gold(gold, rules), prediction)
    found = align(readings, ordered=rules.order_sensitive)
    assert found.mapping == by_trying_every_order(readings, ordered=rules.order_sensitive)


@settings(max_examples=300)
@given(st.integers(2, 5), st.data())
def test_tables_of_zeros_and_ones_need_the_search_and_it_is_right(width, data):
    row = st.tuples(*[st.sampled_from("01")] * width)
    gold = Table(("g",) * width, tuple(data.draw(st.lists(row, min_size=3, max_size=7))))
    order = data.draw(st.permutations(range(width)))
    rows = [list(r) for r in gold.rows]
    if data.draw(st.booleans()):  # move a one within its column: every column keeps its values
        column = data.draw(st.integers(0, width - 1))
        one, other = data.draw(st.permutations(range(len(rows))))[:2]
        rows[one][column], rows[other][column] = rows[other][column], rows[one][column]
    prediction = Table(("p",) * width, tuple(tuple(r[j] for j in order) for r in rows))
    rules = Rules("task_1", False, tuple(KINDS[0](i) for i in range(width)))
    readings = read_prediction(prepare_gold(gold, rules), prediction)
    assert align(readings, ordered=False).mapping == by_trying_every_order(readings, ordered=False)


def test_a_spent_budget_is_undecided_not_wrong():
    # Two triangles against one ring of six: every column has the same values, refinement must choose.
    ring = [(k, (k + 1) % 6) for k in range(6)]
    triangles = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)]
    one, other = ([[str(int(k in edge)) for edge in edges] for k in range(6)] for edges in (ring, triangles))
    readings = Readings(one, [0] * 6, [[True] * 6], lambda _, j: other[j])
    assert align(readings, ordered=False).search is Search.NONE
    assert align(readings, ordered=False, steps=100).search is Search.UNDECIDED


@given(any_pair(), st.randoms(use_true_random=False))
def test_moving_columns_and_unordered_rows_never_changes_the_outcome(pair, random):
    gold, prediction, rules = pair
    order = random.sample(range(len(gold.header)), len(gold.header))
    rows = list(prediction.rows) if rules.order_sensitive else random.sample(prediction.rows, len(prediction.rows))
    moved = Table(prediction.header, tuple(tuple(row[j] for j in order) for row in rows))
    one, other = compare(gold, prediction, rules), compare(gold, moved, rules)
    assert (one.passed, one.error_code) == (other.passed, other.error_code)


@given(any_pair(), st.data())
def test_a_new_value_in_one_cell_never_passes(pair, data):
    gold, _, rules = pair
    assume(gold.rows)
    rows = [list(row) for row in gold.rows]
    row, column = data.draw(st.integers(0, len(rows) - 1)), data.draw(st.integers(0, len(gold.header) - 1))
    assume(rules.columns[column].type is not ColumnType.BOOLEAN)
    rows[row][column] = "777"
    assert not compare(gold, Table(gold.header, tuple(map(tuple, rows))), rules).passed


@given(any_pair())
def test_gold_passes_against_itself_with_every_column_in_its_place(pair):
    gold, _, rules = pair
    assert compare(gold, gold, rules).column_mapping == tuple(range(len(gold.header)))


@st.composite
def any_graph(draw):
    size = draw(st.integers(1, 6))
    return [sorted(draw(st.sets(st.integers(0, size - 1)))) for _ in range(size)]


@given(any_graph())
def test_the_smallest_matching_is_the_first_permutation_within_the_graph(graph):
    orders = permutations(range(len(graph)))
    first = next((list(order) for order in orders if all(j in graph[i] for i, j in enumerate(order))), None)
    assert smallest_perfect_matching(graph) == first


@given(any_graph())
def test_without_a_matching_some_columns_have_too_few_candidates(graph):
    violator = hall_violator(graph)
    assert (violator is None) is (smallest_perfect_matching(graph) is not None)
    if violator is not None:
        left, right = violator
        assert len(right) < len(left)
        assert set().union(*(graph[i] for i in left)) == set(right)
