"""The corrected resampled t-test is that of Nadeau and Bengio 2003, on any folds."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from treekit.comparing import Bootstrap, CrossValidation, FixedTest, HoldOut, LeaveOneOut, compare
from treekit.statistics.counting import paired_folds
from treekit.statistics.resampled import (
    PairedFolds,
    corrected_t,
    pairs_on,
    unfit,
    variance_factor,
)


def folds(values: np.ndarray, learned: float = 90, tested: float = 10) -> PairedFolds:
    n, k = values.shape
    names = tuple("abcdef"[:k])
    return PairedFolds("d", names, values, np.full(n, learned), np.full(n, tested))


@pytest.mark.parametrize("runs", [1, 3])
def test_baycomp_s_correlated_t_test_has_the_same_tails(runs):
    """With a flat prior the posterior's tail is half of p (Corani and Benavoli 2015)."""
    from baycomp import CorrelatedTTest

    values = np.random.default_rng(runs).normal(0.7, 0.05, (10 * runs, 2))
    (pair,) = pairs_on(folds(values), 0.05)
    left, right = CorrelatedTTest.probs(values[:, 1], values[:, 0], runs=runs)
    assert pair.p == pytest.approx(2 * min(left, right))
    posterior = CorrelatedTTest(values[:, 1], values[:, 0], runs=runs)
    interval = stats.t.interval(0.95, posterior.df, posterior.mean, math.sqrt(posterior.var))
    assert (pair.low, pair.high) == pytest.approx(interval)
    assert pair.degrees == 10 * runs - 1


def test_without_a_correction_it_would_be_the_plain_t_test():
    values = np.random.default_rng(0).normal(0.7, 0.05, (15, 2))
    theirs = stats.ttest_rel(values[:, 0], values[:, 1])
    *_, t, degrees, p = corrected_t(values[:, 0] - values[:, 1], 1 / 15, 0.05)
    assert (t, degrees, p) == pytest.approx((theirs.statistic, theirs.df, theirs.pvalue))


def test_pairs_of_a_data_set_are_adjusted_together():
    values = np.random.default_rng(5).normal([0.7, 0.72, 0.8], 0.02, (10, 3))
    pairs = pairs_on(folds(values), 0.05)
    assert [(p.first, p.second) for p in pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    least = min(pairs, key=lambda pair: pair.p)
    assert least.holm == pytest.approx(3 * least.p)


@pytest.mark.parametrize(("second", "t", "p"), [(0.7, 0.0, 1.0), (0.6, math.inf, None)])
def test_folds_that_all_differ_alike_have_no_spread(second, t, p):
    values = np.column_stack([np.full(4, 0.1 + 0.6), np.full(4, second)])
    (pair,) = pairs_on(folds(values), 0.05)
    assert (pair.t, pair.p) == (t, p)
    assert (pair.low, pair.high) == ((0.0, 0.0) if p else (None, None))


def test_what_cannot_be_tested_makes_the_other_tests_no_easier():
    values = np.random.default_rng(5).normal([0.7, 0.72, 0.8], 0.02, (10, 3))
    values[:, 1] = values[:, 0] + 0.125
    alike, *others = pairs_on(folds(values), 0.05)
    assert (alike.p, alike.holm) == (None, None)
    least = min(others, key=lambda pair: pair.p)
    assert least.holm == pytest.approx(min(3 * least.p, 1.0))


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (folds(np.zeros((1, 2))), "a single fold"),
        (folds(np.zeros((5, 2)), 0, 0), "sizes of the folds are not known"),
        (folds(np.zeros((5, 2)), 4, 1), "leaving one row out"),
    ],
)
def test_where_it_does_not_apply_that_is_told(one, said):
    assert said in unfit(one)
    assert pairs_on(one, 0.05) == ()


@pytest.mark.parametrize(
    ("how", "factor"),
    [
        (CrossValidation(7, 2), 1 / 14 + 2 / 12),
        (HoldOut(0.5, 6), 1 / 6 + 7 / 7),
        (Bootstrap(12), None),
    ],
)
def test_the_sizes_are_those_of_the_folds(how, factor):
    found = compare(["id3", "stump"], "tennis", resampling=how)
    here = paired_folds(found, "accuracy", "tennis", found.contenders)
    assert (here.n_learned + here.n_tested == 14).all()
    expected = factor or 1 / 12 + here.n_tested.sum() / (14 * 12 - here.n_tested.sum())
    assert variance_factor(here) == pytest.approx(expected)
    assert not unfit(here)


@pytest.mark.parametrize(("how", "data"), [(LeaveOneOut(), "tennis"), (FixedTest(), "mammals")])
def test_one_row_or_one_fold_is_no_ground_for_a_test(how, data):
    found = compare(["id3", "stump"], data, resampling=how)
    assert unfit(paired_folds(found, "accuracy", data, found.contenders))


def test_sizes_are_known_of_what_the_results_file_holds(tmp_path):
    for _ in range(2):
        found = compare(["id3"], "tennis", resampling=HoldOut(0.5, 2), store=tmp_path / "r")
        assert {(o.n_learned, o.n_tested) for o in found.outcomes} == {(7, 7)}


def test_contenders_of_equal_worth_are_seldom_told_apart():
    """On five repeats of ten folds a plain t-test finds a difference in two of five samples."""
    rng = np.random.default_rng(0)
    plain = corrected = 0
    for _ in range(100):
        apart = equal_worth(rng)
        plain += corrected_t(apart, 1 / 50, 0.05)[-1] < 0.05
        corrected += corrected_t(apart, 1 / 50 + 1 / 9, 0.05)[-1] < 0.05
    assert plain > 25
    assert corrected < 10


def equal_worth(rng: np.random.Generator) -> np.ndarray:
    """Cuts halfway between the classes' means, on one column or on another that is as good."""
    y = rng.integers(0, 2, 200)
    x = rng.normal(size=(200, 2)) + 0.7 * y[:, None]
    found = []
    for _ in range(5):
        dealt = rng.permutation(200) % 10
        for k in range(10):
            learned, tested = dealt != k, dealt == k
            cuts = sum(x[learned & (y == c)].mean(axis=0) for c in (0, 1)) / 2
            first, second = ((x[tested] > cuts) == y[tested, None]).mean(axis=0)
            found.append(first - second)
    return np.array(found)
