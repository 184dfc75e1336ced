"""Kernels for columns that are not handed on, but looked at in the nodes that ask about them.

Where few columns are drawn for a node, handing on all of them costs more than that. A node with
many cases is first searched in bins for where its best cut may lie (`engine.bounding`); what is
left, and the cases of a node with few, are put in order.

`asking` is the memory for that, by the names below: the codes of the cases in every ordered column
that is not counted; the words of each drawn column in order; the node's cases; and scratch. The
bins of the j-th drawn column begin at j * MOST_BINS. There are no codes where columns are handed
on.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from treekit.compiling import kernel, kernel_part
from treekit.engine.arranging import MOST_BUCKETS, gather_kept, sort_words, stretches
from treekit.engine.bounding import (
    MOST_POINTS,
    best_end,
    count_bins_of,
    keep_bins_of,
    points_of_bins,
)
from treekit.engine.scan import HALF, LOW
from treekit.engine.subtrees.cuts import cuts_between_two
from treekit.engine.subtrees.layout import (
    BRANCH_ROWS,
    BRANCH_WEIGHT,
    DRAWN,
    FEW,
    OPENED,
    OPENED_WITH,
    SKIPS,
    WEIGHTED,
)

BINNED_FROM = 128  # cases of a node that is first searched in bins
MOST_BINS = 2048
MOST_CORNERS = MOST_POINTS * MOST_BINS  # of a column
LEAST_IN_BIN, MOST_IN_BIN = 4, 32  # cases: a 64th of the node's between them

CODES, ORDERED, CASES, SPARE, BUCKETS, BINS, ROWS_OF_BINS, KEEP, OF_BINS, SPANS, BEFORE, FLOATS = (
    range(12)
)

# Of a drawn column: the shift from ranks to bins, where its bins end, where their points begin.
SHIFT, LAST_BIN, POINT = range(3)


@kernel
def list_cases(row, n, asking):  # type: ignore[no-untyped-def]
    """A node's cases, without what else its words hold."""
    cases = asking[CASES]
    for i in range(n):
        cases[i] = row[i] & LOW


@kernel
def put_in_order(n, codes, drawn, asking):  # type: ignore[no-untyped-def]
    """A node's words in the order of a column."""
    cases, spare, row = asking[CASES], asking[SPARE], asking[ORDERED][drawn]
    for i in range(n):
        spare[i] = (np.uint64(codes[cases[i]]) << HALF) | cases[i]
    sort_words(spare[:n], row[:n], asking[BUCKETS])
    return row


@kernel_part
def choose_bins(  # type: ignore[no-untyped-def]
    formulas, asked, n, stats, impurity, scale, slot, n_distinct, limits, least, weights, lefts,
    value, marks, asking,
):  # fmt: skip
    """Which bins of the drawn columns, from the `asked`-th on, may hold the best cut of all."""
    impurity_parameters, score_parameters, score_run = formulas[0], formulas[1], formulas[3]
    bins, rows, of_bins = asking[BINS], asking[ROWS_OF_BINS], asking[OF_BINS]
    few, filled, best = limits[FEW], 0, -np.inf
    hefts = weights if WEIGHTED else weights[:1]
    wanted = min(max(n // min(max(n // 64, LEAST_IN_BIN), MOST_IN_BIN), 2), MOST_BINS)
    for k in range(slot.shape[0]):
        j = marks[k, DRAWN] - asked
        if slot[k] > 0 and 0 <= j < few:
            first, shift = j * MOST_BINS, 0
            while (n_distinct[k] - 1) >> shift >= wanted:
                shift += 1
            last = first + ((n_distinct[k] - 1) >> shift) + 1
            bins[2 * first : 2 * last] = 0.0
            rows[first:last] = 0
            count_bins_of(
                first, last, shift, asking[CASES], 0, n, asking[CODES][slot[k] - 1],
                n_distinct[k], hefts, bins, rows,
            )  # fmt: skip
            of_bins[j, SHIFT], of_bins[j, LAST_BIN], of_bins[j, POINT] = shift, last, filled
            filled = points_of_bins(first, last, bins, rows, filled, lefts)
    score_run(0, filled, lefts, stats, impurity, impurity_parameters, score_parameters, value)
    for k in range(slot.shape[0]):
        j = marks[k, DRAWN] - asked
        if slot[k] > 0 and 0 <= j < few:
            end = best_end(
                j * MOST_BINS, of_bins[j, LAST_BIN], bins, rows, lefts, of_bins[j, POINT], value,
                stats[0], limits[BRANCH_ROWS], least[BRANCH_WEIGHT],
            )  # fmt: skip
            best = max(best, end)
    for k in range(slot.shape[0]):
        j = marks[k, DRAWN] - asked
        if slot[k] > 0 and 0 <= j < few:
            keep_bins_of(
                j * MOST_BINS, of_bins[j, LAST_BIN], bins, rows, of_bins[j, POINT], value, best,
                scale, asking[KEEP],
            )  # fmt: skip


@kernel
def cuts_in_bins(  # type: ignore[no-untyped-def]
    n, codes, n_distinct, limits, least, weights, total, left, lefts, place, filled, mine, asking
):
    """The cuts of a column in bins that are kept, from `filled` on; how far that went.

    `mine` are the column's marks.
    """
    spare, rows, keep, spans = asking[SPARE], asking[ROWS_OF_BINS], asking[KEEP], asking[SPANS]
    before, of_bins = asking[BEFORE], asking[OF_BINS]
    j = mine[DRAWN] % limits[FEW]
    first, row = j * MOST_BINS, asking[ORDERED][j]
    n_spans = stretches(
        first, of_bins[j, LAST_BIN], asking[BINS], rows, keep, 0, spare.shape[0] - 1, 0, spans[0],
        spans[1], spans[2], spans[3], before,
    )  # fmt: skip
    if n_spans == 0:
        return filled
    gather_kept(
        asking[CASES], codes, 2 * n_distinct, 0, n, first, of_bins[j, SHIFT], keep, rows, spare
    )
    for s in range(n_spans):
        begin, end, n_before = spans[0, s], spans[1, s], spans[2, s]
        sort_words(spare[begin:end], row[begin:end], asking[BUCKETS])
        # The words are looked at as if the column began with them.
        high = min(n - n_before - limits[BRANCH_ROWS], end - begin - 1)
        for c in range(3):
            left[c] = before[s, c]
        mine[OPENED] = -n  # whether a cut lies before them is not known
        mine[OPENED_WITH] = np.int64((row[begin] >> HALF) & np.uint64(1))
        sums = (lefts[0][filled:], lefts[1][filled:], lefts[2][filled:])
        found = cuts_between_two(
            row[begin:], 0, high, limits[BRANCH_ROWS] - n_before, high, limits[SKIPS], weights,
            total, least[BRANCH_WEIGHT], left, mine[OPENED:], sums, place[filled:], mine,
        )  # fmt: skip
        for i in range(filled, filled + found):
            place[i] += begin
        filled += found
    return filled


@kernel
def sides_asked(column, begin, n, slot, class_bits, place, limits, side, marks, asking):  # type: ignore[no-untyped-def]
    """The side of a cut of a column on which each case lies, and the ranks next to the cut; where
    the right branch will begin.
    """
    row, codes = asking[ORDERED][marks[column, DRAWN] % limits[FEW]], asking[CODES][slot - 1]
    below, above = row[place - 1] >> (HALF + class_bits), row[place] >> (HALF + class_bits)
    cases, middle = asking[CASES], begin
    for i in range(n):
        case = cases[i]
        is_above = np.int64(np.uint64(codes[case]) >> class_bits > below)
        side[case] = is_above
        middle += 1 - is_above
    return middle, np.int64(below), np.int64(above)


def new_asking(n: int, n_columns: int, few: int) -> tuple[Any, ...]:
    """Memory for nodes of up to n cases, of which `few` of so many columns are drawn; `few` is 0
    where columns are handed on.
    """
    bins = few * MOST_BINS
    return (
        np.empty((n_columns if few else 0, n), np.uint32),  # codes
        np.empty((few, n + 1), np.uint64),  # ordered
        np.empty(n + 1 if few else 0, np.uint64),  # cases
        np.empty(n + 1, np.uint64),  # spare
        np.empty(MOST_BUCKETS + 1, np.int32),  # buckets
        np.empty(2 * bins),  # bins
        np.empty(bins, np.int64),  # rows_of_bins
        np.empty(bins, np.int64),  # keep
        np.empty((few, 3), np.int64),  # of_bins
        np.empty((4, MOST_BINS if few else 0), np.int64),  # spans
        np.empty((MOST_BINS if few else 0, 3)),  # before
        np.empty(n if few else 0),  # floats
    )
