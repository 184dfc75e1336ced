"""What kernels of the search share: statistics, words, blocks of candidate cuts.

A pair is a node and a column; its number is node * columns + column. A case's word holds its code
in the high half (the rank of its value, then its class in the low `target_bits`) and the case in
the low half. A run is what one pair gives to a block: `owner` says which, `bounds` where it
begins and where the next one does. Of a candidate, `lefts[s, i]` are the left branch's statistics,
`between` the ranks of the neighbours that it separates, the lower one in the high half.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from treekit.compiling import kernel
from treekit.offers import ABSOLUTE_TIE, RELATIVE_TIE
from treekit.stack_arrays import matrix, vector

HALF = np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)
WEIGHT_TIE = 1e-9  # sums of fractional weights that differ by less are the same


def impurity(*_: Any) -> float:
    """A slot: the recipe's impurity, in row form."""
    raise NotImplementedError


def score(*_: Any) -> float:
    """A slot: the recipe's criterion, in row form."""
    raise NotImplementedError


def merit(*_: Any) -> float:
    """A slot: what the recipe's criterion compares columns by."""
    raise NotImplementedError


SIZE = 0
"""A slot: how many statistics there are, where the compiler should know; 0 where it need not."""

NUMBERS = 0
"""A slot: is the target a number?"""


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
def target_of(word, mask, y):  # type: ignore[no-untyped-def]
    """A case's class, which its word holds; or its number."""
    if NUMBERS:
        return y[word & LOW]
    return np.int64((word >> HALF) & mask)


@kernel
def row_of(rows, case):  # type: ignore[no-untyped-def]
    """The table's row of a case. Without `rows`, cases are rows."""
    return rows[case] if rows.shape[0] > 0 else np.int64(case)


@kernel
def known_stats(  # type: ignore[no-untyped-def]
    order, rows, codes, class_bits, which, n_distinct, start, stops, parents, y, weights, out
):
    """out[n, c]: the statistics of each node's cases that are known in each column.

    They are added up, not taken from the node's: what is left of a difference would be noise.
    `codes` are the table's.
    """
    for j in range(which.shape[0]):
        column = codes[which[j]]
        for n in range(start.shape[0]):
            known = out[n, j]
            for s in range(parents.shape[1]):
                known[s] = 0.0
            unknown = 0
            for i in range(start[n], stops[n, j]):
                case = order[i]
                if np.int64(column[row_of(rows, case)] >> class_bits) == n_distinct[j]:
                    unknown += 1
                else:
                    add_case(known, y[case], weight_of(weights, case))
            if unknown == 0:
                for s in range(parents.shape[1]):
                    known[s] = parents[n, s]


@kernel
def known_counts(words, carried, stops, known_ends, parents, y, out):  # type: ignore[no-untyped-def]
    """The same of classes, where columns are carried and every case weighs 1.

    Counts are whole, so that what is left of a difference is as good as a sum.
    """
    for n in range(parents.shape[0]):
        for j in range(carried.shape[0]):
            own, known = words[carried[j]], out[n, j]
            for s in range(parents.shape[1]):
                known[s] = parents[n, s]
            for i in range(known_ends[n, j], stops[n, j]):
                add_case(known, y[own[i] & LOW], -1.0)


@kernel
def known_spans(  # type: ignore[no-untyped-def]
    order, rows, codes, class_bits, which, n_distinct, start, stops, least, greatest
):
    """The least and the greatest known rank of each node and column; greatest -1: there is none."""
    for j in range(which.shape[0]):
        column = codes[which[j]]
        for n in range(start.shape[0]):
            low, high = n_distinct[j], np.int64(-1)
            for i in range(start[n], stops[n, j]):
                rank = np.int64(column[row_of(rows, order[i])] >> class_bits)
                if rank < n_distinct[j]:
                    low, high = min(low, rank), max(high, rank)
            least[n, j], greatest[n, j] = low, high


@kernel
def known_ends(words, class_bits, carried, n_distinct, start, stops, out):  # type: ignore[no-untyped-def]
    """out[n, c]: where the unknown values begin among the sorted words of node n."""
    shift = HALF + class_bits
    for c in range(carried.shape[0]):
        own, unknown = words[carried[c]], n_distinct[c]
        for n in range(start.shape[0]):
            low, high = start[n], stops[n, c]
            if low < high and np.int64(own[high - 1] >> shift) != unknown:
                low = high
            while low < high:
                middle = (low + high) // 2
                if np.int64(own[middle] >> shift) == unknown:
                    high = middle
                else:
                    low = middle + 1
            out[n, c] = low


@kernel
def lightest_side(min_weight, margin, pair):  # type: ignore[no-untyped-def]
    """What each side of a cut must weigh."""
    least = max(min_weight, margin[pair]) if margin.shape[0] > 0 else min_weight
    return least * (1.0 - WEIGHT_TIE)


@kernel
def impurity_at(stats, impurity_parameters):  # type: ignore[no-untyped-def]
    """The impurity of a node."""
    return impurity(stats, impurity_parameters)


@kernel
def merit_at(score, split_info, merit_parameters):  # type: ignore[no-untyped-def]
    """A column's merit, by the score and the split information of its best test."""
    found = vector(1)
    found[0] = merit(score, split_info, merit_parameters)  # an array without axes, if it likes
    return found[0]


@kernel
def score_run(  # type: ignore[no-untyped-def]
    begin, end, lefts, whole, before, impurity_parameters, score_parameters, out
):
    """The scores of the candidates begin to end of one pair, the formulas compiled in.

    Where the compiler knows the size of what is worked in, that lies on the stack.
    """
    size, after = SIZE or lefts.shape[0], vector(2)
    branches = matrix(2, SIZE) if SIZE else np.empty((2, size))
    parent = vector(SIZE) if SIZE else np.empty(size)
    for s in range(size):
        parent[s] = whole[s]
    # Numbers without a sign index arrays without a look at whether they count from the end.
    for i in range(np.uint64(begin), np.uint64(end)):
        for s in range(size):
            part = lefts[s, i]
            rest = parent[s] - part
            branches[0, s] = part
            # A class weight left below zero by rounding is zero.
            branches[1, s] = rest if NUMBERS or s == 0 else max(rest, 0.0)
        after[0] = impurity(branches[0], impurity_parameters)
        after[1] = impurity(branches[1], impurity_parameters)
        out[i] = score(parent, branches, before, after, score_parameters)


@kernel
def score_block(  # type: ignore[no-untyped-def]
    n_runs, lefts, owner, bounds, known, before, per, impurity_parameters, score_parameters, out
):
    """The score of each candidate of a block."""
    for run in range(n_runs):
        at = owner[run] // per
        score_run(
            bounds[run], bounds[run + 1], lefts, known[at], before[at], impurity_parameters,
            score_parameters, out,
        )  # fmt: skip


@kernel
def branch_out(n_runs, owner, bounds, known, per, planes, whole, mine):  # type: ignore[no-untyped-def]
    """Of each candidate of a block: its pair's place in `known`, what is known of it, and the
    statistics of the right branch, planes[1].
    """
    for run in range(n_runs):
        at = owner[run] // per
        begin, end = np.uint64(bounds[run]), np.uint64(bounds[run + 1])
        for i in range(begin, end):
            mine[i] = at
        for s in range(whole.shape[0]):
            total, lefts, rights, totals = known[at, s], planes[0, s], planes[1, s], whole[s]
            for i in range(begin, end):
                rest = total - lefts[i]
                totals[i] = total
                # A class weight left below zero by rounding is zero.
                rights[i] = rest if NUMBERS or s == 0 else max(rest, 0.0)


@kernel
def with_slack(value, scale):  # type: ignore[no-untyped-def]
    """What is better than `value` by more than a rounding error must exceed this."""
    if value == -np.inf:
        return value
    return value + RELATIVE_TIE * abs(value) + ABSOLUTE_TIE * scale


@kernel
def keep_best(  # type: ignore[no-untyped-def]
    n_runs, value, owner, bounds, between, left, scale, n_columns, best, best_between, best_left
):  # fmt: skip
    """Fold a scored block into the best cut of each pair (flat arrays)."""
    for run in range(n_runs):
        at = owner[run]
        magnitude = scale[at // n_columns]
        bar = with_slack(best[at], magnitude)
        found = -1
        for i in range(bounds[run], bounds[run + 1]):
            if value[i] > bar:
                bar = with_slack(value[i], magnitude)
                found = i
        if found >= 0:
            best[at] = value[found]
            best_between[at] = between[found]
            best_left[at] = left[found]
