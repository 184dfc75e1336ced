"""Kernels that find tests which send cases where the nodes' own tests do.

`order`, `start` and `stop` as in `partition`; branch[case] is where the node's own test sends a
case, 0 or 1, or NOWHERE. Two tests agree on the weight that both send the same way, whichever side
of the second is called which.
"""

from __future__ import annotations

import numpy as np

from treekit.compiling import kernel
from treekit.engine.arranging import FEW, settle_neighbours
from treekit.engine.scan import HALF, LOW, row_of, weight_of, with_slack
from treekit.tree import NOWHERE

BINS = (8, 2048)  # a node's cases are counted in so many at the least, and at the most
ROUNDED = 1e-9  # what two ways of adding up the same weights may differ by, generously


@kernel
def agreeing(one, other, whole_one, whole_other):  # type: ignore[no-untyped-def]
    """What agrees if so much of both branches lies left of a cut."""
    straight = one + max(whole_other - other, 0.0)
    flipped = max(whole_one - one, 0.0) + other
    return max(straight, flipped)


@kernel
def best_cuts(  # type: ignore[no-untyped-def]
    order, start, stop, branch, rows, weights, codes, class_bits, which, n_distinct, least_rows,
    scale, low, high, sides,
):  # fmt: skip
    """The cut of each node and column that agrees best, of equals the lowest, as the ranks of its
    neighbours, and the weight on both sides by branch.

    It must agree on more than if all went to the greater branch, or low[n, c] stays as it is. Each
    side must hold `least_rows` cases that the node's own test sends somewhere; the upper neighbour
    may be any case of the node.

    Cases are counted in bins of ranks. Inside a bin no cut agrees on more than if all its cases of
    the one branch came before those of the other, so that only a bin where this is enough to be the
    best is looked into.
    """
    largest = np.int64(0)
    for n in range(start.shape[0]):
        largest = max(largest, stop[n] - start[n])
    cases, ranks = np.empty(largest, np.uint64), np.empty(largest, np.int64)
    sent, words = np.empty(largest, np.int64), np.empty(largest, np.uint64)
    count, inside = np.empty((BINS[1], 2)), np.empty(BINS[1], np.int64)
    counts, keep = np.empty(2 * BINS[1] + 2, np.int64), np.empty(BINS[1], np.bool_)
    ones = weights.shape[0] == 1 and weights[0] == 1.0
    for n in range(start.shape[0]):
        # First those that are sent somewhere, then the others.
        m, size = 0, stop[n] - start[n]
        for i in range(start[n], stop[n]):
            if branch[order[i]] != NOWHERE:
                cases[m] = order[i]
                sent[m] = branch[order[i]]
                m += 1
        rest = m
        for i in range(start[n], stop[n]):
            if branch[order[i]] == NOWHERE:
                cases[rest] = order[i]
                rest += 1
        for j in range(which.shape[0]):
            column, unknown = codes[which[j]], n_distinct[j]
            least, greatest, n_known = unknown, np.int64(-1), 0
            for k in range(m):
                rank = np.int64(column[row_of(rows, cases[k])] >> class_bits)
                ranks[k] = rank
                # No processor could foretell which are known: there is no branch on it.
                is_known = int(rank < unknown)
                least, greatest = min(least, rank), max(greatest, rank * is_known)
                n_known += is_known
            if n_known < 2 * least_rows or least == greatest:
                continue
            bins, shift = np.int64(BINS[0]), np.int64(0)
            while bins < n_known // 4 and bins < BINS[1]:
                bins *= 2
            while (greatest - least) >> shift >= bins:
                shift += 1
            bins = ((greatest - least) >> shift) + 1
            counts[: 2 * bins + 2] = 0
            for k in range(m):
                b = (ranks[k] - least) >> shift if ranks[k] < unknown else bins
                counts[np.uint64(2 * b + sent[k])] += 1
            for b in range(bins):
                count[b, 0], count[b, 1] = counts[2 * b], counts[2 * b + 1]
                inside[b] = counts[2 * b] + counts[2 * b + 1]
            if not ones:
                count[:bins] = 0.0
                for k in range(m):
                    if ranks[k] < unknown:
                        heft = weight_of(weights, cases[k])
                        count[(ranks[k] - least) >> shift, sent[k]] += heft
            whole_one = whole_other = 0.0
            for b in range(bins):
                whole_one += count[b, 0]
                whole_other += count[b, 1]
            best = best_end(count, inside, bins, n_known, least_rows, whole_one, whole_other)
            bar = max(best, whole_one, whole_other) * (1.0 - ROUNDED)
            found = walk_bins(
                cases, ranks, sent, weights, m, least, shift, bins, unknown, count, inside, n_known,
                least_rows, whole_one, whole_other, bar, scale[n], keep, words,
            )  # fmt: skip
            if found >= 0:
                low[n, j] = found
                high[n, j] = sides_of(
                    cases, ranks, sent, weights, m, size, column, rows, class_bits, unknown, found,
                    sides[n, j],
                )  # fmt: skip


@kernel
def best_end(count, inside, bins, n_known, least_rows, whole_one, whole_other):  # type: ignore[no-untyped-def]
    """What the best of the cuts between bins agrees on."""
    best = one = other = 0.0
    before = 0
    for b in range(bins - 1):
        one += count[b, 0]
        other += count[b, 1]
        before += inside[b]
        if before >= least_rows and n_known - before >= least_rows:
            best = max(best, agreeing(one, other, whole_one, whole_other))
    return best


@kernel
def walk_bins(  # type: ignore[no-untyped-def]
    cases, ranks, sent, weights, m, least, shift, bins, unknown, count, inside, n_known,
    least_rows, whole_one, whole_other, bar, scale, keep, words,
):  # fmt: skip
    """The rank below the lowest of the best cuts; -1: none agrees on more than the greater branch.

    Only bins that may reach the bar are looked into.
    """
    greater = max(whole_one, whole_other)
    words_to_ask(
        ranks, m, least, shift, bins, unknown, count, inside, whole_one, whole_other, bar, keep,
        words,
    )  # fmt: skip
    found, best = np.int64(-1), -np.inf
    one = other = 0.0
    before = at = 0
    lower = np.int64(-1)  # the greatest rank in the bins before; `unknown`: it is still to be found
    for b in range(bins):
        if inside[b] == 0:
            continue
        if lower >= 0 and before >= least_rows and n_known - before >= least_rows:
            value = agreeing(one, other, whole_one, whole_other)
            if value > max(greater, with_slack(best, scale)):
                if lower == unknown:
                    lower = greatest_below(ranks, m, least + (b << shift))
                best, found = value, lower
        lower = least + b if shift == 0 else unknown
        left_one, left_other, end = one, other, at + inside[b] - 1
        while keep[b] and at < end:
            k = np.int64(words[at] & LOW)
            heft = weight_of(weights, cases[k])
            if sent[k] == 0:
                left_one += heft
            else:
                left_other += heft
            at += 1
            is_left = before + inside[b] - 1 - (end - at)
            if (
                words[at - 1] >> HALF < words[at] >> HALF
                and is_left >= least_rows
                and n_known - is_left >= least_rows
            ):
                value = agreeing(left_one, left_other, whole_one, whole_other)
                if value > max(greater, with_slack(best, scale)):
                    best, found = value, ranks[k]
        at += int(keep[b])
        one += count[b, 0]
        other += count[b, 1]
        before += inside[b]
    return found


@kernel
def words_to_ask(  # type: ignore[no-untyped-def]
    ranks, m, least, shift, bins, unknown, count, inside, whole_one, whole_other, bar, keep, words
):
    """Which bins may hold a cut that reaches the bar, and the words of their cases in order, ranks
    in the high half.
    """
    one = other = 0.0
    n_words = 0
    for b in range(bins):
        keep[b] = False
        if shift > 0 and inside[b] > 1:
            straight = agreeing(one + count[b, 0], other, whole_one, whole_other)
            flipped = agreeing(one, other + count[b, 1], whole_one, whole_other)
            keep[b] = max(straight, flipped) >= bar
            n_words += inside[b] if keep[b] else 0
        one += count[b, 0]
        other += count[b, 1]
    if n_words > 0:
        filled = 0
        for k in range(m):
            if ranks[k] < unknown and keep[(ranks[k] - least) >> shift]:
                words[filled] = (np.uint64(ranks[k]) << HALF) | np.uint64(k)
                filled += 1
        if n_words <= FEW:
            settle_neighbours(words, n_words)
        else:
            words[:n_words].sort()


@kernel
def greatest_below(ranks, m, bound):  # type: ignore[no-untyped-def]
    """The greatest of the ranks below a bound."""
    greatest = np.int64(-1)
    for k in range(m):
        if greatest < ranks[k] < bound:
            greatest = ranks[k]
    return greatest


@kernel
def sides_of(  # type: ignore[no-untyped-def]
    cases, ranks, sent, weights, m, size, column, rows, class_bits, unknown, low, sides
):
    """Add up the weight on each side of a cut by branch; the rank above it."""
    above = unknown
    for k in range(m):
        if ranks[k] < unknown:
            sides[int(ranks[k] > low), sent[k]] += weight_of(weights, cases[k])
            if low < ranks[k] < above:
                above = ranks[k]
    for k in range(m, size):
        rank = np.int64(column[row_of(rows, cases[k])] >> class_bits)
        if low < rank < above:
            above = rank
    return above


@kernel
def count_levels(  # type: ignore[no-untyped-def]
    order, start, stop, branch, rows, weights, levels, which, n_levels, weight, count
):
    """How many cases of each node there are by level and branch, count[n, c, level, branch].

    And what they weigh, unless it is that.
    """
    largest, widest = np.int64(0), np.int64(0)
    for n in range(start.shape[0]):
        largest = max(largest, stop[n] - start[n])
    for j in range(which.shape[0]):
        widest = max(widest, n_levels[j])
    cases, sent = np.empty(largest, np.uint64), np.empty(largest, np.uint64)
    counts, heft = np.empty(2 * widest + 2, np.int64), np.empty(2 * widest + 2)
    for n in range(start.shape[0]):
        m = 0
        for i in range(start[n], stop[n]):
            if branch[order[i]] != NOWHERE:
                cases[m] = order[i]
                sent[m] = branch[order[i]]
                m += 1
        for j in range(which.shape[0]):
            values = levels[which[j]]
            counts[:] = 0
            for k in range(m):
                at = np.uint64(values[row_of(rows, cases[k])])
                counts[at + at + sent[k]] += 1
            for level in range(n_levels[j]):
                count[n, j, level, 0] = counts[2 * level]
                count[n, j, level, 1] = counts[2 * level + 1]
            if weights.shape[0] > 1 or weights[0] != 1.0:
                heft[:] = 0.0
                for k in range(m):
                    at = np.uint64(values[row_of(rows, cases[k])])
                    heft[at + at + sent[k]] += weight_of(weights, cases[k])
                for level in range(n_levels[j]):
                    weight[n, j, level, 0] = heft[2 * level]
                    weight[n, j, level, 1] = heft[2 * level + 1]
