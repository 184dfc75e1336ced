"""The open nodes of a tree under way."""

from __future__ import annotations

import numpy as np
from attrs import evolve, frozen

from treekit.engine.cases import Cases
from treekit.engine.chosen import SPLIT, Chosen
from treekit.engine.drawing import Keys
from treekit.offers import Nodes
from treekit.table.record import Bools, Ints


@frozen(eq=False)
class Batch:
    """Open nodes whose cases lie in the same arrays.

    numbers  in the order in which nodes are opened
    reason   why a node is a leaf before any test was looked for, or SPLIT
    start    where a node's cases begin; those of a node that is a leaf are gone
    used     [nodes, columns]: columns that may not be asked about again
    keys     of what is drawn for a node (`engine.drawing`)
    chosen   the nodes' tests, once they have been looked for
    """

    numbers: Ints
    nodes: Nodes
    reason: Ints
    start: Ints
    used: Bools
    keys: Keys
    cases: Cases
    chosen: Chosen | None = None

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def candidates(self) -> Ints:
        """The nodes for which a test may be looked for."""
        return np.flatnonzero(self.reason == SPLIT)

    @property
    def choice(self) -> Chosen:
        """The tests that were looked for."""
        if self.chosen is None:
            raise ValueError("no test was looked for yet")
        return self.chosen

    @property
    def stop(self) -> Ints:
        return self.start + self.nodes.rows

    @property
    def shared(self) -> Batch:
        """The same nodes, of whose cases others will have need."""
        return evolve(self, cases=self.cases.shared)

    def only(self, some: Ints) -> Batch:
        """Some of the nodes."""
        return evolve(
            self,
            numbers=self.numbers[some],
            nodes=self.nodes.only(some),
            reason=self.reason[some],
            start=self.start[some],
            used=self.used[some],
            keys=self.keys[some],
            chosen=None if self.chosen is None else self.chosen.only(some),
        )
