"""M5's pruning: a linear model in the place of a subtree."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import frozen

from treekit import Floats, Ints, PruningData, Tree, rebuilt, stayed
from treekit_builtin.labels.least_squares import columns_below, node_models, penalty

from .telling import tell

_REASON = "pruned: the linear model is expected to err no more"
# A share of the root's error: exact models differ only by rounding.
_NOISE = 1e-9


@frozen
class M5:
    """Make a leaf of each node whose linear model is expected to err no more (M5: Quinlan 1992).

    The model is that of the label `linear`, on the columns tested in the node's subtree. What is
    expected of it is its mean absolute residual times (n + v) / (n - v), of n cases and v
    parameters; of a subtree, the same of all that it answers, its branches pruned first. A subtree
    has the parameters of its leaves' models and one for each test (as Weka's M5P, after Wang
    and Witten 1997). Rows that go no further than a node are answered by the node's own model.
    """

    tasks: ClassVar[tuple[str, ...]] = ("regression",)

    def prune(self, tree: Tree, data: PruningData) -> Tree:
        table = data.table
        models = node_models(tree, table, columns_below(tree, table.n_columns))
        error = np.array([model.error for model in models])
        parameters = np.array([1 + len(model.terms) for model in models])
        spread = float(table.weights @ np.abs(table.y - np.median(table.y)))
        slack = _NOISE * spread / float(table.weights.sum())
        as_leaf, as_tree = _estimates(tree, error, parameters, slack)
        cut = ~tree.is_leaf & (as_leaf <= as_tree + slack)
        tell(tree, data, as_tree, as_leaf, cut, "estimated mean absolute error")
        return rebuilt(tree, np.arange(tree.n_nodes), cut, _REASON)


def _estimates(tree: Tree, error: Floats, parameters: Ints, slack: float) -> tuple[Floats, Floats]:
    """What is expected of each node's model, and of its subtree once that is pruned."""
    as_leaf, as_tree = np.zeros(tree.n_nodes), np.full(tree.n_nodes, np.inf)
    total = np.where(tree.is_leaf, 0.0, np.maximum(stayed(tree, tree.stats)[:, 0], 0.0)) * error
    used = np.where(tree.is_leaf, 0, 1)
    for node in range(tree.n_nodes - 1, -1, -1):
        n, v = float(tree.weight[node]), int(parameters[node])
        as_leaf[node] = error[node] * penalty(n, v)
        if n > 0.0 and not tree.is_leaf[node]:
            as_tree[node] = total[node] / n * penalty(n, int(used[node]))
        if as_leaf[node] <= as_tree[node] + slack:
            total[node], used[node] = n * error[node], v
        if node > 0:
            total[tree.parent[node]] += total[node]
            used[tree.parent[node]] += used[node]
    return as_leaf, as_tree
