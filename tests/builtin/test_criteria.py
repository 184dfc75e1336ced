"""Figures and laws of the criteria beyond gain."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.special import gammaln, log_ndtr, logsumexp
from scipy.stats import chi2, chi2_contingency, ks_2samp
from treekit_builtin.criteria import (
    ChiSquared,
    Gain,
    GainRatio,
    GStatistic,
    KolmogorovSmirnov,
    MdlGain,
    NormalisedGain,
    Twoing,
    WeightedImpurity,
)
from treekit_builtin.criteria.independence import log_p_value
from treekit_builtin.impurities import Entropy, Gini, Variance

from tests.worked.figures import branch_stats, counts, split_info
from treekit import Floats, fit, load_dataset

# The fourteen days, and the classes (no, yes) of the branches of three of their columns.
OUTLOOK = [(3, 2), (0, 4), (2, 3)]
HUMIDITY = [(4, 3), (1, 6)]
WIND = [(2, 6), (3, 3)]


def score(criterion: Any, branches: Any, impurity: Any = None) -> float:
    """The score of a split into branches with these class counts."""
    stats = np.array([counts(*branch) for branch in branches])
    return float(score_stats(criterion, stats, impurity or Entropy()))


def score_stats(criterion: Any, stats: Floats, impurity: Any) -> Floats:
    parent = stats.sum(axis=-2)
    before, after = impurity.impurity(parent), impurity.impurity(stats)
    return np.asarray(criterion.score(parent, stats, before, after))


def tables(classes: int = 5, branches: int = 5) -> st.SearchStrategy[list[list[int]]]:
    """Class counts of two branches or more, none and no class without rows."""
    sizes = st.tuples(st.integers(2, branches), st.integers(2, classes))
    return sizes.flatmap(
        lambda size: st.lists(
            st.lists(st.integers(0, 30), min_size=size[1], max_size=size[1]).filter(any),
            min_size=size[0],
            max_size=size[0],
        )
    ).filter(lambda table: all(map(any, zip(*table, strict=True))))


@pytest.mark.parametrize(
    ("criterion", "branches", "expected"),
    [
        # 0.940286 bits before; 0.246750, 0.151836 and 0.048127 gained (Quinlan 1986, section 4)
        (WeightedImpurity(), OUTLOOK, -0.693536),
        (WeightedImpurity(), HUMIDITY, -0.788450),
        (WeightedImpurity(), [(0, 4), (0, 0), (5, 0)], 0.0),
        # gain over the joint entropy, the split information and what is left of the classes'
        (NormalisedGain(), OUTLOOK, 0.2467498 / (1.5774063 + 0.6935361)),
        (NormalisedGain(), HUMIDITY, 0.1518355 / (1.0 + 0.7884505)),
        (NormalisedGain(), [(7, 0), (0, 5), (0, 0)], 1.0),
        (NormalisedGain(), [(1, 3), (2, 6)], 0.0),
        (NormalisedGain(), [(7, 0), (0, 0)], 0.0),
        # 1/2 * 1/2 / 4 * (3/7 + 3/7)^2
        (Twoing(), HUMIDITY, 9 / 196),
        (Twoing(), [(5, 0, 0), (0, 5, 0)], 0.25),
        (Twoing(), [(2, 1, 1), (0, 1, 3)], 1 / 16),
        # one of two superclasses in each branch, perfectly
        (Twoing(), [(3, 3, 0, 0), (0, 0, 3, 3)], 0.25),
        (Twoing(), [(4, 0), (0, 0), (0, 4)], 0.25),
        # 14 * (9/(5*5) + 4/(9*5) + 16/(9*4) + 4/(5*5) + 9/(9*5)) - 14
        (ChiSquared(), OUTLOOK, 3.546667),
        (ChiSquared(), HUMIDITY, 2.8),
        (ChiSquared(), [(4, 0), (0, 0), (0, 6)], 10.0),
        (ChiSquared(), [(10, 0), (4, 0)], 0.0),
        (GStatistic(), OUTLOOK, 2 * 14 * math.log(2) * 0.2467498),
        (GStatistic(), [(4, 0), (0, 4)], 16 * math.log(2)),
        (GStatistic(), [(10, 0), (4, 0)], 0.0),
        # 2 degrees of freedom: p = exp(-x / 2)
        (ChiSquared(value="p_value"), OUTLOOK, 3.546667 / 2 / math.log(10)),
        (GStatistic(value="p_value"), OUTLOOK, 14 * math.log10(2) * 0.2467498),
        (ChiSquared(value="p_value"), [(10, 0), (4, 0)], 0.0),
        (ChiSquared(value="p_value"), [(4, 0), (0, 0), (0, 6)], -math.log10(0.00156540)),
        # |4/5 - 3/9|
        (KolmogorovSmirnov(), HUMIDITY, 7 / 15),
        # (|3/5 - 2/9| + |0 - 4/9| + |2/5 - 3/9|) / 2
        (KolmogorovSmirnov(), OUTLOOK, 4 / 9),
        (KolmogorovSmirnov(), [(3, 3, 0), (0, 0, 2)], 1.0),
        (KolmogorovSmirnov(), [(10, 0), (4, 0)], 0.0),
        # log2 of 15 * (14 choose 5), less log2 of 6 * 10, of 5 * 1 and of 6 * 10
        (MdlGain(), OUTLOOK, math.log2(15 * 2002 / (60 * 5 * 60)) / 14),
        # less log2 of 8 * 35 and of 8 * 7: the gain does not pay for a second list
        (MdlGain(), HUMIDITY, math.log2(15 * 2002 / (280 * 56)) / 14),
        (MdlGain(), WIND, math.log2(15 * 2002 / (9 * 28 * 7 * 20)) / 14),
        # three classes: (5 choose 2) * 3! lists of three, (3 choose 2) of one
        (MdlGain(), [(1, 0, 0), (0, 1, 0), (0, 0, 1)], math.log2(60 / 27) / 3),
        (MdlGain(), [(4, 0), (0, 0)], 0.0),
    ],
)
def test_score_of_class_counts(criterion: Any, branches: Any, expected: float) -> None:
    assert score(criterion, branches) == pytest.approx(expected, rel=2e-6, abs=1e-12)


@given(tables())
def test_weighted_impurity_is_the_gain_less_the_impurity_before(table: list[list[int]]) -> None:
    before = float(Gini().impurity(np.sum([counts(*row) for row in table], axis=0)))
    found = score(WeightedImpurity(), table, Gini())
    assert found == pytest.approx(score(Gain(), table, Gini()) - before, abs=1e-12)


# --- bits ----------------------------------------------------------------------------------------


@given(tables())
def test_normalised_gain_lies_between_zero_and_one(table: list[list[int]]) -> None:
    assert 0.0 <= score(NormalisedGain(), table) <= 1.0 + 1e-12


@given(tables())
def test_normalised_gain_sees_classes_and_branches_alike(table: list[list[int]]) -> None:
    turned = np.array(table).T
    assert score(NormalisedGain(), turned) == pytest.approx(
        score(NormalisedGain(), table), abs=1e-12
    )


@given(st.lists(st.integers(0, 9), min_size=27, max_size=27).filter(any))
def test_one_minus_the_normalised_gain_is_a_distance(cells: list[int]) -> None:
    cube = np.array(cells).reshape(3, 3, 3)
    pairs = [cube.sum(axis=axis) for axis in range(3)]
    assume(all((pair.any(axis=0).sum() > 1) and (pair.any(axis=1).sum() > 1) for pair in pairs))
    one, two, three = (1.0 - score(NormalisedGain(), pair) for pair in pairs)
    assert one <= two + three + 1e-9


@given(tables())
def test_mdl_gain_is_the_difference_of_two_part_codes(table: list[list[int]]) -> None:
    def bits(list_of_classes: list[int]) -> float:
        n, classes = sum(list_of_classes), len(list_of_classes)
        orders = math.factorial(n) // math.prod(map(math.factorial, list_of_classes))
        return math.log2(math.comb(n + classes - 1, classes - 1)) + math.log2(orders)

    whole = [sum(column) for column in zip(*table, strict=True)]
    saved = bits(whole) - sum(bits(row) for row in table)
    assert score(MdlGain(), table) == pytest.approx(saved / sum(whole), abs=1e-9)


def test_a_split_that_tells_nothing_costs_bits() -> None:
    assert score(MdlGain(), [(20, 20), (20, 20)]) < 0.0


# --- distances -----------------------------------------------------------------------------------


@settings(deadline=None)
@given(tables(classes=6, branches=2))
def test_twoing_is_the_best_gain_of_two_superclasses(table: list[list[int]]) -> None:
    # Breiman et al. 1984, theorem 4.10
    n_classes = len(table[0])
    best = 0.0
    for size in range(1, n_classes):
        for chosen in combinations(range(n_classes), size):
            first = [sum(row[c] for c in chosen) for row in table]
            halves = [(a, sum(row) - a) for a, row in zip(first, table, strict=True)]
            best = max(best, score(Gain(), halves, Gini()) / 2)
    assert score(Twoing(), table) == pytest.approx(best, abs=1e-12)


@given(tables(classes=2))
def test_twoing_of_two_classes_is_half_the_gain_on_gini(table: list[list[int]]) -> None:
    assert score(Twoing(), table) == pytest.approx(score(Gain(), table, Gini()) / 2, abs=1e-12)


@settings(deadline=None)
@given(tables(classes=2, branches=2))
def test_kolmogorov_smirnov_is_the_statistic_of_the_two_samples(table: list[list[int]]) -> None:
    samples = [np.repeat([0, 1], column) for column in zip(*table, strict=True)]
    expected = ks_2samp(*samples, method="asymp").statistic
    assert score(KolmogorovSmirnov(), table) == pytest.approx(expected, abs=1e-12)


@given(tables(classes=2), st.integers(2, 50))
def test_kolmogorov_smirnov_does_not_change_with_the_weight_of_a_class(
    table: list[list[int]], times: int
) -> None:
    heavier = [(a * times, b) for a, b in table]
    expected = score(KolmogorovSmirnov(), table)
    assert score(KolmogorovSmirnov(), heavier) == pytest.approx(expected, abs=1e-12)


@settings(deadline=None)
@given(tables())
def test_kolmogorov_smirnov_is_greatest_over_classes_and_unions_of_branches(
    table: list[list[int]],
) -> None:
    share = np.array(table) / np.sum(table, axis=0)
    rest = np.sum(table, axis=1, keepdims=True) - np.array(table)
    apart = share - rest / rest.sum(axis=0)
    unions = [[(u >> k) & 1 for k in range(len(table))] for u in range(1 << len(table))]
    expected = np.abs(np.array(unions) @ apart).max()
    assert score(KolmogorovSmirnov(), table) == pytest.approx(expected, abs=1e-12)


# --- independence --------------------------------------------------------------------------------

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
    found = log_p_value(STATISTICS[1:], np.full(len(expected), float(freedom)))
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)


def test_the_log_of_a_p_value_never_underflows_with_one_degree_of_freedom() -> None:
    expected = math.log(2) + log_ndtr(-np.sqrt(STATISTICS))
    found = log_p_value(STATISTICS, np.ones(len(STATISTICS)))
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-14)


def test_the_log_of_a_p_value_is_scipys_where_scipy_has_one() -> None:
    statistic, freedom = np.meshgrid(np.linspace(0.0, 1000.0, 201), np.arange(1.0, 40.0, 2.0))
    expected = chi2.logsf(statistic, freedom)
    np.testing.assert_allclose(log_p_value(statistic, freedom), expected, rtol=1e-12, atol=1e-14)


@given(st.floats(0.0, 3e3), st.floats(0.0, 10.0), st.integers(1, 30))
def test_a_greater_statistic_never_has_a_greater_p_value(x: float, more: float, df: int) -> None:
    found = log_p_value(np.array([x, x + more]), np.full(2, float(df)))
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


# --- in a recipe ---------------------------------------------------------------------------------

NO_IMPURITY = [
    "chi_squared",
    "g_statistic",
    "kolmogorov_smirnov",
    "mdl_gain",
    "normalised_gain",
    "twoing",
]


@pytest.mark.parametrize("name", NO_IMPURITY)
def test_a_criterion_that_compares_no_impurities_needs_none(name: str) -> None:
    tree = {"criterion": name, "splitter": {"nominal": "multiway"}, "stop": ["pure", "no_columns"]}
    recipe = {"task": "classification", "tree": {**tree, "label": "majority"}}
    with_entropy = fit("id3", "tennis", set={"tree.criterion": name})
    assert str(fit(recipe, "tennis")) == str(with_entropy)


def test_gini_composes_with_gain_ratio() -> None:
    days = load_dataset("tennis")
    model = fit("id3", "tennis", set={"tree.impurity": "gini", "tree.criterion": "gain_ratio"})
    ratio = {
        column.name: float(score_stats(Gain(), branch_stats(days, column.name), Gini()))
        / split_info(days, column.name)
        for column in days.columns
    }
    root = days.columns[model.trees[0].column[0]].name
    assert root == max(ratio, key=lambda name: ratio[name])
    assert (model.predict(days) == np.array(days.schema.classes)[days.y.astype(int)]).all()


def test_variance_composes_with_gain_ratio() -> None:
    # "coarse" takes less variance away than "fine", but more for each bit of its partition.
    data = pd.DataFrame(
        {
            "fine": list("aabbccdd") * 5,
            "coarse": list("xxxxyyyy") * 5,
            "y": [1.0, 1.2, 1.4, 1.6, 8.0, 8.2, 8.4, 8.6] * 5,
        }
    )
    changes = {"tree.splitter.nominal": "multiway"}
    roots = {}
    for criterion in ("gain", "gain_ratio"):
        model = fit("regression", data, target="y", set={**changes, "tree.criterion": criterion})
        roots[criterion] = model.schema.columns[model.trees[0].column[0]].name
    assert roots == {"gain": "fine", "gain_ratio": "coarse"}


def test_gain_ratio_divides_any_gain_by_the_split_information() -> None:
    assert GainRatio.__dict__["score"] is Gain.__dict__["score"]
    stats = np.array([[4.0, 4.0, 4.0], [4.0, 0.0, 0.0]])
    assert score_stats(GainRatio(), stats, Variance()) == pytest.approx(0.25)
