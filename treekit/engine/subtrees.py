"""The kernels that grow whole subtrees, one after the other, each in memory of its own.

A node's cases lie side by side, in the order of every column, and are handed on to its children by
stable partition; who grows depth first finds them in the processor's cache. The formulas come as
pointers, so that other formulas need no other kernel.

Memory for one subtree: words[buffer, slot, i] are the cases in the order of a column, in slot 0 as
they come, with their classes in the high half; a node's lie in one buffer, its children's in the
other. `flags[case, value]` of counted columns, `side`, `y` and `weights` are by case. `stack` holds
the open nodes. Of columns, `marks[k]` holds what MARKS names. Of nodes, `facts[node]` holds
what FACTS names, and `figures[node]` the score of the test, the impurity, and the statistics.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from treekit.compiling import kernel, kernel_apart, kernel_part
from treekit.engine.arranging import sort_words
from treekit.engine.drawing import child_key, draw_places
from treekit.engine.sample import alike
from treekit.engine.scan import HALF, LOW, NUMBERS, add_case, with_slack
from treekit.engine.subtree_cuts import WEIGHTED, count_values, cuts_of_counts, gather_cuts
from treekit.offers import ABSOLUTE_TIE, RELATIVE_TIE

FLUSHED = 1024  # candidates: when there are more they are scored
GATHERED = 1024  # cuts of a column that are gathered at a time

# What a node is: it has a test; a bound makes it a leaf; or it has no test.
SPLIT, STOPPED, UNTOLD = 0, 1, 2

FACTS = ("column", "below", "above", "tries", "child", "depth", "rows", "why")
COLUMN, BELOW, ABOVE, TRIES, CHILD, DEPTH, ROWS, WHY = range(len(FACTS))
SCORE, IMPURITY, STATS = 0, 1, 2

# How many cuts were tried, where the best one is, whether all values of an ordered column differ,
# where its candidates end, its place in the order in which columns are drawn, and what gathering
# cuts goes on with.
MARKS = ("tried", "place", "once", "last", "drawn", "undrawn", "opened", "opened_with")
TRIED, PLACE, ONCE, LAST, DRAWN, UNDRAWN, OPENED, OPENED_WITH = range(len(MARKS))

LIMITS = (
    "branch_rows",
    "node_rows",
    "deepest",
    "stops_pure",
    "skips",
    "few",
    "class_bits",
)
"""Whole numbers: what each branch must hold; fewer rows, or a depth of as much, make a node a leaf,
and so does purity; are cuts inside a run of one class passed over; columns drawn for a node; bits
of a code that hold the class."""
BRANCH_ROWS, NODE_ROWS, DEEPEST, STOPS_PURE, SKIPS, FEW, CLASS_BITS = range(len(LIMITS))

WEIGHTS = ("branch_weight", "node_weight", "floor", "centre")
"""The same of weights; and as Scoring and Sample have them."""
BRANCH_WEIGHT, NODE_WEIGHT, FLOOR, CENTRE = range(len(WEIGHTS))

BEGIN, END, NODE, BUFFER = range(4)
STACKED: Final = 4


@kernel_apart
def take_cases(  # type: ignore[no-untyped-def]
    start, n, order, carried_words, codes, carried, loose, slot, limits, given_y,
    given_weights, number, words, flags, y, weights, spare, buckets, marks,
):  # fmt: skip
    """Number the cases of a node from 0, and put them in the order of every column.

    Cases and columns are as `Cases` has them. slot[k] is the slot of the k-th ordered column; of a
    counted one, -1 less the place of its first value among the flags and counts.
    """
    cases, class_bits = words[0, 0], np.uint64(limits[CLASS_BITS])
    weights[0] = given_weights[0]
    for i in range(n):
        case = order[start + i]
        cases[i] = np.uint64(i)
        if NUMBERS:
            y[i] = given_y[case]
        else:
            cases[i] |= np.uint64(given_y[case]) << HALF
        if WEIGHTED:
            weights[i] = given_weights[case]
        if carried_words.shape[0] > 1:
            number[case] = i
    flags[:n] = 0
    for begin in range(0, n, GATHERED):
        # Some rows at a time, whose flags are then still in the cache for the next column.
        for k in range(slot.shape[0]):
            if slot[k] < 0:
                column, own = codes[loose[k]], -1 - slot[k]
                for i in range(begin, min(begin + GATHERED, n)):
                    flags[i, own + np.int64(column[order[start + i]] >> class_bits)] = 1
    for k in range(slot.shape[0]):
        if slot[k] < 0:
            continue
        row = words[0, slot[k]]
        if carried[k] > 0:
            walked = carried_words[carried[k]]
            for i in range(n):
                word = walked[start + i]
                row[i] = ((word >> HALF) << HALF) | np.uint64(number[word & LOW])
        else:
            column = codes[loose[k]]
            for i in range(n):
                spare[i] = (np.uint64(column[order[start + i]]) << HALF) | np.uint64(i)
            sort_words(spare[:n], row[:n], buckets)
        repeated = 0
        for i in range(1, n):
            differ = (row[i] ^ row[i - 1]) >> (HALF + class_bits)
            repeated |= int(differ == np.uint64(0))
        marks[k, ONCE] = 1 - repeated


@kernel_part
def best_cut(  # type: ignore[no-untyped-def]
    score_run, impurity_parameters, score_parameters, begin, n, mine, key, stats, impurity, slot,
    n_distinct, limits, least, flags, y, weights, lefts, place, value, counts, rows, left, best,
    marks, allowed,
):  # fmt: skip
    """The column of a node's best cut, -1: there is none. The cut is in its marks.

    If few columns are drawn and none of them has a cut, as many others are drawn.
    """
    n_columns, few = slot.shape[0], limits[FEW]
    class_bits = np.uint64(limits[CLASS_BITS])
    scale = max(abs(impurity), least[FLOOR])
    if few < n_columns:
        draw_places(key, allowed, marks[:, UNDRAWN], marks[:, DRAWN])
    if flags.shape[1] > 0:
        count_values(mine[0][begin:], n, flags, y, weights, counts, rows)
    for asked in range(0, n_columns, few):
        greatest, filled, first = -np.inf, 0, 0
        for k in range(n_columns):
            best[k] = -np.inf
            marks[k, TRIED] = 0
            # Cuts of an ordered column are gathered from `at` on; a counted one's all at once.
            at, end = 0, 0
            if few == n_columns or asked <= marks[k, DRAWN] < asked + few:
                if slot[k] > 0:
                    row = mine[slot[k]][begin:]
                    if (row[0] ^ row[n - 1]) >> (HALF + class_bits) != np.uint64(0):
                        end = n - limits[BRANCH_ROWS]
                        left[:] = 0.0
                        marks[k, OPENED] = 0
                        marks[k, OPENED_WITH] = np.int64(
                            (row[0] >> HALF) & ((np.uint64(1) << class_bits) - np.uint64(1))
                        )
                else:
                    filled = cuts_of_counts(
                        -1 - slot[k], n_distinct[k], n, limits[BRANCH_ROWS], stats[0],
                        least[BRANCH_WEIGHT], weights[0], counts, rows, left, lefts, place, filled,
                        marks[k],
                    )  # fmt: skip
            going = True
            while going:
                if at < end:
                    last = min(at + GATHERED, end)
                    filled = gather_cuts(
                        mine[slot[k]][begin:], n, at, last, marks[k, ONCE], limits[BRANCH_ROWS],
                        class_bits, limits[SKIPS], y, weights, stats[0], least[BRANCH_WEIGHT],
                        left, marks[k, OPENED:], lefts, place, filled, marks[k],
                    )  # fmt: skip
                    at = last
                going = at < end
                marks[k, LAST] = filled
                if filled > FLUSHED or (k == n_columns - 1 and not going):
                    score_run(
                        0, filled, lefts, stats, impurity, impurity_parameters, score_parameters,
                        value,
                    )  # fmt: skip
                    keep_best(first, k, scale, value, place, best, marks)
                    filled, first = 0, k if going else k + 1
        for k in range(n_columns):
            greatest = max(greatest, best[k])
        if -np.inf < greatest < np.inf:
            bar = greatest - (RELATIVE_TIE * abs(greatest) + ABSOLUTE_TIE * scale)
            for k in range(n_columns):
                if best[k] >= bar:
                    return k
    return -1


@kernel
def keep_best(first, last, scale, value, place, best, marks):  # type: ignore[no-untyped-def]
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
        begin = end


@kernel
def take_sides(  # type: ignore[no-untyped-def]
    node, column, begin, end, mine, slot, n_distinct, limits, flags, side, marks, facts
):
    """The side of the best cut on which each case lies; where the right branch will begin."""
    place, class_bits = marks[column, PLACE], np.uint64(limits[CLASS_BITS])
    if slot > 0:
        row, middle = mine[slot], begin + place
        facts[node, BELOW] = np.int64(row[middle - 1] >> (HALF + class_bits))
        facts[node, ABOVE] = np.int64(row[middle] >> (HALF + class_bits))
        for i in range(begin, middle):
            side[row[i] & LOW] = 0
        for i in range(middle, end):
            side[row[i] & LOW] = 1
        return middle
    row, own, middle = mine[0], -1 - slot, begin
    below = place // n_distinct
    facts[node, BELOW], facts[node, ABOVE] = below, place % n_distinct
    for i in range(begin, end):
        case, beneath = row[i] & LOW, 0
        for j in range(own, own + below + 1):
            beneath += flags[case, j]
        side[case] = 1 - beneath
        middle += beneath
    return middle


@kernel
def add_children(node, first, row, n, side, y, weights, facts, figures):  # type: ignore[no-untyped-def]
    """The children's statistics, added up in the order of the cases."""
    for child in range(first, first + 2):
        facts[child, DEPTH], facts[child, ROWS] = facts[node, DEPTH] + 1, 0
        facts[child, COLUMN], facts[child, CHILD], facts[child, WHY] = -1, 0, STOPPED
        figures[child] = 0.0
    left, right, n_right = figures[first][STATS:], figures[first + 1][STATS:], 0
    for i in range(n):
        case = row[i] & LOW
        heft = weights[case] if WEIGHTED else weights[0]
        n_right += side[case]
        stats = right if side[case] else left
        if NUMBERS:
            add_case(stats, y[case], heft)
        else:
            add_case(stats, np.int64(row[i] >> HALF), heft)
    facts[first, ROWS], facts[first + 1, ROWS] = n - n_right, n_right


@kernel
def opens(child, limits, least, facts, figures):  # type: ignore[no-untyped-def]
    """May a new node be split, for all that the bounds say?"""
    rows, stats = facts[child, ROWS], figures[child][STATS:]
    return (
        rows > 1
        and rows >= limits[NODE_ROWS]
        and stats[0] >= least[NODE_WEIGHT]
        and facts[child, DEPTH] < limits[DEEPEST]
        and not (limits[STOPS_PURE] and alike(stats, rows, least[CENTRE]))
    )


@kernel
def hand_on(row, n, n_left, opens_left, opens_right, side, out):  # type: ignore[no-untyped-def]
    """Write a node's n words for the children that open, each child's in the order they had."""
    if opens_left and opens_right:
        left, right = np.uint64(0), np.uint64(n_left)
        for i in range(n):
            word = row[i]
            above = np.uint64(side[word & LOW])
            out[right if above else left] = word
            left += np.uint64(1) - above
            right += above
        return
    wanted = 0 if opens_left else 1
    at = np.uint64(n_left if opens_right else 0)
    last = np.uint64(n if opens_right else n_left)
    following = np.uint64(0)
    while at < last:
        # A word of the other side is written over by what comes next.
        word = row[following]
        out[at] = word
        at += np.uint64(side[word & LOW] == wanted)
        following += np.uint64(1)


@kernel_part
def grow_subtree(  # type: ignore[no-untyped-def]
    score_run, impurity_at, impurity_parameters, score_parameters, root, n, root_key, slot,
    n_distinct, limits, least, words, flags, side, y, weights, stack, keys, lefts, place, value,
    counts, rows, left, best, marks, allowed, facts, figures,
):  # fmt: skip
    """Grow one subtree whose root is open and has its facts and statistics; the number of the next
    node. Nodes are numbered from `root`, the children of a node side by side.
    """
    n_nodes, top = root + 1, 1
    stack[0, BEGIN], stack[0, END], stack[0, NODE], stack[0, BUFFER] = 0, n, root, 0
    keys[0] = root_key
    while top > 0:
        top -= 1
        begin, end = stack[top, BEGIN], stack[top, END]
        node, buffer, key = stack[top, NODE], stack[top, BUFFER], keys[top]
        stats, mine = figures[node][STATS:], words[buffer]
        impurity = impurity_at(stats, impurity_parameters)
        figures[node, IMPURITY] = impurity
        column = best_cut(
            score_run, impurity_parameters, score_parameters, begin, end - begin, mine, key, stats,
            impurity, slot, n_distinct, limits, least, flags, y, weights, lefts, place, value,
            counts, rows, left, best, marks, allowed,
        )  # fmt: skip
        facts[node, COLUMN], facts[node, CHILD], facts[node, WHY] = column, 0, UNTOLD
        if column < 0:
            continue
        figures[node, SCORE], facts[node, TRIES] = best[column], marks[column, TRIED]
        facts[node, CHILD], facts[node, WHY] = n_nodes, SPLIT
        middle = take_sides(
            node, column, begin, end, mine, slot[column], n_distinct[column], limits, flags, side,
            marks, facts,
        )  # fmt: skip
        add_children(node, n_nodes, mine[0][begin:], end - begin, side, y, weights, facts, figures)
        opens_left = opens(n_nodes, limits, least, facts, figures)
        opens_right = opens(n_nodes + 1, limits, least, facts, figures)
        if opens_left or opens_right:
            for s in range(words.shape[1]):
                hand_on(
                    mine[s][begin:], end - begin, middle - begin, opens_left, opens_right, side,
                    words[1 - buffer, s][begin:],
                )  # fmt: skip
        # The right child is put below the left one, whose turn comes first.
        for branch in range(1, -1, -1):
            child = n_nodes + branch
            if opens_right if branch else opens_left:
                stack[top, BEGIN] = middle if branch else begin
                stack[top, END] = end if branch else middle
                stack[top, NODE], stack[top, BUFFER] = child, 1 - buffer
                keys[top] = child_key(key, branch)
                top += 1
            else:
                own = figures[child][STATS:]
                figures[child, IMPURITY] = impurity_at(own, impurity_parameters)
        n_nodes += 2
    return n_nodes


@kernel
def grow_subtrees(  # type: ignore[no-untyped-def]
    score_run, impurity_at, impurity_parameters, score_parameters, start, stop, depth, stats,
    root_keys, order, carried_words, given_codes, carried, loose, slot, n_distinct, given_y,
    given_weights, limits, least, number, words, flags, side, y, weights, spare, buckets, stack,
    keys, lefts, place, value, counts, rows, left, best, marks, allowed, facts, figures, roots,
):  # fmt: skip
    """Grow the subtree of each node; roots[r] is where the nodes of the r-th begin."""
    n_nodes = 0
    for r in range(start.shape[0]):
        roots[r], n = n_nodes, stop[r] - start[r]
        facts[n_nodes, DEPTH], facts[n_nodes, ROWS] = depth[r], n
        figures[n_nodes, STATS:] = stats[r]
        take_cases(
            start[r], n, order, carried_words, given_codes, carried, loose, slot, limits, given_y,
            given_weights, number, words, flags, y, weights, spare, buckets, marks,
        )  # fmt: skip
        n_nodes = grow_subtree(
            score_run, impurity_at, impurity_parameters, score_parameters, n_nodes, n, root_keys[r],
            slot, n_distinct, limits, least, words, flags, side, y, weights, stack, keys, lefts,
            place, value, counts, rows, left, best, marks, allowed, facts, figures,
        )  # fmt: skip
    roots[start.shape[0]] = n_nodes
