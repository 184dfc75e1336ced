"""rpart 4.1.19: the recipes `rpart` and `rpart_regression` against the trees that rpart answered.

They are `cart` and `regression` with rpart's quirks. Every run without priors and losses is
compared (those are in `test_rpart_classes`): the rows of each node in training, the tests, each
node's risk and answer, the improvement of each split, and the nodes to which the same rows go when
they are predicted afterwards. rpart calls "left" the side with the smaller mean, so left and right
are not compared.

Only in runs that are not marked "equal" may splits differ that are worth the same: there rpart is
led by the order in which its sorting leaves rows of equal value.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import numpy as np
import pytest

from treekit.model import Model
from treekit.recipe import load_recipe
from treekit.route import ends
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
from .originals import Node, load_run, needs_originals
from .rpart_runs import (
    RUNS,
    as_in_training,
    model_of,
    table_for,
    told,
    with_improvements,
)

pytestmark = [pytest.mark.golden, needs_originals]


@cache
def compared(dataset: str, name: str) -> list[Difference]:
    original, table = with_improvements(dataset, name), table_for(dataset, name)
    return list(differences(original, ours(model_of(dataset, name), table, name)))


def ours(model: Model, table: Table, name: str) -> Ours:
    (tree,), (answers,) = model.trees, model.answers
    classes = table.task == "classification"
    risk = loss if classes else squared_error
    rows = rows_of_nodes(as_in_training(tree, name), table)
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
            "improve": lambda node: tree.score[node],
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


@pytest.mark.parametrize(("dataset", "name"), RUNS)
def test_cart_grows_and_prunes_as_rpart_did(dataset: str, name: str, verdict: Verdict) -> None:
    run = load_run("rpart", dataset, name)
    found = compared(dataset, name)
    is_owed = run.agreement == "equal"
    verdict(run, is_owed, found)
    if is_owed:
        assert found == []
    assert [d for d in found if not d.tie] == []


@pytest.mark.parametrize(("dataset", "name"), RUNS)
def test_rows_are_predicted_by_the_nodes_that_rpart_predicted_them_by(
    dataset: str, name: str
) -> None:
    if compared(dataset, name):
        pytest.skip("the trees differ in a tie")
    tree, table = model_of(dataset, name).trees[0], table_for(dataset, name)
    found = ends(tree, table)
    theirs = told(dataset, name)["predict_train_node"]
    assert len(found.row) == len(theirs)
    pairs = {(theirs[row], node) for row, node in zip(found.row, found.node, strict=True)}
    assert len(pairs) == len({one for one, _ in pairs}) == len({other for _, other in pairs})
