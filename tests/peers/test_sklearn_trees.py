"""scikit-learn: the same impurity decrease at every node, and the same pruning paths.

scikit-learn visits the columns in random order, so that where splits tie its tree depends on the
seed. It also casts the data to single precision; the splitter's `gap` does the same. So the trees
are walked together: each split of scikit-learn's lowers the impurity by as much as ours does. Where
the two part the rows differently, an exhaustive search shows that the best split is not unique.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from treekit_builtin.pruners import WeakestLink

from treekit.table.record import Column, Floats, Schema, Table
from treekit.tree import Tree, rebuilt

from ..builtin.naive import pruning_data
from ..fidelity import UNEXPLAINED, Fidelity
from .sklearn_trees import TOLERANCE, as_tree, grown, peer, table_of, walk

LIMITS: dict[str, dict[str, Any]] = {
    "full": {},
    "max_depth": {"max_depth": 4},
    "min_samples_leaf": {"min_samples_leaf": 5},
    "min_samples_split": {"min_samples_split": 20},
    "min_impurity_decrease": {"min_impurity_decrease": 0.01},
}
DATA = [
    (dataset, criterion)
    for dataset in ("breast_cancer", "digits", "iris", "wine")
    for criterion in ("gini", "entropy")
] + [("diabetes", "squared_error")]
RUNS = [(dataset, criterion, limit) for dataset, criterion in DATA for limit in LIMITS]


def limits_of(dataset: str, limit: str) -> dict[str, Any]:
    """A variance is in the square of the target's unit."""
    if (dataset, limit) == ("diabetes", "min_impurity_decrease"):
        return {"min_impurity_decrease": 10.0}
    return LIMITS[limit]


@pytest.mark.parametrize(("dataset", "criterion", "limit"), RUNS)
def test_every_split_lowers_the_impurity_by_as_much(
    dataset: str, criterion: str, limit: str, fidelity: Fidelity
) -> None:
    table = table_of(dataset)
    limits = limits_of(dataset, limit)
    theirs = peer(table, criterion, limits).tree_
    met = walk(
        theirs,
        table,
        criterion,
        limits.get("min_samples_leaf", 1),
        lambda part, depth: grown(part, criterion, limits, depth=depth, sample=table.n_rows),
    )
    fidelity("scikit-learn trees", f"{dataset}:{criterion}:{limit}", met.reason, met.detail)
    assert met.wrong == ""
    assert met.splits == (theirs.children_left >= 0).sum()


def test_a_tree_by_another_criterion_does_not_pass() -> None:
    met = walk(
        peer(table_of("breast_cancer"), "gini", {}).tree_,
        table_of("breast_cancer"),
        "gini",
        1,
        lambda part, depth: grown(part, "entropy", {}),
    )
    assert met.wrong.startswith("node 0 of scikit-learn's, depth 0: decreases of 0.3")


def test_a_tree_that_stops_sooner_does_not_pass() -> None:
    met = walk(
        peer(table_of("iris"), "gini", {"max_depth": 2}).tree_,
        table_of("iris"),
        "gini",
        1,
        lambda part, depth: grown(part, "gini", {"max_depth": 1}),
    )
    assert met.wrong == ("node 2 of scikit-learn's, depth 1: one has a leaf, the other a split")


def test_splits_of_equal_worth_do_not_pass_where_a_better_one_was_allowed() -> None:
    """Parting off the first row is best; with three rows on each side, both columns are as good."""
    columns = (Column("a", "numeric"), Column("b", "numeric"))
    schema = Schema(columns, Column("y", "nominal", ("no", "yes")))
    cells = np.array([[0, 1, 2, 3, 4, 5], [0, 5, 4, 3, 2, 1]], dtype=np.float64)
    table = Table(schema, cells, np.array([1.0, 0, 0, 0, 0, 0]))
    limits = {"max_depth": 1, "min_samples_leaf": 3}
    by_seed = (peer(table, "gini", limits, seed).tree_ for seed in range(100))
    by_b = next(theirs for theirs in by_seed if theirs.feature[0] == 1)

    def ours(part: Table, depth: int) -> Tree:
        return grown(part, "gini", limits, depth=depth)

    assert walk(by_b, table, "gini", 3, ours).wrong == ""
    assert walk(by_b, table, "gini", 1, ours).wrong.startswith(
        "node 0 of scikit-learn's, depth 0: splits that differ, and 2 of 0.27"
    )


def distinct_steps(alphas: Floats, risks: Floats) -> tuple[Floats, Floats]:
    """scikit-learn cuts equal links one by one: of those the last, when all are cut."""
    last = np.append(np.diff(alphas) > 1e-11 * risks[-1], True)
    return alphas[last], risks[last]


@pytest.mark.parametrize(("dataset", "criterion"), DATA)
def test_the_pruning_path_of_scikit_learns_tree_is_the_same(
    dataset: str, criterion: str, fidelity: Fidelity
) -> None:
    table = table_of(dataset)
    estimator = peer(table, criterion, {})
    expected = estimator.cost_complexity_pruning_path(table.cells.T, table.y)
    alphas, risks = distinct_steps(expected.ccp_alphas, expected.impurities)
    tree = as_tree(estimator.tree_, table)
    at = WeakestLink(measure="score").path(tree, pruning_data(table))
    same = len(alphas) == len(at.alphas) and bool(
        np.allclose(at.alphas, alphas, rtol=TOLERANCE, atol=1e-12 * risks[-1])
        and np.allclose(at.risks + risks[0], risks, rtol=TOLERANCE, atol=1e-12 * risks[-1])
    )
    told = f"{len(alphas)} and {len(at.alphas)} alphas"
    reason = "" if same else UNEXPLAINED
    fidelity("scikit-learn pruning paths", f"{dataset}:{criterion}", reason, told)
    assert same, told


def middles(alphas: Floats) -> Floats:
    """Alphas between the steps, at most five of them."""
    between = (alphas[1:] + alphas[:-1]) / 2
    return between[:: max(len(between) // 5, 1)]


@pytest.mark.parametrize(("dataset", "criterion"), DATA)
def test_scikit_learns_tree_is_pruned_as_its_ccp_alpha_prunes_it(
    dataset: str, criterion: str
) -> None:
    table = table_of(dataset)
    tree = as_tree(peer(table, criterion, {}).tree_, table)
    path = WeakestLink(measure="score").path(tree, pruning_data(table))
    for alpha in middles(path.alphas):
        theirs = peer(table, criterion, {}, ccp_alpha=alpha).tree_
        kept = as_tree(theirs, table)
        pruned = rebuilt(tree, np.arange(tree.n_nodes), ~(path.collapse > alpha), "pruned")
        assert np.array_equal(pruned.n_children, kept.n_children)
        assert np.array_equal(pruned.column, kept.column)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("dataset", ["iris", "wine"])
def test_a_recipe_prunes_its_own_tree_as_ccp_alpha_does(dataset: str, criterion: str) -> None:
    """Of these two the full trees hold the same rows in every node."""
    table = table_of(dataset)
    estimator = peer(table, criterion, {})
    steps = estimator.cost_complexity_pruning_path(table.cells.T, table.y).ccp_alphas
    for alpha in (0.0, *middles(steps)):
        pruner = {"use": "weakest_link", "measure": "score", "alpha": float(alpha)}
        ours = grown(table, criterion, {}, pruner=pruner)
        theirs = peer(table, criterion, {}, ccp_alpha=alpha).tree_
        assert sorted(ours.rows) == sorted(theirs.n_node_samples)
