"""Kernels that count the cases of one node by their values, and tell the cuts between these.

What is written behind the last candidate is written over by what comes next (`subtrees.cuts`).
"""

from __future__ import annotations

import numpy as np

from treekit.compiling import kernel
from treekit.engine.scan import HALF, LOW, NUMBERS, SIZE
from treekit.engine.subtrees.layout import (
    GATHERED,
    KNOWN_AT,
    LAST,
    LEVEL_ROW,
    MIXED,
    TRIED,
    WEIGHTED,
)

ONE = np.uint64(1)


@kernel
def count_values(row, n, flags, tallies, y, weights, counts, rows):  # type: ignore[no-untyped-def]
    """Add up n cases by the values that they have in the columns that are counted.

    flags[case, j] is 1 if the case has the j-th of the first values, else 0, so that what a case
    adds to them is one pass over neighbours; to others it adds by its tallies. counts[s, j] are
    statistics; `rows` are counted where weights do not tell them.
    """
    counts[:] = 0.0
    if WEIGHTED:
        rows[:] = 0
    for i in range(n):
        case = row[i] & LOW
        heft = weights[case] if WEIGHTED else weights[0]
        mine = flags[case]
        if NUMBERS:
            add_flags(mine, heft, counts[0])
            add_flags(mine, heft * y[case], counts[1])
            add_flags(mine, heft * y[case] * y[case], counts[2])
        else:
            add_flags(mine, heft, counts[ONE + (row[i] >> HALF)])
        if MIXED:
            for q in range(tallies.shape[1]):
                j = tallies[case, q]
                if NUMBERS:
                    counts[0, j] += heft
                    counts[1, j] += heft * y[case]
                    counts[2, j] += heft * y[case] * y[case]
                else:
                    counts[ONE + (row[i] >> HALF), j] += heft
                if WEIGHTED:
                    rows[j] += 1
        if WEIGHTED:
            for j in range(mine.shape[0]):
                rows[j] += mine[j]
    if not NUMBERS:
        for s in range(1, counts.shape[0]):
            for j in range(counts.shape[1]):
                counts[0, j] += counts[s, j]


@kernel
def count_known(traits, slot, n_distinct, counts, rows):  # type: ignore[no-untyped-def]
    """Add up the known cases of nominal columns that have unknown ones."""
    for k in range(slot.shape[0]):
        at = traits[k, KNOWN_AT]
        if at >= 0 and traits[k, LEVEL_ROW] >= 0:
            for j in range(-1 - slot[k], -1 - slot[k] + n_distinct[k]):
                for s in range(counts.shape[0]):
                    counts[s, at] += counts[s, j]
                if WEIGHTED:
                    rows[at] += rows[j]


@kernel
def add_flags(flags, weight, out):  # type: ignore[no-untyped-def]
    """Add a weight where there is a flag."""
    for j in range(flags.shape[0]):
        out[j] += weight * flags[j]


@kernel
def rows_counted(j, heft, counts, rows):  # type: ignore[no-untyped-def]
    """How many cases have the j-th value."""
    return rows[j] if WEIGHTED else int(counts[0, j] / heft + 0.5)


@kernel
def cuts_of_counts(  # type: ignore[no-untyped-def]
    begin, n_values, n_rows, least_rows, total, lightest, heft, counts, rows, left, lefts, place,
    filled, tried,
):  # fmt: skip
    """Of a column whose values were counted, from `filled` on; how far that went.

    Its values are counted from `begin` on, but for the greatest, which nothing is above. A
    candidate's place is the number of values times the lower neighbour's rank, plus the upper's.
    """
    size = SIZE or left.shape[0]
    at, below, n_left = np.uint64(filled), -1, 0
    for rank in range(n_values):
        j, is_last = np.uint64(begin + rank), rank == n_values - 1
        here = n_rows - n_left if is_last else rows_counted(j, heft, counts, rows)
        if here == n_rows:
            return filled
        if here == 0:
            continue
        if below < 0:
            for s in range(size):
                left[s] = counts[s, j]
        else:
            enough = np.uint64(n_left >= least_rows) & np.uint64(n_rows - n_left >= least_rows)
            enough &= np.uint64(left[0] >= lightest) & np.uint64(total - left[0] >= lightest)
            place[at] = below * n_values + rank
            for s in range(size):
                lefts[s, at] = left[s]
            if not is_last:
                for s in range(size):
                    left[s] += counts[s, j]
            at += enough
        n_left += here
        below = rank
    tried[0] += np.int64(at) - filled
    return np.int64(at)


@kernel
def cuts_of_pairs(  # type: ignore[no-untyped-def]
    first, slot, n_distinct, n_rows, least_rows, total, lightest, heft, counts, rows, lefts, place,
    filled, best, marks,
):  # fmt: skip
    """The same of columns of two values that follow each other, from the `first` one on.

    How far that went, and the first column that is another.
    """
    begin, k = np.uint64(-1 - slot[first]), first
    at, last = np.uint64(filled), min(first + GATHERED, slot.shape[0])
    while k < last and slot[k] < 0 and n_distinct[k] == 2:
        j = begin + np.uint64(k - first)
        n_left, weight = rows_counted(j, heft, counts, rows), counts[0, j]
        enough = np.uint64(n_left >= least_rows) & np.uint64(n_rows - n_left >= least_rows)
        enough &= np.uint64(weight >= lightest) & np.uint64(total - weight >= lightest)
        place[at] = j
        at += enough
        best[k], marks[k, TRIED], marks[k, LAST] = -np.inf, np.int64(enough), np.int64(at)
        k += 1
    for s in range(counts.shape[0]):
        own, out = counts[s], lefts[s]
        for i in range(np.uint64(filled), at):
            out[i] = own[np.uint64(place[i])]
    for i in range(np.uint64(filled), at):
        place[i] = 1  # the cut between the values of ranks 0 and 1
    return np.int64(at), k
