"""The contract of a criterion, and figures that were computed by hand."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from treekit_bhattacharyya import Bhattacharyya

import treekit
from treekit.testing import contract_tests_for

test_contract = contract_tests_for("treekit_bhattacharyya")

RECIPE = Path(__file__).parents[1] / "bhattacharyya.toml"


def score(*branches: list[float]) -> float:
    """The score of a split whose branches hold these class weights."""
    stats = np.array([[sum(classes), *classes] for classes in branches])
    nothing = np.zeros(len(stats))
    return float(Bhattacharyya().score(stats.sum(axis=0), stats, nothing[0], nothing))


@pytest.mark.parametrize(
    ("branches", "overlap"),
    [
        # Of 10 and 20 rows: shares 0.8 and 0.2 against 0.2 and 0.8: 2 sqrt(0.16)
        ([[8, 4], [2, 16]], 0.8),
        # Three branches: shares 0.5, 0.5, 0 against 0, 0.5, 0.5
        ([[1, 0], [1, 2], [0, 2]], 0.5),
        # Three classes, 4 rows each: every one against the rest.
        # First: 1, 0 against 0.25, 0.75: sqrt 0.25. Second: 0.5, 0.5 against 0.5, 0.5: 1.
        # Third: 0, 1 against 0.75, 0.25: sqrt 0.25.
        ([[4, 2, 0], [0, 2, 4]], 0.5),
        # The same shares in both branches tell nothing.
        ([[1, 3], [2, 6]], 1.0),
        # One class alone cannot be told from another.
        ([[5, 0], [2, 0]], 1.0),
        # A perfect split has no overlap; it counts as the least.
        ([[3, 0], [0, 7]], 1e-15),
        # Three classes: the first against the other two is perfect.
        ([[4, 0, 0], [0, 5, 6]], 1e-15),
    ],
)
def test_the_distance_is_that_found_by_hand(branches: list[list[float]], overlap: float) -> None:
    assert score(*branches) == pytest.approx(-math.log(overlap), abs=1e-12)


def test_the_weight_of_a_class_changes_nothing() -> None:
    assert score([8, 400], [2, 1600]) == pytest.approx(score([8, 4], [2, 16]))


def test_the_example_recipe_grows_a_tree() -> None:
    model = treekit.fit(RECIPE, "tennis", set={"tree.stop.1.split": 2, "tree.stop.1.branch": 1})
    assert model.recipe["tree"]["criterion"] == {"use": "bhattacharyya"}
    assert model.versions["treekit-bhattacharyya"] == "0.1.0"
    assert model.n_leaves > 1
