"""The training cases at the start of growth, every ordered column ranked once."""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np
import numpy.typing as npt
from attrs import frozen

from treekit.compiling import kernel
from treekit.engine.scan import NUMBERS
from treekit.table.ranking import Codes, Rankings
from treekit.table.record import Bools, Floats, Ints, Table
from treekit.table.values import Values

Targets = npt.NDArray[np.generic]


@frozen(eq=False)
class Sample:
    """A table as growth sees it: its rankings, and its target as kernels want it."""

    table: Table
    ranked: Rankings
    targets: Targets
    centre: float

    @property
    def codes(self) -> Codes:
        return self.ranked.codes

    @property
    def n_stats(self) -> int:
        return 3 if self.table.schema.target.is_numeric else 1 + len(self.table.schema.classes)

    @cached_property
    def code_row(self) -> Ints:
        """For each column of the table, its row in `codes`; -1 if it is not ordered."""
        row = np.full(self.table.n_columns, -1, np.int64)
        row[self.ranked.columns] = np.arange(len(self.ranked.columns))
        return row

    @cached_property
    def is_nominal(self) -> Bools:
        """For each column of the table: has it levels without an order?"""
        return np.asarray(self.code_row < 0)

    @cached_property
    def n_levels(self) -> Ints:
        """For each column of the table, how many levels it has."""
        return np.array([len(column.levels) for column in self.table.columns], np.int64)

    @cached_property
    def n_distinct(self) -> Ints:
        """[k]: how many values each ordered column has, which is the rank of unknown ones."""
        return np.diff(self.ranked.start)

    @property
    def values(self) -> Values:
        return self.ranked.values

    @property
    def offset(self) -> Ints:
        """[k]: where the values of each ordered column begin."""
        return self.ranked.start[:-1]

    @cached_property
    def single_values(self) -> Floats:
        """The values in single precision, in which C4.5 and scikit-learn tell neighbours apart."""
        with np.errstate(over="ignore"):
            return self.values[:].astype(np.float32).astype(np.float64)

    @cached_property
    def level_row(self) -> Ints:
        """For each column of the table, its row in `levels`; -1 if it has no levels."""
        has = np.array([len(column.levels) > 0 for column in self.table.columns], dtype=bool)
        return np.where(has, np.cumsum(has) - 1, -1)

    @cached_property
    def levels(self) -> npt.NDArray[np.unsignedinteger]:
        """[k, rows]: the levels of columns that have some; what is unknown is behind the last."""
        columns = np.flatnonzero(self.level_row >= 0)
        most = max((len(self.table.columns[c].levels) for c in columns), default=0)
        kind = np.uint8 if most <= np.iinfo(np.uint8).max else np.uint32
        levels = np.empty((len(columns), self.table.n_rows), kind)
        for row, c in zip(levels, columns, strict=True):
            cells = self.table.cells[c]
            row[:] = np.where(np.isnan(cells), len(self.table.columns[c].levels), cells)
        return levels

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


def sample_of(table: Table, centred: bool = True) -> Sample:
    """The table's rankings, and its target; no column is ranked again while the tree grows.

    A number to predict is measured from its mean, so that its squares lose no digits, unless an
    impurity needs it as it is.
    """
    targets, centre = _targets(table, centred)
    return Sample(table, table.rankings, targets, centre)


def _targets(table: Table, centred: bool) -> tuple[Targets, float]:
    """The target as kernels want it, and what was taken from it."""
    if table.schema.target.is_numeric:
        centre = float(np.average(table.y, weights=table.weights)) if centred else 0.0
        return table.y - centre, centre
    small = len(table.schema.classes) <= np.iinfo(np.uint8).max
    return table.y.astype(np.uint8 if small else np.int32), 0.0


@kernel
def wrong(stats):  # type: ignore[no-untyped-def]
    """What a node gets wrong as a leaf: the sum of squares about the mean, or the weight outside
    the largest class.
    """
    weight = stats[0]
    if NUMBERS:
        return stats[2] - (stats[1] * stats[1] / weight if weight > 0.0 else 0.0)
    most = 0.0
    for s in range(1, stats.shape[0]):
        most = max(most, stats[s])
    return weight - most


@kernel
def alike(stats, rows, centre):  # type: ignore[no-untyped-def]
    """Are all the target values the same, up to rounding? The more rows, the more is rounded."""
    if NUMBERS:
        noise = 4e-16 * math.sqrt(rows) * stats[2] + stats[0] * (1e-15 * centre) ** 2
    else:
        noise = 1e-12 * stats[0]
    return wrong(stats) <= noise


@kernel
def each_alike(stats, rows, centre, out):  # type: ignore[no-untyped-def]
    for i in range(out.shape[0]):
        out[i] = alike(stats[i], rows[i], centre)


def is_pure(stats: Floats, rows: Ints, sample: Sample, compiled: bool) -> Bools:
    """Have all rows of each node the same target value?"""
    found = np.empty(len(rows), dtype=bool)
    slots = {"NUMBERS": int(sample.table.schema.target.is_numeric)}
    each_alike.bound(compiled, slots)(np.ascontiguousarray(stats), rows, sample.centre, found)
    return found
