"""The cases of the open nodes: rows with weights, sorted by every ordered column within a node."""

from __future__ import annotations

import numpy as np
from attrs import evolve, frozen

from treekit.engine import partition
from treekit.engine.sample import Sample, Targets, Words
from treekit.engine.scan import LOW
from treekit.table.record import Floats, Ints
from treekit.tree import SPREAD, Int32s


@frozen(eq=False)
class Cases:
    """Case i is `rows[i]` of the table with `weights[i]` and `targets[i]`; see Sample for `words`.

    `spare` is memory of an earlier level that may be written over.
    """

    sample: Sample
    words: Words
    rows: Ints
    weights: Floats
    targets: Targets
    compiled: bool
    spare: Words | None = None


def first_cases(sample: Sample, compiled: bool) -> Cases:
    """All rows, before any split."""
    n = sample.table.n_rows
    return Cases(
        sample,
        sample.words,
        np.arange(n, dtype=np.int64),
        sample.table.weights.copy(),
        sample.targets,
        compiled,
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


@frozen(eq=False)
class Taken:
    """The branch each case takes; the known weight of each child; cases that go nowhere."""

    branch: Int32s
    known_weight: Floats
    lost: Ints


@frozen(eq=False)
class Children:
    """The children's statistics, their cases, and where each child's cases lie."""

    stats: Floats
    count: Ints
    cases: Cases
    start: Ints
    stop: Ints


def take_branches(cases: Cases, splits: Splits) -> Taken:
    """Route every case of the split nodes by its value."""
    taken = Taken(
        np.empty(len(cases.rows), np.int32),
        np.zeros(int(splits.n_children.sum())),
        np.zeros(len(splits.start), np.int64),
    )
    partition.take_branches.bound(cases.compiled)(
        cases.words[0], splits.start, splits.stop, splits.kind, splits.column, splits.operands,
        splits.operand_start, splits.first_child, cases.sample.table.cells, cases.rows,
        cases.weights, taken.branch, taken.known_weight, taken.lost,
    )  # fmt: skip
    return taken


def divide(cases: Cases, splits: Splits, taken: Taken, destination: Int32s) -> Children:
    """Send every case to its child, the unknown ones to `destination`."""
    n_cases = len(cases.rows)
    n_children = int(splits.n_children.sum())
    heavy = np.add.reduceat(taken.known_weight > 0, splits.first_child, dtype=np.int64)
    copies = np.where(destination == SPREAD, np.maximum(heavy - 1, 0) * taken.lost, 0)
    room = n_cases + int(copies.sum())
    if room > n_cases:
        rows, weights, targets = (
            np.concatenate([a, np.zeros(room - n_cases, a.dtype)])
            for a in (cases.rows, cases.weights, cases.targets)
        )
    else:
        rows, weights, targets = cases.rows, cases.weights, cases.targets
    extra = np.empty(n_cases, np.int64)
    stats = np.zeros((n_children, cases.sample.n_stats))
    count = np.zeros(n_children, np.int64)
    partition.settle.bound(cases.compiled)(
        cases.words[0], splits.start, splits.stop, splits.first_child, splits.n_children,
        destination, taken.known_weight, rows, weights, targets, taken.branch, extra, stats, count,
    )  # fmt: skip
    stop = np.cumsum(count)
    start = stop - count
    words = _room(cases.spare, len(cases.words), int(stop[-1]))
    partition.scatter.bound(cases.compiled)(
        cases.words, splits.start, splits.stop, splits.first_child, splits.n_children,
        taken.known_weight, taken.branch, extra, start, words,
    )  # fmt: skip
    spare = None if cases.words is cases.sample.words else cases.words
    below = Cases(cases.sample, words, rows, weights, targets, cases.compiled, spare)
    return Children(stats, count, _renumbered(below), start, stop)


def _room(spare: Words | None, n_columns: int, n_cases: int) -> Words:
    """An array for the next level's words, in memory that is no longer needed if there is any."""
    need = n_columns * n_cases
    if spare is None or spare.base is None or spare.base.size < need:
        flat = np.empty(need, np.uint64)
    else:
        flat = spare.base.ravel()[:need]
    return flat.reshape(n_columns, n_cases)


def _renumbered(cases: Cases) -> Cases:
    """The same cases without those of closed nodes, once these are the greater part."""
    live = cases.words.shape[1]
    if len(cases.rows) <= 2 * live + 1000 or len(cases.rows) == cases.sample.table.n_rows:
        return cases
    kept = (cases.words[0] & LOW).astype(np.int64)
    number = np.empty(len(cases.rows), np.uint64)
    number[kept] = np.arange(live, dtype=np.uint64)
    words = (cases.words & ~LOW) | number[(cases.words & LOW).astype(np.int64)]
    return evolve(
        cases,
        words=words,
        rows=cases.rows[kept],
        weights=cases.weights[kept],
        targets=cases.targets[kept],
        spare=None,
    )
