"""Kernels that walk the values of a column in ascending order and gather candidate cuts in blocks.

With `skips_runs` a cut is passed over when it and its two neighbours are allowed and only rows of
one class lie between them: a strictly concave impurity is least at an end of such a stretch (Fayyad
and Irani 1992). It still counts as tried. Whether it is so is known at the next cut: until then a
candidate stands, and is written over by what comes next.
"""

from __future__ import annotations

import numpy as np

from treekit.compiling import kernel
from treekit.engine.scan import (
    HALF,
    LOW,
    NUMBERS,
    SIZE,
    add_case,
    lightest_side,
    parts_of,
    target_of,
    weight_of,
)


@kernel
def walk_words(  # type: ignore[no-untyped-def]
    words, n_stretches, begin, end, pair_of, rows_before, rows_known, before, target_bits, y,
    weights, known, per, min_rows, min_weight, margin, gap, values, offset, n_columns, skips_runs,
    cursor, left, lefts, between, owner, bounds, tries,
):  # fmt: skip
    """Write the next candidate cuts of sorted words into a block, until it is full; the runs.

    A stretch is words[begin:end] of one pair, in ascending order, before which rows_before of its
    rows_known rows lie, with the statistics `before` (one entry for all if they are the same). Cuts
    inside stretches are candidates. What is known of pair p weighs known[p // per, 0]. `cursor` is
    [stretch, position, pending, behind, alike, droppable, filled] (position -1: the stretch is not
    begun) and `left` the running statistics; both are carried from block to block.
    """
    size = SIZE or lefts.shape[0]
    room = between.shape[0] - 1
    mask = (np.uint64(1) << target_bits) - np.uint64(1)
    rank_shift = HALF + target_bits
    least_rows = max(min_rows, 1)
    s, i, pending, behind = cursor[0], cursor[1], cursor[2], cursor[3]
    alike, droppable = cursor[4], cursor[5]
    if pending:
        last = cursor[6]
        between[0] = between[last]
        for k in range(size):
            lefts[k, 0] = lefts[k, last]
    filled = n_runs = bounds[0] = 0
    while s < n_stretches:
        pair = pair_of[s]
        if i < 0:
            i = begin[s]
            pending = behind = droppable = 0
            alike = 1
            for k in range(size):
                left[k] = before[s if before.shape[0] > 1 else 0, k]
        total = known[pair // per, 0]
        lightest = lightest_side(min_weight, margin, pair)
        # A cut at i has i - begin[s] words of the stretch on its left.
        lowest = begin[s] - rows_before[s] + least_rows
        highest = min(begin[s] - rows_before[s] + rows_known[s] - least_rows, end[s] - 1)
        at = offset[pair % n_columns]
        first, tried = filled, 0
        # What is kept in a variable need not be fetched again after every store.
        weight, part, rest_of_it = left[0], left[1], left[size - 1]
        if i < highest:
            word = words[i]
            target = target_of(word, mask, y)
            heft = weight_of(weights, word & LOW)
        while i < highest and filled < room:
            weight += heft
            if SIZE == 3:
                one, other = parts_of(target, heft)
                part += one
                rest_of_it += other
            else:
                add_case(left, target, heft)
            i += 1
            below, word = word, words[i]
            before_it, target = target, target_of(word, mask, y)
            heft = weight_of(weights, word & LOW)
            same = int(before_it == target)
            low, high = below >> rank_shift, word >> rank_shift
            if low == high:
                alike &= same
                continue
            if i < lowest or weight < lightest:
                alike = 1
                continue
            if total - weight < lightest:
                # Nor is any cut further on allowed: what is right of them only gets less.
                behind, highest = 0, i
                break
            if gap > 0.0 and close(values, at, np.int64(low), np.int64(high), gap):
                filled += pending
                pending = behind = 0
                alike = 1
                continue
            filled += pending & (1 - (droppable & alike))
            droppable = skips_runs & behind & alike & same
            pending = behind = alike = 1
            tried += 1
            if SIZE == 3:
                lefts[0, filled] = weight
                lefts[1, filled] = part
                lefts[2, filled] = rest_of_it
            else:
                for k in range(size):
                    lefts[k, filled] = left[k] if k else weight
            between[filled] = (low << HALF) | high
        left[0] = weight
        if SIZE == 3:
            left[1], left[2] = part, rest_of_it
        tries[pair] += tried
        full = i < highest
        if not full:
            filled += pending
            pending = 0
        if filled > first:
            owner[n_runs] = pair
            n_runs += 1
            bounds[n_runs] = filled
        if full:
            break
        i = -1
        s += 1
        if filled >= room:
            break
    cursor[0], cursor[1], cursor[2], cursor[3] = s, i, pending, behind
    cursor[4], cursor[5], cursor[6] = alike, droppable, filled
    return n_runs


@kernel
def close(values, offset, lower, upper, gap):  # type: ignore[no-untyped-def]
    """Are two neighbouring values too close to be cut apart?"""
    return gap > 0.0 and not values[offset + lower] < values[offset + upper] - gap


@kernel
def walk_counts(  # type: ignore[no-untyped-def]
    pairs, first_pair, order, codes, class_bits, which, n_distinct, start, stops, packed, y,
    target_bits, weights, known, per, min_rows, min_weight, margin, gap, values, offset,
    n_columns, skips_runs, counts, rows, left, lefts, between, owner, bounds, tries, n_runs,
):  # fmt: skip
    """Write the candidate cuts of whole pairs into a block, by counting the cases of each value.

    Returns the first pair that found no room; n_runs[0] is how many runs there are. `counts` and
    `rows` are scratch: zeros, and left so.
    """
    size = SIZE or lefts.shape[0]
    least_rows = max(min_rows, 1)
    filled = bounds[0] = n_runs[0] = 0
    one_weight = weights.shape[0] == 1
    for p in range(first_pair, pairs.shape[0]):
        pair = pairs[p]
        n, j = pair // n_columns, pair % n_columns
        if filled + n_distinct[j] > between.shape[0]:
            return p
        column = codes[which[j]]
        if is_constant(order, column, class_bits, start[n], stops[n, j]):
            continue
        count_values(
            order, column, class_bits, start[n], stops[n, j], packed, y, target_bits, weights,
            counts, rows,
        )  # fmt: skip
        unknown = rows_at(counts, rows, n_distinct[j], target_bits, one_weight, weights)
        n_known = stops[n, j] - start[n] - unknown
        total = known[pair // per, 0]
        lightest = lightest_side(min_weight, margin, pair)
        first, tried, n_left = filled, 0, 0
        pending = behind = droppable = 0
        before, alike, single = np.int64(-1), 0, -1
        for k in range(size):
            left[k] = 0.0
        for rank in range(n_distinct[j]):
            n_here = rows_at(counts, rows, rank, target_bits, one_weight, weights)
            if n_here == 0:
                continue
            here = single_class(counts, rank, target_bits) if skips_runs else -1
            if before >= 0:
                allowed = int(
                    n_left >= least_rows and n_known - n_left >= least_rows
                    and left[0] >= lightest and total - left[0] >= lightest
                    and not close(values, offset[j], before, np.int64(rank), gap)
                )  # fmt: skip
                filled += pending & (1 - (droppable & alike & allowed))
                droppable = skips_runs & behind & alike & int(here == single)
                pending = behind = allowed
                tried += allowed
                for k in range(size):
                    lefts[k, filled] = left[k]
                between[filled] = (np.uint64(before) << HALF) | np.uint64(rank)
            n_left += n_here
            add_value(left, counts, rank, target_bits)
            before, single, alike = np.int64(rank), here, int(here >= 0)
        filled += pending
        clear_values(counts, rows, n_distinct[j], target_bits)
        tries[pair] += tried
        if filled > first:
            owner[n_runs[0]] = pair
            n_runs[0] += 1
            bounds[n_runs[0]] = filled
    return pairs.shape[0]


@kernel
def is_constant(order, column, class_bits, begin, end):  # type: ignore[no-untyped-def]
    """Have all cases of a node the same value, or all none?"""
    first = column[order[begin]] >> class_bits
    i = begin + 1
    while i < end and column[order[i]] >> class_bits == first:
        i += 1
    return i == end


@kernel
def count_values(  # type: ignore[no-untyped-def]
    order, column, class_bits, begin, end, packed, y, target_bits, weights, counts, rows
):
    """Add the cases of a node to the statistics of each value of a column, and to its rows.

    Of classes counts[rank << target_bits | class], of a number the weight, sum and sum of squares
    at counts[3 * rank]. Rows that all weigh the same are not counted.
    """
    for i in range(begin, end):
        case = order[i]
        weight = weight_of(weights, case)
        if NUMBERS:
            rank = np.int64(column[case] >> class_bits)
            counts[3 * rank] += weight
            counts[3 * rank + 1] += weight * y[case]
            counts[3 * rank + 2] += weight * y[case] * y[case]
        else:
            code = np.int64(column[case])
            if not packed:
                code = (np.int64(column[case] >> class_bits) << target_bits) | np.int64(y[case])
            counts[code] += weight
            rank = code >> target_bits
        if weights.shape[0] > 1:
            rows[rank] += 1


@kernel
def rows_at(counts, rows, rank, target_bits, one_weight, weights):  # type: ignore[no-untyped-def]
    """How many of the counted cases have a value."""
    if not one_weight:
        return rows[rank]
    if NUMBERS:
        return int(counts[3 * rank] / weights[0] + 0.5)
    total = 0.0
    for k in range(rank << target_bits, (rank + 1) << target_bits):
        total += counts[k]
    return int(total / weights[0] + 0.5)


@kernel
def single_class(counts, rank, target_bits):  # type: ignore[no-untyped-def]
    """The one class that the cases of a value have; -1: several, or numbers."""
    found = -1
    if not NUMBERS:
        for k in range(1 << target_bits):
            if counts[(rank << target_bits) + k] > 0.0:
                if found >= 0:
                    return -1
                found = k
    return found


@kernel
def add_value(stats, counts, rank, target_bits):  # type: ignore[no-untyped-def]
    """Add the cases of a value to statistics."""
    if NUMBERS:
        for k in range(3):
            stats[k] += counts[3 * rank + k]
    else:
        for k in range(stats.shape[0] - 1):
            weight = counts[(rank << target_bits) + k]
            stats[0] += weight
            stats[1 + k] += weight


@kernel
def clear_values(counts, rows, n_distinct, target_bits):  # type: ignore[no-untyped-def]
    """Make zeros of what was counted, of unknown values too."""
    width = 3 if NUMBERS else 1 << target_bits
    for k in range((n_distinct + 1) * width):
        counts[k] = 0.0
    for rank in range(n_distinct + 1):
        rows[rank] = 0
