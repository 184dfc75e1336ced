"""rpart 4.1.19: the recipes `cart` and `regression` against the trees that rpart answered.

Owed: the default tree and the full one, where no tie was decided by a last bit ("equal"), on data
whose columns are all numeric and known: the same rows in the same nodes by the same tests, with
the same risk and answer. rpart calls "left" the side with the smaller mean, so left and right are
not compared. Further runs may differ in splits that are worth the same, between which rpart is
led by the rounding of its sums, and treekit by the order of the columns. They are counted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

import treekit
from treekit.model import Model
from treekit.recipe import load_recipe
from treekit.table.record import Floats, Table

from .comparing import (
    Difference,
    Ours,
    by_rows,
    differences,
    loss,
    rows_of_nodes,
    squared_error,
)
from .conftest import Verdict
from .originals import (
    Node,
    Run,
    dataset_names,
    has_gaps,
    load_run,
    needs_originals,
    run_names,
    training_table,
)

pytestmark = [pytest.mark.golden, needs_originals]


def stop(split: int = 20, branch: int = 7, depth: int = 30) -> dict[str, Any]:
    """The minsplit, minbucket and maxdepth of rpart."""
    return {
        "tree.stop": [
            "pure",
            {"use": "min_rows", "split": split, "branch": branch},
            "min_gain",
            {"use": "max_depth", "depth": depth},
        ]
    }


CONTROLS: dict[str, dict[str, Any]] = {
    "default": {},
    "cp0": {"tree.pruner.alpha": 0.0},
    "full": {**stop(split=2, branch=1), "tree.pruner": "none"},
    "ms2_cp0": {**stop(split=2, branch=1), "tree.pruner.alpha": 0.0},
    "depth3": {**stop(depth=3), "tree.pruner.alpha": 0.0},
    "weights": {},
}
FAMILIES: dict[str, dict[str, Any]] = {"gini": {}, "info": {"tree.impurity": "entropy"}}
OWED = ("default", "gini_default", "gini_full")


def settings_of(name: str) -> dict[str, Any] | None:
    """What the recipe is set to for a run of rpart; None where that cannot be said yet."""
    family, _, control = name.partition("_")
    if family not in FAMILIES:
        family, control = "gini", name
    if control not in CONTROLS:
        return None
    return {**FAMILIES[family], **CONTROLS[control]}


def expressible(dataset: str, name: str) -> bool:
    """Surrogates are still to come, so only data without unknown values can be compared."""
    return settings_of(name) is not None and not has_gaps(dataset)


RUNS = [
    (dataset, name, agreement)
    for dataset in dataset_names("rpart")
    for name, agreement in run_names("rpart", dataset).items()
    if expressible(dataset, name)
]


def owed(dataset: str, name: str, agreement: str) -> bool:
    numeric = all(column.is_numeric for column in training_table(dataset).columns)
    return name in OWED and agreement == "equal" and numeric


def compared(run: Run) -> list[Difference]:
    table = training_table(run.dataset)
    if run.name.endswith("weights"):
        table = table.reweighted(np.resize([1.0, 2.0, 0.5, 1.0], table.n_rows))
    recipe = "cart" if table.task == "classification" else "regression"
    settings = settings_of(run.name) or {}
    model = treekit.fit(recipe, table, set=settings)
    return list(differences(run.trees["tree"], ours(model, table)))


def ours(model: Model, table: Table) -> Ours:
    (tree,), (answers,) = model.trees, model.answers
    classes = table.task == "classification"
    risk = loss if classes else squared_error
    rows = rows_of_nodes(tree, table)
    impurity = load_recipe(model.recipe).tree.impurity
    assert impurity is not None

    def left_over(parts: Iterable[frozenset[int]]) -> float:
        stats = np.array([statistics(table, part) for part in parts])
        return float(stats[:, 0] @ impurity.impurity(stats))

    def tied(expected: Node, node: int) -> bool:
        theirs = left_over(child.rows for child in expected.children)
        own = left_over(rows[child] for child in tree.children(node))
        return abs(theirs - own) <= 1e-12 * left_over([expected.rows])

    return Ours(
        tree=tree,
        schema=model.schema,
        figures={
            "n": lambda node: tree.rows[node],
            "risk": lambda node: risk(tree.stats[node]),
            # rpart counts classes from 1.
            "answer": lambda node: answers[node].argmax() + 1 if classes else answers[node, 0],
        },
        align=by_rows(tree, rows),
        cut_tolerance=1e-8,
        figure_tolerance=1e-8,
        slack=1e-9 * risk(tree.stats[0]),
        tied=tied,
    )


def statistics(table: Table, rows: frozenset[int]) -> Floats:
    at = sorted(rows)
    weight, y = table.weights[at], table.y[at]
    if table.task == "regression":
        y = y - table.y.mean()
        return np.array([weight.sum(), weight @ y, weight @ (y * y)])
    by_class = np.bincount(y.astype(int), weight, len(table.schema.classes))
    return np.array([weight.sum(), *by_class])


@pytest.mark.parametrize(("dataset", "name", "agreement"), RUNS)
def test_cart_grows_and_prunes_as_rpart_did(
    dataset: str, name: str, agreement: str, verdict: Verdict
) -> None:
    run = load_run("rpart", dataset, name)
    found = compared(run)
    verdict(run, owed(dataset, name, agreement), found)
    if owed(dataset, name, agreement):
        assert found == []
    assert [d for d in found if not d.tie] == []
