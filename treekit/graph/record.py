"""The Graph: nodes of a tree, each standing for all that are equal to it."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from attrs import frozen

from treekit.leaf_models import LeafModels
from treekit.table.record import Bools, Floats, Schema
from treekit.tree import CUTS, LEAF, LEVELS, Int64s, Tree


@frozen(eq=False)
class Graph:
    """A tree with its equal subtrees merged. Node 0 is the root; children come after parents.

    What a node asks and answers is told by the tree, at the node `node[i]` of it.

    schema       the columns, and what the tree predicts
    tree         that was merged
    answers      [tree nodes, A] that rows get; of labels alone, all of a row for its class
    leaf_models  those of the tree, where its answers depend on the row
    node         [n]: of the tree's nodes that this one stands for, the first
    first        [n + 1]: children[first[i]:first[i + 1]] are node i's, in the order of its branches
    children     nodes of the graph; several may be the same
    stands_for   [tree nodes]: the node of the graph that took a node's place
    """

    schema: Schema
    tree: Tree
    answers: Floats
    leaf_models: LeafModels | None
    node: Int64s
    first: Int64s
    children: Int64s
    stands_for: Int64s

    @property
    def n_nodes(self) -> int:
        return len(self.node)

    @property
    def is_leaf(self) -> Bools:
        return np.asarray(self.tree.kind[self.node] == LEAF)

    @property
    def n_leaves(self) -> int:
        return int(self.is_leaf.sum())

    def children_of(self, node: int) -> list[int]:
        return list(self.children[self.first[node] : self.first[node + 1]].tolist())

    @cached_property
    def n_parents(self) -> Int64s:
        """How many branches lead to each node; 0 at the root."""
        return np.bincount(self.children, minlength=self.n_nodes).astype(np.int64)

    @cached_property
    def stats(self) -> Floats:
        """[n, S]: the statistics of the training rows that reach each node, as a Tree has them."""
        parent = self.tree.parent
        # A test that was left out and the node that took its place are reached by the same rows.
        arrives = np.r_[True, self.stands_for[1:] != self.stands_for[parent[1:]]]
        found = np.zeros((self.n_nodes, self.tree.stats.shape[1]))
        np.add.at(found, self.stands_for[arrives], self.tree.stats[arrives])
        return found

    @cached_property
    def order(self) -> tuple[int, ...] | None:
        """The columns in an order that every path keeps to; None: there is no such order.

        A column may be asked several times in a row. Tests of several columns have no order.
        """
        kind, column = self.tree.kind[self.node], self.tree.column[self.node]
        if not np.isin(kind, (LEAF, CUTS, LEVELS)).all():
            return None
        above = np.repeat(column, np.diff(self.first))
        below = column[self.children]
        steps = np.unique(np.stack([above, below])[:, (above != below) & (below >= 0)], axis=1)
        before: dict[int, set[int]] = {int(c): set() for c in column if c >= 0}
        for earlier, later in steps.T.tolist():
            before[later].add(earlier)
        placed: list[int] = []
        while before:
            free = next((c for c, earlier in before.items() if not earlier), None)
            if free is None:
                return None
            placed.append(free)
            del before[free]
            for earlier in before.values():
                earlier.discard(free)
        return tuple(placed)

    def __str__(self) -> str:
        from treekit.report import render_graph

        return render_graph(self, "text").rstrip("\n")
