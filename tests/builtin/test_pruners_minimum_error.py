"""Minimum-error pruning, by the law of succession."""

from __future__ import annotations

import numpy as np
import pytest
from treekit_builtin.pruners import MinimumError, expected_error

from treekit.offers import PruningData
from treekit.tree import CUTS, SPREAD, STAY, single_leaf

from .naive import Branching, flat, nested, pruning_data, random_table, random_tree, structure


def node(*counts: float, below: tuple[Branching, ...] = ()) -> Branching:
    stats = [sum(counts), *counts]
    if not below:
        return Branching(stats=stats)
    return Branching(stats, [], CUTS, 0, tuple(range(len(below) - 1)), SPREAD, list(below))


@pytest.fixture
def data() -> PruningData:
    return pruning_data(random_table(np.random.default_rng(0), 10))


@pytest.mark.parametrize(
    ("counts", "rate"),
    [
        ((6, 4), 5 / 12),
        ((4, 2), 3 / 8),
        ((3, 2), 3 / 7),
        ((1, 0), 1 / 3),
        ((2, 2), 1 / 2),
        ((1, 2), 2 / 5),
        ((5, 3, 2), 7 / 13),
        ((0, 0), 1 / 2),
    ],
)
def test_the_expected_error_of_a_leaf(counts: tuple[float, ...], rate: float) -> None:
    tree = single_leaf(np.array([sum(counts), *counts], dtype=float), int(sum(counts)), "alone")
    assert expected_error(tree)[0] == pytest.approx(rate)


def test_a_tree_worked_by_hand(data: PruningData) -> None:
    """Left 0.375 against 0.413, and lowest 0.4 against 0.444: leaves. Right 0.5, root 0.417: not.

    The right subtree, its own left one pruned first, is expected to err at 0.383; the root's at
    0.378.
    """
    left = node(4, 2, below=(node(3, 2), node(1, 0)))
    lowest = node(1, 2, below=(node(1, 1), node(0, 1)))
    right = node(2, 2, below=(lowest, node(1, 0)))
    pruned = MinimumError().prune(flat(node(6, 4, below=(left, right))), data)
    assert pruned.stats[:, 1:].tolist() == [[6, 4], [4, 2], [2, 2], [1, 2], [1, 0]]
    assert pruned.n_children.tolist() == [2, 0, 2, 0, 0]
    assert pruned.reasons[pruned.reason[1]] == "pruned: the expected error of a leaf is no greater"


def test_a_leaf_that_errs_as_much_as_the_subtree_takes_its_place(data: PruningData) -> None:
    """Two halves like the whole would err more; one branch with all the rows errs the same."""
    tree = flat(node(3, 1, below=(node(3, 1), node(0, 0))))
    assert MinimumError().prune(tree, data).n_nodes == 1


def by_recursion(at: Branching) -> float:
    """The rule in so many words: the rate of a subtree, its branches pruned first."""
    k = len(at.stats) - 1
    own = (at.stats[0] - max(at.stats[1:]) + k - 1) / (at.stats[0] + k)
    if not at.children:
        return own
    stay = at.stats[0] - sum(child.stats[0] for child in at.children)
    backed_up = sum(by_recursion(child) * child.stats[0] / at.stats[0] for child in at.children)
    backed_up += own * stay / at.stats[0]
    if own <= backed_up + 1e-11:
        at.become_leaf()
        return own
    return backed_up


@pytest.mark.parametrize("seed", range(20))
def test_pruning_agrees_with_the_recursive_rule(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = random_table(rng, 80, missing=0.2, weighted=seed % 2 == 0)
    tree = random_tree(rng, table, depth=3, unknowns=(SPREAD, STAY, 0))
    root = nested(tree)
    by_recursion(root)
    assert structure(MinimumError().prune(tree, pruning_data(table))) == structure(flat(root))
