"""Kernels that walk ordered columns and gather their candidate cuts in blocks.

A column's rows are kept as words: the rank of the value in the high half, the case in the low
half, sorted within each node. `unknown` is the rank that stands for an unknown value; it sorts
last. A case is a row with a weight: fractional handlers make several cases of one row.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from treekit.compiling import kernel
from treekit.offers import ABSOLUTE_TIE, RELATIVE_TIE

WEIGHT_TIE = 1e-9  # sums of fractional weights that differ by less are the same
HALF = np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)


def impurity(*_: Any) -> float:
    """A slot: the recipe's impurity, in row form."""
    raise NotImplementedError


def score(*_: Any) -> float:
    """A slot: the recipe's criterion, in row form."""
    raise NotImplementedError


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
def known_stats(words, which, unknown, start, stop, parents, y, weight, out):  # type: ignore[no-untyped-def]
    """out[n, c]: the statistics of each node's cases that are known in each column."""
    for j in range(which.shape[0]):
        column = words[which[j]]
        for n in range(start.shape[0]):
            known = out[n, j]
            for s in range(parents.shape[1]):
                known[s] = parents[n, s]
            end = stop[n]
            while end > start[n] and (column[end - 1] >> HALF) == unknown[j]:
                case = column[end - 1] & LOW
                add_case(known, y[case], -weight[case])
                end -= 1


@kernel
def fill_block(  # type: ignore[no-untyped-def]
    words, which, unknown, start, stop, known_weight, y, weight,
    min_rows, min_weight, margin, gap, values, offset, skips_runs,
    cursor, left, lefts, owner, low, high, tries,
):  # fmt: skip
    """Write the next candidate cuts into a block, until it is full; return how many.

    `cursor` is [column, node, position, alike, fresh] (position -1: the node is not begun) and
    `left` the running statistics; both are carried from block to block. `owner` is
    node * columns + column, `lefts[s, i]` the left branch's statistics.

    With `skips_runs` a cut is passed over when it and its two neighbours are allowed and only rows
    of one class lie between them: a strictly concave impurity is least at an end of such a
    run (Fayyad and Irani 1992). It still counts as tried. There is no branch on the classes, as no
    processor could foretell it: every candidate is written, and kept by moving on.
    """
    size = lefts.shape[0]
    capacity = owner.shape[0]
    n_columns = which.shape[0]
    filled = 0
    j, n, i = cursor[0], cursor[1], cursor[2]
    alike, fresh = cursor[3] == 1, cursor[4] == 1
    while j < n_columns:
        column = words[which[j]]
        while n < start.shape[0]:
            begin = start[n]
            end = stop[n]
            if i < 0:
                i = begin
                alike = fresh = True
                for s in range(size):
                    left[s] = 0.0
            while end > i and (column[end - 1] >> HALF) == unknown[j]:
                end -= 1
            total = known_weight[n, j]
            lightest = max(min_weight, margin[n, j]) * (1.0 - WEIGHT_TIE)
            tried = 0
            while i < end - 1 and filled < capacity:
                word = column[i]
                following = column[i + 1]
                case = word & LOW
                coming = following & LOW
                add_case(left, y[case], weight[case])
                i += 1
                same = y[case] == y[coming]
                if word >> HALF == following >> HALF:
                    alike = alike and same
                    continue
                rest = total - left[0]
                if (
                    i - begin < min_rows or end - i < min_rows
                    or left[0] < lightest or rest < lightest
                    or (gap > 0.0 and close(values, offset[j], word, following, gap))
                ):  # fmt: skip
                    alike = fresh = True
                    continue
                tried += 1
                for s in range(size):
                    lefts[s, filled] = left[s]
                owner[filled] = n * n_columns + j
                low[filled] = word >> HALF
                high[filled] = following >> HALF
                if skips_runs and i + 1 < end and end - i - 1 >= min_rows:
                    alone = following >> HALF != column[i + 1] >> HALF
                    next_allowed = rest - weight[coming] >= lightest
                    skipped = same & alike & alone & next_allowed & (not fresh)
                    filled += 1 - int(skipped)
                else:
                    filled += 1
                alike = True
                fresh = False
            tries[n, j] += tried
            if filled == capacity:
                cursor[0], cursor[1], cursor[2] = j, n, i
                cursor[3], cursor[4] = int(alike), int(fresh)
                return filled
            i = -1
            n += 1
        n = 0
        j += 1
    cursor[0], cursor[1], cursor[2] = j, n, i
    return filled


@kernel
def close(values, offset, word, following, gap):  # type: ignore[no-untyped-def]
    """Are two neighbouring values too close to be cut apart?"""
    lower = values[offset + np.int64(word >> HALF)]
    return not lower < values[offset + np.int64(following >> HALF)] - gap


@kernel
def score_block(  # type: ignore[no-untyped-def]
    n, lefts, owner, known, before, of_classes, impurity_parameters, score_parameters, out
):
    """The score of each candidate of a block, the formulas compiled in."""
    size = lefts.shape[0]
    branches = np.empty((2, size))
    after = np.empty(2)
    for i in range(n):
        whole = known[owner[i]]
        for s in range(size):
            branches[0, s] = lefts[s, i]
            branches[1, s] = whole[s] - lefts[s, i]
        if of_classes:
            # A class weight left below zero by rounding is zero.
            for s in range(1, size):
                branches[1, s] = max(branches[1, s], 0.0)
        after[0] = impurity(branches[0], *impurity_parameters)
        after[1] = impurity(branches[1], *impurity_parameters)
        out[i] = score(whole, branches, before[owner[i]], after, *score_parameters)


@kernel
def keep_best(  # type: ignore[no-untyped-def]
    n, value, owner, low, high, left, scale, best, best_low, best_high, best_left
):
    """Fold a scored block into the best cut of each node and column (flat arrays).

    A later cut must be better by more than a rounding error.
    """
    for i in range(n):
        at = owner[i]
        bar = best[at]
        if bar > -np.inf:
            bar += RELATIVE_TIE * abs(bar) + ABSOLUTE_TIE * scale[at]
        if value[i] > bar:
            best[at] = value[i]
            best_low[at] = low[i]
            best_high[at] = high[i]
            best_left[at] = left[i]
