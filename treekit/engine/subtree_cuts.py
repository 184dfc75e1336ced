"""Kernels that gather the candidate cuts of one column in one node, in memory of the node's own.

`row` holds the node's cases in ascending order, as words (`engine.scan`); a cut at i has row[i - 1]
on its left and row[i] on its right, and low <= i <= high has rows enough on both sides. What is
written behind the last candidate is written over by what comes next: there is no branch where no
processor could foretell it. A cut is passed over, with `skips`, where it surely lies inside a run
of one class (`engine.walking`); it still counts as tried. Whole numbers without a sign index
arrays without a look at whether they count from the end.
"""

from __future__ import annotations

import numpy as np

from treekit.compiling import kernel, kernel_part
from treekit.engine.scan import HALF, LOW, NUMBERS, SIZE

WEIGHTED = 0
"""A slot: do the cases have weights of their own?"""

ONE = np.uint64(1)


@kernel
def cuts_of_numbers(row, low, high, y, weights, total, lightest, sums, place):  # type: ignore[no-untyped-def]
    """Every cut between different values; how many there are. `sums` are three rows of `lefts`."""
    weight = part = squares = 0.0
    weights_left, parts, all_squares = sums
    filled = np.uint64(0)
    word = row[0]
    for i in range(1, high + 1):
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
    return np.int64(filled)


@kernel
def cuts_of_single_values(row, low, high, skips, weights, sums, place):  # type: ignore[no-untyped-def]
    """Of two classes, if no value is held by two cases and all weigh the same; how many."""
    weights_left, ones, others = sums
    n_other, filled = np.int64(0), np.uint64(0)
    here = np.int64((row[0] >> HALF) & ONE)
    for i in range(1, high + 1):
        n_other += here
        there = np.int64((row[i] >> HALF) & ONE)
        inside = skips & np.int64(here == there) & np.int64(i > low) & np.int64(i < high)
        place[filled] = i
        others[filled] = n_other
        filled += np.uint64(i >= low) & np.uint64(1 - inside)
        here = there
    for k in range(filled):
        weights_left[k] = place[k] * weights[0]
        others[k] = others[k] * weights[0]
        ones[k] = weights_left[k] - others[k]
    return np.int64(filled)


@kernel
def cuts_between_two(  # type: ignore[no-untyped-def]
    row, low, high, skips, weights, total, lightest, sums, place, tried
):
    """Of two classes, whatever the values and weights; how many. Those tried go to tried[0]."""
    weights_left, ones, others = sums
    weight = other = 0.0
    filled, n_tried = np.uint64(0), np.uint64(0)
    word = row[0]
    here = np.int64((word >> HALF) & ONE)
    opened, opened_with = 0, here
    for i in range(1, high + 1):
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
        inside = skips & np.int64(here == there) & np.int64(opened_with == here)
        inside &= alone & np.int64(opened >= low) & np.int64(i < high)
        if WEIGHTED:
            inside &= np.int64(lightest <= 0.0)  # else its neighbours need not be allowed
        place[filled] = i
        weights_left[filled], ones[filled], others[filled] = weight, weight - other, other
        filled += allowed & np.uint64(1 - inside)
        n_tried += allowed
        opened = i if differs else opened
        opened_with = there if differs else opened_with
        word, here = following, there
    tried[0] += np.int64(n_tried)
    return np.int64(filled)


@kernel
def cuts_of_classes(  # type: ignore[no-untyped-def]
    row, low, high, class_bits, skips, weights, total, lightest, left, lefts, place, filled, tried
):
    """Of any number of classes, from `filled` on; how far that went. `left` is scratch."""
    mask, rank_shift = (ONE << class_bits) - ONE, HALF + class_bits
    for s in range(left.shape[0]):
        left[s] = 0.0
    word = row[0]
    here = np.int64((word >> HALF) & mask)
    opened, opened_with = 0, here
    for i in range(1, high + 1):
        heft = weights[word & LOW] if WEIGHTED else weights[0]
        left[0] += heft
        left[1 + here] += heft
        following = row[i]
        there = np.int64((following >> HALF) & mask)
        differs = np.int64((word ^ following) >> rank_shift != np.uint64(0))
        allowed = differs & np.int64(i >= low)
        if WEIGHTED:
            allowed &= np.int64(left[0] >= lightest) & np.int64(total - left[0] >= lightest)
        alone = np.int64((row[i + 1] ^ following) >> rank_shift != np.uint64(0))
        inside = skips & np.int64(here == there) & np.int64(opened_with == here)
        inside &= alone & np.int64(opened >= low) & np.int64(i < high)
        if WEIGHTED:
            inside &= np.int64(lightest <= 0.0)
        if allowed & (1 - inside):
            place[filled] = i
            for s in range(left.shape[0]):
                lefts[s, filled] = left[s]
            filled += 1
        tried[0] += allowed
        opened = i if differs else opened
        opened_with = there if differs else opened_with
        word, here = following, there
    return filled


@kernel
def count_codes(row, n, codes, y, weights, counts, rows):  # type: ignore[no-untyped-def]
    """Count n cases in all columns that are counted by value.

    counts[code] is the weight of a value and class, of a number three statistics; `rows` of a code
    are counted where weights do not tell them. The columns of a case lie side by side, and none
    waits for what was added to another.
    """
    counts[:] = 0.0
    if WEIGHTED:
        rows[:] = 0
    for i in range(n):
        case = row[i] & LOW
        heft = weights[case] if WEIGHTED else weights[0]
        for k in range(codes.shape[1]):
            code = codes[case, k]
            if NUMBERS:
                at = np.uint64(3) * np.uint64(code)
                counts[at] += heft
                counts[at + ONE] += heft * y[case]
                counts[at + ONE + ONE] += heft * y[case] * y[case]
            else:
                counts[code] += heft
            if WEIGHTED:
                rows[code] += 1


@kernel
def cuts_of_counts(  # type: ignore[no-untyped-def]
    n_values, n_rows, least_rows, class_bits, total, lightest, heft, counts, rows, left, lefts,
    place, filled, tried,
):  # fmt: skip
    """Of a column whose values were counted, from `filled` on; how far that went.

    A candidate's place is the number of values times the lower neighbour's rank, plus the upper's.
    """
    for s in range(left.shape[0]):
        left[s] = 0.0
    below, n_left = -1, 0
    width = 1 if NUMBERS else 1 << np.int64(class_bits)
    for rank in range(n_values):
        weight, here = 0.0, 0
        for code in range(rank * width, (rank + 1) * width):
            weight += counts[3 * code] if NUMBERS else counts[code]
            here += rows[code] if WEIGHTED else 0
        if weight <= 0.0:
            continue
        enough = int(n_left >= least_rows) & int(n_rows - n_left >= least_rows)
        enough &= int(left[0] >= lightest) & int(total - left[0] >= lightest)
        if below >= 0 and enough:
            place[filled] = below * n_values + rank
            for s in range(left.shape[0]):
                lefts[s, filled] = left[s]
            filled += 1
            tried[0] += 1
        n_left += here if WEIGHTED else int(weight / heft + 0.5)
        left[0] += weight
        for s in range(1, left.shape[0]):
            left[s] += counts[3 * rank + s] if NUMBERS else counts[rank * width + s - 1]
        below = rank
    return filled


@kernel_part
def gather_cuts(  # type: ignore[no-untyped-def]
    row, n, once, least_rows, class_bits, skips, y, weights, total, lightest, left, lefts, place,
    filled, tried,
):  # fmt: skip
    """The candidates of a column whose n cases lie in order, from `filled` on; how far that went.

    `once`: no value is held by two cases.
    """
    if row[0] >> (HALF + class_bits) == row[n - 1] >> (HALF + class_bits):
        return filled
    low, high = least_rows, n - least_rows
    if SIZE != 3:
        return cuts_of_classes(
            row, low, high, class_bits, skips, weights, total, lightest, left, lefts, place,
            filled, tried,
        )  # fmt: skip
    own = place[filled:]
    sums = (lefts[0][filled:], lefts[1][filled:], lefts[2][filled:])
    if NUMBERS:
        found = cuts_of_numbers(row, low, high, y, weights, total, lightest, sums, own)
        tried[0] += found
    elif once and not WEIGHTED:
        found = cuts_of_single_values(row, low, high, skips, weights, sums, own)
        tried[0] += max(high - low + 1, 0)
    else:
        found = cuts_between_two(row, low, high, skips, weights, total, lightest, sums, own, tried)
    return filled + found
