"""Error-based pruning's one pass, without recursion: deal the cases out, estimate, decide.

A frame of the stack is a node and its cases. Cases that no test on the way has spread are
`order[low:high]`: they are only moved about within these bounds, so that they are still the
parent's when its children are done. Cases that were spread lie, with their weights, on a stack of
their own, in `case[...]` and `load[...]`; a child's lie above its parent's.
"""

from __future__ import annotations

import numpy as np

from treekit import REFUSE, kernel

from .dealing import (
    BOUNDS,
    FIELDS,
    HIGH,
    LARGEST,
    LOW,
    MIXED,
    NEXT,
    NODE,
    SLOT,
    SPREAD_HIGH,
    SPREAD_LOW,
    UPDATING,
    count_cases,
    count_lost,
    group,
    hand_down,
    weigh,
)  # fmt: skip
from .estimates import leaf_estimate, stay_estimate
from .extending import estimate_with_more

SLACK = 0.1  # C4.5: what is simpler may be estimated this much worse

# A frame's estimates: of the subtree so far, as a leaf, and of its largest branch in its place.
SUBTREE, AS_LEAF, BRANCH = range(3)

ARRIVING = -1


@kernel
def decide(  # type: ignore[no-untyped-def]
    kind, column, first_child, n_children, start, operands, unknown, depth,
    cells, y, weights, confidence, square, raise_subtrees,
    stats, rows, stands_for, as_leaf, told,
):  # fmt: skip
    """Decide which nodes become leaves, and which subtree stands for a node.

    `stats`, `rows`, `stands_for` and `as_leaf` are changed in place; `as_leaf` marks the leaves.
    `told[node]` becomes a node's estimates, as the frames have them, when it was decided about.
    """
    n_nodes, n_rows = kind.shape[0], y.shape[0]
    height = 2 * (depth + 2)
    frames = np.zeros((height, FIELDS), np.int64)
    estimates = np.zeros((height, 3))
    # At most the children of one path are open at a time, and once more for an estimate.
    room = 2 * (n_nodes + depth + 2)
    bounds, spread_bounds = np.empty(room, np.int64), np.empty(room, np.int64)
    share = np.empty(room)
    order = np.arange(n_rows)
    case, load = np.empty(64, np.int64), np.empty(64)
    nothing = np.empty(0)
    branch, moved = np.empty(n_rows, np.int64), np.empty(n_rows, np.int64)
    moved_load = np.empty(n_rows)
    counts, lost = np.empty(stats.shape[1]), np.empty(stats.shape[1])
    errors = np.zeros(n_nodes)
    more = np.zeros(stats.shape)

    top = 0
    frames[0, NEXT] = ARRIVING
    frames[0, HIGH] = n_rows
    frames[0, UPDATING] = 1
    while top >= 0:
        frame, estimate = frames[top], estimates[top]
        node = frame[NODE]
        base, n = frame[BOUNDS], n_children[node]
        finished = False

        if frame[NEXT] == ARRIVING:
            frame[NEXT] = 0
            frame[LARGEST] = -1
            frame[MIXED] = frame[SPREAD_HIGH] > frame[SPREAD_LOW]
            estimate[SUBTREE] = 0.0
            count_cases(frame, order, case, load, y, weights, counts)
            estimate[AS_LEAF] = leaf_estimate(counts, confidence, square)
            if frame[UPDATING]:
                for s in range(counts.shape[0]):
                    stats[node, s] = counts[s]
                rows[node] = frame[HIGH] - frame[LOW] + frame[SPREAD_HIGH] - frame[SPREAD_LOW]
            if as_leaf[node]:
                estimate[SUBTREE] = estimate[AS_LEAF]
                finished = True
            else:
                at, spread_at = bounds[base : base + n + 1], spread_bounds[base : base + n + 1]
                shares = share[base : base + n]
                group(
                    cells, column[node], kind[node], operands, start[node], start[node + 1],
                    unknown[node], n,
                    order, nothing, frame[LOW], frame[HIGH], at, branch, moved, moved_load,
                )  # fmt: skip
                group(
                    cells, column[node], kind[node], operands, start[node], start[node + 1],
                    unknown[node], n,
                    case, load, frame[SPREAD_LOW], frame[SPREAD_HIGH], spread_at,
                    branch, moved, moved_load,
                )  # fmt: skip
                if weigh(frame, n, unknown[node], at, spread_at, order, load, weights, shares):
                    if unknown[node] == REFUSE and not frame[UPDATING]:
                        estimate[SUBTREE] = np.inf
                    else:
                        count_lost(frame, at[0], spread_at[0], order, case, load, y, weights, lost)
                        estimate[SUBTREE] = stay_estimate(counts, lost, confidence, square)

        elif frame[NEXT] < n:
            v = frame[NEXT]
            frame[NEXT] += 1
            at, spread_at = bounds[base : base + n + 1], spread_bounds[base : base + n + 1]
            case, load, spread_high = hand_down(
                frame, v, share[base + v], at, spread_at, order, case, load, weights
            )
            if at[v + 1] > at[v] or spread_high > frame[SPREAD_HIGH]:
                top += 1
                slot = first_child[node] + v
                child = frames[top]
                child[SLOT], child[NODE], child[NEXT] = slot, stands_for[slot], ARRIVING
                child[LOW], child[HIGH] = at[v], at[v + 1]
                child[SPREAD_LOW], child[SPREAD_HIGH] = frame[SPREAD_HIGH], spread_high
                child[BOUNDS], child[UPDATING] = base + n + 1, frame[UPDATING]

        elif not frame[UPDATING]:
            finished = True

        elif frame[NEXT] == n:
            frame[NEXT] += 1
            estimate[BRANCH] = np.inf
            if raise_subtrees and frame[LARGEST] >= 0:
                largest = stands_for[first_child[node] + frame[LARGEST]]
                if as_leaf[largest]:
                    estimate[BRANCH] = estimate[AS_LEAF]
                else:
                    found = np.nan
                    if not frame[MIXED]:
                        has = base + frame[LARGEST]
                        found = estimate_with_more(
                            kind, column, first_child, start, operands, unknown,
                            cells, y, weights, confidence, square, stats, stands_for, as_leaf,
                            errors, largest, order, frame[LOW], bounds[has], bounds[has + 1],
                            frame[HIGH], more, moved, counts,
                        )  # fmt: skip
                    if found == found:
                        estimate[BRANCH] = found
                    else:
                        top += 1
                        trial = frames[top]
                        for f in range(FIELDS):
                            trial[f] = frame[f]
                        trial[NODE], trial[NEXT], trial[UPDATING] = largest, ARRIVING, 0
                        trial[BOUNDS] = base + n + 1

        else:
            leaf, tree, raised = estimate[AS_LEAF], estimate[SUBTREE], estimate[BRANCH]
            for e in range(3):
                told[node, e] = estimate[e]
            if leaf <= raised + SLACK and leaf <= tree + SLACK:
                as_leaf[node] = True
                estimate[SUBTREE] = leaf
                finished = True
            elif raised <= tree + SLACK:
                largest = stands_for[first_child[node] + frame[LARGEST]]
                stands_for[frame[SLOT]] = largest
                frame[NODE], frame[NEXT] = largest, ARRIVING
            else:
                finished = True

        if finished:
            if frame[UPDATING]:
                errors[node] = estimate[SUBTREE]
            top -= 1
            if top >= 0:
                if frames[top, UPDATING] and not frame[UPDATING]:
                    estimates[top, BRANCH] = estimate[SUBTREE]
                else:
                    estimates[top, SUBTREE] += estimate[SUBTREE]
                    frames[top, MIXED] |= frame[MIXED]
