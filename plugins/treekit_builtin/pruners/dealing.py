"""Dealing a node's cases out to its branches, for error-based pruning."""

from __future__ import annotations

import numpy as np

from treekit import NOWHERE, SPREAD, branch_of, kernel, value_asked

# What a frame holds: the place in the tree, the node that stands there, the next child to visit,
# the bounds of its cases, where its branches' bounds are kept, its largest branch, whether the
# tree is updated (or only estimated), and whether any case was spread or stopped in its subtree.
(
    SLOT, NODE, NEXT, LOW, HIGH, SPREAD_LOW, SPREAD_HIGH, BOUNDS, LARGEST, UPDATING, MIXED,
) = range(11)  # fmt: skip
FIELDS = 11

SAME = 1.0 - 1e-9  # weights that differ by less are equal


@kernel
def count_cases(frame, order, case, load, y, weights, counts):  # type: ignore[no-untyped-def]
    """The statistics of a frame's cases."""
    count_lost(frame, frame[HIGH], frame[SPREAD_HIGH], order, case, load, y, weights, counts)


@kernel
def count_lost(  # type: ignore[no-untyped-def]
    frame, high, spread_high, order, case, load, y, weights, counts
):
    """The statistics of a frame's first cases: those without a branch, once they are grouped."""
    for s in range(counts.shape[0]):
        counts[s] = 0.0
    for i in range(frame[LOW], high):
        row = order[i]
        counts[0] += weights[row]
        counts[1 + y[row]] += weights[row]
    for i in range(frame[SPREAD_LOW], spread_high):
        counts[0] += load[i]
        counts[1 + y[case[i]]] += load[i]


@kernel
def group(  # type: ignore[no-untyped-def]
    cells, column, kind, operands, start, stop, unknown, n,
    case, load, low, high, bounds, branch, moved, moved_load,
):  # fmt: skip
    """Sort the cases [low:high] by branch, those without one first; branch b begins at bounds[b].

    Loads are moved with their cases, if there are any loads.
    """
    for b in range(n + 1):
        bounds[b] = 0
    for i in range(low, high):
        value = value_asked(cells, case[i], column, kind, operands, start, stop)
        b = branch_of(kind, operands, start, stop, value)
        if b == NOWHERE and unknown >= 0:
            b = unknown
        branch[i - low] = b
        bounds[b + 1] += 1
    at = low
    for b in range(n + 1):
        at += bounds[b]
        bounds[b] = at - bounds[b]
    for i in range(low, high):
        b = branch[i - low] + 1
        to = bounds[b] - low
        bounds[b] += 1
        moved[to] = case[i]
        if load.shape[0] > 0:
            moved_load[to] = load[i]
    for i in range(low, high):
        case[i] = moved[i - low]
        if load.shape[0] > 0:
            load[i] = moved_load[i - low]


@kernel
def weigh(frame, n, unknown, bounds, spread_bounds, order, load, weights, share):  # type: ignore[no-untyped-def]
    """Find the largest branch, the last one on ties, and what share each has in spread cases.

    Shares are those of the branches' own weights. Returns whether cases stay at the node.
    """
    total = 0.0
    greatest = 0.0
    for b in range(n):
        weight = 0.0
        for i in range(bounds[b], bounds[b + 1]):
            weight += weights[order[i]]
        for i in range(spread_bounds[b], spread_bounds[b + 1]):
            weight += load[i]
        share[b] = weight
        total += weight
        some = bounds[b + 1] > bounds[b] or spread_bounds[b + 1] > spread_bounds[b]
        if some and weight >= greatest * SAME:
            greatest = weight
            frame[LARGEST] = b
    lost = bounds[0] > frame[LOW] or spread_bounds[0] > frame[SPREAD_LOW]
    if lost:
        frame[MIXED] = 1
    spread = lost and unknown == SPREAD and total > 0.0
    for b in range(n):
        share[b] = share[b] / total if spread else 0.0
    return lost and not spread


@kernel
def hand_down(  # type: ignore[no-untyped-def]
    frame, b, share, bounds, spread_bounds, order, case, load, weights
):
    """Put branch b's spread cases above the frame's own, those without a branch by `share`.

    Returns the stack of spread cases and loads, grown if need be, and where the branch's end.
    """
    at = frame[SPREAD_HIGH]
    need = at + spread_bounds[b + 1] - spread_bounds[b]
    if share > 0.0:
        need += bounds[0] - frame[LOW] + spread_bounds[0] - frame[SPREAD_LOW]
    if need > case.shape[0]:
        more_case, more_load = np.empty(2 * need, np.int64), np.empty(2 * need)
        for i in range(at):
            more_case[i], more_load[i] = case[i], load[i]
        case, load = more_case, more_load
    for i in range(spread_bounds[b], spread_bounds[b + 1]):
        case[at], load[at] = case[i], load[i]
        at += 1
    if share > 0.0:
        for i in range(frame[SPREAD_LOW], spread_bounds[0]):
            case[at], load[at] = case[i], load[i] * share
            at += 1
        for i in range(frame[LOW], bounds[0]):
            case[at], load[at] = order[i], weights[order[i]] * share
            at += 1
    return case, load, at
