"""rpart's own sums for a number to predict, term by term, so that it decides ties as rpart does."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

import numpy as np
from attrs import frozen

from treekit import (
    CUTS,
    LEVELS,
    NOWHERE,
    SMALL,
    Floats,
    Ints,
    Kind,
    Offers,
    Search,
    Tests,
    join_offers,
    kernel,
)
from treekit_builtin.splitters.places import RPART_MIDDLE, Middle


@frozen
class RpartAnova:
    """Cuts and groups of levels by rpart's `anova`, in its order of summation (rpart 4.1).

    The tests are those of `threshold` and `subset` on `variance`. What differs is the last bit of
    the sums, by which rpart chooses among tests that are worth the same; a number that equals
    the cut goes to the upper branch. The score is the share of the node's sum of squares that the
    test takes away. Bind the criterion `improvement`, which compares without a tolerance.
    """

    tasks: ClassVar[tuple[str, ...]] = ("regression",)
    kinds: ClassVar[tuple[Kind, ...]] = ("numeric", "ordinal", "nominal")

    def offer(self, search: Search, columns: Ints) -> Offers:
        nodes = [_node(search, i) for i in range(len(search.nodes))]
        return join_offers([_of_column(search, int(c), nodes) for c in columns])


@frozen(eq=False)
class _Node:
    """A node's rows, their weights and targets, and its sum of squares."""

    rows: Ints
    weights: Floats
    y: Floats
    risk: float


def _node(search: Search, node: int) -> _Node:
    rows, weights = search.cases_of(node)
    y = search.table.y[rows]
    # rpart adds a node's rows up in the order of its first column.
    order = np.argsort(search.table.cells[0, rows], kind="stable")
    risk = sum_of_squares.bound(len(rows) > SMALL)(y[order], weights[order])
    return _Node(rows, weights, y, float(risk))


def _of_column(search: Search, column: int, nodes: list[_Node]) -> Offers:
    kind, levels = search.table.columns[column].kind, search.table.columns[column].levels
    nominal = kind == "nominal"
    width = len(levels) if nominal else 1
    find = partial(_grouped, width) if nominal else partial(_cut, RPART_MIDDLE[kind])
    operands = np.full((len(nodes), width), float(NOWHERE) if nominal else np.nan)
    score = np.full(len(nodes), -np.inf)
    sides = np.zeros((len(nodes), 2))
    for i, node in enumerate(nodes):
        values = search.table.cells[column, node.rows]
        known = ~np.isnan(values)
        x, y, w = values[known], node.y[known], node.weights[known]
        if len(x) < 2 or node.risk <= 0.0:
            continue
        best, operands[i], low = find(x, y, w, search.branch_rows, search.branch_weight)
        if best > 0.0:
            score[i] = best / node.risk
            sides[i] = low, w.sum() - low
    two = np.full(len(nodes), 2, np.int64)
    tests = Tests(LEVELS if nominal else CUTS, operands, two)
    return search.offer_tests(column, tests, score, sides)


def _cut(
    middle: Middle, x: Floats, y: Floats, w: Floats, edge: float, least: float
) -> tuple[float, Floats, float]:
    """What the best cut takes away, the cut, and the weight below it."""
    order = np.argsort(x, kind="stable")
    x, y, w = x[order], y[order], w[order]
    best, place = best_cut.bound(len(x) > SMALL)(x, y, w, edge, least)
    neighbours = x[place : place + 1], x[place + 1 : place + 2]
    return float(best), middle(*neighbours), float(w[: place + 1].sum())


def _grouped(
    width: int, x: Floats, y: Floats, w: Floats, edge: float, least: float
) -> tuple[float, Floats, float]:
    """What the best division of the levels takes away, their branches, and the first's weight."""
    rows, weights, sums = np.zeros(width), np.zeros(width), np.zeros(width)
    add_levels.bound(len(x) > SMALL)(x.astype(np.int64), y, w, rows, weights, sums)
    present = np.flatnonzero(rows)
    order = present[np.argsort(sums[present] / weights[present], kind="stable")]
    best, last = best_prefix.bound(False)(
        rows[order], weights[order], sums[order], w.sum(), edge, least
    )
    groups = np.full(width, float(NOWHERE))
    groups[order] = np.where(np.arange(len(order)) <= last, 0.0, 1.0)
    return float(best), groups, float(weights[order[: last + 1]].sum())


@kernel
def sum_of_squares(y, w):  # type: ignore[no-untyped-def]
    """The weighted sum of squares about the mean, in two passes."""
    mean, _ = mean_of(y, w)
    squares = 0.0
    for i in range(y.shape[0]):
        squares += (y[i] - mean) * (y[i] - mean) * w[i]
    return squares


@kernel
def mean_of(y, w):  # type: ignore[no-untyped-def]
    """The mean, and the weight of all."""
    total = weight = 0.0
    for i in range(y.shape[0]):
        total += y[i] * w[i]
        weight += w[i]
    return total / weight, weight


@kernel
def best_cut(x, y, w, edge, least):  # type: ignore[no-untyped-def]
    """What the best cut of sorted values takes away, and the place of the last value below it."""
    mean, upper = mean_of(y, w)
    lower = low = high = best = 0.0
    place = 0
    n = x.shape[0]
    for i in range(n - 1):
        if n - i <= edge:
            break
        lower += w[i]
        upper -= w[i]
        part = (y[i] - mean) * w[i]
        low += part
        high -= part
        if x[i + 1] != x[i] and i + 1 >= edge and min(lower, upper) >= least:
            value = low * low / lower + high * high / upper
            if value > best:
                best = value
                place = i
    return best, place


@kernel
def add_levels(x, y, w, rows, weights, sums):  # type: ignore[no-untyped-def]
    """Rows, weight and sum about the mean, by level."""
    mean, _ = mean_of(y, w)
    for i in range(x.shape[0]):
        rows[x[i]] += 1
        weights[x[i]] += w[i]
        sums[x[i]] += (y[i] - mean) * w[i]


@kernel
def best_prefix(rows, weights, sums, upper, edge, least):  # type: ignore[no-untyped-def]
    """What the best division of ordered levels takes away, and the last level of its first part."""
    lower = low = high = best = 0.0
    below, above = 0.0, rows.sum()
    last = 0
    for i in range(rows.shape[0] - 1):
        below += rows[i]
        above -= rows[i]
        lower += weights[i]
        upper -= weights[i]
        low += sums[i]
        high -= sums[i]
        if min(below, above) >= edge and min(lower, upper) >= least:
            value = low * low / lower + high * high / upper
            if value > best:
                best = value
                last = i
    return best, last
