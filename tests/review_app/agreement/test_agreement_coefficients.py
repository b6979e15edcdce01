"""Coefficients and intervals against numbers that others published."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa
from statsmodels.stats.tests import test_inter_rater as published

from review_app.agreement.coefficients import cohen_kappa, gwet_ac1, krippendorff_alpha, raw_agreement
from review_app.agreement.intervals import bootstrap, share

# Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), example C: four observers, twelve units.
EXAMPLE_C = [
    ["1", "1", None, "1"],
    ["2", "2", "3", "2"],
    ["3", "3", "3", "3"],
    ["3", "3", "3", "3"],
    ["2", "2", "2", "2"],
    ["1", "2", "3", "4"],
    ["4", "4", "4", "4"],
    ["1", "1", "2", "1"],
    ["2", "2", "2", "2"],
    [None, "5", "5", "5"],
    [None, None, "1", "1"],
    [None, "3", None, None],
]


def table(both, first, second, neither):
    """Two raters and two categories, as counts of the four pairs."""
    return [("yes", "yes")] * both + [("yes", "no")] * first + [("no", "yes")] * second + [("no", "no")] * neither


@pytest.mark.parametrize(
    ("metric", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_alpha_is_that_of_krippendorff_2011_example_c(metric, alpha):
    assert krippendorff_alpha(EXAMPLE_C, metric).value == pytest.approx(alpha, abs=5e-4)


def test_ac1_is_that_of_gwets_paradox_where_kappa_fails():
    pairs = table(118, 5, 2, 0)
    assert raw_agreement(pairs).value == pytest.approx(0.944)
    assert cohen_kappa(pairs).value == pytest.approx(-0.0234, abs=5e-5)
    assert gwet_ac1(pairs, ("yes", "no")).value == pytest.approx(0.9408, abs=5e-5)


@pytest.mark.parametrize(
    ("counts", "kappa"),
    [((20, 5, 10, 15), 0.40), ((45, 15, 25, 15), 0.1304), ((25, 35, 5, 35), 0.2593)],
)
def test_kappa_is_that_of_the_examples_that_cite_cohen(counts, kappa):
    assert cohen_kappa(table(*counts)).value == pytest.approx(kappa, abs=5e-5)


def test_fleiss_1971_is_reproduced_by_the_library_that_kappa_comes_from():
    counts, _ = aggregate_raters(np.asarray(published.diagnoses))
    assert fleiss_kappa(counts) == pytest.approx(0.430, abs=5e-4)


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_is_that_of_newcombe_1998(count, total, low, high):
    found = share(count, total)
    assert (found.low, found.high) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


def test_nothing_has_no_share():
    assert share(0, 0).value is None


@pytest.mark.parametrize("coefficient", [cohen_kappa, krippendorff_alpha, lambda units: gwet_ac1(units, ("yes",))])
def test_one_category_says_undefined_with_the_raw_agreement(coefficient):
    found = coefficient(table(7, 0, 0, 0))
    assert (found.value, found.why) == (None, "undefined, raw agreement 100 %")


@pytest.mark.parametrize("units", [[], [("yes", None)], [(None, None)]])
def test_nothing_judged_twice_is_undefined_and_no_error(units):
    for found in (raw_agreement(units), cohen_kappa(units), gwet_ac1(units, ("a", "b")), krippendorff_alpha(units)):
        assert found.value is None
        assert found.why.startswith("undefined")


ratings = st.lists(st.tuples(*[st.sampled_from(["a", "b", "c", None])] * 2), min_size=1, max_size=30)


@given(ratings)
def test_coefficients_are_at_most_one_and_symmetric(units):
    swapped = [(second, first) for first, second in units]
    for coefficient in (cohen_kappa, krippendorff_alpha, lambda one: gwet_ac1(one, "abc")):
        there, back = coefficient(units).value, coefficient(swapped).value
        assert (there is None) is (back is None)
        if there is not None:
            assert there == pytest.approx(back)
            assert there <= 1 + 1e-12


@given(st.lists(st.sampled_from(["a", "b", "c"]), min_size=2, max_size=20).filter(lambda names: len(set(names)) > 1))
def test_full_agreement_is_one(names):
    units = [(name, name) for name in names]
    for coefficient in (cohen_kappa, krippendorff_alpha, lambda one: gwet_ac1(one, "abc")):
        assert coefficient(units).value == pytest.approx(1)


@given(st.lists(st.booleans(), min_size=2, max_size=12), st.integers(0, 9))
def test_a_bootstrap_interval_holds_the_share_and_depends_on_the_seed_alone(tasks, seed):
    values = np.array(tasks, dtype=float)
    one, again = (bootstrap(len(tasks), lambda places: float(values[places].mean()), seed, 200) for _ in range(2))
    assert one == again
    assert one.low <= values.mean() <= one.high


def test_a_statistic_that_is_mostly_undefined_has_no_interval():
    found = bootstrap(3, lambda places: None, 0, 50)
    assert (found.low, found.high) == (None, None)


@given(ratings)
def test_units_may_be_given_with_their_counts(units):
    counted = dict(Counter(units))
    for coefficient in (raw_agreement, cohen_kappa, krippendorff_alpha, lambda one: gwet_ac1(one, "abc")):
        assert coefficient(counted) == coefficient(units)
