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
    """The bins of every pair: p's begin at first_bin[p], and each holds 2 ** shift[p] ranks."""
    for p in range(pairs.shape[0]):
        n, j = pairs[p] // n_columns, pairs[p] % n_columns
        count_bins_of(
            first_bin[p], first_bin[p + 1], shift[p], order, start[n], stops[n, j],
            codes[which[j]], n_distinct[j], weights, bins, rows,
        )  # fmt: skip


@kernel
def count_bins_of(  # type: ignore[no-untyped-def]
    first, last, shift, order, begin, end, column, n_distinct, weights, bins, rows
):
    """The weight of each class in each bin, bins[2 * bin + class], and the rows of each bin, which
    are zeros before. Codes have one bit for the class.
    """
    known, by = 2 * n_distinct, shift + 1
    if weights.shape[0] == 1:
        weight, mine = weights[0], bins[2 * first :]
        for i in range(begin, end):
            code = np.int64(column[order[i]])
            if code < known:
                mine[2 * (code >> by) + (code & 1)] += weight
        for at in range(first, last):
            rows[at] = int((bins[2 * at] + bins[2 * at + 1]) / weight + 0.5)
    else:
        for i in range(begin, end):
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
    """The points of each pair's bins, as candidates; one run per pair."""
    bounds[0] = 0
    for p in range(pairs.shape[0]):
        owner[p] = pairs[p]
        bounds[p + 1] = points_of_bins(first_bin[p], first_bin[p + 1], bins, rows, bounds[p], lefts)


@kernel
def points_of_bins(first, last, bins, rows, filled, lefts):  # type: ignore[no-untyped-def]
    """The end of each bin that holds cases and its corners, from `filled` on; how far that went.

    What a bin does not have is written over by what comes next.
    """
    one = other = 0.0
    for at in range(first, last):
        further_one, further_other = one + bins[2 * at], other + bins[2 * at + 1]
        lefts[0, filled] = further_one + further_other
        lefts[1, filled], lefts[2, filled] = further_one, further_other
        lefts[0, filled + 1] = one + further_other
        lefts[1, filled + 1], lefts[2, filled + 1] = one, further_other
        lefts[0, filled + 2] = further_one + other
        lefts[1, filled + 2], lefts[2, filled + 2] = further_one, other
        filled += points_of(bins, rows, at)
        one, other = further_one, further_other
    return filled


@kernel
def best_ends(  # type: ignore[no-untyped-def]
    pairs, first_bin, bins, rows, lefts, bounds, value, known, per, min_rows, min_weight, margin,
    out,
):  # fmt: skip
    """out[p]: the best score of an allowed cut at the end of one of pair p's bins."""
    least_rows = max(min_rows, 1)
    for p in range(pairs.shape[0]):
        out[p] = best_end(
            first_bin[p], first_bin[p + 1], bins, rows, lefts, bounds[p], value,
            known[pairs[p] // per, 0], least_rows, lightest_side(min_weight, margin, pairs[p]),
        )  # fmt: skip


@kernel
def best_end(first, last, bins, rows, lefts, point, value, total, least_rows, lightest):  # type: ignore[no-untyped-def]
    """The best score of an allowed cut at the end of a bin; the points begin at `point`."""
    heaviest, n_known = total - lightest, 0
    for at in range(first, last):
        n_known += rows[at]
    best = -np.inf
    n_left = 0
    for at in range(first, last):
        n_left += rows[at]
        weight = lefts[0, point]
        enough = int(n_left >= least_rows) & int(n_known - n_left >= least_rows)
        enough &= int(weight >= lightest) & int(weight <= heaviest) & int(rows[at] > 0)
        better = enough & int(value[point] > best)
        best = value[point] if better else best
        point += points_of(bins, rows, at)
    return best


@kernel
def keep_bins(pairs, first_bin, bins, rows, bounds, value, best, scale, n_columns, keep, kept):  # type: ignore[no-untyped-def]
    """Which of pair p's bins may hold a cut that scores as much as best[p], and how many."""
    for p in range(pairs.shape[0]):
        kept[p] = keep_bins_of(
            first_bin[p], first_bin[p + 1], bins, rows, bounds[p], value, best[p],
            scale[pairs[p] // n_columns], keep,
        )  # fmt: skip


@kernel
def keep_bins_of(first, last, bins, rows, point, value, best, scale, keep):  # type: ignore[no-untyped-def]
    """Which bins may hold a cut that scores as much as `best`, and how many do."""
    bar = best
    if bar > -np.inf:
        bar -= 4 * (RELATIVE_TIE * abs(bar) + ABSOLUTE_TIE * scale)
    low, count = 1, 0
    for at in range(first, last):
        n_points = points_of(bins, rows, at)
        # What is not a number is not below anything, and tells nothing.
        end = int(value[point] < bar)
        corners = int(value[point + 1] < bar) & int(value[point + 2] < bar)
        below = low & end & (corners | int(n_points < 3))
        keep[at] = int(n_points > 0) & (1 - below)
        count += keep[at]
        low = end if n_points > 0 else low
        point += n_points
    return count
