"""Kernels that walk ordered columns and gather their candidate cuts in blocks.

A column's rows are kept as words: the rank of the value in the high half, the case in the low
half, sorted within each node. `unknown` is the rank that stands for an unknown value; it sorts
last. A case is a row with a weight: fractional handlers make several cases of one row. Node n's
cases lie from `start[n]` to `stop[n, j]` in the j-th column; where the node is not asked about the
column there are none.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from treekit.compiling import kernel
from treekit.offers import ABSOLUTE_TIE, RELATIVE_TIE
from treekit.table.ranking import HALF, LOW

WEIGHT_TIE = 1e-9  # sums of fractional weights that differ by less are the same


def impurity(*_: Any) -> float:
    """A slot: the recipe's impurity, in row form."""
    raise NotImplementedError


def score(*_: Any) -> float:
    """A slot: the recipe's criterion, in row form."""
    raise NotImplementedError


SIZE = 0
"""A slot: how many statistics there are, where the compiler should know; 0 where it should not."""


@kernel
def add_case(stats, y, weight):  # type: ignore[no-untyped-def]
    """Add one case to class statistics [W, c1..cK] or number statistics [W, sum wy, sum wy^2].

    `y` is an integer (a class) or a float (a number): the compiled kernels are typed by it.
    """
    stats[0] += weight
    if isinstance(y, float):
        stats[1] += weight * y
        stats[2] += weight * y * y
    else:
        stats[1 + int(y)] += weight


@kernel
def parts_of(y, weight):  # type: ignore[no-untyped-def]
    """What a case adds to the two statistics behind the weight, of two classes or of a number."""
    if isinstance(y, float):
        return weight * y, weight * y * y
    return weight * (1 - y), weight * y


@kernel
def weight_of(weights, case):  # type: ignore[no-untyped-def]
    """A case's weight. One weight stands for all cases where they weigh the same."""
    return weights[case] if weights.shape[0] > 1 else weights[0]


@kernel
def known_stats(words, which, unknown, start, stop, parents, y, weights, out):  # type: ignore[no-untyped-def]
    """out[n, c]: the statistics of each node's cases that are known in each column.

    They are added up, not taken from the node's: what is left of a difference would be noise.
    """
    for j in range(which.shape[0]):
        column = words[which[j]]
        for n in range(start.shape[0]):
            known = out[n, j]
            end = stop[n, j]
            while end > start[n] and (column[end - 1] >> HALF) == unknown[j]:
                end -= 1
            for s in range(parents.shape[1]):
                known[s] = parents[n, s] if end == stop[n, j] else 0.0
            if end < stop[n, j]:
                for i in range(start[n], end):
                    case = column[i] & LOW
                    add_case(known, y[case], weight_of(weights, case))


@kernel
def known_ends(words, which, unknown, start, stop, out):  # type: ignore[no-untyped-def]
    """out[n, c]: where the cases of each node that are unknown in each column begin."""
    for j in range(which.shape[0]):
        column = words[which[j]]
        for n in range(start.shape[0]):
            low, high = start[n], stop[n, j]
            while low < high:
                middle = (low + high) // 2
                if (column[middle] >> HALF) == unknown[j]:
                    high = middle
                else:
                    low = middle + 1
            out[n, j] = low


@kernel
def fill_block(  # type: ignore[no-untyped-def]
    words, which, unknown, start, stop, known_weight, y, weights,
    min_rows, min_weight, margin, gap, values, offset, skips_runs,
    cursor, left, lefts, place, owner, bounds, tries,
):  # fmt: skip
    """Write the next candidate cuts into a block, until it is full; return how many runs it has.

    A run is what one node and column give to the block: `owner` (node * columns + column) says
    which, `bounds` where it begins and where the next one does. Of a candidate, `lefts[s, i]` are
    the left branch's statistics and `place` is where its upper neighbour lies. `cursor` is
    [column, node, position, alike, fresh] (position -1: the node is not begun) and `left` the
    running statistics; both are carried from block to block.

    With `skips_runs` a cut is passed over when it and its two neighbours are allowed and only rows
    of one class lie between them: a strictly concave impurity is least at an end of such a
    stretch (Fayyad and Irani 1992). It still counts as tried. There is no branch on the classes, as
    no processor could foretell it: every candidate is written, and kept by moving on.
    """
    size = SIZE or lefts.shape[0]
    capacity = place.shape[0]
    n_columns = which.shape[0]
    least_rows = max(min_rows, 1)
    filled = n_runs = bounds[0] = 0
    j, n, i = cursor[0], cursor[1], cursor[2]
    alike, fresh = cursor[3], cursor[4]
    while j < n_columns:
        column = words[which[j]]
        while n < start.shape[0]:
            begin, end = start[n], stop[n, j]
            if i < 0:
                i = begin
                alike = fresh = 1
                for s in range(size):
                    left[s] = 0.0
            while end > i and (column[end - 1] >> HALF) == unknown[j]:
                end -= 1
            total = known_weight[n, j]
            lightest = max(min_weight, margin[n, j]) * (1.0 - WEIGHT_TIE)
            lowest, highest = begin + least_rows, end - least_rows
            first, tried = filled, 0
            # What is kept in a variable need not be fetched again after every store.
            weight, part, rest_of_it = left[0], left[1], left[size - 1]
            if i < highest:
                word = column[i]
                target = y[word & LOW]
                heft = weight_of(weights, word & LOW)
            while i < highest and filled < capacity:
                weight += heft
                if SIZE == 3:
                    one, other = parts_of(target, heft)
                    part += one
                    rest_of_it += other
                else:
                    add_case(left, target, heft)
                i += 1
                below, word = word, column[i]
                before, target = target, y[word & LOW]
                heft = weight_of(weights, word & LOW)
                same = int(before == target)
                if below >> HALF == word >> HALF:
                    alike &= same
                    continue
                rest = total - weight
                if (
                    i < lowest or weight < lightest or rest < lightest
                    or (gap > 0.0 and close(values, offset[j], below, word, gap))
                ):  # fmt: skip
                    alike = fresh = 1
                    continue
                tried += 1
                if SIZE == 3:
                    lefts[0, filled] = weight
                    lefts[1, filled] = part
                    lefts[2, filled] = rest_of_it
                else:
                    for s in range(size):
                        lefts[s, filled] = left[s]
                place[filled] = i
                passed_over = 0
                if skips_runs and i < highest:
                    alone = int(word >> HALF != column[i + 1] >> HALF)
                    allowed = int(rest - heft >= lightest)
                    passed_over = same & alike & alone & allowed & (1 - fresh)
                filled += 1 - passed_over
                alike, fresh = 1, 0
            if SIZE == 3:
                left[0], left[1], left[2] = weight, part, rest_of_it
            tries[n, j] += tried
            if filled > first:
                owner[n_runs] = n * n_columns + j
                n_runs += 1
                bounds[n_runs] = filled
            if filled == capacity:
                cursor[0], cursor[1], cursor[2] = j, n, i
                cursor[3], cursor[4] = alike, fresh
                return n_runs
            i = -1
            n += 1
        n = 0
        j += 1
    cursor[0], cursor[1], cursor[2] = j, n, i
    return n_runs


@kernel
def close(values, offset, below, word, gap):  # type: ignore[no-untyped-def]
    """Are two neighbouring values too close to be cut apart?"""
    lower = values[offset + np.int64(below >> HALF)]
    return not lower < values[offset + np.int64(word >> HALF)] - gap


@kernel
def score_block(  # type: ignore[no-untyped-def]
    n_runs, lefts, owner, bounds, known, before, of_classes,
    impurity_parameters, score_parameters, out,
):  # fmt: skip
    """The score of each candidate of a block, the formulas compiled in."""
    size = SIZE or lefts.shape[0]
    branches = np.empty((2, size))
    after = np.empty(2)
    for run in range(n_runs):
        whole = known[owner[run]]
        whole_impurity = before[owner[run]]
        for i in range(bounds[run], bounds[run + 1]):
            for s in range(size):
                part = lefts[s, i]
                branches[0, s] = part
                branches[1, s] = whole[s] - part
            if of_classes:
                # A class weight left below zero by rounding is zero.
                for s in range(1, size):
                    branches[1, s] = max(branches[1, s], 0.0)
            after[0] = impurity(branches[0], *impurity_parameters)
            after[1] = impurity(branches[1], *impurity_parameters)
            out[i] = score(whole, branches, whole_impurity, after, *score_parameters)


@kernel
def with_slack(value, scale):  # type: ignore[no-untyped-def]
    """What is better than `value` by more than a rounding error must exceed this."""
    if value == -np.inf:
        return value
    return value + RELATIVE_TIE * abs(value) + ABSOLUTE_TIE * scale


@kernel
def keep_best(n_runs, value, owner, bounds, place, left, scale, best, best_place, best_left):  # type: ignore[no-untyped-def]
    """Fold a scored block into the best cut of each node and column (flat arrays)."""
    for run in range(n_runs):
        at = owner[run]
        bar = with_slack(best[at], scale[at])
        found = -1
        for i in range(bounds[run], bounds[run + 1]):
            if value[i] > bar:
                bar = with_slack(value[i], scale[at])
                found = i
        if found >= 0:
            best[at] = value[found]
            best_place[at] = place[found]
            best_left[at] = left[found]
