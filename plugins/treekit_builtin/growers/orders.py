"""Growers that split each node by its best test, in one order or another."""

from __future__ import annotations

import numpy as np
from attrs import frozen

from treekit import Growth, first_best


@frozen
class Level:
    """All open nodes at once, level by level, until none is open (Mehta et al. 1996, SLIQ)."""

    def grow(self, growth: Growth) -> None:
        growth.split_all()


@frozen
class BestFirst:
    """The node whose split takes away most, next (Friedman, Hastie and Tibshirani 2000; Shi 2007).

    What a split takes away is its score times the node's weight. Bind `max_leaves` to stop in
    time: without a limit the tree is the one that `level` grows.
    """

    def grow(self, growth: Growth) -> None:
        taken_away: dict[int, float] = {}
        while growth.open_nodes:
            numbers, scores, weights = growth.prospects()
            taken_away.update(zip(numbers.tolist(), (scores * weights).tolist(), strict=True))
            if taken_away:
                best = first_best(np.fromiter(taken_away.values(), np.float64, len(taken_away)))
                number = list(taken_away)[int(best)]
                del taken_away[number]
                growth.split(number)
