"""The closed nodes of a tree under way, and the tree that they become."""

from __future__ import annotations

import numpy as np

from treekit.engine.chosen import Chosen
from treekit.offers import Nodes
from treekit.table.record import Bools, Floats, Ints
from treekit.tree import (
    Int32s,
    Surrogates,
    Tree,
    arranged,
    end_to_end,
    no_surrogates,
    ranges,
)


class Closed:
    """Nodes are appended as they close, numbered in the order in which they were opened."""

    def __init__(self) -> None:
        self.numbers: list[Ints] = []
        self.nodes: list[Nodes] = []
        self.chosen: list[Chosen] = []
        self.unknown: list[Int32s] = []
        self.first_child: list[Ints] = []
        self.surrogates: list[Surrogates | None] = []

    def append(
        self,
        numbers: Ints,
        nodes: Nodes,
        chosen: Chosen,
        unknown: Int32s,
        first_child: Ints,
        surrogates: Surrogates | None = None,
    ) -> None:
        self.numbers.append(numbers)
        self.nodes.append(nodes)
        self.chosen.append(chosen)
        self.unknown.append(unknown)
        self.first_child.append(first_child)
        self.surrogates.append(surrogates)

    def tree(self, reasons: tuple[str, ...], centre: float) -> tuple[Tree, Ints]:
        """All nodes as one Tree, level by level; which node each was in the order of opening."""
        by_number = np.argsort(np.concatenate(self.numbers), kind="stable")
        first_child = np.concatenate(self.first_child)[by_number]
        n_children = self._all("n_branches")[by_number].astype(np.int64)
        opened, inner = np.arange(len(by_number)), n_children > 0
        if not np.array_equal(first_child[inner], (1 + np.cumsum(n_children) - n_children)[inner]):
            opened = level_order(first_child, n_children)
        order = by_number[opened]
        lengths = self._all("n_operands").astype(np.int64)
        begin = np.cumsum(lengths) - lengths
        start = np.zeros(len(order) + 1, np.int64)
        np.cumsum(lengths[order], out=start[1:])
        n_children, inner = n_children[opened], inner[opened]
        operands = np.concatenate([c.operands for c in self.chosen])
        tree = Tree(
            kind=self._all("kind")[order].astype(np.int8),
            column=self._all("column")[order].astype(np.int32),
            first_child=np.where(inner, 1 + np.cumsum(n_children) - n_children, 0).astype(np.int32),
            n_children=n_children.astype(np.int32),
            start=start,
            operands=operands[ranges(begin[order], lengths[order])],
            unknown=np.concatenate(self.unknown)[order].astype(np.int32),
            stats=np.concatenate([n.stats for n in self.nodes])[order],
            rows=np.concatenate([n.rows for n in self.nodes])[order].astype(np.int64),
            score=np.where(inner, self._all("score")[order], np.nan),
            reason=self._all("reason")[order].astype(np.int32),
            reasons=reasons,
            centre=centre,
            surrogates=self._surrogates(order, inner),
        )
        return tree, opened

    def _surrogates(self, order: Ints, inner: Bools) -> Surrogates | None:
        if all(s is None for s in self.surrogates):
            return None
        parts = [
            no_surrogates(len(numbers)) if given is None else given
            for numbers, given in zip(self.numbers, self.surrogates, strict=True)
        ]
        return arranged(end_to_end(parts), order, inner)

    def _all(self, name: str) -> Ints | Floats:
        return np.concatenate([getattr(c, name) for c in self.chosen])


def level_order(first_child: Ints, n_children: Ints) -> Ints:
    """The nodes level by level, the children of a node side by side."""
    levels = [np.zeros(1, np.int64)]
    while len(levels[-1]):
        levels.append(ranges(first_child[levels[-1]], n_children[levels[-1]]))
    return np.concatenate(levels)
