"""Tests that stand in for a node's own: how far they agree with it (Breiman et al. 1984, 5.3.1).

What is said of one column in one node: weight[level, branch] and rows[level, branch] are what the
node's own test sends to each branch, by level; sides[side, branch] the same by the side of the test
that may stand in. Growth level by level (`treekit_builtin`'s surrogate) and in one go
(`engine.subtrees`) both look here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from treekit.compiling import kernel
from treekit.tree import NOWHERE

SURROGATE_ROWS = 2  # that a surrogate must send each way
SURROGATE_GAIN = 1e-10  # rpart 4.1: what a surrogate must gain over the greater branch


@kernel
def rate_agreement(agreeing: Any, one: Any, other: Any) -> Any:
    """The share that agrees of what goes to both branches, and how much of the way from the share
    of the greater branch to 1 that is. Of numbers, or of arrays.
    """
    total, greater = one + other, np.maximum(one, other)
    agreement = agreeing / total
    return agreement, (agreement - greater / total) / (1.0 - greater / total)


@kernel
def right_branch(branches, of_numbers):  # type: ignore[no-untyped-def]
    """The branch that rpart calls right, by their statistics [2, S]: that of the greater mean of
    the target, or of class numbers; of equals, the first.
    """
    if branches[0, 0] <= 0.0 or branches[1, 0] <= 0.0:
        return 0
    one = other = 0.0
    if of_numbers:
        one, other = branches[0, 1], branches[1, 1]
    else:
        for s in range(1, branches.shape[1]):
            one += s * branches[0, s]
            other += s * branches[1, s]
    return int(one / branches[0, 0] < other / branches[1, 0])


@kernel
def send_levels(weight, rows, right, as_rpart, to, sides):  # type: ignore[no-untyped-def]
    """Each level goes where most of its weight goes; a level in balance, where most of all goes.

    Writes the branch of each level that has cases, adds them to the sides; do enough rows go each
    way?
    """
    one = other = 0.0
    for level in range(weight.shape[0]):
        one += weight[level, 0]
        other += weight[level, 1]
    most = right if one == other else int(other > one)
    same = rest = first = second = 0
    for level in range(weight.shape[0]):
        side = most
        if weight[level, 0] != weight[level, 1]:
            side = int(weight[level, 1] > weight[level, 0])
        same += rows[level, side]
        rest += rows[level, 1 - side]
        to[level] = NOWHERE
        if weight[level, 0] > 0.0 or weight[level, 1] > 0.0:
            to[level] = side
            sides[side, 0] += weight[level, 0]
            sides[side, 1] += weight[level, 1]
            here = rows[level, 0] + rows[level, 1]
            first, second = first + here * (1 - side), second + here * side
    # rpart 4.1 counts agreeing and disagreeing rows where rows of each side are meant.
    least = min(same, rest) if as_rpart else min(first, second)
    return least >= SURROGATE_ROWS
