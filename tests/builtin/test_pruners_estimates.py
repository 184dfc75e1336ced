"""C4.5's estimate of a leaf's errors."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from treekit_builtin.pruners.estimates import added_errors, estimated_errors, squared_deviate

from treekit.tree import SPREAD, STAY, single_leaf

from .naive import nested, random_table, random_tree


@pytest.mark.parametrize(
    ("confidence", "z"),
    [(0.001, 3.09), (0.01, 2.33), (0.10, 1.28), (0.25, 0.6925), (0.30, 0.545), (1.0, 0.0)],
)
def test_deviates_are_read_off_the_table_by_interpolation(confidence: float, z: float) -> None:
    assert squared_deviate(confidence) == pytest.approx(z * z, rel=1e-12)


@pytest.mark.parametrize("weight", [0.5, 1.0, 2.0, 6.0, 9.0, 1000.0])
def test_no_error_seen_adds_the_exact_binomial_limit(weight: float) -> None:
    found = added_errors(weight, 0.0, 0.25, squared_deviate(0.25))
    assert found == pytest.approx(weight * (1 - 0.25 ** (1 / weight)), rel=1e-12)


@pytest.mark.parametrize(
    ("weight", "errors", "added"),
    [
        (16.0, 1.0, 1.506893958386),
        (6.0, 0.0, 1.237796844095),
        (2.0, 1.6, 0.67 * 0.4),
        (0.0, 0.0, 0.0),
    ],
)
def test_the_added_errors_of_worked_cases(weight: float, errors: float, added: float) -> None:
    found = added_errors(weight, errors, 0.25, squared_deviate(0.25))
    assert found == pytest.approx(added, rel=1e-11)


@given(weight=st.floats(4.0, 1e4), share=st.floats(0.3, 0.8), confidence=st.floats(0.01, 0.9))
def test_one_error_or_more_adds_up_to_the_normal_limit(
    weight: float, share: float, confidence: float
) -> None:
    """The limit p is where N (p - f)^2 = z^2 p (1 - p), f being the errors and a half by N."""
    errors = share * weight
    assume(1.0 <= errors < weight - 0.6)
    square = squared_deviate(confidence)
    p = (errors + added_errors(weight, errors, confidence, square)) / weight
    f = (errors + 0.5) / weight
    assert p >= f
    assert weight * (p - f) ** 2 == pytest.approx(square * p * (1 - p), rel=1e-6, abs=1e-9)


def test_less_than_one_error_is_interpolated_between_none_and_one() -> None:
    square = squared_deviate(0.25)
    none, half, one = (added_errors(6.0, e, 0.25, square) for e in (0.0, 0.5, 1.0))
    assert half == pytest.approx((none + one) / 2, rel=1e-12)


@given(
    weight=st.floats(2.0, 1e5),
    share=st.floats(0.0, 0.9),
    low=st.floats(0.001, 0.5),
    more=st.floats(0.0, 0.4),
)
def test_more_confidence_in_the_leaf_never_adds_more_errors(
    weight: float, share: float, low: float, more: float
) -> None:
    errors = share * weight
    high = low + more
    added = [added_errors(weight, errors, c, squared_deviate(c)) for c in (low, high)]
    assert added[1] <= added[0] + 1e-9 * weight


def test_the_textbook_leaves_of_the_voting_tree() -> None:
    """Quinlan 1993, section 4.2: leaves 6/0, 9/0 and 1/0 add 6*0.206, 9*0.143 and 1*0.750."""
    counts = (6, 9, 1)
    found = [added_errors(float(n), 0.0, 0.25, squared_deviate(0.25)) / n for n in counts]
    assert [round(share, 3) for share in found] == [0.206, 0.143, 0.750]


def test_a_leaf_is_estimated_from_its_statistics() -> None:
    tree = single_leaf(np.array([16.0, 15.0, 1.0]), 16, "alone")
    assert estimated_errors(tree, 0.25)[0] == pytest.approx(2.506893958386, rel=1e-11)


@pytest.mark.parametrize("seed", range(5))
def test_a_subtrees_estimate_is_the_sum_of_its_leaves(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, random_table(rng, 80), unknowns=(SPREAD,))
    found = estimated_errors(tree, 0.25)
    assert found[0] == pytest.approx(found[tree.is_leaf].sum(), rel=1e-9)


def test_rows_that_stay_are_estimated_as_a_leaf_of_their_own() -> None:
    rng = np.random.default_rng(3)
    tree = random_tree(rng, random_table(rng, 60, missing=0.3), depth=1, unknowns=(STAY,))
    root = nested(tree)
    staying = [a - sum(c.stats[i] for c in root.children) for i, a in enumerate(root.stats)]
    assert staying[0] > 0
    wrong = staying[0] - staying[1 + int(np.argmax(root.stats[1:]))]
    own = wrong + added_errors(staying[0], wrong, 0.25, squared_deviate(0.25))
    found = estimated_errors(tree, 0.25)
    assert found[0] == pytest.approx(own + found[1:].sum(), rel=1e-9)
    assert math.isfinite(own)
