"""Kernels that find a node's best test, in memory of the subtree's own."""

from __future__ import annotations

import numpy as np

from treekit.compiling import kernel, kernel_part
from treekit.divisions import first_groups, leading_statistic, n_divisions, place_levels
from treekit.engine.drawing import draw_places
from treekit.engine.scan import HALF, SIZE, with_slack
from treekit.engine.subtrees.asking import (
    BINNED_FROM,
    CODES,
    ORDERED,
    choose_bins,
    cuts_in_bins,
    list_cases,
    put_in_order,
)
from treekit.engine.subtrees.counts import (
    count_known,
    count_values,
    cuts_of_counts,
    cuts_of_pairs,
    rows_counted,
)
from treekit.engine.subtrees.cuts import gather_cuts
from treekit.engine.subtrees.layout import (
    ASKING,
    BRANCH_ROWS,
    BRANCH_WEIGHT,
    BY_MERIT,
    CLASS_BITS,
    DRAWN,
    EVERY,
    FEW,
    FLOOR,
    FLUSHED,
    GATHERED,
    KNOWN_AT,
    LAST,
    LEVEL_ROW,
    MIXED,
    ONCE,
    OPENED,
    OPENED_WITH,
    PLACE,
    SKIPS,
    TRIED,
    UNDRAWN,
    WEIGHTED,
)
from treekit.offers import ABSOLUTE_TIE, RELATIVE_TIE
from treekit.splitting import part_information


@kernel_part
def best_test(  # type: ignore[no-untyped-def]
    formulas, begin, n, mine, key, stats, impurity, slot, n_distinct, limits, least,
    asking, flags, y, weights, lefts, place, value, counts, rows, left, best, marks, allowed, mixed,
):  # fmt: skip
    """The column of a node's best test, -1: there is none. The test is in its marks.

    If few columns are drawn and none of them has a test, as many others are drawn.
    """
    (
        impurity_parameters, score_parameters, merit_parameters, score_run, impurity_at, merit_at,
        _,
    ) = formulas  # fmt: skip
    traits, tallies, known, known_weight, best_left, merit, levels, left_rows = mixed
    n_columns, few = slot.shape[0], limits[FEW]
    class_bits = np.uint64(limits[CLASS_BITS])
    scale = max(abs(impurity), least[FLOOR])
    if few < n_columns:
        draw_places(key, allowed, marks[:, UNDRAWN], marks[:, DRAWN])
    if counts.shape[1] > 0:
        count_values(mine[0][begin:], n, flags, tallies, y, weights, counts, rows)
        if MIXED:
            count_known(traits, slot, n_distinct, counts, rows)
    in_bins = n >= BINNED_FROM
    if ASKING:
        list_cases(mine[0][begin:], n, asking)
    for asked in range(0, n_columns, few):
        filled, first = 0, 0
        if ASKING and in_bins:
            choose_bins(
                formulas, asked, n, stats, impurity, scale, slot, n_distinct, limits, least,
                weights, lefts, value, marks, asking,
            )  # fmt: skip
        k = -1
        while k < n_columns - 1:
            k += 1
            best[k] = -np.inf
            marks[k, TRIED] = 0
            # Cuts of an ordered column are gathered from `at` on; all other candidates at once.
            at, end, n_known, whole, before = 0, 0, n, stats, impurity
            is_asked = few == n_columns or asked <= marks[k, DRAWN] < asked + few
            if MIXED:
                known_weight[k] = stats[0]
                if is_asked and traits[k, KNOWN_AT] >= 0:
                    n_known = rows_counted(traits[k, KNOWN_AT], weights[0], counts, rows)
                if n_known < n:
                    for s in range(known.shape[0]):
                        known[s] = counts[s, traits[k, KNOWN_AT]]
                    known_weight[k] = known[0]
                    whole, before = known, impurity_at(known, impurity_parameters)
            if is_asked and n_known > 1:
                if ASKING and in_bins and slot[k] > 0:
                    filled = cuts_in_bins(
                        n, asking[CODES][slot[k] - 1], n_distinct[k], limits, least, weights,
                        whole[0], left, lefts, place, filled, marks[k], asking,
                    )  # fmt: skip
                elif slot[k] > 0:
                    if ASKING:
                        row = put_in_order(
                            n, asking[CODES][slot[k] - 1], marks[k, DRAWN] - asked, asking
                        )
                    else:
                        row = mine[slot[k]][begin:]
                    if (row[0] ^ row[n_known - 1]) >> (HALF + class_bits) != np.uint64(0):
                        end = n_known - limits[BRANCH_ROWS]
                        left[:] = 0.0
                        marks[k, OPENED] = 0
                        marks[k, OPENED_WITH] = np.int64(
                            (row[0] >> HALF) & ((np.uint64(1) << class_bits) - np.uint64(1))
                        )
                elif MIXED and traits[k, LEVEL_ROW] >= 0:
                    filled = divisions_of_counts(
                        -1 - slot[k], n_distinct[k], traits[k, EVERY], n_known,
                        limits[BRANCH_ROWS], stats, whole[0], least[BRANCH_WEIGHT], weights[0],
                        counts, rows, levels, left_rows, lefts, place, filled, marks[k],
                    )  # fmt: skip
                elif not MIXED and few == n_columns and n_distinct[k] == 2:
                    filled, following = cuts_of_pairs(
                        k, slot, n_distinct, n, limits[BRANCH_ROWS], whole[0],
                        least[BRANCH_WEIGHT], weights[0], counts, rows, lefts, place, filled, best,
                        marks,
                    )  # fmt: skip
                    k = following - 1
                else:
                    filled = cuts_of_counts(
                        -1 - slot[k], n_distinct[k], n_known, limits[BRANCH_ROWS], whole[0],
                        least[BRANCH_WEIGHT], weights[0], counts, rows, left, lefts, place, filled,
                        marks[k],
                    )  # fmt: skip
            # What is scored together has the same whole.
            alone = MIXED and (n_known < n or (k + 1 < n_columns and traits[k + 1, KNOWN_AT] >= 0))
            going = True
            while going:
                if at < end:
                    last = min(at + GATHERED, end)
                    own = (
                        asking[ORDERED][marks[k, DRAWN] - asked]
                        if ASKING
                        else mine[slot[k]][begin:]
                    )
                    filled = gather_cuts(
                        own, n_known, at, last, marks[k, ONCE],
                        limits[BRANCH_ROWS], class_bits, limits[SKIPS], y, weights, whole[0],
                        least[BRANCH_WEIGHT], left, marks[k, OPENED:], lefts, place, filled,
                        marks[k],
                    )  # fmt: skip
                    at = last
                going = at < end
                marks[k, LAST] = filled
                if filled > FLUSHED or ((alone or k == n_columns - 1) and not going):
                    score_run(
                        0, filled, lefts, whole, before, impurity_parameters, score_parameters,
                        value,
                    )  # fmt: skip
                    keep_best(first, k, scale, value, place, lefts[0], best, best_left, marks)
                    filled, first = 0, k if going else k + 1
            if MIXED and n_known < n and best[k] > -np.inf:
                # A score counts by the share of what is known (Breiman et al. 1984, 5.3).
                best[k] *= known_weight[k] / stats[0]
        if not (MIXED and limits[BY_MERIT]):
            found = first_of_best(best, scale)
        else:
            for k in range(n_columns):
                merit[k] = -np.inf
                if best[k] > -np.inf:
                    information = split_information(best_left[k], known_weight[k], stats[0])
                    merit[k] = merit_at(best[k], information, merit_parameters)
            found = first_of_best(merit, 1.0)
        if found >= 0:
            return found
    return -1


@kernel
def first_of_best(values, scale):  # type: ignore[no-untyped-def]
    """`offers.first_best` of one node."""
    greatest = -np.inf
    for k in range(values.shape[0]):
        greatest = max(greatest, values[k])
    if -np.inf < greatest < np.inf:
        bar = greatest - (RELATIVE_TIE * abs(greatest) + ABSOLUTE_TIE * scale)
        for k in range(values.shape[0]):
            if values[k] >= bar:
                return k
    return -1


@kernel
def split_information(left, known, total):  # type: ignore[no-untyped-def]
    """The same as `offers.split_information` of two branches and the unknown."""
    rest = max(total - known, 0.0)
    whole = known + rest
    return (
        part_information(left, whole)
        + part_information(known - left, whole)
        + part_information(rest, whole)
    )


@kernel
def keep_best(first, last, scale, value, place, weights, best, best_left, marks):  # type: ignore[no-untyped-def]
    """Keep the best of the scored candidates of each of the columns first to last."""
    begin = np.uint64(0)
    for k in range(first, last + 1):
        end = np.uint64(marks[k, LAST])
        bar, found = with_slack(best[k], scale), np.int64(-1)
        for i in range(begin, end):
            if value[i] > bar:
                bar = with_slack(value[i], scale)
                found = np.int64(i)
        if found >= 0:
            best[k], marks[k, PLACE] = value[found], place[found]
            if MIXED:
                best_left[k] = weights[found]
        begin = end


@kernel
def divisions_of_counts(  # type: ignore[no-untyped-def]
    begin, n_levels, every, n_rows, least_rows, stats, total, lightest, heft, counts, rows, levels,
    left_rows, lefts, place, filled, tried,
):  # fmt: skip
    """Of a nominal column whose levels were counted, from `filled` on; how far that went.

    A candidate's place is the number of the division (`treekit.divisions`).
    """
    size = SIZE or lefts.shape[0]
    seen = counts[:, begin : begin + n_levels]
    n = place_levels(seen, leading_statistic(stats), every, levels)
    for s in range(size):
        first_groups(seen[s], levels, n, every, lefts[s][filled:])
    if WEIGHTED:
        first_groups(rows[begin : begin + n_levels], levels, n, every, left_rows)
    at = np.uint64(filled)
    for i in range(n_divisions(n, every)):
        here = filled + i
        weight = lefts[0, here]
        n_left = left_rows[i] if WEIGHTED else int(weight / heft + 0.5)
        enough = np.uint64(n_left >= least_rows) & np.uint64(n_rows - n_left >= least_rows)
        enough &= np.uint64(weight >= lightest) & np.uint64(total - weight >= lightest)
        place[at] = i
        for s in range(size):
            lefts[s, at] = lefts[s, here]
        at += enough
    tried[0] += np.int64(at) - filled
    return np.int64(at)
