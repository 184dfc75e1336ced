"""Kernels that lay out the cases of a subtree, and hand a node's on to its children."""

from __future__ import annotations

import numpy as np

from treekit.compiling import kernel, kernel_apart
from treekit.divisions import leading_statistic, place_levels, write_groups
from treekit.engine.arranging import sort_words
from treekit.engine.scan import HALF, LOW, NUMBERS, add_case, row_of, weight_of
from treekit.engine.subtrees.asking import BUCKETS, CASES, CODES, FLOATS, SPARE, sides_asked
from treekit.engine.subtrees.layout import (
    ABOVE,
    ASKING,
    BEGIN,
    BELOW,
    BUFFER,
    CHILD,
    CLASS_BITS,
    COLUMN,
    DEPTH,
    END,
    EVERY,
    GATHERED,
    KNOWN_AT,
    LEVEL_ROW,
    MIXED,
    NODE,
    ONCE,
    PLACE,
    ROWS,
    STAND_INS,
    STATS,
    STOPPED,
    TALLY,
    UNKNOWN,
    WEIGHTED,
    WHY,
)


@kernel_apart
def take_cases(  # type: ignore[no-untyped-def]
    start, n, order, carried_words, codes, given_rows, carried, loose, slot, n_distinct, limits,
    given_y, given_weights, traits, levels, number, words, asking, flags, tallies, y, weights,
    marks, last,
):  # fmt: skip
    """Number the cases of a node from 0, and put them in the order of every column.

    Cases are as `Cases` has them; `carried` and `loose` too, but of each column of the table.
    """
    spare, buckets = asking[SPARE], asking[BUCKETS]
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
            weights[i] = weight_of(given_weights, case)
        if carried_words.shape[0] > 1:
            number[case] = i
    if MIXED:
        take_tallies(
            start, n, order, given_rows, slot, n_distinct, traits, levels, tallies, last
        )  # fmt: skip
    flags[:n] = 0
    for begin in range(0, n, GATHERED):
        # Some rows at a time, whose flags are then still in the cache for the next column.
        for k in range(slot.shape[0]):
            if slot[k] < 0 and not (MIXED and traits[k, LEVEL_ROW] >= 0):
                column, own = codes[loose[k]], -1 - slot[k]
                for i in range(begin, min(begin + GATHERED, n)):
                    rank = np.int64(column[order[start + i]] >> class_bits)
                    if rank < n_distinct[k] - 1:
                        flags[i, own + rank] = 1
                    elif MIXED and rank == n_distinct[k]:
                        tallies[i, traits[k, TALLY]] = last
    for k in range(slot.shape[0]):
        if slot[k] < 0:
            continue
        if ASKING:
            column, own = codes[loose[k]], asking[CODES][slot[k] - 1]
            for i in range(n):
                own[i] = column[order[start + i]]
            marks[k, ONCE] = 0
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
        # What is unknown comes last, and is no value that is held twice.
        unknown, repeated = np.uint64(n_distinct[k]), 0
        for i in range(1, n):
            rank = row[i] >> (HALF + class_bits)
            repeated |= int(rank == row[i - 1] >> (HALF + class_bits)) & int(rank != unknown)
        marks[k, ONCE] = 1 - repeated
        if MIXED and traits[k, KNOWN_AT] >= 0:
            i = n - 1
            while i >= 0 and row[i] >> (HALF + class_bits) == unknown:
                tallies[row[i] & LOW, traits[k, TALLY]] = last
                i -= 1


@kernel
def take_tallies(start, n, order, given_rows, slot, n_distinct, traits, levels, tallies, last):  # type: ignore[no-untyped-def]
    """To which places among the counts each case adds, as if all that is ordered were known;
    `last` is the place of what is unknown.
    """
    for begin in range(0, n, GATHERED):
        for k in range(slot.shape[0]):
            mine = traits[k, TALLY]
            if traits[k, LEVEL_ROW] >= 0:
                column, first = levels[traits[k, LEVEL_ROW]], -1 - slot[k]
                for i in range(begin, min(begin + GATHERED, n)):
                    level = np.int64(column[row_of(given_rows, order[start + i])])
                    tallies[i, mine] = first + level if level < n_distinct[k] else last
            elif mine >= 0:
                for i in range(begin, min(begin + GATHERED, n)):
                    tallies[i, mine] = traits[k, KNOWN_AT]


@kernel
def take_sides(  # type: ignore[no-untyped-def]
    node, column, begin, end, mine, slot, n_distinct, limits, asking, flags, side, marks, facts
):
    """The side of the best cut on which each case lies; where the right branch will begin."""
    place, class_bits = marks[column, PLACE], np.uint64(limits[CLASS_BITS])
    if slot > 0:
        if ASKING:
            middle, facts[node, BELOW], facts[node, ABOVE] = sides_asked(
                column, begin, end - begin, slot, class_bits, place, limits, side, marks, asking
            )
            return middle
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
def take_groups(  # type: ignore[no-untyped-def]
    node, column, begin, end, row, own, n_levels, stats, traits, tallies, counts, side, place,
    marks, groups,
):  # fmt: skip
    """The group of the best division in which each case is, and each level; where the right branch
    will begin.
    """
    seen, every = counts[:, own : own + n_levels], traits[column, EVERY]
    n = place_levels(seen, leading_statistic(stats), every, place)
    groups[node] = -1
    write_groups(marks[column, PLACE], place, n, every, groups[node])
    middle = begin
    for i in range(begin, end):
        case = row[i] & LOW
        level = tallies[case, traits[column, TALLY]] - own
        side[case] = groups[node, level] if level < n_levels else UNKNOWN
        middle += int(side[case] == 0)
    return middle


@kernel
def mark_unknown(column, begin, end, row, traits, tallies, last, side, y, weights, known):  # type: ignore[no-untyped-def]
    """Mark the cases whose value is unknown; how many there are. `known` gets the statistics of the
    others, by branch.
    """
    known[:] = 0.0
    n_unknown = 0
    tally = traits[column, TALLY] if traits[column, KNOWN_AT] >= 0 else -1
    for i in range(begin, end):
        case = row[i] & LOW
        if tally >= 0 and tallies[case, tally] == last:
            side[case] = UNKNOWN
            n_unknown += 1
            continue
        heft = weights[case] if WEIGHTED else weights[0]
        if NUMBERS:
            add_case(known[side[case]], y[case], heft)
        else:
            add_case(known[side[case]], np.int64(row[i] >> HALF), heft)
    return n_unknown


@kernel
def settle_unknown(begin, end, row, side, known):  # type: ignore[no-untyped-def]
    """Send cases that are still marked to the heaviest branch of the known, the first of equals;
    where the right branch will begin.
    """
    heaviest, middle = int(known[1, 0] > known[0, 0]), begin
    for i in range(begin, end):
        case = row[i] & LOW
        if side[case] == UNKNOWN:
            side[case] = heaviest
        middle += 1 - side[case]
    return middle


@kernel
def add_children(node, first, row, n, side, y, weights, facts, figures):  # type: ignore[no-untyped-def]
    """The children's statistics, added up in the order of the cases."""
    for child in range(first, first + 2):
        facts[child, DEPTH], facts[child, ROWS] = facts[node, DEPTH] + 1, 0
        facts[child, COLUMN], facts[child, CHILD], facts[child, WHY] = -1, 0, STOPPED
        facts[child, STAND_INS] = 0
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


@kernel_apart
def number_anew(n_open, stack, keys, words, asking, flags, tallies, y, weights):  # type: ignore[no-untyped-def]
    """Put the nodes at the end of the stack to its beginning, and number their cases node by node,
    so that what is fetched of a node's cases lies close together.
    """
    codes, cases, spare, floats, n = asking[CODES], asking[CASES], asking[SPARE], asking[FLOATS], 0
    for at in range(n_open):
        given = stack.shape[0] - n_open + at
        begin, row = stack[given, BEGIN], words[stack[given, BUFFER], 0]
        size = stack[given, END] - begin
        for i in range(size):
            cases[n + i] = row[begin + i]
        stack[at, BEGIN], stack[at, END], stack[at, BUFFER] = n, n + size, 0
        stack[at, NODE], keys[at] = stack[given, NODE], keys[given]
        n += size
    for i in range(n):
        words[0, 0, i] = ((cases[i] >> HALF) << HALF) | np.uint64(i)
        cases[i] &= LOW
    for k in range(codes.shape[0]):
        take_anew(codes[k], cases, n, spare)
    for j in range(flags.shape[1]):
        take_anew(flags[:, j], cases, n, spare)
    for j in range(tallies.shape[1]):
        take_anew(tallies[:, j], cases, n, spare)
    if NUMBERS:
        take_anew(y, cases, n, floats)
    if WEIGHTED:
        take_anew(weights, cases, n, floats)


@kernel
def take_anew(values, cases, n, spare):  # type: ignore[no-untyped-def]
    """The values of n cases, in their order."""
    for i in range(n):
        spare[i] = values[cases[i]]
    for i in range(n):
        values[i] = spare[i]
