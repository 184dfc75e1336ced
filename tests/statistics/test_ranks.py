"""Ranks, Friedman's and Nemenyi's tests are as published, and as others compute them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.statistics.demsar import NAMES, TABLE
from treekit.statistics.ranks import critical_difference, friedman, groups_of, nemenyi, ranked

DEMSAR = ranked(TABLE, True)


def test_mean_ranks_are_those_of_demsar_2006():
    assert DEMSAR.mean(axis=0).round(3).tolist() == [3.143, 2.0, 2.893, 1.964]


def test_friedman_s_statistic_and_f_are_those_of_demsar_2006():
    found = friedman(DEMSAR, ties=False)
    assert (round(found.chi_squared, 2), round(found.f, 2)) == (9.28, 3.69)
    assert found.degrees == (3, 39)
    assert found.p < 0.05  # its critical value is 2.85


@pytest.mark.parametrize(
    ("k", "n", "alpha", "published"),
    [
        (4, 14, 0.05, 1.25),  # his example
        (4, 14, 0.05, 2.569 * math.sqrt(20 / 84)),  # the q of his Table 5, here and below
        (4, 14, 0.10, 2.291 * math.sqrt(20 / 84)),
        (2, 6, 0.05, 1.960 * math.sqrt(6 / 36)),
        (10, 6, 0.05, 3.164 * math.sqrt(110 / 36)),
        (5, 30, 0.10, 2.459 * math.sqrt(30 / 180)),
    ],
)
def test_the_critical_difference_is_that_of_demsar_2006(k, n, alpha, published):
    assert critical_difference(k, n, alpha) == pytest.approx(published, abs=0.005)


def test_groups_of_demsar_s_contenders():
    means = dict(zip(NAMES, DEMSAR.mean(axis=0), strict=True))
    best_first = ("C4.5+m+cf", "C4.5+m", "C4.5+cf", "C4.5")
    # He tells none of these apart at 0.05; at 0.10 C4.5 is worse than both with m.
    assert groups_of(means, critical_difference(4, 14, 0.05)) == (best_first,)
    assert groups_of(means, critical_difference(4, 14, 0.10)) == (best_first[:3], best_first[2:])


@pytest.mark.parametrize(
    ("difference", "groups"),
    [(0.4, ()), (0.5, (("a", "b"),)), (1.5, (("a", "b"), ("b", "c"))), (2.0, (("a", "b", "c"),))],
)
def test_groups_are_as_large_as_they_can_be_and_none_is_in_another(difference, groups):
    assert groups_of({"c": 3.0, "a": 1.0, "b": 1.5}, difference) == groups


@pytest.fixture(scope="module")
def example():
    """The example of autorank's own documentation."""
    import pandas as pd

    drawn = np.random.RandomState(42)
    means = [0.2, 0.3, 0.5, 0.8, 0.85, 0.9]
    columns = {f"pop_{i}": drawn.normal(m, 0.3, 50).clip(0, 1) for i, m in enumerate(means)}
    return pd.DataFrame(columns)


def test_autorank_agrees_on_its_own_example(example):
    from autorank import autorank

    theirs = autorank(example, alpha=0.05, force_mode="nonparametric")
    ranks = ranked(example.to_numpy(), True)
    ours = dict(zip(example.columns, ranks.mean(axis=0), strict=True))
    assert theirs.omnibus == "friedman"
    assert ours == pytest.approx(theirs.rankdf["meanrank"].to_dict())
    assert friedman(ranks).p_chi_squared == pytest.approx(theirs.pvalue, rel=1e-9)
    assert critical_difference(6, 50, 0.05) == pytest.approx(theirs.cd, rel=1e-3)


@pytest.mark.parametrize(("n", "k", "tied"), [(5, 3, False), (12, 4, True), (30, 7, True)])
def test_nemenyi_s_p_is_that_of_scikit_posthocs(n, k, tied):
    import scikit_posthocs

    values = np.random.default_rng(n).normal(size=(n, k))
    values = values.round(1) if tied else values
    theirs = scikit_posthocs.posthoc_nemenyi_friedman(values).to_numpy()
    ours = nemenyi(ranked(values, True).mean(axis=0), n)
    assert ours == pytest.approx(theirs, abs=1e-6)


@pytest.mark.parametrize(("n", "k", "tied"), [(4, 3, False), (10, 5, True), (25, 4, True)])
def test_f_with_ties_is_that_of_an_analysis_of_variance_of_the_ranks(n, k, tied):
    """Conover and Iman 1981: the two-way analysis of variance, done on ranks."""
    import pandas as pd
    from scipy.stats import friedmanchisquare
    from statsmodels.stats.anova import AnovaRM

    values = np.random.default_rng(k).normal(size=(n, k))
    values = values.round(0) if tied else values
    ranks = ranked(values, False)
    rows = [(d, c, ranks[d, c]) for d in range(n) for c in range(k)]
    frame = pd.DataFrame(rows, columns=["data", "contender", "rank"])
    theirs = AnovaRM(frame, "rank", "data", ["contender"]).fit().anova_table
    found = friedman(ranks)
    assert found.f == pytest.approx(theirs["F Value"].iloc[0])
    assert found.p == pytest.approx(theirs["Pr > F"].iloc[0])
    chi_squared, p = friedmanchisquare(*values.T)
    assert (found.chi_squared, found.p_chi_squared) == pytest.approx((chi_squared, p))


def test_where_all_are_equal_nothing_differs():
    found = friedman(ranked(np.ones((4, 3)), True))
    assert (found.chi_squared, found.f, found.p) == (0.0, 0.0, 1.0)


@pytest.mark.parametrize(("n", "k"), [(2, 3), (3, 3), (4, 5)])
def test_p_of_rankings_that_all_agree_is_the_share_of_those_that_do(n, k):
    found = friedman(ranked(np.tile(np.arange(float(k)), (n, 1)), True))
    assert found.f == math.inf
    assert found.p == pytest.approx(math.factorial(k) ** -(n - 1))


tables = st.integers(2, 6).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 4), min_size=k, max_size=k), min_size=2, max_size=8)
)


@given(tables)
def test_ranks_sum_up_and_turn_round_where_less_is_better(table):
    values = np.array(table, float) / 7
    n, k = values.shape
    up, down = ranked(values, True), ranked(values, False)
    assert up.sum(axis=1).tolist() == [k * (k + 1) / 2] * n
    assert (up + down == k + 1).all()


def test_the_last_bits_of_a_mean_rank_nobody():
    assert ranked(np.array([[0.1 + 0.2, 0.3, 0.31]]), True).tolist() == [[2.5, 2.5, 1.0]]
