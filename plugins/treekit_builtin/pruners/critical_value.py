"""Critical-value pruning: a test must be strong, or lead to one that is."""

from __future__ import annotations

import math

import numpy as np
from attrs import field, frozen
from attrs.validators import and_, gt, instance_of, lt

from treekit import PruningData, Tree, rebuilt

from .bottom_up import greatest_upward
from .telling import tell

# A score that should equal the critical value may miss it by a rounding error.
_NOISE = 1e-12


@frozen
class CriticalValue:
    """Make a leaf of each node where no test, its own or below, reaches a score (Mingers 1987).

    The scores are those that growth gave the tests, by the recipe's criterion. A weak test stays
    if a strong one stands anywhere below it.

    value  the score that a test must reach, in the criterion's unit
    """

    value: float = field(validator=and_(instance_of((int, float)), gt(-math.inf), lt(math.inf)))

    def prune(self, tree: Tree, data: PruningData) -> Tree:
        scores = np.where(tree.is_leaf, -np.inf, tree.score)
        largest = np.abs(tree.score[~tree.is_leaf]).max(initial=abs(self.value))
        greatest = greatest_upward(tree, scores)
        as_leaf = ~(greatest >= self.value - _NOISE * largest)
        critical = np.full(tree.n_nodes, float(self.value))
        tell(tree, data, greatest, critical, as_leaf, "greatest score, against the critical value")
        reason = f"pruned: no test from here on scores {self.value:g} or more"
        return rebuilt(tree, np.arange(tree.n_nodes), as_leaf, reason)
