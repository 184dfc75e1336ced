"""Weka's AdaBoostM1 gives the same answers, fold by fold.

Weka 3.6.14 was run on ten folds of ten data sets: `weka.classifiers.meta.AdaBoostM1 -I 50 -W
weka.classifiers.trees.DecisionStump`. How many rows of each fold it answered right is written down
here; `WEKA_JAR=weka.jar python -m benchmarks adaboost` runs it again.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from treekit_builtin.ensembles.rounds import TOO_WEAK

from treekit import Model, Table, load_recipe, read_table
from treekit.fitting import fit_table
from treekit.folds import stratified_folds

FOLDER = Path(__file__).parents[3] / "shared" / "data"
RIGHT = {
    "weka-iris": (15, 13, 14, 14, 14, 14, 15, 14, 15, 15),
    "weka-glass": (10, 10, 10, 10, 9, 9, 10, 9, 10, 9),
    "weka-diabetes": (61, 58, 54, 57, 59, 65, 57, 54, 60, 48),
    "weka-ionosphere": (35, 32, 32, 32, 34, 30, 30, 33, 35, 32),
    "sonar": (19, 15, 13, 16, 18, 18, 16, 18, 18, 17),
    "vehicle": (32, 28, 35, 32, 35, 35, 35, 37, 33, 33),
    "heart-c": (24, 23, 28, 25, 26, 28, 26, 25, 21, 23),
    "hepatitis": (14, 14, 11, 13, 9, 13, 12, 14, 12, 14),
    "weka-vote": (37, 43, 42, 42, 42, 41, 42, 42, 43, 43),
    "tic-tac-toe": (75, 79, 78, 77, 72, 79, 79, 80, 83, 78),
}
# "No boosting possible, one classifier used!": the first stump errs on more than half of the rows.
UNBOOSTED = ("weka-glass", "vehicle")
# Weka's stump goes by entropy, asks for one level, and has a branch for unknown values.
STUMP = {
    "tree.impurity": "entropy",
    "tree.splitter.nominal": "one_vs_rest",
    "tree.missing": "own_branch",
}
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the data are not beside the checkout")


def folds(name: str) -> list[tuple[Table, Table]]:
    """What is learned from and what is asked, in each of ten folds."""
    table = read_table(FOLDER / f"{name}.csv", schema=FOLDER / f"{name}.schema.json")
    dealt = stratified_folds(table.y, 10, np.random.default_rng(0))
    return [(table.take(dealt != k), table.take(dealt == k)) for k in range(10)]


def boosted(seen: Table) -> Model:
    return fit_table(load_recipe("adaboost_m1", {"ensemble.rounds": 50, **STUMP}), seen)


@pytest.mark.slow
@pytest.mark.parametrize("name", RIGHT)
def test_as_many_rows_of_every_fold_are_right(name: str) -> None:
    found = [
        int((boosted(seen).answered(asked).said == asked.y).sum()) for seen, asked in folds(name)
    ]
    assert found == list(RIGHT[name])


@pytest.mark.parametrize("name", UNBOOSTED)
def test_where_weka_cannot_boost_m1_stops_at_the_first_tree(name: str) -> None:
    for seen, _ in folds(name):
        assert boosted(seen).facts == {TOO_WEAK: 1.0}
