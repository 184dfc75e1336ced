"""The kernel that grows subtrees, depth first."""

from __future__ import annotations

from treekit.compiling import kernel, kernel_part
from treekit.engine.drawing import child_key
from treekit.engine.sample import alike, wrong
from treekit.engine.scan import NUMBERS
from treekit.engine.subtrees.cases import (
    add_children,
    hand_on,
    mark_unknown,
    number_anew,
    settle_unknown,
    take_cases,
    take_groups,
    take_sides,
)
from treekit.engine.subtrees.layout import (
    ASKING,
    BEGIN,
    BUFFER,
    CENTRE,
    CHILD,
    COLUMN,
    DEEPEST,
    DEPTH,
    END,
    IMPURITY,
    IN_VAIN,
    KEEP,
    LEVEL_ROW,
    MIXED,
    NODE,
    NODE_ROWS,
    NODE_WEIGHT,
    ROWS,
    SCORE,
    SPLIT,
    STAND_INS,
    STATS,
    STOPS_PURE,
    TRIED,
    TRIES,
    UNTOLD,
    WHY,
)
from treekit.engine.subtrees.search import best_test

NARROWED, LEAST_NUMBERED = 16, 1 << 9  # nodes of a 16th of the rows are numbered, and how many


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


@kernel_part
def grow_subtree(  # type: ignore[no-untyped-def]
    formulas, top, n_nodes, most_left, slot, n_distinct, limits, least, words, asking, flags,
    side, y, weights, stack, keys, lefts, place, value, counts, rows, left, best, marks, allowed,
    mixed, standing, told, facts, figures,
):  # fmt: skip
    """Grow what is below the open nodes on the stack, which have their facts and statistics.

    Nodes are numbered from n_nodes, the children of a node side by side. Of no more rows than
    `most_left` they are left open, at the end of the stack. The number of the next node, and how
    many are left.
    """
    impurity_at, impurity_parameters = formulas[4], formulas[0]
    traits, tallies, levels = mixed[0], mixed[1], mixed[6]
    groups, branches, stood, stood_figures, stood_groups = told
    left_from = stack.shape[0]
    while top > 0:
        top -= 1
        begin, end = stack[top, BEGIN], stack[top, END]
        node, buffer, key = stack[top, NODE], stack[top, BUFFER], keys[top]
        stats, mine = figures[node][STATS:], words[buffer]
        impurity = impurity_at(stats, impurity_parameters)
        figures[node, IMPURITY] = impurity
        column = best_test(
            formulas, begin, end - begin, mine, key, stats, impurity, slot, n_distinct,
            limits, least, asking, flags, y, weights, lefts, place, value, counts, rows, left,
            best, marks, allowed, mixed,
        )  # fmt: skip
        facts[node, COLUMN], facts[node, CHILD], facts[node, WHY] = column, 0, UNTOLD
        facts[node, STAND_INS] = 0
        if column < 0:
            continue
        figures[node, SCORE], facts[node, TRIES] = best[column], marks[column, TRIED]
        facts[node, CHILD], facts[node, WHY] = n_nodes, SPLIT
        if MIXED and traits[column, LEVEL_ROW] >= 0:
            middle = take_groups(
                node, column, begin, end, mine[0], -1 - slot[column], n_distinct[column], stats,
                traits, tallies, counts, side, levels, marks, groups,
            )  # fmt: skip
        else:
            middle = take_sides(
                node, column, begin, end, mine, slot[column], n_distinct[column], limits,
                asking, flags, side, marks, facts,
            )  # fmt: skip
        # A node whose subtree comes off again is divided, for the stop rules, and no further.
        goes_on = wrong(stats) > least[IN_VAIN]
        if MIXED and branches.shape[0] > 0:
            known = branches[node]
            n_unknown = mark_unknown(
                column, begin, end, mine[0], traits, tallies, counts.shape[1] - 1, side, y, weights,
                known,
            )  # fmt: skip
            if goes_on and limits[KEEP] > 0:
                facts[node, STAND_INS] = formulas[6](
                    column, begin, end, mine, slot, n_distinct, limits, NUMBERS, traits, tallies,
                    counts, side, known, n_unknown, standing, stood[node], stood_figures[node],
                    stood_groups[node],
                )  # fmt: skip
            middle = settle_unknown(begin, end, mine[0], side, known)
        add_children(node, n_nodes, mine[0][begin:], end - begin, side, y, weights, facts, figures)
        opens_left = goes_on and opens(n_nodes, limits, least, facts, figures)
        opens_right = goes_on and opens(n_nodes + 1, limits, least, facts, figures)
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
                is_left = facts[child, ROWS] <= most_left
                at = left_from - 1 if is_left else top
                stack[at, BEGIN] = middle if branch else begin
                stack[at, END] = end if branch else middle
                stack[at, NODE], stack[at, BUFFER] = child, 1 - buffer
                keys[at] = child_key(key, branch)
                left_from -= int(is_left)
                top += 1 - int(is_left)
            else:
                own = figures[child][STATS:]
                figures[child, IMPURITY] = impurity_at(own, impurity_parameters)
        n_nodes += 2
    return n_nodes, stack.shape[0] - left_from


@kernel
def grow_subtrees(  # type: ignore[no-untyped-def]
    score_run, impurity_at, merit_at, stand_in, impurity_parameters, score_parameters,
    merit_parameters, start, stop, depth, stats, root_keys, order, carried_words, given_codes,
    given_rows, carried, loose, slot, n_distinct, given_y, given_weights, levels, limits, least,
    number, words, asking, flags, side, y, weights, stack, keys, lefts, place, value,
    counts, rows, left, best, marks, allowed, mixed, standing, told, facts, figures, roots,
):  # fmt: skip
    """Grow the subtree of each node; roots[r] is where the nodes of the r-th begin."""
    formulas = (
        impurity_parameters, score_parameters, merit_parameters, score_run, impurity_at, merit_at,
        stand_in,
    )  # fmt: skip
    n_nodes = 0
    for r in range(start.shape[0]):
        roots[r], n = n_nodes, stop[r] - start[r]
        facts[n_nodes, DEPTH], facts[n_nodes, ROWS] = depth[r], n
        for s in range(stats.shape[1]):
            figures[n_nodes, STATS + s] = stats[r, s]
        take_cases(
            start[r], n, order, carried_words, given_codes, given_rows, carried, loose, slot,
            n_distinct, limits, given_y, given_weights, mixed[0], levels, number, words, asking,
            flags, mixed[1], y, weights, marks, counts.shape[1] - 1,
        )  # fmt: skip
        stack[0, BEGIN], stack[0, END], stack[0, NODE], stack[0, BUFFER] = 0, n, n_nodes, 0
        keys[0] = root_keys[r]
        n_nodes, n_open, most_left = n_nodes + 1, 1, n
        while n_open > 0:
            # Now and then cases are numbered anew, so that a node's lie close together.
            far_apart = most_left >= NARROWED * LEAST_NUMBERED
            most_left = most_left // NARROWED if ASKING and far_apart else 0
            n_nodes, n_open = grow_subtree(
                formulas, n_open, n_nodes, most_left, slot, n_distinct, limits, least, words,
                asking, flags, side, y, weights, stack, keys, lefts, place, value, counts, rows,
                left, best, marks, allowed, mixed, standing, told, facts, figures,
            )  # fmt: skip
            if ASKING and n_open > 0:
                number_anew(n_open, stack, keys, words, asking, flags, mixed[1], y, weights)
    roots[start.shape[0]] = n_nodes
