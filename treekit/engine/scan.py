"""Kernels that walk a column in order and weigh every cut.

A column's rows are kept as words: the rank of the value in the high half, the case in the low
half, sorted within each node. `unknown` is the rank that stands for an unknown value; it sorts
last. A case is a row with a weight: fractional handlers make several cases of one row.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from treekit.compiling import kernel
from treekit.roles import ABSOLUTE_TIE, RELATIVE_TIE

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
def take_away(total, part, y, rest):  # type: ignore[no-untyped-def]
    """rest = total - part; a class weight left below zero by rounding is zero."""
    for s in range(total.shape[0]):
        rest[s] = total[s] - part[s]
    if not isinstance(y, float):
        for s in range(1, total.shape[0]):
            rest[s] = max(rest[s], 0.0)


@kernel
def known_part(words, begin, end, unknown, parent, y, weight, known):  # type: ignore[no-untyped-def]
    """Fill `known` with the statistics of the cases whose value is known; return where they end."""
    for s in range(parent.shape[0]):
        known[s] = parent[s]
    while end > begin and (words[end - 1] >> HALF) == unknown:
        case = words[end - 1] & LOW
        add_case(known, y[case], -weight[case])
        end -= 1
    return end


@kernel
def known_stats(words, which, unknown, start, stop, parents, y, weight, out):  # type: ignore[no-untyped-def]
    """out[n, c]: the statistics of each node's cases that are known in each column."""
    for j in range(which.shape[0]):
        column = words[which[j]]
        for n in range(start.shape[0]):
            known_part(column, start[n], stop[n], unknown[j], parents[n], y, weight, out[n, j])


@kernel
def to_beat(best, scale):  # type: ignore[no-untyped-def]
    """What a score must exceed to be better than `best` by more than a rounding error."""
    if best == -np.inf:
        return best
    return best + RELATIVE_TIE * abs(best) + ABSOLUTE_TIE * scale


@kernel
def close(values, offset, rank, following, gap):  # type: ignore[no-untyped-def]
    """Are two neighbouring values too close to be cut apart?"""
    return not (values[offset + np.int64(rank)] < values[offset + np.int64(following)] - gap)


@kernel
def best_cuts(  # type: ignore[no-untyped-def]
    words, which, unknown, start, stop, parents, y, weight,
    min_rows, min_weight, margin, gap, values, offset, floor,
    impurity_parameters, score_parameters,
    out_score, out_low, out_high, out_left, out_known, out_tries,
):  # fmt: skip
    """The best cut of each column in each node, the formulas compiled in."""
    size = parents.shape[1]
    known = np.empty(size)
    branches = np.empty((2, size))
    after = np.empty(2)
    left = branches[0]
    right = branches[1]
    for j in range(which.shape[0]):
        column = words[which[j]]
        for n in range(start.shape[0]):
            begin = start[n]
            end = known_part(column, begin, stop[n], unknown[j], parents[n], y, weight, known)
            before = impurity(known, *impurity_parameters)
            scale = max(abs(before), floor)
            for s in range(size):
                left[s] = 0.0
            lightest = max(min_weight, margin[n, j])
            best = bar = -np.inf
            low = np.uint64(0)
            high = np.uint64(0)
            best_left = 0.0
            tries = 0
            for i in range(begin, end - 1):
                word = column[i]
                case = word & LOW
                add_case(left, y[case], weight[case])
                rank = word >> HALF
                following = column[i + 1] >> HALF
                if rank == following or i + 1 - begin < min_rows or end - i - 1 < min_rows:
                    continue
                if left[0] < lightest or known[0] - left[0] < lightest:
                    continue
                if gap > 0.0 and close(values, offset[j], rank, following, gap):
                    continue
                take_away(known, left, y[case], right)
                after[0] = impurity(left, *impurity_parameters)
                after[1] = impurity(right, *impurity_parameters)
                value = score(known, branches, before, after, *score_parameters)
                tries += 1
                if value > bar:
                    best = value
                    bar = to_beat(best, scale)
                    low = rank
                    high = following
                    best_left = left[0]
            out_score[n, j] = best
            out_low[n, j] = low
            out_high[n, j] = high
            out_left[n, j] = best_left
            out_known[n, j] = known[0]
            out_tries[n, j] = tries


@kernel
def fill_block(  # type: ignore[no-untyped-def]
    words, which, unknown, start, stop, known, y, weight,
    min_rows, min_weight, margin, gap, values, offset,
    cursor, left, branches, owner, low, high,
):  # fmt: skip
    """Write the next candidate cuts into a block, until it is full; return how many.

    `cursor` is [column, node, position] (position -1: the node is not begun), `left` the running
    statistics; both are carried from block to block. `owner` is node * columns + column.
    """
    size = known.shape[2]
    capacity = owner.shape[0]
    n_columns = which.shape[0]
    filled = 0
    j, n, i = cursor[0], cursor[1], cursor[2]
    while j < n_columns:
        column = words[which[j]]
        while n < start.shape[0]:
            begin = start[n]
            if i < 0:
                i = begin
                for s in range(size):
                    left[s] = 0.0
            total = known[n, j]
            lightest = max(min_weight, margin[n, j])
            end = stop[n]
            while end > i and (column[end - 1] >> HALF) == unknown[j]:
                end -= 1
            while i < end - 1:
                word = column[i]
                case = word & LOW
                add_case(left, y[case], weight[case])
                rank = word >> HALF
                following = column[i + 1] >> HALF
                i += 1
                if rank == following or i - begin < min_rows or end - i < min_rows:
                    continue
                if left[0] < lightest or total[0] - left[0] < lightest:
                    continue
                if gap > 0.0 and close(values, offset[j], rank, following, gap):
                    continue
                for s in range(size):
                    branches[filled, 0, s] = left[s]
                take_away(total, left, y[case], branches[filled, 1])
                owner[filled] = n * n_columns + j
                low[filled] = rank
                high[filled] = following
                filled += 1
                if filled == capacity:
                    cursor[0], cursor[1], cursor[2] = j, n, i
                    return filled
            i = -1
            n += 1
        n = 0
        j += 1
    cursor[0], cursor[1], cursor[2] = j, n, i
    return filled


@kernel
def keep_best(  # type: ignore[no-untyped-def]
    filled, value, owner, low, high, left, scale,
    out_score, out_low, out_high, out_left, out_tries,
):  # fmt: skip
    """Fold a scored block into the best cut of each node and column (flat arrays)."""
    for i in range(filled):
        at = owner[i]
        out_tries[at] += 1
        if value[i] > to_beat(out_score[at], scale[at]):
            out_score[at] = value[i]
            out_low[at] = low[i]
            out_high[at] = high[i]
            out_left[at] = left[i]
