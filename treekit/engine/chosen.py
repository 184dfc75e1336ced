"""The tests chosen for the nodes of a level."""

from __future__ import annotations

from typing import Final

import numpy as np
from attrs import frozen

from treekit.offers import Offers
from treekit.table.record import Floats, Ints
from treekit.tree import LEAF, ranges

SPLIT: Final = -1  # the reason of a node that is no leaf


@frozen(eq=False)
class Chosen:
    """One entry per node: its test, or (column -1) the number of the reason why it is a leaf.

    `operands[operand_start[i]:]` are node i's, as many as `n_operands[i]`.
    """

    column: Ints
    kind: Ints
    n_branches: Ints
    n_operands: Ints
    operands: Floats
    score: Floats
    reason: Ints

    @property
    def operand_start(self) -> Ints:
        return np.cumsum(self.n_operands) - self.n_operands

    @staticmethod
    def of(offers: Offers, choice: Ints, score: Floats, reason: Ints) -> Chosen:
        """The offers at position `choice` of each node; -1 is a leaf."""
        n = len(choice)
        inner = choice >= 0
        column = np.where(inner, offers.columns[np.maximum(choice, 0)], -1)
        kind = np.full(n, LEAF, np.int64)
        n_branches, n_operands = np.zeros(n, np.int64), np.zeros(n, np.int64)
        asked = np.unique(choice[inner])
        for j in asked:
            here = choice == j
            tests = offers.tests[j]
            kind[here] = tests.kind
            n_branches[here] = tests.n_branches[here]
            n_operands[here] = tests.operands.shape[1]
        operands = np.empty(int(n_operands.sum()))
        start = np.cumsum(n_operands) - n_operands
        for j in asked:
            here = np.flatnonzero(choice == j)
            operands[ranges(start[here], n_operands[here])] = offers.tests[j].operands[here].ravel()
        return Chosen(column, kind, n_branches, n_operands, operands, score, reason)

    def updated(self, some: Ints, chosen: Chosen) -> Chosen:
        """These nodes with the tests of `some` (ascending, none chosen before) filled in."""
        if len(some) == len(self.column):
            return chosen
        merged = {}
        for name in ("column", "kind", "n_branches", "n_operands", "score", "reason"):
            merged[name] = getattr(self, name).copy()
            merged[name][some] = getattr(chosen, name)
        # Chunks come in ascending order, so their operands simply follow one another.
        operands = np.concatenate([self.operands, chosen.operands])
        return Chosen(operands=operands, **merged)


def leaves(reason: Ints) -> Chosen:
    """Every node a leaf, for these reasons."""
    n = len(reason)
    none = np.zeros(n, np.int64)
    return Chosen(none - 1, none, none, none, np.empty(0), np.full(n, -np.inf), reason)
