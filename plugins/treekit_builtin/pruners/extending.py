"""What a subtree's estimate becomes when it is given more cases, for error-based pruning."""

from __future__ import annotations

import numpy as np

from treekit import NOWHERE, branch_of, kernel, value_asked

from .estimates import leaf_estimate


@kernel
def estimate_with_more(  # type: ignore[no-untyped-def]
    kind, column, first_child, start, operands, unknown,
    cells, y, weights, confidence, square, stats, stands_for, as_leaf, errors,
    root, order, low, has_low, has_high, high, more, reached, counts,
):  # fmt: skip
    """The estimate of the subtree at `root`, which has order[has_low:has_high], with [low:high].

    Only the leaves that the further cases reach are estimated anew. NaN if one of those cases has
    no branch somewhere: to spread it changes the shares of others, so that all must be dealt out.
    `more` is all zero, before and after; `reached` has room for one entry per case, `counts` for
    one node's statistics.
    """
    n_reached = 0
    lost = False
    for i in range(low, high):
        if has_low <= i < has_high:
            continue
        row = order[i]
        node = root
        while not as_leaf[node]:
            value = value_asked(
                cells, row, column[node], kind[node], operands, start[node], start[node + 1]
            )
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
            for s in range(more.shape[1]):
                counts[s] = stats[node, s] + more[node, s]
                more[node, s] = 0.0
            total += leaf_estimate(counts, confidence, square) - errors[node]
    return np.nan if lost else total
