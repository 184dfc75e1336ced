"""Growth passes over what cost-complexity pruning would take off, and the tree is the same."""

from __future__ import annotations

import numpy as np
import pytest

from treekit import Recipe, Table, Tree, load_recipe
from treekit.fitting import grown
from treekit.table.record import Task
from treekit.testing import sample_table
from treekit.testing.expecting import expect_same_tree

RECIPES: dict[Task, str] = {"classification": "cart", "regression": "regression"}


def tree_of(recipe: Recipe, table: Table, whole: bool) -> tuple[Tree, Tree]:
    """The tree before and after pruning."""
    tree, data = grown(recipe, table, np.random.default_rng(0), whole=whole)
    return tree, recipe.tree.pruner.prune(tree, data)


@pytest.mark.parametrize("task", ["classification", "regression"])
@pytest.mark.parametrize("alpha", [0.0, 0.003, 0.01, 0.05, 0.3, 1.0])
def test_the_pruned_tree_is_that_of_the_whole(task: Task, alpha: float) -> None:
    pruner = {"use": "cost_complexity", "alpha": alpha}
    for seed in range(4):
        table = sample_table(task, rows=300, seed=seed)
        recipe = load_recipe(RECIPES[task], {"tree.pruner": pruner})
        _, expected = tree_of(recipe, table, whole=True)
        _, found = tree_of(recipe, table, whole=False)
        expect_same_tree(found, expected, f"alpha {alpha}, seed {seed}")
        assert found.reasons == expected.reasons
        assert found.reason.tolist() == expected.reason.tolist()


def test_less_is_grown() -> None:
    table = sample_table("classification", rows=400)
    recipe = load_recipe("cart", {"tree.pruner.alpha": 0.2})
    assert tree_of(recipe, table, whole=False)[0].n_nodes < tree_of(recipe, table, True)[0].n_nodes


@pytest.mark.parametrize(
    "changes",
    [
        {"tree.pruner.choose": "one_se"},
        {"tree.pruner.alpha": -1.0},
        {"tree.stop": [{"use": "max_leaves", "leaves": 9}]},
    ],
)
def test_all_is_grown_where_it_counts(changes: dict[str, object]) -> None:
    """Where alpha is still to be chosen, where nothing is cut, and where leaves are counted."""
    table = sample_table("classification", rows=200)
    recipe = load_recipe("cart", {"tree.pruner.alpha": 0.2, **changes})
    expect_same_tree(tree_of(recipe, table, False)[0], tree_of(recipe, table, True)[0], "all")
