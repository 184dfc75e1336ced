"""Cuts of sums of columns, whoever finds the coefficients: what oblique splitters share."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from attrs import evolve, frozen

from treekit import (
    Floats,
    Ints,
    Linear,
    Offers,
    Search,
    Tests,
    first_best,
    join_offers,
    linear_tests,
)

from .places import midpoint
from .threshold import Threshold

DIGITS = 4  # of a coefficient: the test that is read is the test that is asked
NEGLIGIBLE = 0.02  # a column that weighs a smaller share of the weightiest is left out
CONSTANT = 1e-9  # a column that spreads by a smaller share of its values is left out


@frozen(eq=False)
class Points:
    """The rows of a node in the columns that vary there, each with mean 0 and variance 1.

    An unknown value counts as the mean.

    x        [rows, columns]
    y        the target, as the table has it
    weights  of the rows
    columns  which of the table's columns
    spreads  their standard deviations before
    """

    x: Floats
    y: Floats
    weights: Floats
    columns: Ints
    spreads: Floats


Find = Callable[[Points], Floats]
"""[directions, columns]: coefficients of the columns of some points."""


def offer_sums(search: Search, columns: Ints, find: Find, most: int, cuts: bool) -> Offers:
    """The best cut along the directions that are found in each node; `cuts` of single columns too.

    A sum has no more than `most` columns, the weightiest ones.
    """
    width = min(most, len(columns))
    nodes = range(len(search.nodes))
    may_ask = search.may_ask(columns)
    found = [_sums(points_of(search, columns[may_ask[n]], n), find, width) for n in nodes]
    ways = range(max(1, *map(len, found)))
    each = [linear_tests([f[i] if i < len(f) else None for f in found], width) for i in ways]
    sums = _best(search, int(columns[0]), each)
    return join_offers([Threshold().offer(search, columns), sums]) if cuts else sums


def points_of(search: Search, columns: Ints, node: int) -> Points:
    """The rows of one of the nodes."""
    rows, weights = search.cases_of(node)
    values = search.table.cells[np.ix_(columns, rows)].T
    known = ~np.isnan(values)
    held = np.where(known, values, 0.0)
    weight = weights @ known
    some = np.where(weight > 0.0, weight, 1.0)
    mean = weights @ held / some
    away = np.where(known, held - mean, 0.0)
    spread = np.sqrt(weights @ away**2 / some)
    varies = spread > CONSTANT * np.abs(held).max(axis=0, initial=0.0)
    return Points(
        away[:, varies] / spread[varies],
        search.table.y[rows],
        np.asarray(weights, np.float64),
        columns[varies],
        spread[varies],
    )


def _sums(points: Points, find: Find, most: int) -> list[Linear]:
    """The sums along the directions that are found for some points, their thresholds left open."""
    if len(points.columns) == 0:
        return []
    return [sum_along(points, way, most) for way in find(points) if np.abs(way).max() > 0.0]


def sum_along(points: Points, way: Floats, most: int) -> Linear:
    """A direction as a sum of the table's columns, the weightiest with coefficient 1 and first."""
    order = np.argsort(-np.abs(way), kind="stable")[:most]
    order = order[np.abs(way[order]) >= NEGLIGIBLE * np.abs(way[order[0]])]
    raw = way[order] / points.spreads[order]
    coefficients = np.array([float(f"{c:.{DIGITS}g}") for c in raw / raw[0]])
    return Linear(0.0, points.columns[order], coefficients, points.spreads[order])


def _best(search: Search, column: int, each: list[Tests]) -> Offers:
    """Offers of the best cut of each node's sums, under a column."""
    cuts = [search.along(tests).cuts(np.zeros(1, np.int64)) for tests in each]
    score = np.concatenate([c.score for c in cuts], axis=1)
    best = np.maximum(first_best(score, np.abs(search.nodes.impurity)), 0)
    node = np.arange(len(best))

    def chosen(name: str) -> Floats:
        return np.stack([getattr(c, name)[:, 0] for c in cuts], axis=1)[node, best]

    operands = np.stack([tests.operands for tests in each], axis=1)[node, best]
    operands[:, 0] = midpoint(chosen("low"), chosen("high"))
    operands[np.isnan(operands[:, 0])] = np.nan
    tries = sum(c.tries[:, 0] for c in cuts)
    tests = evolve(each[0], operands=operands)
    return search.offer_tests(
        column, tests, score[node, best], chosen("weights"), np.asarray(tries)
    )
