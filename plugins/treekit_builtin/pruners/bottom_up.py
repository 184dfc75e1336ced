"""What the pruners share: risks, and one pass over the nodes from the last to the first.

Children are numbered after their parent, so such a pass meets every child before its parent. It
takes one step per node however deep the tree is.
"""

from __future__ import annotations

import numpy as np

from treekit import SMALL, Bools, Floats, Task, Tree, class_errors, kernel, squared_error


def risk(stats: Floats, task: Task) -> Floats:
    """What each node gets wrong on its own rows, were it a leaf."""
    return class_errors(stats) if task == "classification" else squared_error(stats)


def leaves_no_dearer(tree: Tree, as_leaf_cost: Floats, stay_cost: Floats, slack: float) -> Bools:
    """Which inner nodes cost no more as a leaf than their subtree does (give or take `slack`).

    A subtree costs what its children cost, themselves cut back first, and `stay_cost` for the
    rows that stay at the node.
    """
    return judged(tree, as_leaf_cost, stay_cost, slack)[0]


def judged(
    tree: Tree, as_leaf_cost: Floats, stay_cost: Floats, slack: float
) -> tuple[Bools, Floats]:
    """The same, and what each node's subtree cost when it was judged."""
    as_leaf = np.zeros(tree.n_nodes, dtype=bool)
    below = stay_cost.copy()
    _cut_back.bound(tree.n_nodes > SMALL)(
        tree.parent, tree.n_children, as_leaf_cost, below, slack, as_leaf
    )
    return as_leaf, below


@kernel
def _cut_back(parent, n_children, as_leaf_cost, below, slack, as_leaf):  # type: ignore[no-untyped-def]
    for node in range(parent.shape[0] - 1, -1, -1):
        cost = as_leaf_cost[node]
        if n_children[node] > 0:
            if cost <= below[node] + slack:
                as_leaf[node] = True
            else:
                cost = below[node]
        if node > 0:
            below[parent[node]] += cost


def summed_upward(tree: Tree, values: Floats) -> Floats:
    """[n, S]: for each node, the sum of `values[n, S]` over the node and all its descendants."""
    totals = values.copy()
    _sum_upward.bound(totals.size > SMALL)(tree.parent, totals)
    return totals


@kernel
def _sum_upward(parent, totals):  # type: ignore[no-untyped-def]
    for node in range(parent.shape[0] - 1, 0, -1):
        above = parent[node]
        for s in range(totals.shape[1]):
            totals[above, s] += totals[node, s]


def greatest_upward(tree: Tree, values: Floats) -> Floats:
    """For each node, the greatest of `values[n]` at the node and all its descendants."""
    greatest = values.copy()
    _greatest_upward.bound(greatest.size > SMALL)(tree.parent, greatest)
    return greatest


@kernel
def _greatest_upward(parent, greatest):  # type: ignore[no-untyped-def]
    for node in range(parent.shape[0] - 1, 0, -1):
        greatest[parent[node]] = max(greatest[parent[node]], greatest[node])
