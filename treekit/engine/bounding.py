"""Which stretches of a column can hold its best cut, for two classes and a concave impurity.

The ranks are dealt into bins, and the classes counted in each. What lies left of a cut inside a bin
is, class by class, between what lies left of the bin and what lies left of its end. The mean
impurity of the branches is concave in these two counts, so that over the box that they span it is
least at a corner: a bin whose corners all score less than some cut does holds no better one, and
its cases need not be put in order.
"""

from __future__ import annotations

import numpy as np

from treekit.compiling import kernel
from treekit.engine.scan import lightest_side
from treekit.offers import ABSOLUTE_TIE, RELATIVE_TIE

MOST_POINTS = 3  # of a bin: its end and, of both classes, the two corners that are no cuts


@kernel
def count_bins(  # type: ignore[no-untyped-def]
    pairs, first_bin, shift, order, codes, which, n_distinct, start, stops, n_columns, weights,
    bins, rows,
):  # fmt: skip
    """The weight of each class in each bin, bins[2 * bin + class], and the rows of each bin.

    Pair p's bins begin at first_bin[p]; a bin holds 2 ** shift[p] ranks. Codes have one bit for the
    class.
    """
    for p in range(pairs.shape[0]):
        n, j = pairs[p] // n_columns, pairs[p] % n_columns
        column, known = codes[which[j]], 2 * n_distinct[j]
        first, by = first_bin[p], shift[p] + 1
        if weights.shape[0] == 1:
            weight, mine = weights[0], bins[2 * first :]
            for i in range(start[n], stops[n, j]):
                code = np.int64(column[order[i]])
                if code < known:
                    mine[2 * (code >> by) + (code & 1)] += weight
            for at in range(first, first_bin[p + 1]):
                rows[at] = int((bins[2 * at] + bins[2 * at + 1]) / weight + 0.5)
        else:
            for i in range(start[n], stops[n, j]):
                case = order[i]
                code = np.int64(column[case])
                if code < known:
                    at = first + (code >> by)
                    bins[2 * at + (code & 1)] += weights[case]
                    rows[at] += 1


@kernel
def points_of(bins, rows, at):  # type: ignore[no-untyped-def]
    """How many points a bin has: none if it is empty; a bin of one class has no corners but ends.

    There is no branch on it, as no processor could foretell it.
    """
    mixed = int(bins[2 * at] > 0.0) & int(bins[2 * at + 1] > 0.0)
    return int(rows[at] > 0) + 2 * mixed


@kernel
def corner_points(pairs, first_bin, bins, rows, lefts, owner, bounds):  # type: ignore[no-untyped-def]
    """The end of each bin that holds cases and its corners, as candidates; one run per pair.

    What a bin does not have is written over by what comes next.
    """
    filled = bounds[0] = 0
    for p in range(pairs.shape[0]):
        one = other = 0.0
        for at in range(first_bin[p], first_bin[p + 1]):
            further_one, further_other = one + bins[2 * at], other + bins[2 * at + 1]
            lefts[0, filled] = further_one + further_other
            lefts[1, filled], lefts[2, filled] = further_one, further_other
            lefts[0, filled + 1] = one + further_other
            lefts[1, filled + 1], lefts[2, filled + 1] = one, further_other
            lefts[0, filled + 2] = further_one + other
            lefts[1, filled + 2], lefts[2, filled + 2] = further_one, other
            filled += points_of(bins, rows, at)
            one, other = further_one, further_other
        owner[p] = pairs[p]
        bounds[p + 1] = filled


@kernel
def best_ends(  # type: ignore[no-untyped-def]
    pairs, first_bin, bins, rows, lefts, bounds, value, known, per, min_rows, min_weight, margin,
    out,
):  # fmt: skip
    """out[p]: the best score of an allowed cut at the end of one of pair p's bins."""
    least_rows = max(min_rows, 1)
    for p in range(pairs.shape[0]):
        lightest = lightest_side(min_weight, margin, pairs[p])
        heaviest = known[pairs[p] // per, 0] - lightest
        n_known = 0
        for at in range(first_bin[p], first_bin[p + 1]):
            n_known += rows[at]
        best = -np.inf
        n_left, point = 0, bounds[p]
        for at in range(first_bin[p], first_bin[p + 1]):
            n_left += rows[at]
            weight = lefts[0, point]
            enough = int(n_left >= least_rows) & int(n_known - n_left >= least_rows)
            enough &= int(weight >= lightest) & int(weight <= heaviest) & int(rows[at] > 0)
            better = enough & int(value[point] > best)
            best = value[point] if better else best
            point += points_of(bins, rows, at)
        out[p] = best


@kernel
def keep_bins(pairs, first_bin, bins, rows, bounds, value, best, scale, n_columns, keep, kept):  # type: ignore[no-untyped-def]
    """Which of pair p's bins may hold a cut that scores as much as best[p], and how many."""
    for p in range(pairs.shape[0]):
        bar = best[p]
        if bar > -np.inf:
            bar -= 4 * (RELATIVE_TIE * abs(bar) + ABSOLUTE_TIE * scale[pairs[p] // n_columns])
        low, point, count = 1, bounds[p], 0
        for at in range(first_bin[p], first_bin[p + 1]):
            n_points = points_of(bins, rows, at)
            # What is not a number is not below anything, and tells nothing.
            end = int(value[point] < bar)
            corners = int(value[point + 1] < bar) & int(value[point + 2] < bar)
            below = low & end & (corners | int(n_points < 3))
            keep[at] = int(n_points > 0) & (1 - below)
            count += keep[at]
            low = end if n_points > 0 else low
            point += n_points
        kept[p] = count
