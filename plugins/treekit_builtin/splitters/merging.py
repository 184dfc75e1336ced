"""CHAID's merging of the levels of a column."""

from __future__ import annotations

import math
from functools import cache
from typing import ClassVar

import numpy as np
from attrs import field, frozen, validators

from treekit import (
    CUTS,
    LEVELS,
    NOWHERE,
    Bools,
    Floats,
    Histogram,
    Ints,
    Kind,
    Offers,
    Search,
    Tests,
    first_best,
    join_offers,
)
from treekit_builtin.criteria import ChiSquared, FTest

from .edges import edges_of_table

PAIRS_AT_ONCE = 1 << 20
MOST_TRIES = int(np.iinfo(np.int64).max)


@frozen
class Merging:
    """Levels whose targets are alike are merged; a branch for each group (Kass 1980, CHAID).

    Again and again, the two groups that differ least are merged, while their difference could be
    chance and more than two are left: by Pearson's chi-squared of the classes, or by
    the F test of a number to predict. Of a nominal column any two may be merged, of an ordinal one
    neighbours only; a numeric one is first made ordinal, in bins of equal frequency of the whole
    training table. Kass's second look at merged groups, which may divide them again, is not taken.
    Unknown values are no level of their own. A nominal level that the node does not hold goes
    where unknown values go.

    In how many ways the levels could have been merged into so many groups is told as the number of
    tests tried (at most 2^63 - 1): Kass's Bonferroni multiplier, for criteria that ask.

    alpha: two groups are merged if the p-value of their difference is greater.
    bins: how many bins a numeric column begins with.
    """

    kinds: ClassVar[tuple[Kind, ...]] = ("numeric", "ordinal", "nominal")

    alpha: float = field(default=0.05, validator=[validators.gt(0.0), validators.lt(1.0)])
    bins: int = field(default=10, validator=[validators.ge(2), validators.le(1000)])

    def offer(self, search: Search, columns: Ints) -> Offers:
        return join_offers([self._of_column(search, int(c)) for c in columns])

    def _of_column(self, search: Search, column: int) -> Offers:
        nominal = search.table.columns[column].kind == "nominal"
        edges = self._edges(search, column)
        seen = _by_level(search, column, edges)
        group = self._merged(search, seen, neighbours_only=not nominal)
        branches, rows = _gathered(seen, group)
        score = np.where(search.enough(branches[..., 0], rows), search.score(branches), -np.inf)
        tests = _levels_of(group) if nominal else _cuts_of(group, edges)
        started, left = (group >= 0).sum(axis=1), group.max(axis=1, initial=-1) + 1
        ways = _ways_of_any if nominal else _ways_of_neighbours
        tries = [ways(int(c), int(r)) for c, r in zip(started, left, strict=True)]
        return search.offer_tests(column, tests, score, branches[..., 0], np.array(tries, np.int64))

    def _edges(self, search: Search, column: int) -> Floats:
        """What lies between the levels of an ordered column: bins' edges, or half-way places."""
        if search.table.columns[column].is_numeric:
            return edges_of_table(search.table, column, "equal_frequency", self.bins)
        return np.arange(0.5, len(search.table.columns[column].levels) - 1)

    def _merged(self, search: Search, seen: Histogram, neighbours_only: bool) -> Ints:
        """[n, levels]: the group of each level, numbered by their first levels; NOWHERE: absent."""
        is_number = not search.table.schema.classes
        at_once = max(PAIRS_AT_ONCE // max(seen.rows.shape[1] ** 2, 1), 1)
        parts = [
            _merge(seen.stats[i : i + at_once], seen.rows[i : i + at_once] > 0,
                   neighbours_only, is_number, -math.log10(self.alpha))
            for i in range(0, len(seen.rows), at_once)
        ]  # fmt: skip
        return np.concatenate(parts)


def _by_level(search: Search, column: int, edges: Floats) -> Histogram:
    if not search.table.columns[column].is_numeric:
        return search.histogram(column)
    n = len(search.nodes)
    operands = np.broadcast_to(edges, (n, len(edges)))
    return search.divided(column, Tests(CUTS, operands, np.full(n, len(edges) + 1, np.int64)))


def _merge(
    stats: Floats, present: Bools, neighbours_only: bool, is_number: bool, bar: float
) -> Ints:
    """[n, levels]: the group of each level. Pairs are compared when they may first be merged."""
    n, levels = present.shape
    stats, alive = stats.copy(), present.copy()
    leader = np.where(present, np.arange(levels), NOWHERE)
    apart = np.full((n, levels, levels), np.nan)
    nodes = np.flatnonzero(alive.sum(axis=1) > 2)
    while len(nodes):
        may_merge = _may_merge(alive[nodes], neighbours_only)
        at, one, other = np.nonzero(may_merge & np.isnan(apart[nodes]))
        at = nodes[at]
        apart[at, one, other] = _apart(stats[at, one], stats[at, other], is_number)
        flat = np.where(may_merge, apart[nodes], np.inf).reshape(len(nodes), -1)
        closest = first_best(-flat)
        merges = flat[np.arange(len(nodes)), closest] < bar
        nodes, (one, other) = nodes[merges], np.divmod(closest[merges], levels)
        stats[nodes, one] += stats[nodes, other]
        alive[nodes, other] = False
        leader[nodes] = np.where(leader[nodes] == other[:, None], one[:, None], leader[nodes])
        apart[nodes, one, :] = apart[nodes, :, one] = np.nan
        nodes = nodes[alive[nodes].sum(axis=1) > 2]
    number = np.cumsum(alive, axis=1) - 1
    return np.where(present, np.take_along_axis(number, np.maximum(leader, 0), axis=1), NOWHERE)


def _may_merge(alive: Bools, neighbours_only: bool) -> Bools:
    """[n, levels, levels]: which two groups may be merged, told by their first levels."""
    rank = np.cumsum(alive, axis=1)
    steps: Ints = rank[:, None, :] - rank[:, :, None]
    both = alive[:, :, None] & alive[:, None, :]
    return np.asarray(both & ((steps == 1) if neighbours_only else (steps > 0)))


def _apart(one: Floats, other: Floats, is_number: bool) -> Floats:
    """[p]: -log10 of the p-value of the difference of groups of statistics [p, S]."""
    groups = np.stack([one, other], axis=-2)
    test = FTest(value="p_value") if is_number else ChiSquared(value="p_value")
    none = np.zeros(groups.shape[:-1])  # no impurities
    return test.score(groups.sum(axis=-2), groups, none[..., 0], none)


def _gathered(seen: Histogram, group: Ints) -> tuple[Floats, Ints]:
    """[n, groups, S] and [n, groups]: statistics and rows of the groups."""
    member = group[:, None, :] == np.arange(max(int(group.max(initial=-1)) + 1, 2))[:, None]
    return member.astype(np.float64) @ seen.stats, (member * seen.rows[:, None, :]).sum(axis=2)


def _levels_of(group: Ints) -> Tests:
    return Tests(LEVELS, group.astype(np.float64), _n_branches(group))


def _cuts_of(group: Ints, edges: Floats) -> Tests:
    """Cuts half-way between the last level of a group and the first of the next."""
    n, levels = group.shape
    operands = np.full((n, max(levels - 1, 1)), np.inf)
    last = np.full(n, -1)
    for level in range(levels):
        here = group[:, level]
        begins = np.flatnonzero((here > 0) & (here > group[np.arange(n), np.maximum(last, 0)]))
        middle = (last[begins] + level) // 2
        operands[begins, here[begins] - 1] = edges[middle]
        last = np.where(here >= 0, level, last)
    return Tests(CUTS, operands, _n_branches(group))


def _n_branches(group: Ints) -> Ints:
    return np.asarray(np.maximum(group.max(axis=1, initial=-1) + 1, 1))


@cache
def _ways_of_neighbours(levels: int, groups: int) -> int:
    """In how many ways ordered levels can be divided into so many runs."""
    return min(math.comb(levels - 1, groups - 1), MOST_TRIES) if levels else 1


@cache
def _ways_of_any(levels: int, groups: int) -> int:
    """In how many ways levels can be divided into so many groups (Stirling's second kind)."""
    signs = [1 - 2 * (i % 2) for i in range(groups)]
    terms = [math.comb(groups, i) * int((groups - i) ** levels) for i in range(groups)]
    ways = sum(s * t for s, t in zip(signs, terms, strict=True)) // math.factorial(groups)
    return min(max(ways, 1), MOST_TRIES)
