"""The closed levels of a tree under way, and the tree that they become."""

from __future__ import annotations

import numpy as np

from treekit.engine.chosen import Chosen
from treekit.offers import Nodes
from treekit.table.record import Floats, Ints
from treekit.tree import Int32s, Tree


class Levels:
    """Levels are appended as they close."""

    def __init__(self, reasons: tuple[str, ...], centre: float) -> None:
        self.reasons = reasons
        self.centre = centre
        self.nodes: list[Nodes] = []
        self.chosen: list[Chosen] = []
        self.unknown: list[Int32s] = []

    def append(self, nodes: Nodes, chosen: Chosen, unknown: Int32s) -> None:
        self.nodes.append(nodes)
        self.chosen.append(chosen)
        self.unknown.append(unknown)

    def tree(self) -> Tree:
        """All levels as one Tree."""
        n_children = self._all("n_branches")
        inner = n_children > 0
        start = np.zeros(len(inner) + 1, np.int64)
        np.cumsum(self._all("n_operands"), out=start[1:])
        return Tree(
            kind=self._all("kind").astype(np.int8),
            column=self._all("column").astype(np.int32),
            first_child=np.where(inner, 1 + np.cumsum(n_children) - n_children, 0).astype(np.int32),
            n_children=n_children.astype(np.int32),
            start=start,
            operands=np.concatenate([c.operands for c in self.chosen]),
            unknown=np.concatenate(self.unknown).astype(np.int32),
            stats=np.concatenate([n.stats for n in self.nodes]),
            rows=np.concatenate([n.rows for n in self.nodes]).astype(np.int64),
            score=np.where(inner, self._all("score"), np.nan),
            reason=self._all("reason").astype(np.int32),
            reasons=self.reasons,
            centre=self.centre,
        )

    def _all(self, name: str) -> Ints | Floats:
        return np.concatenate([getattr(c, name) for c in self.chosen])
