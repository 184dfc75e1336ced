"""The training cases at the start of growth, every ordered column sorted once."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt
from attrs import frozen

from treekit.engine.scan import HALF
from treekit.table.record import Floats, Ints, Table

Words = npt.NDArray[np.uint64]
Targets = npt.NDArray[np.generic]


@frozen(eq=False)
class Sample:
    """A table as growth sees it.

    `words[0]` are the cases in row order; `words[1 + k]` those of the k-th ordered column, sorted
    by value (the rank in the high half, the case in the low). `values[offset[k]:]` are that
    column's distinct values; its rank `n_distinct[k]` stands for unknown.
    """

    table: Table
    words: Words
    ordered: Ints
    values: Floats
    offset: Ints
    n_distinct: npt.NDArray[np.uint64]
    targets: Targets
    centre: float

    @property
    def n_stats(self) -> int:
        return 3 if self.table.schema.target.is_numeric else 1 + len(self.table.schema.classes)

    @cached_property
    def word_row(self) -> Ints:
        """For each column of the table, its row in `words`; 0 if it is not ordered."""
        row = np.zeros(self.table.n_columns, np.int64)
        row[self.ordered] = 1 + np.arange(len(self.ordered))
        return row

    @cached_property
    def stats(self) -> Floats:
        """The statistics of the whole sample."""
        return statistics(self.targets, self.table.weights, self.n_stats)


def statistics(targets: Targets, weights: Floats, size: int) -> Floats:
    """[W, c1..cK] of classes, or [W, sum wy, sum wy^2] of numbers."""
    if targets.dtype.kind == "f":
        y = targets.astype(np.float64)
        return np.array([weights.sum(), (weights * y).sum(), (weights * y * y).sum()])
    counts = np.bincount(targets.astype(np.int64), weights, size - 1)
    return np.concatenate([[weights.sum()], counts])


def sample_of(table: Table, ordered: Ints) -> Sample:
    """Sort each ordered column once; nothing is sorted again while the tree grows."""
    n = table.n_rows
    words = np.empty((1 + len(ordered), n), np.uint64)
    words[0] = np.arange(n, dtype=np.uint64)
    distinct = []
    for k, column in enumerate(ordered):
        words[1 + k], values = _ranked(table.cells[column])
        distinct.append(values)
    sizes = np.array([len(v) for v in distinct], np.int64)
    targets, centre = _targets(table)
    return Sample(
        table=table,
        words=words,
        ordered=ordered,
        values=np.concatenate([*distinct, np.empty(0)]),
        offset=np.cumsum(sizes) - sizes,
        n_distinct=sizes.astype(np.uint64),
        targets=targets,
        centre=centre,
    )


def _ranked(values: Floats) -> tuple[Words, Floats]:
    """A column's words in ascending order, and its distinct known values."""
    order = np.argsort(values)
    ascending = values[order]
    n_known = len(values) - int(np.isnan(values).sum())
    ranks = np.zeros(len(values), np.uint64)
    ranks[1:n_known] = np.cumsum(ascending[1:n_known] != ascending[: max(n_known - 1, 0)])
    first = np.ones(n_known, dtype=bool)
    first[1:] = ascending[1:n_known] != ascending[: max(n_known - 1, 0)]
    distinct = ascending[:n_known][first]
    ranks[n_known:] = len(distinct)
    return (ranks << HALF) | order.astype(np.uint64), distinct


def _targets(table: Table) -> tuple[Targets, float]:
    """The target as kernels want it, and what was taken from it so that squares lose no digits."""
    if table.schema.target.is_numeric:
        centre = float(np.average(table.y, weights=table.weights))
        return table.y - centre, centre
    small = len(table.schema.classes) <= np.iinfo(np.uint8).max
    return table.y.astype(np.uint8 if small else np.int32), 0.0
