"""Pruners that judge each subtree against a leaf, and tell those who watch both estimates."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from treekit import Bools, Decisions, Floats, PruningData, Tree, rebuilt

from .bottom_up import judged


def cut_back(
    tree: Tree,
    data: PruningData,
    as_leaf_cost: Floats,
    stay_cost: Floats,
    slack: float,
    measure: str,
    reason: str,
) -> Tree:
    """The tree whose nodes that cost no more as a leaf are leaves; see `leaves_no_dearer`."""
    cut, as_tree_cost = judged(tree, as_leaf_cost, stay_cost, slack)
    tell(tree, data, as_tree_cost, as_leaf_cost, cut, measure)
    return rebuilt(tree, np.arange(tree.n_nodes), cut, reason)


def tell(
    tree: Tree,
    data: PruningData,
    as_tree: Floats,
    as_leaf: Floats,
    cut: Bools,
    measure: str,
    looked_at: Bools | None = None,
) -> None:
    """Tell both estimates of every inner node, or of those `looked_at`."""
    inner = ~tree.is_leaf if looked_at is None else looked_at & ~tree.is_leaf
    if inner.any():
        node = np.flatnonzero(inner)
        data.tell(Decisions(node, as_tree[node], as_leaf[node], cut[node], measure))


def not_below(tree: Tree, cut: Bools) -> Bools:
    """Which nodes have no `cut` node above them."""
    free = np.ones(tree.n_nodes, dtype=bool)
    for first, last in pairwise(tree.level_starts[1:].tolist()):
        above = tree.parent[first:last]
        free[first:last] = free[above] & ~cut[above]
    return free
