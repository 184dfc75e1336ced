"""Is a column independent of the target in a node? (Strasser and Weber 1999; Hothorn et al. 2006)

The linear statistic sum w g(x) h(y) has a known mean and covariance under all permutations of the
target. Its quadratic form takes four shapes. g and h are the number itself where there is one, and
a dummy for each level or class where there is none:

    levels and classes    (W - 1) / W times Pearson's chi-squared
    a number and classes  W - 1 times the share of the number's squares between the classes
    levels and a number   W - 1 times the share of the target's squares between the levels
    two numbers           W - 1 times the squared correlation
"""

from __future__ import annotations

import math

import numpy as np
from attrs import evolve, frozen

from treekit import Column, Floats, Ints, Search
from treekit_builtin.criteria.counts import chi_squared_of, freedom_of
from treekit_builtin.criteria.p_values import log_chi_squared
from treekit_builtin.criteria.squares import squares_of

TIE = 1e-9  # permutations that come as near count as reaching the statistic


@frozen(eq=False)
class Cases:
    """The rows of some nodes end to end: whose each is, its weight and its target value."""

    n: int
    node: Ints
    row: Ints
    weight: Floats
    target: Floats


def cases_of(search: Search) -> Cases:
    """The cases of all the nodes."""
    found = [search.cases_of(node) for node in range(len(search.nodes))]
    row = np.concatenate([rows for rows, _ in found])
    return Cases(
        n=len(found),
        node=np.repeat(np.arange(len(found)), [len(rows) for rows, _ in found]),
        row=row,
        weight=np.concatenate([weights for _, weights in found]),
        target=search.table.y[row],
    )


def associations(search: Search, columns: Ints, cases: Cases) -> tuple[Floats, Floats]:
    """[n, c] each: the quadratic form of each column in each node, and its degrees of freedom.

    Known values only. A column that is the same in all of a node's rows has no freedom.
    """
    target = search.table.schema.target
    found = [
        _association(search.table.columns[c], target, search.table.cells[c, cases.row], cases)
        for c in columns
    ]
    statistic, freedom = (np.stack(part, axis=1) for part in zip(*found, strict=True))
    return statistic, freedom


def log_resampled(
    search: Search, columns: Ints, cases: Cases, statistic: Floats, freedom: Floats, resamples: int
) -> Floats:
    """[n, c]: log of the share of permutations that reach the statistic, itself among them.

    Where none does, that share only says "less", and the asymptotic p-value takes its place if it
    is less.
    """
    reached = np.zeros(statistic.shape)
    for _ in range(resamples):
        order = np.lexsort((search.rng.random(len(cases.node)), cases.node))
        shuffled = evolve(cases, target=cases.target[order])
        reached += associations(search, columns, shuffled)[0] >= statistic * (1.0 - TIE)
    log = np.log1p(reached) - math.log1p(resamples)
    return np.where(reached > 0, log, np.minimum(log, log_chi_squared(statistic, freedom)))


def _association(
    column: Column, target: Column, values: Floats, cases: Cases
) -> tuple[Floats, Floats]:
    known = np.isfinite(values)
    if not known.all():
        values = values[known]
        cases = evolve(
            cases,
            node=cases.node[known],
            row=cases.row[known],
            weight=cases.weight[known],
            target=cases.target[known],
        )
    if column.kind != "nominal" and target.is_numeric:
        return _of_numbers(values, cases)
    if column.kind != "nominal":
        return _of_groups(cases.target.astype(np.int64), len(target.levels), values, cases)
    levels = values.astype(np.int64)
    if target.is_numeric:
        return _of_groups(levels, len(column.levels), cases.target, cases)
    return _of_levels(levels, len(column.levels), len(target.levels), cases)


def _of_levels(levels: Ints, n_levels: int, n_classes: int, cases: Cases) -> tuple[Floats, Floats]:
    cell = (cases.node * n_levels + levels) * n_classes + cases.target.astype(np.int64)
    seen = np.bincount(cell, cases.weight, cases.n * n_levels * n_classes)
    seen = seen.reshape(cases.n, n_levels, n_classes)
    branches = np.concatenate([seen.sum(axis=-1, keepdims=True), seen], axis=-1)
    weight = branches[..., 0].sum(axis=-1)
    statistic = _less_one(weight) / np.where(weight > 0.0, weight, 1.0) * chi_squared_of(branches)
    return statistic, freedom_of(branches)


def _of_groups(groups: Ints, n_groups: int, numbers: Floats, cases: Cases) -> tuple[Floats, Floats]:
    about = _centred(numbers, cases)
    cell = cases.node * n_groups + groups
    stats = [
        np.bincount(cell, cases.weight * part, cases.n * n_groups)
        for part in (np.ones(len(about)), about, about**2)
    ]
    branches = np.stack(stats, axis=-1).reshape(cases.n, n_groups, 3).astype(np.float64)
    squares = squares_of(branches)
    weight, spread = branches[..., 0].sum(axis=-1), branches[..., 2].sum(axis=-1) > 0.0
    return _less_one(weight) * (1.0 - squares.unexplained), np.where(spread, squares.between, 0.0)


def _of_numbers(values: Floats, cases: Cases) -> tuple[Floats, Floats]:
    x, y = _centred(values, cases), _centred(cases.target, cases)
    weight, both = _sums(np.ones(len(x)), cases), _sums(x * y, cases)
    squares = _sums(x * x, cases) * _sums(y * y, cases)
    spread = squares > 0.0
    squared = np.minimum(both**2 / np.where(spread, squares, 1.0), 1.0)
    return _less_one(weight) * squared, spread.astype(np.float64)


def _centred(numbers: Floats, cases: Cases) -> Floats:
    """The numbers less their node's mean; exactly 0 where all of a node's are the same."""
    first = np.searchsorted(cases.node, np.arange(cases.n))
    apart = numbers - numbers[np.take(first, cases.node)]
    weight = _sums(np.ones(len(numbers)), cases)
    mean = _sums(apart, cases) / np.where(weight > 0.0, weight, 1.0)
    return np.asarray(apart - mean[cases.node])


def _sums(values: Floats, cases: Cases) -> Floats:
    """[n]: the weighted sum in each node."""
    return np.bincount(cases.node, cases.weight * values, cases.n).astype(np.float64)


def _less_one(weight: Floats) -> Floats:
    return np.maximum(weight - 1.0, 0.0)
