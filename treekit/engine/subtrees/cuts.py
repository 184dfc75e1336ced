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
from treekit.engine.subtrees.layout import WEIGHTED

ONE, FIELD = np.uint64(1), np.uint64(0xFFFF)


@kernel
def differ(word, following, shift):  # type: ignore[no-untyped-def]
    """1 if these neighbours have different values, else 0."""
    return np.uint64((word ^ following) >> shift != np.uint64(0))


@kernel
def inside_run(i, here, there, began, began_with, alone, low, high):  # type: ignore[no-untyped-def]
    """1 if a cut at i surely lies inside a run of one class: the cases that have the value before
    it and the value after it, which is one case's `alone`, are of this class, and both this cut's
    neighbours have rows enough on their sides.
    """
    inside = np.uint64(here == there) & np.uint64(began_with == here) & alone
    return inside & np.uint64(began >= low) & np.uint64(i < high)


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
    here, rank_shift = np.int64((word >> HALF) & ONE), HALF + ONE
    began, began_with = opened[0], opened[1]
    for i in range(first + 1, last + 1):
        heft = weights[word & LOW] if WEIGHTED else weights[0]
        weight += heft
        other += heft * here
        following = row[i]
        there = np.int64((following >> HALF) & ONE)
        differs = differ(word, following, rank_shift)
        allowed = differs & np.uint64(i >= low)
        if WEIGHTED:
            allowed &= np.uint64(weight >= lightest) & np.uint64(total - weight >= lightest)
        alone = differ(following, row[i + 1], rank_shift)
        inside = np.uint64(skips) & inside_run(i, here, there, began, began_with, alone, low, high)
        if WEIGHTED:
            inside &= np.uint64(lightest <= 0.0)  # else its neighbours need not be allowed
        place[filled] = i
        weights_left[filled], ones[filled], others[filled] = weight, weight - other, other
        filled += allowed & (ONE - inside)
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
        differs = differ(word, following, rank_shift)
        allowed = differs & np.uint64(i >= low)
        if WEIGHTED:
            allowed &= np.uint64(left[0] >= lightest) & np.uint64(total - left[0] >= lightest)
        alone = differ(following, row[i + 1], rank_shift)
        inside = np.uint64(skips) & inside_run(i, here, there, began, began_with, alone, low, high)
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
def cuts_of_few_classes(  # type: ignore[no-untyped-def]
    row, first, last, low, high, class_bits, skips, heft, left, opened, lefts, place, filled, tried
):
    """Of up to 8 classes, if all cases weigh the same and are fewer than 2^16.

    While cuts are gathered, a word holds the numbers of cases of four classes that are left of
    them; the words lie where the first two statistics will be.
    """
    size = left.shape[0]
    mask, rank_shift = (ONE << class_bits) - ONE, HALF + class_bits
    some, others = lefts[0].view(np.uint64), lefts[1].view(np.uint64)
    four, four_others = np.uint64(0), np.uint64(0)
    if first > 0:
        for s in range(1, size):
            n_left = np.uint64(left[s] / heft + 0.5) << np.uint64(16 * ((s - 1) & 3))
            four += n_left if s < 5 else np.uint64(0)
            four_others += n_left if s > 4 else np.uint64(0)
    at, n_tried = np.uint64(filled), np.uint64(0)
    word = row[first]
    here = (word >> HALF) & mask
    began, began_with = opened[0], np.uint64(opened[1])
    for i in range(first + 1, last + 1):
        one = ONE << ((here & np.uint64(3)) << np.uint64(4))
        is_other = here >> np.uint64(2)
        four += one * (ONE - is_other)
        four_others += one * is_other
        following = row[i]
        there = (following >> HALF) & mask
        differs = differ(word, following, rank_shift)
        allowed = differs & np.uint64(i >= low)
        alone = differ(following, row[i + 1], rank_shift)
        inside = np.uint64(skips) & inside_run(i, here, there, began, began_with, alone, low, high)
        place[at], some[at], others[at] = i, four, four_others
        at += allowed & (ONE - inside)
        n_tried += allowed
        began = i if differs else began
        began_with = there if differs else began_with
        word, here = following, there
    tried[0] += np.int64(n_tried)
    opened[0], opened[1] = began, np.int64(began_with)
    for s in range(size - 1, 0, -1):
        shift, out = np.uint64(16 * ((s - 1) & 3)), lefts[s]
        held = some if s < 5 else others
        left[s] = np.float64(((four if s < 5 else four_others) >> shift) & FIELD) * heft
        for k in range(np.uint64(filled), at):
            out[k] = np.float64(np.int32((held[k] >> shift) & FIELD)) * heft
    for k in range(np.uint64(filled), at):
        lefts[0, k] = place[k] * heft
    left[0] = last * heft
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
    if SIZE != 3 and not WEIGHTED and n <= 0xFFFF and left.shape[0] <= 9:
        return cuts_of_few_classes(
            row, first, last, low, high, class_bits, skips, weights[0], left, opened, lefts, place,
            filled, tried,
        )  # fmt: skip
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
