"""Tests of independence as criteria: statistics, p-values and their correction."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.special import gammaln, log_ndtr, logsumexp
from scipy.stats import chi2, chi2_contingency, f, f_oneway
from treekit_builtin.criteria import ChiSquared, FTest, Gain, GStatistic
from treekit_builtin.criteria.p_values import log_adjusted, log_chi_squared, log_f
from treekit_builtin.impurities import Entropy, Variance

from treekit import Floats, fit
from treekit.testing.samples import random_offers

from .splits import score, score_stats, tables

RATIO = "log-likelihood"
TESTS = [(ChiSquared, "pearson"), (GStatistic, RATIO)]


@pytest.mark.parametrize(("criterion", "name"), TESTS)
@settings(deadline=None)
@given(table=tables())
def test_statistic_and_p_value_are_those_of_scipy(criterion, name, table) -> None:  # type: ignore[no-untyped-def]
    expected = chi2_contingency(table, correction=False, lambda_=name)
    statistic, p_value = (score(criterion(value=v), table) for v in ("statistic", "p_value"))
    assert statistic == pytest.approx(expected.statistic, abs=1e-9)
    assert p_value == pytest.approx(-math.log10(expected.pvalue), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("criterion", [c for c, _ in TESTS])
@settings(deadline=None)
@given(table=tables())
def test_empty_branches_and_absent_classes_are_no_freedom(criterion, table) -> None:  # type: ignore[no-untyped-def]
    wider = [[*row, 0] for row in table] + [[0] * (len(table[0]) + 1)]
    expected = score(criterion(value="p_value"), table)
    assert score(criterion(value="p_value"), wider) == pytest.approx(expected, abs=1e-12)


@given(tables())
def test_g_is_twice_the_weight_times_the_gain_in_nats(table: list[list[int]]) -> None:
    nats = score(Gain(), table, Entropy(base=math.e))
    assert score(GStatistic(), table) == pytest.approx(2 * np.sum(table) * nats, abs=1e-8)


STATISTICS = np.array([0.0, 0.3, 5.0, 100.0, 1200.0, 1280.0, 1300.0, 1e4, 1e6, 1e9])


@pytest.mark.parametrize("freedom", [2, 4, 6, 10, 40, 200])
def test_the_log_of_a_p_value_never_underflows_with_even_freedom(freedom: int) -> None:
    # exp(-x) * sum of x^i / i! for i < freedom / 2, at half the statistic
    i, half = np.arange(freedom // 2), STATISTICS[1:, None] / 2
    expected = logsumexp(i * np.log(half) - gammaln(i + 1), axis=1) - half[:, 0]
    found = log_chi_squared(STATISTICS[1:], np.full(len(expected), float(freedom)))
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)


def test_the_log_of_a_p_value_never_underflows_with_one_degree_of_freedom() -> None:
    expected = math.log(2) + log_ndtr(-np.sqrt(STATISTICS))
    found = log_chi_squared(STATISTICS, np.ones(len(STATISTICS)))
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)


def test_the_log_of_a_p_value_is_scipys_where_scipy_has_one() -> None:
    statistic, freedom = np.meshgrid(np.linspace(0.0, 1000.0, 201), np.arange(1.0, 40.0, 2.0))
    expected = chi2.logsf(statistic, freedom)
    np.testing.assert_allclose(
        log_chi_squared(statistic, freedom), expected, rtol=1e-12, atol=1e-14
    )


@given(st.floats(0.0, 3e3), st.floats(0.0, 10.0), st.integers(1, 30))
def test_a_greater_statistic_never_has_a_greater_p_value(x: float, more: float, df: int) -> None:
    found = log_chi_squared(np.array([x, x + more]), np.full(2, float(df)))
    assert found[1] <= found[0] + 1e-9


def test_many_branches_that_tell_little_win_by_statistic_and_lose_by_p_value() -> None:
    by_key = [(1, 0)] * 6 + [(0, 1)] * 6
    by_hand = [(6, 1), (0, 5)]
    assert score(ChiSquared(), by_key) > score(ChiSquared(), by_hand)
    p_value = ChiSquared(value="p_value")
    assert score(p_value, by_key) < score(p_value, by_hand)


@pytest.mark.parametrize("criterion", [ChiSquared, GStatistic])
def test_the_value_is_one_of_two_words(criterion: Any) -> None:
    with pytest.raises(ValueError, match="'value' must be in"):
        criterion(value="p")


# --- numbers -------------------------------------------------------------------------------------

GROUPS = st.lists(
    st.lists(st.integers(-20, 20).map(float), min_size=1, max_size=8), min_size=2, max_size=4
)


def number_stats(groups: list[list[float]]) -> Floats:
    """[k, 3]: the statistics of branches that hold these numbers."""
    return np.array([[len(g), np.sum(g), np.square(g).sum()] for g in groups])


def f_test(groups: list[list[float]], **parameters: Any) -> float:
    return float(score_stats(FTest(**parameters), number_stats(groups), Variance()))


@pytest.mark.parametrize(
    ("groups", "statistic"),
    [
        # means 2 and 5 about 3.5: 6 * 1.5^2 = 13.5 between, 2 + 2 = 4 within: 13.5 / (4 / 4)
        ([[1, 2, 3], [4, 5, 6]], 13.5),
        # means 1, 2, 3: 2 * (1 + 0 + 1) = 4 between, 6 * 0.25 within: (4 / 2) / (1.5 / 3)
        ([[0.5, 1.5], [1.5, 2.5], [2.5, 3.5]], 4.0),
        # as many branches as rows: nothing is left to judge by
        ([[1], [2], [9]], 0.0),
        ([[3, 3], [3, 3]], 0.0),
    ],
)
def test_f_is_that_found_by_hand(groups: list[list[float]], statistic: float) -> None:
    assert f_test(groups) == pytest.approx(statistic, abs=1e-12)


@settings(deadline=None)
@given(GROUPS)
def test_f_and_its_p_value_are_those_of_scipy(groups: list[list[float]]) -> None:
    within = sum(float(np.var(g)) for g in groups)
    assume(sum(map(len, groups)) > len(groups) and within > 0.0)
    statistic = max(f_oneway(*groups).statistic, 0.0)  # rounding takes it below 0
    assert f_test(groups) == pytest.approx(statistic, rel=1e-8, abs=1e-8)
    freedom = len(groups) - 1, sum(map(len, groups)) - len(groups)
    p_value = f_test(groups, value="p_value")
    assert p_value == pytest.approx(-f.logsf(statistic, *freedom) / math.log(10), abs=1e-7)


def test_an_empty_branch_is_no_freedom() -> None:
    groups = [[1.0, 2.0, 4.0], [3.0, 9.0]]
    assert f_test([*groups, []]) == pytest.approx(f_test(groups))


def test_the_log_of_an_f_tests_p_value_is_scipys_where_scipy_has_one() -> None:
    between, within = np.meshgrid([1.0, 2.0, 7.0, 40.0], [1.0, 3.0, 20.0, 400.0])
    for statistic in (0.0, 0.5, 2.0, 10.0, 300.0):
        left = 1.0 / (1.0 + statistic * between / within)
        expected = f.logsf(statistic, between, within)
        np.testing.assert_allclose(log_f(left, between, within), expected, rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize("left", [0.9, 0.5, 1e-3, 1e-12])
@pytest.mark.parametrize("within", [2e4, 1e5, 1e7])
def test_the_log_of_an_f_tests_p_value_never_underflows(left: float, within: float) -> None:
    # With 2 degrees of freedom between, p = left^(within / 2).
    found = log_f(np.array(left), np.array(2.0), np.array(within))
    assert found == pytest.approx(within / 2 * math.log(left), rel=1e-12)


# --- correction ----------------------------------------------------------------------------------


@pytest.mark.parametrize("criterion", [ChiSquared, GStatistic, FTest])
def test_bonferroni_multiplies_the_p_value_by_the_tests_tried(criterion: Any) -> None:
    offers = random_offers()
    offers.tries[:] = np.arange(1, 6) ** 2
    found = criterion(value="p_value", bonferroni=True).review(offers, None).score
    offered = np.isfinite(offers.score)
    p_value = 10.0 ** -offers.score[offered]
    times = np.broadcast_to(offers.tries, offers.score.shape)[offered]
    np.testing.assert_allclose(10.0 ** -found[offered], p_value * times)
    assert (found[~offered] == -np.inf).all()


@pytest.mark.parametrize("criterion", [ChiSquared, GStatistic, FTest])
def test_without_bonferroni_nothing_is_multiplied(criterion: Any) -> None:
    offers = random_offers()
    assert criterion(value="p_value").review(offers, None) is offers


@pytest.mark.parametrize("criterion", [ChiSquared, GStatistic, FTest])
def test_a_statistic_cannot_be_corrected(criterion: Any) -> None:
    with pytest.raises(ValueError, match="'bonferroni' corrects p-values"):
        criterion(bonferroni=True)


def test_bonferroni_keeps_a_column_with_many_cuts_from_winning_by_their_number() -> None:
    # The best of 39 cuts leaves 17 and 4, 3 and 16; the one division leaves 16 and 4, 4 and 16.
    classes = "bbbb" + 17 * "a" + 16 * "b" + "aaa"
    level = "ssss" + 16 * "s" + "t" + 16 * "t" + "ttt"
    data = pd.DataFrame({"many": range(40), "once": list(level), "y": list(classes)})
    roots = []
    for bonferroni in (False, True):
        criterion = {"use": "chi_squared", "value": "p_value", "bonferroni": bonferroni}
        model = fit("cart", data, target="y", set={"tree.criterion": criterion})
        roots.append(model.schema.columns[model.trees[0].column[0]].name)
    assert roots == ["many", "once"]


@given(st.floats(-50.0, 0.0), st.integers(1, 1000))
def test_the_least_of_several_p_values_is_adjusted(log_p: float, tests: int) -> None:
    p = math.exp(log_p)
    found = math.exp(float(log_adjusted(np.array(log_p), np.array(tests))))
    assert found <= min(1.0, tests * p) * (1 + 1e-9)
    assert found == pytest.approx(-math.expm1(tests * math.log1p(-p)) if p < 1 else 1.0, rel=1e-9)


def test_an_adjusted_p_value_never_underflows() -> None:
    found = log_adjusted(np.array([-1e6, -100.0]), np.array([7, 7]))
    np.testing.assert_allclose(found, np.array([-1e6, -100.0]) + math.log(7))
