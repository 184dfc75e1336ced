"""Tests drawn at random, as extremely randomised trees ask them."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import numpy as np
from attrs import field, frozen, validators

from treekit import (
    CUTS,
    LEVELS,
    Bools,
    Floats,
    Histogram,
    Ints,
    Kind,
    Offers,
    Search,
    Tests,
    join_offers,
)
from treekit_builtin.column_counts import ColumnCount, count_or_share, number_of

_Draw = Callable[[], tuple[Tests, Histogram]]


@frozen
class RandomCuts:
    """A test drawn at random from each column (Geurts, Ernst and Wehenkel 2006, extra trees).

    A number, or the place of an ordinal level, is cut uniformly between the least and the greatest
    of the node. The levels of a nominal column are dealt to two sides, so that neither is empty in
    the node; levels that it does not hold go to either side. Scores then decide between
    the columns. The same seed draws the same tests.

    draws: how many tests are drawn from a column; the best is offered.
    columns: how many columns, drawn at random in each node from those with a test to offer, may
        offer it: "all", "sqrt" or "log2" of their number, a whole number, or a share.
    """

    kinds: ClassVar[tuple[Kind, ...]] = ("numeric", "ordinal", "nominal")

    draws: int = field(default=1, validator=[validators.ge(1), validators.le(1000)])
    columns: ColumnCount = field(default="all", validator=count_or_share)

    def offer(self, search: Search, columns: Ints) -> Offers:
        offers = join_offers([self._of_column(search, int(c)) for c in columns])
        if self.columns == "all":
            return offers
        possible = offers.score > -np.inf
        return offers.only(_drawn(search.rng, possible, number_of(self.columns, len(columns))))

    def _of_column(self, search: Search, column: int) -> Offers:
        if search.table.columns[column].kind == "nominal":
            return self._best(search, column, _random_sides(search, column))
        return self._best(search, column, _random_cuts(search, column))

    def _best(self, search: Search, column: int, draw: _Draw) -> Offers:
        """The best of the drawn tests."""
        tests, seen = draw()
        score = _scored(search, seen)
        weights, tries = seen.weight, (score > -np.inf).astype(np.int64)
        for _ in range(self.draws - 1):
            others, seen = draw()
            other_score = _scored(search, seen)
            better = other_score > score
            tries += other_score > -np.inf
            score = np.where(better, other_score, score)
            weights = np.where(better[:, None], seen.weight, weights)
            operands = np.where(better[:, None], others.operands, tests.operands)
            tests = Tests(tests.kind, operands, tests.n_branches)
        return search.offer_tests(column, tests, score, weights, tries)


def _scored(search: Search, seen: Histogram) -> Floats:
    separates = (seen.rows > 0).all(axis=1) & search.enough(seen.weight, seen.rows)
    return np.where(separates, search.score(seen.stats), -np.inf)


def _random_cuts(search: Search, column: int) -> _Draw:
    least, greatest = search.span(np.array([column]))[:, 0].T
    two = np.full(len(least), 2, np.int64)

    def draw() -> tuple[Tests, Histogram]:
        share = search.rng.random(len(least))
        cut = least * (1.0 - share) + greatest * share
        tests = Tests(CUTS, np.where(cut < greatest, cut, least)[:, None], two)
        return tests, search.divided(column, tests)

    return draw


def _random_sides(search: Search, column: int) -> _Draw:
    seen = search.histogram(column)
    present = seen.rows > 0
    two = np.full(len(present), 2, np.int64)

    def draw() -> tuple[Tests, Histogram]:
        second = _dealt(search.rng, present)
        sides = [
            Histogram(
                (seen.stats * side[..., None]).sum(axis=1), np.where(side, seen.rows, 0).sum(axis=1)
            )
            for side in (~second, second)
        ]
        divided = Histogram(
            np.stack([side.stats for side in sides], axis=1),
            np.stack([side.rows for side in sides], axis=1),
        )
        return Tests(LEVELS, second.astype(np.float64), two), divided

    return draw


def _dealt(rng: np.random.Generator, present: Bools) -> Bools:
    """[n, levels]: which levels go to the second side; neither side is without present ones."""
    second = rng.random(present.shape) < 0.5
    can_divide = present.sum(axis=1) >= 2
    while True:
        alike = (second | ~present).all(axis=1) | (~second | ~present).all(axis=1)
        again = np.flatnonzero(can_divide & alike)
        if len(again) == 0:
            return second
        second[again] = rng.random((len(again), present.shape[1])) < 0.5


def _drawn(rng: np.random.Generator, possible: Bools, count: int) -> Bools:
    """So many of the possible columns [n, c] of each node, all if there are no more."""
    key = np.where(possible, rng.random(possible.shape), np.inf)
    rank = np.argsort(np.argsort(key, axis=1), axis=1)
    return np.asarray(possible & (rank < count))
