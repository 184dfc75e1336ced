"""The complexity table of cost-complexity pruning, and alphas chosen by cross-validation."""

from __future__ import annotations

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from treekit_builtin.pruners import CostComplexity
from treekit_builtin.pruners.bottom_up import risk
from treekit_builtin.pruners.cost_complexity import between, subtrees
from treekit_builtin.pruners.cross_validation import held_out_errors

from treekit.errors import DataError
from treekit.folds import folds_in_turn
from treekit.offers import PruningData
from treekit.recipe import load_recipe
from treekit.route import ends
from treekit.table.record import Column, Floats, Schema, Table
from treekit.tree import Tree

from ..growing import GROWING_ONCE
from ..properties import examples
from .naive import flat, pruning_data, random_table, random_tree
from .test_pruners_cost_complexity import with_risk

# A step of two heights with a little noise: one split earns much, others little.
STEP = [1, 1, 2, 1, 1, 2, 1, 1, 2, 1, 8, 8, 9, 8, 8, 9, 8, 8, 9, 8]


def numbers(values: list[float], weights: Floats | None = None) -> Table:
    """One column, 0 1 2 ..., and a number to predict."""
    schema = Schema((Column("x", "numeric"),), Column("y", "numeric"))
    y = np.array(values, dtype=np.float64)
    return Table(schema, np.arange(len(y), dtype=np.float64)[None, :], y, weights)


def growing(table: Table, seed: int = 0) -> tuple[Tree, PruningData]:
    """A tree with leaves of one row, and what its pruner may look at.

    Folds are many, and compiled at once; what tests have in common is grown once.
    """
    recipe = "cart" if table.task == "classification" else "regression"
    parts = load_recipe(recipe, {"tree.stop": ["pure", "min_gain"]}).tree
    rng = np.random.default_rng(seed)

    def grow(fold: Table) -> Tree:
        return GROWING_ONCE(fold, parts, rng, compiled=True)

    return GROWING_ONCE(table, parts, rng), PruningData(table, None, grow, rng)


def test_a_row_for_each_complexity_and_one_for_alpha() -> None:
    lower = with_risk(6, with_risk(1), with_risk(1))
    tree = flat(with_risk(20, lower, with_risk(2)))
    found = subtrees(tree, risk(tree.stats, "classification"), 0.1)
    assert found.alpha == pytest.approx([0.6, 0.2, 0.1])
    assert found.splits.tolist() == [0, 1, 2]
    assert found.error == pytest.approx([1.0, 8 / 20, 4 / 20])


def test_subtrees_below_alpha_have_no_row() -> None:
    lower = with_risk(6, with_risk(1), with_risk(1))
    tree = flat(with_risk(20, lower, with_risk(2)))
    found = subtrees(tree, risk(tree.stats, "classification"), 0.2)
    assert found.alpha == pytest.approx([0.6, 0.2])
    assert found.splits.tolist() == [0, 1]


def test_complexities_that_only_rounding_tells_apart_are_one_row() -> None:
    one, other = with_risk(6, with_risk(1), with_risk(1)), with_risk(6, with_risk(2), with_risk(0))
    other.stats[2] += 1e-14
    tree = flat(with_risk(40, one, other))
    assert subtrees(tree, risk(tree.stats, "classification"), 0.0).splits.tolist() == [0, 1, 3]


def test_a_leaf_has_one_row() -> None:
    tree = flat(with_risk(20))
    found = subtrees(tree, risk(tree.stats, "classification"), 0.01)
    assert (found.alpha.tolist(), found.splits.tolist(), found.error.tolist()) == ([0.01], [0], [1])


def test_a_tree_without_risk_has_no_error() -> None:
    tree = flat(with_risk(0, with_risk(0), with_risk(0)))
    assert subtrees(tree, np.zeros(3), 0.0).error.tolist() == [0.0]


@examples(60)
@given(seed=st.integers(0, 10**6), alpha=st.floats(0.0, 0.1), regression=st.booleans())
def test_each_row_is_what_pruning_at_its_alpha_leaves(
    seed: int, alpha: float, regression: bool
) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, 60, regression=regression)
    tree, data = random_tree(rng, table, depth=5), pruning_data(table)
    found = CostComplexity(alpha).table(tree, data, None)
    root = risk(tree.stats, table.task)[0]
    for at, splits, error in zip(found.alpha, found.splits, found.error, strict=True):
        pruned = CostComplexity(float(at)).prune(tree, data)
        left = risk(pruned.stats, table.task)[pruned.is_leaf].sum()
        assert splits == (np.maximum(pruned.n_children - 1, 0)).sum()
        assert error * root == pytest.approx(left, abs=1e-9 * max(root, 1.0))


def test_a_subtree_is_asked_at_the_geometric_mean_of_its_alphas() -> None:
    assert between(np.array([0.4, 0.1, 0.0]), 2.0) == pytest.approx([8.0, 0.4, 0.0])
    assert between(np.array([0.4, 0.1, -1.0]), 2.0) == pytest.approx([8.0, 0.4, 0.0])
    assert between(np.array([0.01]), 2.0).tolist() == [np.inf]


def test_the_root_alone_is_wrong_by_the_distance_from_the_mean_of_the_other_folds() -> None:
    """Folds {0, 4} and {2, 8}: means 5 and 2, so 25 + 1 and 0 + 36 in all, of 35 in training."""
    table = numbers([0.0, 2.0, 4.0, 8.0])
    tree, data = growing(table)
    found = CostComplexity(0.9).table(tree, data, np.array([0, 1, 0, 1]))
    errors = np.array([25.0, 0.0, 1.0, 36.0])
    assert found.cross_error is not None
    assert found.standard_error is not None
    assert found.cross_error == pytest.approx([errors.sum() / 35])
    spread = np.sqrt((errors**2).sum() - errors.sum() ** 2 / 4)
    assert found.standard_error == pytest.approx([spread / 35])


def asked_one_by_one(
    data: PruningData, folds: np.ndarray, pruner: CostComplexity, alphas: Floats
) -> tuple[list[float], list[float]]:
    """The rule in so many words: prune the tree of each fold at each alpha, and ask it."""
    table = data.table
    total, squares = [0.0] * len(alphas), [0.0] * len(alphas)
    for fold in np.unique(folds):
        training, rest = table.take(folds != fold), table.take(folds == fold)
        tree = data.grow(training)
        own = risk(tree.stats, table.task)[0]
        for i, alpha in enumerate(alphas):
            scaled = alpha * training.weights.sum() / table.weights.sum() / own if own else 0.0
            pruned = evolve(pruner, alpha=float(scaled)).prune(tree, data)
            for row, node in zip(*(lambda e: (e.row, e.node))(ends(pruned, rest)), strict=True):
                stats, y = pruned.stats[node], rest.y[row]
                if table.task == "regression":
                    error = (y - stats[1] / stats[0] - pruned.centre) ** 2
                else:
                    error = float(stats[1:].argmax() != y)
                total[i] += rest.weights[row] * error
                squares[i] += rest.weights[row] * error**2
    return total, squares


@pytest.mark.parametrize("regression", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_held_out_errors_are_those_of_trees_pruned_one_by_one(
    seed: int, regression: bool, weighted: bool
) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, 60, regression=regression)
    if weighted:
        table = table.reweighted(rng.choice([0.5, 1.0, 2.0], table.n_rows))
    tree, data = growing(table)
    folds = rng.integers(0, 4, table.n_rows)
    pruner = CostComplexity(0.0)
    found = pruner.table(tree, data, folds)
    root = risk(tree.stats, table.task)[0]
    total, squares = asked_one_by_one(data, folds, pruner, between(found.alpha, root))
    assert found.cross_error is not None
    assert found.standard_error is not None
    assert found.cross_error * root == pytest.approx(total)
    weight = table.weights.sum()
    spread = [np.sqrt(s - t**2 / weight) for s, t in zip(squares, total, strict=True)]
    assert found.standard_error * root == pytest.approx(spread)


def test_a_row_of_a_class_with_a_factor_is_wrong_by_it() -> None:
    """With priors a row weighs what its class was given; the standard error counts rows."""
    schema = Schema((Column("x", "numeric"),), Column("y", "nominal", ("a", "b")))
    y = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0])
    factors = np.array([0.5, 2.0])
    table = Table(schema, np.zeros((1, 8)), y, factors[y.astype(int)])
    _, data = growing(table)
    found = held_out_errors(
        evolve(data, factors=factors),
        np.array([0, 0, 0, 0, 1, 1, 1, 1]),
        lambda tree: np.full(tree.n_nodes, np.nan),
        np.array([np.inf]),
    )
    # Class b weighs more in each fold, so that the six rows of class a are wrong by a half each.
    assert found.error == pytest.approx([3.0])
    assert found.standard_error == pytest.approx([np.sqrt(6 * 0.25 - 9 / 8)])


def test_all_the_weight_in_one_fold_leaves_nothing_to_grow_on() -> None:
    table = numbers(STEP, np.array([1.0] * 2 + [0.0] * 18))
    tree, data = growing(table)
    with pytest.raises(DataError, match="all the weight lies in one fold"):
        CostComplexity().table(tree, data, np.array([0, 0] + [1] * 18))


@pytest.mark.parametrize("choose", ["least_error", "one_se"])
@pytest.mark.parametrize("seed", range(4))
def test_the_tree_left_is_that_of_the_chosen_row(choose: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    tree, data = growing(random_table(rng, 80))
    pruner = CostComplexity(0.0, choose=choose, folds=4, deal="in_turn")  # type: ignore[arg-type]
    table = pruner.table(tree, data, folds_in_turn(80, 4))
    row = table.least_error() if choose == "least_error" else table.within_one_standard_error()
    pruned = pruner.prune(tree, data)
    assert np.maximum(pruned.n_children - 1, 0).sum() == table.splits[row]


def test_one_clear_step_is_all_that_is_kept() -> None:
    tree, data = growing(numbers(STEP))
    assert tree.n_leaves > 10
    assert CostComplexity(0.0, choose="one_se").prune(tree, data).n_leaves == 2


def test_random_folds_come_from_the_seed() -> None:
    table = random_table(np.random.default_rng(3), 80, regression=True)
    reasons = [
        CostComplexity(0.0, choose="least_error").prune(*growing(table, seed)).reasons[-1]
        for seed in (0, 0, 1, 2, 3)
    ]
    assert reasons[0] == reasons[1]
    assert len(set(reasons)) > 1


def test_too_many_folds_are_refused() -> None:
    tree, data = growing(numbers(STEP))
    with pytest.raises(DataError, match="20 rows cannot be dealt out into 30 folds"):
        CostComplexity(0.0, choose="one_se", folds=30).prune(tree, data)
