"""Levels that can no longer occur below an earlier test of the same column."""

from __future__ import annotations

import numpy as np
from attrs import evolve

from treekit import LEVELS, NOWHERE, SPREAD, Int64s, Tree, rebuilt


def without_impossible_levels(tree: Tree) -> Tree:
    """The tree whose tests lead only levels to their last branch that can get as far.

    C4.5 does so when it has pruned a tree with groups of levels, whose last branch holds all the
    levels that growth did not meet. A last branch without levels is dropped.
    """
    nodes, above, via = _asked_again(tree)
    if len(nodes) == 0:
        return tree
    operands, n_children = tree.operands.copy(), tree.n_children.copy()
    for node, ancestor, branch in zip(nodes.tolist(), above.tolist(), via.tolist(), strict=True):
        to = operands[tree.start[node] : tree.start[node + 1]]
        possible = operands[tree.start[ancestor] : tree.start[ancestor + 1]] == branch
        if tree.unknown[ancestor] in (SPREAD, branch):
            possible |= tree.test_operands(ancestor) == NOWHERE
        last = n_children[node] - 1
        to[(to == last) & ~possible] = NOWHERE
        if not (to == last).any() and last > 1 and tree.unknown[node] != last:
            n_children[node] = last
    fewer = evolve(tree, operands=operands, n_children=n_children)
    return rebuilt(fewer, np.arange(tree.n_nodes), tree.is_leaf, "")


def _asked_again(tree: Tree) -> tuple[Int64s, Int64s, Int64s]:
    """The tests of levels whose column was asked about on the way, parents first.

    With the nearest node that did so, and the branch taken there.
    """
    nodes = np.flatnonzero(tree.kind == LEVELS)
    above, via = np.full(len(nodes), -1, np.int64), np.full(len(nodes), -1, np.int64)
    open_, child = np.arange(len(nodes)), nodes.astype(np.int64)
    while len(open_):
        parent = tree.parent[child].astype(np.int64)
        inside = parent >= 0
        open_, child, parent = open_[inside], child[inside], parent[inside]
        same = tree.column[parent] == tree.column[nodes[open_]]
        above[open_[same]] = parent[same]
        via[open_[same]] = child[same] - tree.first_child[parent[same]]
        open_, child = open_[~same], parent[~same]
    again = above >= 0
    return nodes[again], above[again], via[again]
