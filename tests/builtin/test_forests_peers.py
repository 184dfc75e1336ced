"""Forests beside scikit-learn's: importances to the digit where rows are, accuracy within noise."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier

import treekit
from treekit import Table, random_folds, read_table

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
PEERS = {"random_forest": RandomForestClassifier, "extra_trees": ExtraTreesClassifier}
TREES = {"random_forest": 25, "extra_trees": 10}

pytestmark = pytest.mark.skipif(
    not DATA.is_dir(), reason="the data are not beside the checkout (../shared/data)"
)


def table_of(name: str) -> Table:
    return read_table(DATA / f"{name}.csv", schema=DATA / f"{name}.schema.json")


@pytest.mark.parametrize(
    ("recipe", "name"),
    [
        ("random_forest", "sklearn-wine"),
        ("random_forest", "weka-glass"),
        ("random_forest", "sonar"),
        ("extra_trees", "sklearn-wine"),
    ],
)
def test_errors_over_folds_are_scikit_learns_within_noise(recipe: str, name: str) -> None:
    table = table_of(name)
    folds = random_folds(table.n_rows, 5, np.random.default_rng(0))
    ours = np.empty(table.n_rows, dtype=bool)
    theirs = ours.copy()
    for fold in range(5):
        here = folds == fold
        training, test = table.take(~here), table.take(here)
        model = treekit.fit(recipe, training, set={"ensemble.trees": TREES[recipe]}, seed=fold)
        peer = PEERS[recipe](TREES[recipe], max_features="sqrt", random_state=fold)
        peer.fit(training.cells.T, training.y)
        actual = np.array(table.schema.classes, dtype=object)[test.y.astype(int)]
        ours[here] = model.predict(test) != actual
        theirs[here] = peer.predict(test.cells.T) != test.y
    # The difference of the errors of the same rows, and its standard error.
    apart = ours.astype(float) - theirs
    assert abs(apart.mean()) < 3 * apart.std() / np.sqrt(len(apart)) + 0.01


def test_impurity_importances_are_near_those_of_scikit_learns_forest() -> None:
    table = table_of("sklearn-wine")
    model = treekit.fit("random_forest", table, set={"ensemble.trees": 150})
    peer = RandomForestClassifier(150, random_state=0).fit(table.cells.T, table.y)
    found = np.array(list(model.importances().values()))
    assert np.abs(found - peer.feature_importances_).max() < 0.05
    assert np.corrcoef(found, peer.feature_importances_)[0, 1] > 0.95
