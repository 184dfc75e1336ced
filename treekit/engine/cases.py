"""The cases of the open nodes: rows with weights, sorted by every ordered column within a node."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from attrs import evolve, frozen

from treekit.engine import partition
from treekit.engine.sample import Sample, Targets, Words
from treekit.table.ranking import LOW
from treekit.table.record import Bools, Floats, Ints
from treekit.tree import SPREAD, Int32s

RENUMBER_EVERY = 2  # levels


@frozen(eq=False)
class Cases:
    """Case i is `rows[i]` of the table with `weights[i]` and `targets[i]`; see Sample for `words`.

    A single weight stands for all cases, and no `rows` mean that cases are rows: what need not be
    fetched costs no time. `spare` is memory of an earlier level that may be written over,
    `age` the number of levels since cases were last numbered.
    """

    sample: Sample
    words: Words
    rows: Ints
    weights: Floats
    targets: Targets
    compiled: bool = False
    spare: Words | None = None
    age: int = 0

    def __len__(self) -> int:
        return len(self.targets)


def first_cases(sample: Sample) -> Cases:
    """All rows, before any split."""
    return Cases(
        sample,
        sample.words,
        np.empty(0, np.int64),
        np.ones(1) if sample.table.given_weights is None else sample.table.weights.copy(),
        sample.targets,
    )


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
        cases.words, sample.word_row, sample.values, sample.offset, sample.n_distinct,
        splits.start, splits.stop, splits.kind, splits.column, splits.operands,
        splits.operand_start, splits.first_child, sample.table.cells, cases.rows, cases.weights,
        np.empty(len(splits.operands)), taken.branch, taken.known_weight, taken.lost,
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
        cases.words[0], splits.start, splits.stop, splits.first_child, splits.n_children,
        destination, taken.known_weight, settled.rows, settled.weights, settled.targets,
        taken.branch, settled.extra, settled.stats, settled.count,
    )  # fmt: skip
    return settled


def carry(
    cases: Cases, splits: Splits, taken: Taken, settled: Settled, is_open: Bools, reuse: bool
) -> tuple[Cases, Ints]:
    """The cases of the open children, and where each child's begin.

    With `reuse` no open node is left in the old ones: their memory may be written over.
    """
    sizes = np.where(is_open, settled.count, 0)
    stop = np.cumsum(sizes)
    start = stop - sizes
    n_columns, width = len(cases.words), int(stop[-1])
    room = _room(cases.spare if reuse else None, n_columns * width + 1)
    partition.scatter.bound(cases.compiled)(
        cases.words, splits.start, splits.stop, splits.first_child, splits.n_children,
        taken.known_weight, settled.whole, taken.branch, settled.extra,
        np.where(is_open, start, -1), width, room,
    )  # fmt: skip
    below = evolve(
        cases,
        words=room[:-1].reshape(n_columns, width),
        rows=settled.rows,
        weights=settled.weights,
        targets=settled.targets,
        spare=cases.words if reuse and cases.words is not cases.sample.words else None,
        age=cases.age + 1 if reuse else RENUMBER_EVERY,
    )
    return _renumbered(below), start


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


def _room(spare: Words | None, need: int) -> Words:
    """Room for so many words, in memory that is no longer needed if there is any."""
    if spare is None or spare.base is None or spare.base.size < need:
        return np.empty(need, np.uint64)
    whole: Words = spare.base.ravel()
    return whole[:need]


def _renumbered(cases: Cases) -> Cases:
    """The same cases, numbered node by node, every few levels.

    What is fetched of a node's cases then lies close together, and those of closed nodes are gone.
    """
    if cases.age < RENUMBER_EVERY:
        return cases
    kept = (cases.words[0] & LOW).astype(np.int64)
    number = np.empty(len(cases), np.uint64)
    number[kept] = np.arange(len(kept), dtype=np.uint64)
    partition.renumber.bound(cases.compiled)(cases.words, number)
    return evolve(
        cases,
        rows=cases.rows[kept] if len(cases.rows) else kept,
        weights=cases.weights[kept] if len(cases.weights) > 1 else cases.weights,
        targets=cases.targets[kept],
        age=0,
    )
