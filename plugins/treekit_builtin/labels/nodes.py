"""What the labels share: which node's rows answer, and where rows end."""

from __future__ import annotations

import numpy as np

from treekit import STAY, Bools, Floats, Int64s, Tree

CLASSES = ("classification",)
NUMBERS = ("regression",)


def who_answers(tree: Tree) -> Int64s:
    """The node whose statistics answer for each node: an empty node's parent answers for it."""
    nodes = np.arange(tree.n_nodes, dtype=np.int64)
    empty = ~(tree.weight > 0.0)
    empty[0] = False
    if np.count_nonzero(empty):
        nodes[empty] = tree.parent[empty]
    return nodes


def counts_of(tree: Tree) -> Floats:
    """[nodes, classes]: the class weights that each node answers from."""
    return np.asarray(tree.stats[who_answers(tree), 1:])


def ends_here(tree: Tree) -> Bools:
    """At which nodes rows may end: the leaves, and the tests that unknown values stay at."""
    return np.asarray(tree.is_leaf | (tree.unknown == STAY))
