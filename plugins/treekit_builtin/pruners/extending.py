"""What a subtree's estimate becomes when it is given more cases, for error-based pruning."""

from __future__ import annotations

import numpy as np

from treekit.compiling import kernel
from treekit.route import branch_of
from treekit.tree import NOWHERE

from .estimates import leaf_estimate


@kernel
def estimate_with_more(  # type: ignore[no-untyped-def]
    kind, column, first_child, start, operands, unknown,
    cells, y, weights, confidence, square, stats, stands_for, as_leaf, errors,
    root, order, low, has_low, has_high, high, more, reached,
):  # fmt: skip
    """The estimate of the subtree at `root`, which has order[has_low:has_high], with [low:high].

    Only the leaves that the further cases reach are estimated anew. NaN if one of those cases has
    no branch somewhere: to spread it changes the shares of others, so that all must be dealt out.
    `more` is all zero, before and after; `reached` has room for one entry per case.
    """
    n_reached = 0
    lost = False
    for i in range(low, high):
        if has_low <= i < has_high:
            continue
        row = order[i]
        node = root
        while not as_leaf[node]:
            value = cells[column[node], row]
            branch = branch_of(kind[node], operands, start[node], start[node + 1], value)
            if branch == NOWHERE:
                branch = unknown[node]
                if branch < 0:
                    lost = True
                    break
            node = stands_for[first_child[node] + branch]
        if lost:
            break
        reached[n_reached] = node
        n_reached += 1
        more[node, 0] += weights[row]
        more[node, 1 + y[row]] += weights[row]
    total = errors[root]
    for i in range(n_reached):
        node = reached[i]
        if more[node, 0] > 0.0:
            total += leaf_estimate(stats[node] + more[node], confidence, square) - errors[node]
            more[node] = 0.0
    return np.nan if lost else total
