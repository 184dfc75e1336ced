"""How many errors a leaf is expected to make on unseen cases (C4.5 release 8)."""

from __future__ import annotations

import math

import numpy as np

from treekit import SMALL, Floats, Tree, class_errors, kernel, stay_errors, stayed

# C4.5's table of normal deviates by confidence, read by linear interpolation.
_CONFIDENCES = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.00)
_DEVIATES = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.0)


def squared_deviate(confidence: float) -> float:
    """The square of the normal deviate that C4.5 reads off its table."""
    return float(np.interp(confidence, _CONFIDENCES, _DEVIATES)) ** 2


@kernel
def added_errors(weight, errors, confidence, square):  # type: ignore[no-untyped-def]
    """What the upper confidence limit adds to `errors` seen among `weight` cases.

    `square` is the `squared_deviate` of the confidence.
    """
    if weight <= 0.0:
        return 0.0
    none = weight * (1.0 - confidence ** (1.0 / weight))
    if errors < 1e-6:
        return none
    seen = 1.0 if errors < 0.9999 else errors
    if seen + 0.5 >= weight:
        added = 0.67 * (weight - seen)
    else:
        half = seen + 0.5
        root = math.sqrt(square * (half * (1.0 - half / weight) + square / 4.0))
        added = weight * (half + square / 2.0 + root) / (weight + square) - seen
    if errors < 0.9999:
        return none + errors * (added - none)
    return added


@kernel
def leaf_estimate(counts, confidence, square):  # type: ignore[no-untyped-def]
    """The estimated errors of a leaf with these statistics."""
    greatest = 0.0
    for c in range(1, counts.shape[0]):
        greatest = max(greatest, counts[c])
    errors = counts[0] - greatest
    return errors + added_errors(counts[0], errors, confidence, square)


@kernel
def stay_estimate(counts, staying, confidence, square):  # type: ignore[no-untyped-def]
    """The estimated errors of the cases that stay at a node with these `counts`."""
    answer = 1
    for c in range(2, counts.shape[0]):
        if counts[c] > counts[answer]:
            answer = c
    errors = staying[0] - staying[answer]
    return errors + added_errors(staying[0], errors, confidence, square)


def estimated_errors(tree: Tree, confidence: float = 0.25) -> Floats:
    """The errors that C4.5 expects of each node's subtree on unseen cases, from its statistics.

    A leaf's are its training errors and what their upper confidence limit adds (Quinlan 1993,
    section 4.2, with the arithmetic of release 8); a subtree's are the sum of its leaves', and of
    the rows that go no further than an inner node.
    """
    staying = stayed(tree, tree.stats)
    weight = np.where(tree.is_leaf, tree.weight, staying[:, 0])
    errors = np.where(tree.is_leaf, class_errors(tree.stats), stay_errors(tree))
    # What stays is a difference of sums: less than this is a rounding error, not a case.
    weight = np.where(tree.is_leaf | (weight > 1e-9 * tree.weight), weight, 0.0)
    totals = np.empty(tree.n_nodes)
    _estimate_nodes.bound(tree.n_nodes > SMALL)(
        tree.parent, weight, errors, confidence, squared_deviate(confidence), totals
    )
    return totals


@kernel
def _estimate_nodes(parent, weight, errors, confidence, square, totals):  # type: ignore[no-untyped-def]
    for node in range(totals.shape[0]):
        extra = added_errors(weight[node], errors[node], confidence, square)
        totals[node] = errors[node] + extra if weight[node] > 0.0 else 0.0
    for node in range(totals.shape[0] - 1, 0, -1):
        totals[parent[node]] += totals[node]
