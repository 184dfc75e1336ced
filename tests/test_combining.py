"""How the answers of many trees become one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treekit.classes import softmax
from treekit.combining import Combination, combined, weighted_median

SAID = [np.array([[0.9, 0.1], [0.4, 0.6]]), np.array([[0.2, 0.8], [0.3, 0.7]])]


@pytest.mark.parametrize(
    ("how", "answers"),
    [
        (Combination((1.0, 1.0)), [[1.1, 0.9], [0.7, 1.3]]),
        (Combination((0.75, 0.25)), [[0.725, 0.275], [0.375, 0.625]]),
        (Combination((1.0, 1.0), base=(1.0, 0.0)), [[2.1, 0.9], [1.7, 1.3]]),
        (Combination((2.0, 1.0), "vote"), [[2.0, 1.0], [0.0, 3.0]]),
    ],
)
def test_shares_are_added_up_by_weight_and_votes_too(how, answers):
    assert combined(how, SAID, 2, 2).tolist() == pytest.approx(np.array(answers))


def test_each_number_is_added_to_the_score_of_its_tree_s_class():
    how = Combination((0.5, 1.0, 1.0), "softmax", (0.0, 0.0, 1.0), (0, 1, 0))
    said = [np.array([[2.0]]), np.array([[-1.0]]), np.array([[0.25]])]
    assert combined(how, said, 1, 3) == pytest.approx(softmax(np.array([[1.25, -1.0, 1.0]])))


def test_of_two_classes_one_score_is_logistic():
    how = Combination((1.0,), "softmax", (0.0, 0.3), (1,))
    found = combined(how, [np.array([[0.4]])], 1, 2)
    assert found[0, 1] == pytest.approx(1 / (1 + np.exp(-0.7)))


def test_scores_beyond_what_exp_can_hold_are_shares_all_the_same():
    assert softmax(np.array([[1e308, 0.0], [-1e308, 0.0]])).tolist() == [[1.0, 0.0], [0.0, 1.0]]


@pytest.mark.parametrize(
    ("numbers", "weights", "median"),
    [
        ([3.0, 1.0, 2.0], (1.0, 1.0, 1.0), 2.0),
        ([3.0, 1.0, 2.0], (5.0, 1.0, 1.0), 3.0),
        ([1.0, 2.0], (1.0, 1.0), 1.0),
        ([7.0], (0.0,), 7.0),
    ],
)
def test_the_weighted_median_has_half_the_weight_at_or_below_it(numbers, weights, median):
    how = Combination(weights, "weighted_median")
    assert combined(how, [np.array([[n]]) for n in numbers], 1, 1).tolist() == [[median]]


@given(st.lists(st.tuples(st.integers(-5, 5), st.floats(0.125, 10)), min_size=1, max_size=9))
def test_half_the_weight_lies_on_either_side_of_the_weighted_median(pairs):
    numbers, weights = np.array([pairs]).T.reshape(2, -1)
    median = weighted_median(numbers[None], tuple(weights))[0]
    half = weights.sum() / 2
    assert weights[numbers <= median].sum() >= half * (1 - 1e-9)
    assert weights[numbers >= median].sum() >= half * (1 - 1e-9)
