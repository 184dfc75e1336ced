"""The Bayesian signed-rank test agrees with baycomp, but for the luck of the draw."""

from __future__ import annotations

import time

import numpy as np
import pytest

from tests.statistics.demsar import TABLE
from treekit.statistics.bayes import drawn_weights, probabilities

CASES = {
    "demsar": (TABLE[:, 1] - TABLE[:, 0], 0.01),
    "small differences": (np.random.default_rng(1).normal(0.0, 0.01, 20), 0.01),
    "clearly better": (np.random.default_rng(2).normal(0.05, 0.02, 12), 0.01),
    "worse": (np.random.default_rng(3).normal(-0.02, 0.03, 8), 0.005),
    "nothing is equal": (np.random.default_rng(4).normal(0.01, 0.02, 10), 0.0),
}


@pytest.mark.parametrize("case", CASES)
def test_baycomp_agrees(case):
    from baycomp import SignedRankTest

    gained, rope = CASES[case]
    # Their first is "left", where the second is less.
    told = SignedRankTest.probs(gained, np.zeros(len(gained)), rope, random_state=0)
    theirs = (told[0], told[1] if rope else 0.0, told[-1])
    ours = probabilities(gained, drawn_weights(len(gained), 50_000, 1), rope)
    assert ours == pytest.approx(theirs, abs=0.012)  # 4 standard errors of two such shares


def test_turned_round_the_probabilities_change_places():
    gained = CASES["small differences"][0]
    weights = drawn_weights(20, 10_000)
    there, back = (probabilities(sign * gained, weights, 0.01) for sign in (1, -1))
    assert there == pytest.approx(back[::-1])
    assert sum(there) == pytest.approx(1)


def test_no_difference_is_equal_and_without_a_region_even():
    weights = drawn_weights(6, 1_000)
    assert probabilities(np.zeros(6), weights, 0.01) == (0.0, 1.0, 0.0)
    assert probabilities(np.zeros(6), weights, 0.0) == (0.5, 0.0, 0.5)


def test_the_same_seed_draws_the_same():
    assert (drawn_weights(5, 100, 3) == drawn_weights(5, 100, 3)).all()
    assert (drawn_weights(5, 100, 3) != drawn_weights(5, 100, 4)).any()


def test_fifty_thousand_draws_on_twenty_data_sets_take_a_second_at_most():
    seconds = []
    for _ in range(3):  # others may be at work here
        begin = time.perf_counter()
        probabilities(CASES["small differences"][0], drawn_weights(20, 50_000), 0.01)
        seconds.append(time.perf_counter() - begin)
    assert min(seconds) < 1.0
