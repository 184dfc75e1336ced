"""Figures that need no data set: impurities and gains of class counts and of numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from treekit_builtin.impurities import Entropy, Gini, Misclassification, Variance

from .figures import Printed, counts, gain_of, numbers

ENTROPIES = [
    ((1,) * 52, "5.700"),
    ((13,) * 4, "2"),
    ((0, 6), "0"),
    ((1, 5), "0.65"),
    ((2, 4), "0.92"),
    ((3, 5, 2), "1.485"),
    ((3, 4), "0.985"),
    ((14, 16), "0.996"),
    ((13, 4), "0.787"),
    ((1, 12), "0.391"),
]
GINIS = [
    ((0, 6), 0.0),
    ((1, 5), Printed("0.278")),
    ((2, 4), Printed("0.444")),
    ((3, 3), 0.5),
    ((4, 3, 3), pytest.approx(0.66)),
]
MISCLASSIFICATIONS = [((0, 6), 0.0), ((1, 5), 1 / 6), ((2, 4), 1 / 3)]

CLASS_IMPURITIES = [
    (Entropy(), lambda k: math.log2(k)),
    (Gini(), lambda k: 1 - 1 / k),
    (Misclassification(), lambda k: 1 - 1 / k),
]


@pytest.mark.parametrize(("classes", "printed"), ENTROPIES)
def test_entropy_of_class_counts(classes: tuple[int, ...], printed: str) -> None:
    assert Entropy().impurity(counts(*classes)) == Printed(printed)


@pytest.mark.parametrize(("classes", "expected"), GINIS)
def test_gini_of_class_counts(classes: tuple[int, ...], expected: object) -> None:
    assert float(Gini().impurity(counts(*classes))) == expected


@pytest.mark.parametrize(("classes", "expected"), MISCLASSIFICATIONS)
def test_misclassification_of_class_counts(classes: tuple[int, ...], expected: float) -> None:
    assert Misclassification().impurity(counts(*classes)) == pytest.approx(expected)


@pytest.mark.parametrize(("impurity", "maximum"), CLASS_IMPURITIES)
@pytest.mark.parametrize("k", [2, 3, 4, 10, 52])
def test_evenly_spread_classes_have_the_greatest_impurity(impurity, maximum, k) -> None:  # type: ignore[no-untyped-def]
    assert impurity.impurity(counts(*[7] * k)) == pytest.approx(maximum(k))


@pytest.mark.parametrize(("impurity", "maximum"), CLASS_IMPURITIES)
@given(classes=st.lists(st.integers(0, 1000), min_size=2, max_size=8).filter(any))
def test_no_class_counts_exceed_the_maximum(impurity, maximum, classes) -> None:  # type: ignore[no-untyped-def]
    value = float(impurity.impurity(counts(*classes)))
    assert -1e-12 <= value <= maximum(len(classes)) + 1e-12


@pytest.mark.parametrize(
    ("column", "parent", "branches", "left"),
    [
        ("size", (3, 4), [(1, 1), (2, 3)], "0.98"),
        ("colour", (4, 3), [(4, 0), (0, 3)], "0"),
    ],
)
def test_remainder_of_the_seven_fruits(column, parent, branches, left) -> None:  # type: ignore[no-untyped-def]
    taken = gain_of(counts(*parent), np.array([counts(*b) for b in branches]))
    assert Entropy().impurity(counts(*parent)) - taken == Printed(left), column


def test_gain_of_a_split_into_two() -> None:
    branches = np.array([counts(13, 4), counts(1, 12)])
    assert gain_of(counts(14, 16), branches) == Printed("0.38")


@pytest.mark.parametrize(
    ("targets", "expected"),
    [((1, 2, 3, 4), 5 / 3), ((2, 4, 4, 4, 5, 5, 7, 9), 32 / 7), ((3, 3, 3), 0.0), ((10, 20), 50.0)],
)
def test_variance_divides_by_one_less_than_the_rows(
    targets: tuple[float, ...], expected: float
) -> None:
    assert Variance(ddof=1).impurity(numbers(*targets)) == pytest.approx(expected, abs=1e-12)


def test_the_best_split_of_numbers_leaves_the_least_variance_by_size() -> None:
    targets = (1.0, 2.0, 3.0, 10.0, 12.0)
    variance = Variance(ddof=1)
    parent = numbers(*targets)
    cuts = range(2, 4)
    pairs = [np.array([numbers(*targets[:i]), numbers(*targets[i:])]) for i in cuts]
    left = [float(pair[:, 0] @ variance.impurity(pair)) / 5 for pair in pairs]
    gains = [gain_of(parent, pair, variance) for pair in pairs]
    assert left == pytest.approx([(2 * 0.5 + 3 * 67 / 3) / 5, (3 * 1 + 2 * 2) / 5])
    assert gains == pytest.approx([float(variance.impurity(parent)) - each for each in left])
    assert int(np.argmax(gains)) == int(np.argmin(left)) == 1
