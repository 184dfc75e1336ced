"""The tests chosen for the nodes of a level."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from attrs import frozen

from treekit.offers import Later, Offers, Tests
from treekit.table.record import Bools, Floats, Ints
from treekit.tree import CUTS, LEAF, LINEAR, ranges

SPLIT: Final = -1  # the reason of a node that is no leaf
VAIN: Final = -2  # of one that would be split in vain, until that has a number


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
        told = [*_cuts(offers, choice), *_others(offers, choice)]
        for here, tests in told:
            kind[here] = tests.kind
            n_branches[here] = tests.n_branches
            n_operands[here] = tests.n_operands
            if tests.kind == LINEAR:
                column[here] = tests.leading(-1)
        operands = np.empty(int(n_operands.sum()))
        start = np.cumsum(n_operands) - n_operands
        for here, tests in told:
            own = np.arange(tests.operands.shape[1])
            held = own < n_operands[here][:, None]
            operands[(start[here][:, None] + own)[held]] = tests.operands[held]
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


def _cuts(offers: Offers, choice: Ints) -> Iterator[tuple[Ints, Tests]]:
    """Nodes that choose cuts that are still to be found, and their tests: all columns at once."""
    later = [tests.told if isinstance(tests.told, Later) else None for tests in offers.tests]
    position = np.array([-1 if one is None else one.position for one in later])
    for find in dict.fromkeys(one.find for one in later if one is not None):
        by_this = np.array([one is not None and one.find is find for one in later])
        here = np.flatnonzero((choice >= 0) & by_this[choice])
        if len(here):
            two = np.full(len(here), 2, np.int64)
            yield here, Tests(CUTS, find(here, position[choice[here]])[:, None], two)


def _others(offers: Offers, choice: Ints) -> Iterator[tuple[Ints, Tests]]:
    """Nodes that choose a column whose tests are known, and their tests: column by column."""
    known = np.array([not isinstance(tests.told, Later) for tests in offers.tests])
    if not known[choice[choice >= 0]].any():
        return
    order = np.argsort(choice, kind="stable")
    which, first = np.unique(choice[order], return_index=True)
    for j, here in zip(which.tolist(), np.split(order, first[1:]), strict=True):
        if j >= 0 and known[j]:
            tests = offers.tests[j]
            yield here, Tests(tests.kind, tests.of(here), tests.n_branches[here])


def leaves(reason: Ints, groups: int = 1) -> Chosen:
    """Every node a leaf, for these reasons."""
    n = len(reason)
    none = np.zeros(n, np.int64)
    toward = np.full((n, groups), -1, np.int64)
    return Chosen(none - 1, none, none, none, np.empty(0), np.full(n, -np.inf), reason, toward)
