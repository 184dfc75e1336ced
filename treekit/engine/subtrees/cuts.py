"""Kernels that gather the candidate cuts of one column in one node, in memory of the node's own.

`row` holds the node's cases in ascending order, as words (`engine.scan`); a cut at i has row[i - 1]
on its left and row[i] on its right, and low <= i <= high has rows enough on both sides. Some cuts
are gathered at a time, first < i <= last, so that they are still in the cache when they are scored:
`left` holds the statistics of what is left of them, `opened` the cut before and the class that came
after it. What is written behind the last candidate is written over by what comes next: there is no
branch where no processor could foretell it. A cut is passed over, with `skips`, where it surely
lies inside a run of one class (`engine.walking`); it still counts as tried. Whole numbers without a
sign index arrays without a look at whether they count from the end.
"""

from __future__ import annotations

import numpy as np

from treekit.compiling import kernel, kernel_part
from treekit.engine.scan import HALF, LOW, NUMBERS, SIZE
from treekit.engine.subtrees.layout import KNOWN_AT, LEVEL_ROW, MIXED

WEIGHTED = 0
"""A slot: do the cases have weights of their own?"""

ONE = np.uint64(1)


@kernel
def cuts_of_numbers(row, first, last, low, y, weights, total, lightest, left, sums, place):  # type: ignore[no-untyped-def]
    """Every cut between different values; how many there are. `sums` are three rows of `lefts`."""
    weight, part, squares = left[0], left[1], left[2]
    weights_left, parts, all_squares = sums
    filled = np.uint64(0)
    word = row[first]
    for i in range(first + 1, last + 1):
        case = word & LOW
        heft = weights[case] if WEIGHTED else weights[0]
        weight += heft
        part += heft * y[case]
        squares += heft * y[case] * y[case]
        following = row[i]
        allowed = np.uint64(i >= low) & np.uint64((word ^ following) > LOW)
        if WEIGHTED:
            allowed &= np.uint64(weight >= lightest) & np.uint64(total - weight >= lightest)
        weights_left[filled], parts[filled], all_squares[filled] = weight, part, squares
        place[filled] = i
        filled += allowed
        word = following
    left[0], left[1], left[2] = weight, part, squares
    return np.int64(filled)


@kernel
def cuts_of_single_values(row, first, last, low, high, skips, weights, left, sums, place):  # type: ignore[no-untyped-def]
    """Of two classes, if no value is held by two cases and all weigh the same; how many.

    left[2] holds how many cases of the second class are left of the cuts.
    """
    weights_left, ones, others = sums
    n_other, filled = np.int64(left[2]), np.uint64(0)
    here = np.int64((row[first] >> HALF) & ONE)
    for i in range(first + 1, last + 1):
        n_other += here
        there = np.int64((row[i] >> HALF) & ONE)
        inside = skips & np.int64(here == there) & np.int64(i > low) & np.int64(i < high)
        place[filled] = i
        others[filled] = n_other
        filled += np.uint64(i >= low) & np.uint64(1 - inside)
        here = there
    left[2] = n_other
    for k in range(filled):
        weights_left[k] = place[k] * weights[0]
        others[k] = others[k] * weights[0]
        ones[k] = weights_left[k] - others[k]
    return np.int64(filled)


@kernel
def cuts_between_two(  # type: ignore[no-untyped-def]
    row, first, last, low, high, skips, weights, total, lightest, left, opened, sums, place, tried
):
    """Of two classes, whatever the values and weights; how many. Those tried go to tried[0]."""
    weights_left, ones, others = sums
    weight, other = left[0], left[2]
    filled, n_tried = np.uint64(0), np.uint64(0)
    word = row[first]
    here = np.int64((word >> HALF) & ONE)
    began, began_with = opened[0], opened[1]
    for i in range(first + 1, last + 1):
        heft = weights[word & LOW] if WEIGHTED else weights[0]
        weight += heft
        other += heft * here
        following = row[i]
        there = np.int64((following >> HALF) & ONE)
        differs = np.int64((word ^ following) >> (HALF + ONE) != np.uint64(0))
        allowed = np.uint64(differs) & np.uint64(i >= low)
        if WEIGHTED:
            allowed &= np.uint64(weight >= lightest) & np.uint64(total - weight >= lightest)
        alone = np.int64((row[i + 1] ^ following) >> (HALF + ONE) != np.uint64(0))
        inside = skips & np.int64(here == there) & np.int64(began_with == here)
        inside &= alone & np.int64(began >= low) & np.int64(i < high)
        if WEIGHTED:
            inside &= np.int64(lightest <= 0.0)  # else its neighbours need not be allowed
        place[filled] = i
        weights_left[filled], ones[filled], others[filled] = weight, weight - other, other
        filled += allowed & np.uint64(1 - inside)
        n_tried += allowed
        began = i if differs else began
        began_with = there if differs else began_with
        word, here = following, there
    tried[0] += np.int64(n_tried)
    left[0], left[2], opened[0], opened[1] = weight, other, began, began_with
    return np.int64(filled)


@kernel
def cuts_of_classes(  # type: ignore[no-untyped-def]
    row, first, last, low, high, class_bits, skips, weights, total, lightest, left, opened, lefts,
    place, filled, tried,
):  # fmt: skip
    """Of any number of classes, from `filled` on; how far that went."""
    size = SIZE or left.shape[0]
    mask, rank_shift = (ONE << class_bits) - ONE, HALF + class_bits
    at, n_tried = np.uint64(filled), np.uint64(0)
    word = row[first]
    here = (word >> HALF) & mask
    began, began_with = opened[0], np.uint64(opened[1])
    for i in range(first + 1, last + 1):
        heft = weights[word & LOW] if WEIGHTED else weights[0]
        left[0] += heft
        left[ONE + here] += heft
        following = row[i]
        there = (following >> HALF) & mask
        differs = np.uint64((word ^ following) >> rank_shift != np.uint64(0))
        allowed = differs & np.uint64(i >= low)
        if WEIGHTED:
            allowed &= np.uint64(left[0] >= lightest) & np.uint64(total - left[0] >= lightest)
        alone = np.uint64((row[i + 1] ^ following) >> rank_shift != np.uint64(0))
        inside = np.uint64(skips) & np.uint64(here == there) & np.uint64(began_with == here)
        inside &= alone & np.uint64(began >= low) & np.uint64(i < high)
        if WEIGHTED:
            inside &= np.uint64(lightest <= 0.0)
        place[at] = i
        for s in range(size):
            lefts[s, at] = left[s]
        at += allowed & (ONE - inside)
        n_tried += allowed
        began = i if differs else began
        began_with = there if differs else began_with
        word, here = following, there
    tried[0] += np.int64(n_tried)
    opened[0], opened[1] = began, np.int64(began_with)
    return np.int64(at)


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

    Its values are counted from `begin` on. A candidate's place is the number of values times the
    lower neighbour's rank, plus the upper's.
    """
    size = SIZE or left.shape[0]
    at, below, n_left = np.uint64(filled), -1, 0
    for rank in range(n_values):
        j = np.uint64(begin + rank)
        here = rows_counted(j, heft, counts, rows)
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
                left[s] += counts[s, j]
            at += enough
        n_left += here
        below = rank
    tried[0] += np.int64(at) - filled
    return np.int64(at)


@kernel_part
def gather_cuts(  # type: ignore[no-untyped-def]
    row, n, first, last, once, least_rows, class_bits, skips, y, weights, total, lightest, left,
    opened, lefts, place, filled, tried,
):  # fmt: skip
    """Some candidates of a column whose n cases lie in order, from `filled` on; how far that went.

    `once`: no value is held by two cases.
    """
    low, high = least_rows, n - least_rows
    if SIZE != 3:
        return cuts_of_classes(
            row, first, last, low, high, class_bits, skips, weights, total, lightest, left, opened,
            lefts, place, filled, tried,
        )  # fmt: skip
    own = place[filled:]
    sums = (lefts[0][filled:], lefts[1][filled:], lefts[2][filled:])
    if NUMBERS:
        found = cuts_of_numbers(row, first, last, low, y, weights, total, lightest, left, sums, own)
        tried[0] += found
    elif once and not WEIGHTED:
        found = cuts_of_single_values(row, first, last, low, high, skips, weights, left, sums, own)
        tried[0] += max(last - max(first, low - 1), 0)
    else:
        found = cuts_between_two(
            row, first, last, low, high, skips, weights, total, lightest, left, opened, sums, own,
            tried,
        )  # fmt: skip
    return filled + found
