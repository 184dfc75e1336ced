"""The tests chosen for the nodes of a level."""

from __future__ import annotations

from typing import Final

import numpy as np
from attrs import frozen

from treekit.offers import Offers, Tests
from treekit.table.record import Bools, Floats, Ints
from treekit.tree import LEAF, ranges

SPLIT: Final = -1  # the reason of a node that is no leaf


@frozen(eq=False)
class Chosen:
    """One entry per node: its test, or (column -1) the number of the reason why it is a leaf.

    `operands[operand_start[i]:]` are node i's, as many as `n_operands[i]`. `toward[i]` is the
    branch for unknown values, in queries and then of each class; -1: the handler is asked.
    """

    column: Ints
    kind: Ints
    n_branches: Ints
    n_operands: Ints
    operands: Floats
    score: Floats
    reason: Ints
    toward: Ints

    @property
    def operand_start(self) -> Ints:
        return np.cumsum(self.n_operands) - self.n_operands

    @staticmethod
    def of(offers: Offers, choice: Ints, score: Floats, reason: Ints, toward: Ints) -> Chosen:
        """The offers at position `choice` of each node; -1 is a leaf."""
        n = len(choice)
        inner = choice >= 0
        column = np.where(inner, offers.columns[np.maximum(choice, 0)], -1)
        kind = np.full(n, LEAF, np.int64)
        n_branches, n_operands = np.zeros(n, np.int64), np.zeros(n, np.int64)
        asking = _by_choice(offers, choice)
        for asked, here, tests in asking:
            kind[here] = tests.kind
            column[here] = tests.leading(asked)[here]
            n_branches[here] = tests.n_branches[here]
            n_operands[here] = tests.n_operands[here]
        operands = np.empty(int(n_operands.sum()))
        start = np.cumsum(n_operands) - n_operands
        for _, here, tests in asking:
            own = np.arange(tests.operands.shape[1])
            held = own < n_operands[here][:, None]
            operands[(start[here][:, None] + own)[held]] = tests.operands[here][held]
        # A branch behind the test's own is one for unknown values.
        n_branches = np.where(inner, np.maximum(n_branches, toward[:, 0] + 1), 0)
        return Chosen(column, kind, n_branches, n_operands, operands, score, reason, toward)

    def only(self, some: Ints) -> Chosen:
        """The tests of some of the nodes."""
        return Chosen(
            self.column[some],
            self.kind[some],
            self.n_branches[some],
            self.n_operands[some],
            self.operands[ranges(self.operand_start[some], self.n_operands[some])],
            self.score[some],
            self.reason[some],
            self.toward[some],
        )

    def closed(self, these: Bools, reason: int) -> Chosen:
        """The same tests, but these nodes are leaves for this reason."""
        if not these.any():
            return self
        kept = np.flatnonzero(~these)
        closed = leaves(np.full(len(these), reason, np.int64), self.toward.shape[1])
        return closed.updated(kept, self.only(kept))

    def updated(self, some: Ints, chosen: Chosen) -> Chosen:
        """These nodes with the tests of `some` in the place of their own."""
        if len(some) == len(self.column):
            return chosen
        both = {
            name: np.concatenate([getattr(self, name), getattr(chosen, name)])
            for name in ("column", "kind", "n_branches", "n_operands", "score", "reason", "toward")
        }
        at = np.arange(len(self.column))
        at[some] = len(at) + np.arange(len(some))
        operands = np.concatenate([self.operands, chosen.operands])
        return Chosen(operands=operands, **both).only(at)


def _by_choice(offers: Offers, choice: Ints) -> list[tuple[int, Ints, Tests]]:
    """Each column that is chosen anywhere, the nodes that choose it, and its tests."""
    order = np.argsort(choice, kind="stable")
    which, first = np.unique(choice[order], return_index=True)
    groups = np.split(order, first[1:])
    chosen = zip(which.tolist(), groups, strict=True)
    return [(int(offers.columns[j]), here, offers.tests[j]) for j, here in chosen if j >= 0]


def leaves(reason: Ints, groups: int = 1) -> Chosen:
    """Every node a leaf, for these reasons."""
    n = len(reason)
    none = np.zeros(n, np.int64)
    toward = np.full((n, groups), -1, np.int64)
    return Chosen(none - 1, none, none, none, np.empty(0), np.full(n, -np.inf), reason, toward)
