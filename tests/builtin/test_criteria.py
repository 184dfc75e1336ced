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
from scipy.stats import ks_2samp
from treekit_builtin.criteria import (
    ChiSquared,
    Gain,
    GainRatio,
    GStatistic,
    Hellinger,
    KolmogorovSmirnov,
    MdlGain,
    NormalisedGain,
    Twoing,
    WeightedImpurity,
)
from treekit_builtin.impurities import Gini, Variance

from tests.worked.figures import branch_stats, counts, split_info
from treekit import fit, load_dataset

from .splits import score, score_stats, tables

# The fourteen days, and the classes (no, yes) of the branches of three of their columns.
OUTLOOK = [(3, 2), (0, 4), (2, 3)]
HUMIDITY = [(4, 3), (1, 6)]
WIND = [(2, 6), (3, 3)]


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
        # of 10 and 20 rows: shares 0.8 and 0.2 against 0.2 and 0.8, 2 * (0.8 - 2 * 0.4 + 0.2)
        (Hellinger(), [(8, 4), (2, 16)], 0.4**0.5),
        # shares 0.5, 0.5, 0 against 0, 0.5, 0.5
        (Hellinger(), [(1, 0), (1, 2), (0, 2)], 1.0),
        (Hellinger(), [(3, 0), (0, 0), (0, 7)], 2.0**0.5),
        # the first of three classes against the others: 1, 0 against 0.25, 0.75
        (Hellinger(), [(4, 2, 0), (0, 2, 4)], 1.0),
        (Hellinger(), [(1, 3), (2, 6)], 0.0),
        (Hellinger(), [(10, 0), (4, 0)], 0.0),
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


@pytest.mark.parametrize("criterion", [Hellinger(), KolmogorovSmirnov()])
@given(table=tables(classes=2), times=st.integers(2, 50))
def test_a_distance_does_not_change_with_the_weight_of_a_class(
    criterion: Any, table: list[list[int]], times: int
) -> None:
    heavier = [(a * times, b) for a, b in table]
    assert score(criterion, heavier) == pytest.approx(score(criterion, table), abs=1e-7)


@given(tables(classes=2))
def test_the_squared_hellinger_distance_is_two_less_twice_the_overlap(
    table: list[list[int]],
) -> None:
    share = np.array(table) / np.sum(table, axis=0)
    overlap = np.sqrt(share.prod(axis=1)).sum()
    assert score(Hellinger(), table) ** 2 == pytest.approx(2 - 2 * overlap, abs=1e-12)


@given(tables())
def test_hellinger_takes_the_class_that_is_farthest_from_the_rest(table: list[list[int]]) -> None:
    whole = [sum(row) for row in table]
    each = [
        score(
            Hellinger(), [(row[c], total - row[c]) for row, total in zip(table, whole, strict=True)]
        )
        for c in range(len(table[0]))
    ]
    assert score(Hellinger(), table) == pytest.approx(max(each), abs=1e-7)


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


# --- in a recipe ---------------------------------------------------------------------------------

NO_IMPURITY = [
    "chi_squared",
    "g_statistic",
    "hellinger",
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
