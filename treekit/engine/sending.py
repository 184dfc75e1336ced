"""How the cases of nodes that are split get to their children."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from attrs import evolve, frozen

from treekit.engine import partition
from treekit.engine.cases import NO_WORDS, Cases, laid_out
from treekit.engine.sample import Targets
from treekit.table.record import Bools, Floats, Ints
from treekit.threads import at_hand, in_order
from treekit.tree import SPREAD, Int32s


@frozen(eq=False)
class Splits:
    """The tests of some nodes: one entry per node, `operands` flat, `first_child` from 0."""

    start: Ints
    stop: Ints
    kind: Ints
    column: Ints
    operands: Floats
    operand_start: Ints
    first_child: Ints
    n_children: Ints

    @property
    def owner(self) -> Ints:
        """Of each child: the node."""
        return np.repeat(np.arange(len(self.start)), self.n_children)


@frozen(eq=False)
class Taken:
    """The branch each case takes; the known weight of each child; cases that go nowhere."""

    branch: npt.NDArray[np.signedinteger]
    known_weight: Floats
    lost: Ints


@frozen(eq=False)
class Settled:
    """Every case's child: the children's statistics and rows, and the cases, spread ones added.

    `extra[i]` is where the further cases of a spread case i begin. In a `whole` node every case
    goes to one child.
    """

    stats: Floats
    count: Ints
    rows: Ints
    weights: Floats
    targets: Targets
    extra: Ints
    whole: Bools


def take_branches(cases: Cases, splits: Splits) -> Taken:
    """Route every case of the split nodes by its value."""
    taken = Taken(
        # The branch of every case is fetched at random: the smaller, the more of them are at hand.
        np.empty(len(cases), np.int8 if splits.n_children.max() < 100 else np.int32),
        np.zeros(int(splits.n_children.sum())),
        np.zeros(len(splits.start), np.int64),
    )
    sample = cases.sample
    partition.take_branches.bound(cases.compiled)(
        cases.words, cases.codes, cases.class_bits, cases.carried, cases.loose, sample.code_row,
        *sample.values.arguments, sample.offset, sample.n_distinct, splits.start, splits.stop,
        splits.kind, splits.column, splits.operands, splits.operand_start, splits.first_child,
        sample.table.cells, cases.rows, cases.weights, np.empty(len(splits.operands)),
        taken.branch, taken.known_weight, taken.lost,
    )  # fmt: skip
    return taken


def settle(cases: Cases, splits: Splits, taken: Taken, destination: Int32s) -> Settled:
    """Decide every case's child, the unknown ones going to `destination` [n, 1 or 1 + classes]."""
    spreads = destination[:, 0] == SPREAD
    n_children = int(splits.n_children.sum())
    heavy = np.add.reduceat(taken.known_weight > 0, splits.first_child, dtype=np.int64)
    copies = np.where(spreads, np.maximum(heavy - 1, 0) * taken.lost, 0)
    if (spreads & (taken.lost > 0)).any():
        cases = _spreadable(cases, int(copies.sum()))
    settled = Settled(
        stats=np.zeros((n_children, cases.sample.n_stats)),
        count=np.zeros(n_children, np.int64),
        rows=cases.rows,
        weights=cases.weights,
        targets=cases.targets,
        extra=np.empty(len(taken.branch), np.int64),
        whole=(taken.lost == 0) | (destination >= 0).all(axis=1),
    )
    partition.settle.bound(cases.compiled)(
        cases.order, splits.start, splits.stop, splits.first_child, splits.n_children,
        destination, taken.known_weight, settled.rows, settled.weights, settled.targets,
        taken.branch, settled.extra, settled.stats, settled.count,
    )  # fmt: skip
    return settled


def carry(
    cases: Cases, splits: Splits, taken: Taken, settled: Settled, is_open: Bools
) -> tuple[Cases, Ints]:
    """The cases of the open children, and where each child's begin."""
    sizes = np.where(is_open, settled.count, 0)
    stop = np.cumsum(sizes)
    start = stop - sizes
    n_lists, width = len(cases.words), int(stop[-1])
    # Memory that was used before need not be cleared by the system.
    enough = len(cases.spare) >= n_lists * width
    room = cases.spare if enough else np.empty(n_lists * width, np.uint64)
    words, begin = laid_out(room, n_lists, width), np.where(is_open, start, -1)
    scatter = partition.scatter.bound(cases.compiled)

    def move(some: slice) -> None:
        scatter(
            cases.words[some], splits.start, splits.stop, splits.first_child, splits.n_children,
            taken.known_weight, settled.whole, taken.branch, settled.extra, begin, stop,
            words[some],
        )  # fmt: skip

    threads = min(at_hand(), n_lists)
    step = n_lists if threads == 1 else 1
    for _ in in_order(move, [slice(i, i + step) for i in range(0, n_lists, step)], threads):
        pass
    codes = cases.codes
    if len(settled.targets) > len(cases):
        # An index would lay the columns out across, and kernels be compiled for that too.
        codes = cases.sample.codes[cases.carried == 0].take(settled.rows, axis=1)
    below = evolve(
        cases,
        words=words,
        codes=codes,
        rows=settled.rows,
        weights=settled.weights,
        targets=settled.targets,
        age=cases.age + 1,
        room=room,
        spare=cases.room if cases.alone else NO_WORDS,
    )
    return below.numbered() if below.age >= cases.renumber_every else below, start


def _spreadable(cases: Cases, further: int) -> Cases:
    """The same cases, each with a row and a weight of its own, and room for further ones."""
    n = len(cases)
    rows = cases.rows if len(cases.rows) else np.arange(n, dtype=np.int64)
    return evolve(
        cases,
        rows=np.resize(rows, n + further),
        weights=np.resize(cases.weights, n + further),
        targets=np.resize(cases.targets, n + further),
    )
