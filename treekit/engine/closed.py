"""The closed nodes of a tree under way, and the tree that they become."""

from __future__ import annotations

from typing import Any

import numpy as np
from attrs import frozen

from treekit.compiling import kernel
from treekit.engine.chosen import Chosen
from treekit.offers import Nodes
from treekit.table.record import Bools, Floats, Ints
from treekit.tree import (
    Int8s,
    Int32s,
    Surrogates,
    Tree,
    arranged,
    end_to_end,
    no_surrogates,
    ranges,
)


@frozen(eq=False)
class Part:
    """Nodes that closed together, one entry per node, as small as a Tree has them.

    `operands` are flat, `n_operands` of each node; `first_child` is the number of a node's first
    child where it has children.
    """

    numbers: Ints
    first_child: Ints
    n_children: Int32s
    n_operands: Int32s
    operands: Floats
    kind: Int8s
    column: Int32s
    unknown: Int32s
    stats: Floats
    rows: Ints
    score: Floats
    reason: Int32s
    surrogates: Surrogates | None


class Closed:
    """Nodes are appended as they close, numbered in the order in which they were opened."""

    def __init__(self) -> None:
        self.parts: list[Part] = []

    def append(
        self,
        numbers: Ints,
        nodes: Nodes,
        chosen: Chosen,
        unknown: Int32s,
        first_child: Ints,
        surrogates: Surrogates | None = None,
    ) -> None:
        self.parts.append(
            Part(
                numbers=numbers,
                first_child=first_child,
                n_children=chosen.n_branches.astype(np.int32),
                n_operands=chosen.n_operands.astype(np.int32),
                operands=chosen.operands,
                kind=chosen.kind.astype(np.int8),
                column=chosen.column.astype(np.int32),
                unknown=unknown,
                stats=nodes.stats,
                rows=nodes.rows,
                score=chosen.score,
                reason=chosen.reason.astype(np.int32),
                surrogates=surrogates,
            )
        )

    def tree(
        self, reasons: tuple[str, ...], centre: float, compiled: bool = False
    ) -> tuple[Tree, Ints]:
        """All nodes as one Tree, level by level; which node each was in the order of opening."""
        by_number = self._all("numbers").argsort(kind="stable")
        n_children = self._all("n_children")[by_number]
        opened = self._opened(by_number, n_children, compiled)
        order = by_number[opened]
        lengths = self._all("n_operands")
        begin = lengths.cumsum(dtype=np.int64) - lengths
        start = np.zeros(len(order) + 1, np.int64)
        lengths = lengths[order]
        lengths.cumsum(out=start[1:])
        n_children = n_children[opened]
        inner = n_children > 0
        first_child = 1 + n_children.cumsum(dtype=np.int32) - n_children
        tree = Tree(
            kind=self._all("kind")[order],
            column=self._all("column")[order],
            first_child=np.where(inner, first_child, np.int32(0)),
            n_children=n_children,
            start=start,
            operands=self._all("operands")[ranges(begin[order], lengths)],
            unknown=self._all("unknown")[order],
            stats=self._all("stats")[order],
            rows=self._all("rows")[order],
            score=np.where(inner, self._all("score")[order], np.nan),
            reason=self._all("reason")[order],
            reasons=reasons,
            centre=centre,
            surrogates=self._surrogates(order, inner),
        )
        return tree, opened

    def _opened(self, by_number: Ints, n_children: Int32s, compiled: bool) -> Ints:
        """The numbers of the nodes, level by level; as they are, if some were left open."""
        first_child = self._all("first_child")[by_number]
        behind = 1 + n_children.cumsum(dtype=np.int64)
        elsewhere = (first_child != behind - n_children) & (n_children > 0)
        as_opened = np.arange(len(by_number))
        if behind[-1] != len(by_number) or not np.count_nonzero(elsewhere):
            return as_opened
        level_order.bound(compiled)(first_child, n_children, as_opened)
        return as_opened

    def _surrogates(self, order: Ints, inner: Bools) -> Surrogates | None:
        if all(part.surrogates is None for part in self.parts):
            return None
        parts = [
            no_surrogates(len(part.numbers)) if part.surrogates is None else part.surrogates
            for part in self.parts
        ]
        return arranged(end_to_end(parts), order, inner)

    def _all(self, name: str) -> Any:
        if len(self.parts) == 1:
            return getattr(self.parts[0], name)
        return np.concatenate([getattr(part, name) for part in self.parts])


@kernel
def level_order(first_child, n_children, order):  # type: ignore[no-untyped-def]
    """Write the nodes level by level, the children of a node side by side; 0 is the root."""
    order[0], filled = 0, 1
    for i in range(order.shape[0]):
        node = order[i]
        for k in range(n_children[node]):
            order[filled] = first_child[node] + k
            filled += 1
