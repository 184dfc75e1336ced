"""Two contenders over data sets: Wilcoxon, Holm, effect sizes and intervals as others have them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.statistics.demsar import NAMES, TABLE
from treekit.statistics.adjusting import holm
from treekit.statistics.bayes import drawn_weights
from treekit.statistics.differences import differences
from treekit.statistics.pairs import (
    data_needed,
    pairs_of,
    rank_biserial,
    smallest_p,
    t_interval,
    wilcoxon,
)

DEMSAR = differences(TABLE[:, 1], TABLE[:, 0])  # C4.5+m less C4.5: his Table 2


def test_rank_sums_are_those_of_demsar_2006():
    from scipy.stats import wilcoxon as theirs

    # R+ 93 and R- 12, where the ranks of no difference are dealt out to both sides.
    assert theirs(DEMSAR, zero_method="zsplit").statistic == 12
    assert rank_biserial(DEMSAR) == pytest.approx((93 - 12) / (93 + 12))
    assert wilcoxon(DEMSAR) < 0.05  # the critical value of 14 data sets is 21


small = st.lists(st.integers(-6, 6), min_size=2, max_size=10)


@pytest.mark.parametrize(
    "apart",
    [
        [1, 2],
        [3, 3, 3, -1],
        [0, 0, 0, 5],
        [0, 0, 1, 2, -2, 3, 4, -1, 5],
        [-1, -1, 2, 2, 4, 4, -6, 0],
        [5, 5, 5, 5, 5, 5, -1, 0],
        [1, -1, 2, -2],
    ],
)
@pytest.mark.parametrize("zeros", ["pratt", "zsplit"])
def test_p_is_that_of_all_ways_to_deal_out_the_signs(apart, zeros):
    """Counted out, whichever way no difference is dealt with in scipy."""
    from scipy.stats import PermutationMethod
    from scipy.stats import wilcoxon as theirs

    values = np.array(apart, float)
    every = PermutationMethod(n_resamples=2**10)
    counted = theirs(values, zero_method=zeros, method=every).pvalue
    assert wilcoxon(values) == pytest.approx(counted)


def test_no_difference_at_all_is_no_ground_to_reject():
    assert wilcoxon(np.zeros(9)) == 1.0


@pytest.mark.parametrize("n", [6, 20, 50])
def test_p_without_ties_is_scipy_s_exact_one(n):
    from scipy.stats import wilcoxon as theirs

    values = np.random.default_rng(n).normal(0.3, 1, n)
    assert wilcoxon(values) == pytest.approx(theirs(values, method="exact").pvalue, rel=1e-9)


def test_exact_and_normal_p_meet_where_one_takes_over():
    values = np.random.default_rng(1).normal(0.1, 1, 201).round(1)
    assert wilcoxon(values) == pytest.approx(wilcoxon(values[:200]), rel=0.2)
    assert 0.0 < wilcoxon(values) < 1.0


@given(small)
def test_pairs_are_symmetric(apart):
    values = np.array(apart, float)
    assert wilcoxon(values) == pytest.approx(wilcoxon(-values))
    assert rank_biserial(values) == pytest.approx(-rank_biserial(-values))
    assert -1 <= rank_biserial(values) <= 1
    low, high = t_interval(values, 0.05)
    assert t_interval(-values, 0.05) == pytest.approx((-high, -low))


@pytest.mark.parametrize(("values", "effect"), [([1, 2, 3], 1), ([-1, -2], -1), ([0, 0], 0)])
def test_the_effect_is_one_where_the_first_is_always_greater(values, effect):
    assert rank_biserial(np.array(values, float)) == effect


def test_the_effect_is_the_share_of_ranks_for_less_those_against():
    # Kerby 2014 counts every mean of two (Walsh averages): the ranks' sums do the same.
    values = np.array([0.5, -0.2, 0.9, 0.4, -0.7])
    means = [(a + b) / 2 for a, b in itertools.combinations_with_replacement(values, 2)]
    assert rank_biserial(values) == pytest.approx(np.sign(means).mean())


def test_the_interval_is_scipy_s():
    from scipy.stats import ttest_rel

    theirs = ttest_rel(TABLE[:, 1], TABLE[:, 0]).confidence_interval(0.9)
    assert t_interval(DEMSAR, 0.1) == pytest.approx((theirs.low, theirs.high))


probabilities = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@pytest.mark.parametrize("m", [1, 2, 6, 45])
def test_holm_is_that_of_statsmodels(m):
    from statsmodels.stats.multitest import multipletests

    p = np.random.default_rng(m).uniform(0, 0.1, m).round(2)
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1].tolist())


@given(probabilities)
def test_holm_lessens_no_p_and_keeps_the_order(p):
    ours = holm(p)
    assert all(a >= b for a, b in zip(ours, p, strict=True))
    assert all(x <= y for x, y in itertools.pairwise(ours[i] for i in np.argsort(p, kind="stable")))


@pytest.mark.parametrize(("pairs", "alpha", "needed"), [(1, 0.05, 6), (6, 0.05, 8), (1, 0.1, 5)])
def test_how_many_data_sets_wilcoxon_needs(pairs, alpha, needed):
    assert data_needed(pairs, alpha) == needed
    assert wilcoxon(np.arange(1.0, needed + 1)) == smallest_p(needed)
    assert pairs * smallest_p(needed) < alpha <= pairs * smallest_p(needed - 1)


@pytest.mark.parametrize("greater", [True, False])
def test_better_and_wins_go_by_what_is_better_and_differences_by_what_is_greater(greater):
    values = np.array([[0.9, 0.5], [0.8, 0.5], [0.7, 0.7], [0.9, 0.6], [0.4, 0.5]])
    weights = drawn_weights(5, 2_000)
    (pair,) = pairs_of(
        ("a", "b"), values, greater_is_better=greater, alpha=0.05, rope=0.01, weights=weights
    )
    assert pair.difference == pytest.approx(0.18)
    assert pair.effect > 0
    assert (pair.wins, pair.ties, pair.losses) == ((3, 1, 1) if greater else (1, 1, 3))
    assert (pair.better > pair.worse) == greater
    assert pair.nemenyi is None
    assert pair.holm == pair.p


def test_pairs_of_demsar_s_contenders_are_adjusted_for_all_six():
    from statsmodels.stats.multitest import multipletests

    pairs = pairs_of(NAMES, TABLE, greater_is_better=True, alpha=0.05, rope=0.01, weights=None)
    assert [(p.first, p.second) for p in pairs] == list(itertools.combinations(NAMES, 2))
    adjusted = multipletests([p.p for p in pairs], method="holm")[1]
    assert [p.holm for p in pairs] == pytest.approx(adjusted.tolist())
    assert all(p.better is None and 0 < p.nemenyi <= 1 for p in pairs)


def test_differences_that_are_equal_are_ties():
    first, second = np.array([0.3, 0.9, 0.6]), np.array([0.1, 0.7, 0.4])
    assert len(set(first - second)) > 1
    assert set(differences(first, second)) == {0.2}
    assert differences(np.array([0.1 + 0.2]), np.array([0.3])).tolist() == [0.0]
