"""What is counted of the cases of some nodes: by level, by branch, and what is typical of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from treekit.engine import partition
from treekit.offers import Histogram, Offers, Tests
from treekit.table.record import Floats, Ints
from treekit.tree import CUTS, LEVELS, LINEAR

if TYPE_CHECKING:
    from treekit.engine.search import NodeSearch


def by_level(search: NodeSearch, columns: Ints) -> Histogram:
    """The statistics of each level of columns in each node, [n, c, L, S], known values only."""
    cases, sample = search.cases, search.cases.sample
    levels = np.array([len(search.table.columns[c].levels) for c in columns], np.int64)
    shape = (len(search.nodes), len(columns), int(levels.max(initial=0)))
    stats, rows = np.zeros((*shape, search.nodes.stats.shape[1])), np.zeros(shape, np.int64)
    where = (
        cases.order, search.start, search.stops(columns), sample.levels, sample.level_row[columns],
        levels, cases.rows,
    )  # fmt: skip
    if search.of_classes and cases.weigh_one:
        partition.tally.bound(search.compiled)(*where, cases.targets, stats, rows)
    else:
        partition.histograms.bound(search.compiled)(
            *where, cases.weights, cases.targets, stats, rows
        )
    return Histogram(stats, rows)


def unknown_rows(search: NodeSearch, column: int, by_class: bool) -> Ints:
    """[n, 1] or [n, classes]: how many rows of each node are unknown in a column."""
    groups = len(search.table.schema.classes) if by_class else 1
    count = np.zeros((len(search.nodes), groups), np.int64)
    partition.count_unknown.bound(search.compiled)(
        search.cases.order, search.start, search.stops_of(column), search.table.cells[column],
        search.cases.rows, search.cases.targets, by_class, count,
    )  # fmt: skip
    return count


def typical(search: NodeSearch, column: int, by_class: bool) -> Floats:
    """The mean of a numeric column in each node, or its most common level; NaN: none is known."""
    groups = 1 + len(search.table.schema.classes) * by_class
    if search.table.columns[column].is_numeric:
        sums = np.zeros((len(search.nodes), groups, 2))
        partition.value_sums.bound(search.compiled)(
            search.cases.order, search.start, search.stops_of(column),
            search.table.cells[column], search.cases.rows, search.cases.weights,
            search.cases.targets, by_class, sums,
        )  # fmt: skip
        known = sums[..., 0]
        mean = np.full(known.shape, np.nan)
        np.divide(sums[..., 1], known, out=mean, where=known > 0)
        return mean
    weight = by_level(search, np.array([column])).of(0).stats[..., :groups]
    some = weight.max(axis=1, initial=0.0) > 0
    return np.where(some, weight.argmax(axis=1), np.nan)


def by_branch(
    search: NodeSearch, column: Ints, kind: Ints, operands: Floats, stop: Ints
) -> Histogram:
    """The statistics of each branch of each node's test, operands[n, p] padded with inf.

    `stop[n]` is where the cases to be counted end.
    """
    is_held = np.isfinite(operands)
    widest = int(operands.shape[1])
    levels = operands[(kind == LEVELS)[:, None] & is_held]
    branches = max(
        (kind == CUTS).any() * (widest + 1),
        (kind == LINEAR).any() * 2,
        int(levels.max(initial=-1)) + 1,
        1,
    )
    stats = np.zeros((len(search.nodes), branches, search.nodes.stats.shape[1]))
    rows = np.zeros((len(search.nodes), branches), np.int64)
    partition.branch_histogram.bound(search.compiled)(
        search.cases.order, search.start, stop, kind, column,
        np.ascontiguousarray(operands), is_held.sum(axis=1), search.table.cells,
        search.cases.rows, search.cases.weights, search.cases.targets, stats, rows,
    )  # fmt: skip
    return Histogram(stats, rows)


def padded(offers: Offers, at: Ints) -> tuple[Ints, Ints, Floats]:
    """Column, kind and operands (padded with inf) of each node's test at position `at`."""
    widest = max(t.operands.shape[1] for t in offers.tests)
    operands = np.full((len(at), widest), np.inf)
    kind = np.zeros(len(at), np.int64)
    for j in np.unique(at):
        here = np.flatnonzero(at == j)
        tests = offers.tests[j]
        operands[here, : tests.operands.shape[1]] = held(tests)[here]
        kind[here] = tests.kind
    return offers.columns[at], kind, operands


def held(tests: Tests) -> Floats:
    """The operands of each node's test, inf in the place of those that it does not have."""
    held = np.arange(tests.operands.shape[1]) < tests.n_operands[:, None]
    return np.where(held, tests.operands, np.inf)
