"""M5 against the regression tree on published data, by cross-validation."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from treekit.fitting import fit_table
from treekit.recipe import load_recipe
from treekit.table import Table, read_table

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
FOLDS = 5

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not DATA.is_dir(), reason="the data are not beside the checkout (../shared/data)"
    ),
]


def table_of(name: str) -> Table:
    return read_table(DATA / f"{name}.csv", schema=DATA / f"{name}.schema.json")


def error(recipe: str, table: Table) -> float:
    """The root mean squared error over the folds, the same for each recipe."""
    fold = np.random.default_rng(0).permutation(table.n_rows) % FOLDS
    off = np.empty(table.n_rows)
    for k in range(FOLDS):
        unseen = table.take(fold == k)
        model = fit_table(load_recipe(recipe), table.take(fold != k))
        off[fold == k] = model.predict(unseen) - unseen.y
    return float(np.sqrt(np.mean(off**2)))


@pytest.mark.parametrize("name", ["auto-mpg", "boston-housing", "servo", "weka-cpu"])
def test_linear_leaves_err_less_than_constant_ones(name: str) -> None:
    table = table_of(name)
    assert error("m5", table) < 0.95 * error("regression", table)
