"""The complexity of every node: what its subtree takes off the risk, for each split."""

from __future__ import annotations

import numpy as np

from treekit import SMALL, Floats, PruningData, Tree, answer_costs, kernel, squared_error

_NOISE = 1e-10  # complexities that differ by less are the same
_STEPS = 8  # cells that may be looked at in the time that a node takes


def risks_of(stats: Floats, data: PruningData) -> Floats:
    """What nodes with the statistics [n, S] get wrong as leaves: costs, or squares about means."""
    if data.table.task == "regression":
        return squared_error(stats)
    return np.asarray(answer_costs(stats, data.costs).min(axis=1))


def complexities(tree: Tree, risks: Floats) -> Floats:
    """The complexity at which each inner node becomes a leaf; NaN at a leaf.

    `risks` are the nodes' risks as leaves. Complexities are shares of the root's risk (0
    throughout where that is 0), and no greater than the parent's: a node goes when its parent
    goes. Each is found as rpart does, as if the node were the root: children whose own complexity
    is lower collapse first, in ascending order, the later child first on equality. What a child
    collapsed for its own complexity stays collapsed for its parent's, so that in trees of three
    levels and more a complexity can be lower than that of Breiman et al. (section 3.3).
    """
    own = np.full(tree.n_nodes, np.nan)
    compiled = tree.n_nodes * _STEPS > SMALL
    _complexities.bound(compiled)(tree.first_child, tree.n_children, risks, own)
    own = own / risks[0] if risks[0] > 0 else np.where(np.isnan(own), np.nan, 0.0)
    _cap.bound(compiled)(tree.parent, tree.n_children, own)
    return own


@kernel
def _complexities(first_child, n_children, risks, own):  # type: ignore[no-untyped-def]
    n = risks.shape[0]
    tree_risk = risks.copy()
    splits = np.zeros(n, np.int64)
    weakest_first = np.empty(n, np.int64)
    for node in range(n - 1, -1, -1):
        k = n_children[node]
        if k == 0:
            continue
        first = first_child[node]
        below = 0.0
        count = k - 1
        inner = 0
        for child in range(first + k - 1, first - 1, -1):
            below += tree_risk[child]
            count += splits[child]
            if splits[child] > 0:
                at = inner
                while at > 0 and own[weakest_first[at - 1]] > own[child]:
                    weakest_first[at] = weakest_first[at - 1]
                    at -= 1
                weakest_first[at] = child
                inner += 1
        complexity = (risks[node] - below) / max(count, 1)
        for i in range(inner):
            child = weakest_first[i]
            if not complexity > own[child] + _NOISE * abs(own[child]):
                break
            below += risks[child] - tree_risk[child]
            count -= splits[child]
            complexity = (risks[node] - below) / max(count, 1)
        own[node] = complexity
        tree_risk[node] = below
        splits[node] = max(count, 1)


@kernel
def _cap(parent, n_children, own):  # type: ignore[no-untyped-def]
    for node in range(1, own.shape[0]):
        if n_children[node] > 0 and own[node] > own[parent[node]]:
            own[node] = own[parent[node]]
