"""Numbers: the middle of a node's target values."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import frozen

from treekit import Floats, Table, Tree, visits

from .nodes import NUMBERS, who_answers

# Sums of fractional weights carry rounding errors: half the weight must be found as half.
_HALF_NOISE = 1e-9


@frozen
class Mean:
    """The weighted mean of the target (Breiman et al. 1984, 8.3).

    An empty node takes its parent's.
    """

    tasks: ClassVar[tuple[str, ...]] = NUMBERS

    def answers(self, tree: Tree, table: Table) -> Floats:
        """[nodes, 1]: means."""
        stats = tree.stats[who_answers(tree)]
        return np.asarray(stats[:, 1:2] / stats[:, :1] + tree.centre)


@frozen
class Median:
    """The weighted median of the target, for the least absolute error (Breiman et al. 1984, 8.11).

    Half the weight lies on either side. Where it lies exactly between two values, their mean is
    the answer, as of an even number of rows. An empty node takes its parent's.
    """

    tasks: ClassVar[tuple[str, ...]] = NUMBERS

    def answers(self, tree: Tree, table: Table) -> Floats:
        """[nodes, 1]: medians."""
        # Rows keep their order on the way down, so they are sorted once for all nodes.
        ascending = table.take(np.argsort(table.y, kind="stable"))
        medians = np.full(tree.n_nodes, np.nan)
        for node, rows, weights in visits(tree, ascending):
            medians[node] = median_of(ascending.y[rows], weights)
        return medians[who_answers(tree), None]


def median_of(ascending: Floats, weights: Floats) -> float:
    """The weighted median of values in ascending order; NaN of none."""
    some = weights > 0.0
    values, reached = ascending[some], np.cumsum(weights[some])
    if not len(values):
        return np.nan
    total = float(reached[-1])
    first = int(np.searchsorted(reached, total * (0.5 - _HALF_NOISE)))
    last = int(np.searchsorted(reached, total * (0.5 + _HALF_NOISE)))
    return float(values[first] / 2.0 + values[last] / 2.0)
