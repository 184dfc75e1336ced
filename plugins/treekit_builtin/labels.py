"""Labels: what a leaf answers."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import frozen

from treekit import Floats, Int64s, Tree


@frozen
class Majority:
    """The shares of the class weights; the greatest is the class, the first one on ties.

    An empty node answers the majority class of its parent, with all the weight (Quinlan 1986,
    section 4; Quinlan 1993, chapter 2).
    """

    tasks: ClassVar[tuple[str, ...]] = ("classification",)

    def answers(self, tree: Tree) -> Floats:
        """[nodes, classes]: shares that sum to 1."""
        source = who_answers(tree)
        counts = tree.stats[source, 1:]
        shares = counts / counts.sum(axis=1, keepdims=True)
        empty = np.flatnonzero(source != np.arange(tree.n_nodes))
        shares[empty] = np.eye(shares.shape[1])[counts[empty].argmax(axis=1)]
        return np.asarray(shares)


@frozen
class Mean:
    """The weighted mean of the target; an empty node takes its parent's.

    Breiman, Friedman, Olshen and Stone 1984, section 8.3.
    """

    tasks: ClassVar[tuple[str, ...]] = ("regression",)

    def answers(self, tree: Tree) -> Floats:
        """[nodes, 1]: means."""
        stats = tree.stats[who_answers(tree)]
        return np.asarray(stats[:, 1:2] / stats[:, :1] + tree.centre)


def who_answers(tree: Tree) -> Int64s:
    """The node whose statistics answer for each node: an empty node's parent answers for it."""
    nodes = np.arange(tree.n_nodes, dtype=np.int64)
    return np.where((tree.weight > 0.0) | (nodes == 0), nodes, tree.parent)
