"""Minimum-error pruning: the error that the law of succession expects of a leaf."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import frozen

from treekit import Floats, PruningData, Tree, class_errors, stayed

from .telling import cut_back

_REASON = "pruned: the expected error of a leaf is no greater"
_NOISE = 1e-12


@frozen
class MinimumError:
    """Make a leaf of each node that is expected to err no more as a leaf (Niblett and Bratko 1986).

    A leaf that holds n, n_c of its greatest class, is expected to err at the rate
    (n - n_c + k - 1) / (n + k), k being the number of classes. A subtree's rate is that of its
    branches, pruned first, each by its weight; rows that go no further than a node err at the
    node's own rate.
    """

    tasks: ClassVar[tuple[str, ...]] = ("classification",)

    def prune(self, tree: Tree, data: PruningData) -> Tree:
        rate = expected_error(tree)
        staying = stayed(tree, tree.stats)[:, 0]
        slack = _NOISE * float(tree.weight[0])
        return cut_back(
            tree, data, tree.weight * rate, staying * rate, slack, "expected errors", _REASON
        )


def expected_error(tree: Tree) -> Floats:
    """The rate at which each node is expected to err as a leaf (Niblett and Bratko 1986)."""
    n_classes = tree.stats.shape[1] - 1
    return np.asarray((class_errors(tree.stats) + n_classes - 1) / (tree.weight + n_classes))
