"""Optimal trees have the error of pystreed's (van der Linden, de Weerdt and Demirovic 2023).

pystreed needs columns of 0 and 1: it gets one for every test that the grower may ask, each cut
between neighbouring values and each level against the rest. No data set is thinned; rows with
unknown values are left out.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from treekit_builtin.growers.optimal_search import RowsAndTests, best_tree

from treekit import Floats, Ints, Table, fit, read_table

pystreed = pytest.importorskip("pystreed")

FOLDER = Path(__file__).parents[3] / "shared" / "data"

DATA = (
    "R-infert",
    "R-iris",
    "R-kyphosis",
    "balance-scale",
    "breast-w",
    "c45-monk1",
    "c45-monk2",
    "c45-monk3",
    "c45-vote",
    "car",
    "tic-tac-toe",
    "weka-contact-lenses",
)


def complete(name: str) -> Table:
    table = read_table(FOLDER / f"{name}.csv", schema=FOLDER / f"{name}.schema.json")
    return table.take(~np.isnan(table.cells).any(axis=0))


def binarised(table: Table) -> Ints:
    """[rows, tests]: the answer to every test."""
    answers = []
    for column, values in zip(table.columns, table.cells, strict=True):
        distinct = np.unique(values)
        if column.kind == "nominal":
            answers += [values == level for level in distinct]
        else:
            answers += [values <= cut for cut in distinct[:-1]]
    return np.array(answers).T.astype(np.int64)


def peers_errors(x: Ints, y: Floats, depth: int) -> int:
    peer = pystreed.STreeDClassifier("accuracy", max_depth=depth, time_limit=300)
    peer.fit(x, y.astype(np.int64))
    return int((peer.predict(x) != y).sum())


@pytest.mark.skipif(not FOLDER.is_dir(), reason="no data sets in ../shared/data")
@pytest.mark.parametrize("depth", [2, 3])
@pytest.mark.parametrize("name", DATA)
def test_the_error_is_the_peers_on_data(name: str, depth: int) -> None:
    table = complete(name)
    grower = {"use": "optimal", "depth": depth}
    splitter = {"numeric": "threshold", "ordinal": "threshold", "nominal": "one_vs_rest"}
    model = fit("optimal", table, set={"tree.grower": grower, "tree.splitter": splitter})
    assert model.facts["proven"] == 1.0
    wrong = round(model.facts["training_error"] * table.n_rows)
    assert wrong == peers_errors(binarised(table), table.y, depth)


@pytest.mark.parametrize("depth", [2, 3, 4])
@pytest.mark.parametrize("classes", [2, 3])
def test_the_error_is_the_peers_on_tosses(classes: int, depth: int) -> None:
    for seed in range(6):
        rng = np.random.default_rng(seed)
        x = rng.integers(0, 2, (60, 8))
        y = rng.integers(0, classes, 60)
        found = best_tree(RowsAndTests(x.T, y, np.ones(60), classes), depth, lambda: False)
        assert found.cost == peers_errors(x, y.astype(np.float64), depth)
