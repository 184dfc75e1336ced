"""Kernels that put the cases of a node into the order of a column, where they are needed in order.

Ranks are spread evenly, so that dealing the cases into as many buckets as there are cases all but
sorts them.
"""

from __future__ import annotations

import numpy as np

from treekit.compiling import kernel, kernel_apart
from treekit.engine.scan import HALF

FEW = 16  # so many words are sorted by insertion alone
MOST_BUCKETS = 8192
FULL_BUCKET = 48  # a fuller one is better sorted by comparing


@kernel
def arrange(  # type: ignore[no-untyped-def]
    pairs, first_pair, order, codes, class_bits, which, n_distinct, start, stops, n_columns,
    packed, y, target_bits, first_bin, shift, bins, rows, keep, kept,
    words, spare, count, begin, end, pair_of, rows_before, rows_known, before, n_stretches,
):  # fmt: skip
    """Sort the known cases of one pair after another into `words`, as stretches of them.

    A pair with bins (`engine.bounding`) has a stretch for each group of bins that are kept, any
    other pair has one. n_stretches[0] is how many there are; returns the first pair that found no
    room. `rows` of bins are written over.
    """
    filled = s = 0
    n_stretches[0] = 0
    for p in range(first_pair, pairs.shape[0]):
        pair = pairs[p]
        n, j = pair // n_columns, pair % n_columns
        n_bins = first_bin[p + 1] - first_bin[p]
        size = stops[n, j] - start[n]
        if s + 1 + n_bins // 2 >= begin.shape[0] or filled + size > words.shape[0]:
            return p
        column, first = codes[which[j]], s
        if n_bins == 0:
            n_known = gather(
                order, column, class_bits, n_distinct[j], start[n], stops[n, j], packed, y,
                target_bits, spare[filled:],
            )  # fmt: skip
            begin[s], end[s], rows_before[s], rows_known[s] = filled, filled + n_known, 0, n_known
            for k in range(before.shape[1]):
                before[s, k] = 0.0
            s += 1
        elif kept[p] > 0:
            s = stretches(
                first_bin[p], first_bin[p + 1], bins, rows, keep, filled, spare.shape[0] - 1, s,
                begin, end, rows_before, rows_known, before,
            )  # fmt: skip
            gather_kept(
                order, column, 2 * n_distinct[j], start[n], stops[n, j], first_bin[p], shift[p],
                keep, rows, spare,
            )  # fmt: skip
        for k in range(first, s):
            pair_of[k] = pair
            sort_words(spare[begin[k] : end[k]], words[begin[k] : end[k]], count)
        filled = end[s - 1] if s > first else filled
        n_stretches[0] = s
    return pairs.shape[0]


@kernel
def gather(order, column, class_bits, unknown, begin, end, packed, y, target_bits, out):  # type: ignore[no-untyped-def]
    """The words of a node's cases whose value is known; how many there are."""
    filled = 0
    for i in range(begin, end):
        case = np.uint64(order[i])
        code = np.uint64(column[case])
        rank = code >> class_bits
        if not packed:
            code = (rank << target_bits) | np.uint64(y[case])
        # What is not known is written over by what comes next.
        out[filled] = (code << HALF) | case
        filled += int(np.int64(rank) != unknown)
    return filled


@kernel
def stretches(  # type: ignore[no-untyped-def]
    first, last, bins, rows, keep, filled, nowhere, s, begin, end, rows_before, rows_known, before
):
    """Write the stretches of a pair's kept bins, whose words begin at `filled`; the next stretch.

    rows[b] becomes the place where the words of bin b begin, or `nowhere` if it is not kept.
    """
    one = other = 0.0
    n_before, at, is_open, first_of = 0, filled, False, s
    for b in range(first, last):
        here = rows[b]
        rows[b] = at if keep[b] else nowhere
        if here == 0:
            continue
        if keep[b] and not is_open:
            begin[s], rows_before[s] = at, n_before
            before[s, 0], before[s, 1], before[s, 2] = one + other, one, other
        if is_open and not keep[b]:
            end[s] = at
            s += 1
        is_open = keep[b] > 0
        if is_open:
            at += here
        n_before += here
        one, other = one + bins[2 * b], other + bins[2 * b + 1]
    if is_open:
        end[s] = at
        s += 1
    for k in range(first_of, s):
        rows_known[k] = n_before
    return s


@kernel
def gather_kept(order, column, known, begin, end, first, shift, keep, place, out):  # type: ignore[no-untyped-def]
    """Write the words of a node's cases that lie in bins that are kept to the places of the bins.

    A case in another bin is written to a place of no use: no processor could foretell a branch.
    """
    for i in range(begin, end):
        case = np.uint64(order[i])
        code = np.int64(column[case])
        if code < known:
            b = first + (code >> (shift + 1))
            out[place[b]] = (np.uint64(code) << HALF) | case
            place[b] += keep[b]


@kernel_apart
def sort_words(words, out, count):  # type: ignore[no-untyped-def]
    """Write words in ascending order; `count` is scratch."""
    n = words.shape[0]
    if n <= FEW:
        for i in range(n):
            out[i] = words[i]
        settle_neighbours(out, n)
        return
    least = greatest = words[0]
    for i in range(1, n):
        least, greatest = min(least, words[i]), max(greatest, words[i])
    least, span = least >> HALF, (greatest >> HALF) - (least >> HALF)
    buckets, shift = np.int64(FEW), np.uint64(0)
    while buckets < 2 * n and buckets < MOST_BUCKETS:
        buckets *= 2
    while np.int64(span >> shift) >= buckets:
        shift += np.uint64(1)
    count[: buckets + 1] = 0
    for i in range(n):
        count[np.int64(((words[i] >> HALF) - least) >> shift) + 1] += 1
    fullest = np.int64(0)
    for k in range(1, buckets + 1):
        fullest = max(fullest, np.int64(count[k]))
        count[k] += count[k - 1]
    for i in range(n):
        bucket = np.int64(((words[i] >> HALF) - least) >> shift)
        out[count[bucket]] = words[i]
        count[bucket] += 1
    if fullest > FULL_BUCKET:
        out.sort()
    else:
        settle_neighbours(out, n)


@kernel
def settle_neighbours(words, n):  # type: ignore[no-untyped-def]
    """Sort by insertion what is nearly sorted."""
    for i in range(1, n):
        word = words[i]
        k = i
        while k > 0 and words[k - 1] > word:
            words[k] = words[k - 1]
            k -= 1
        words[k] = word
