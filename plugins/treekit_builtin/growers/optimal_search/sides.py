"""The best further test of the two sides of a cut, or of all points: the innermost loops.

Families are looked at in one pass each, both sides at a time.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from treekit import Bools, Floats, Ints, kernel

from .points import ROW


class Scratch(NamedTuple):
    """Memory for the loops: an entry per point; of `by_class` one per side and class."""

    signed: Floats
    slot: Ints
    by_class: Floats
    head: Floats
    goes_left: Bools


@kernel
def sides(words: Any, family: int, end: int, points: Any, scratch: Any, out: Any) -> None:
    """`out`: what the left and the right side cost with one further test at most.

    Then the same with the branch minimum kept. The first `end` points of the family are the left
    side.
    """
    if points.n_classes == 2 and points.branch_rows <= 1.0 and points.branch_weight <= 0.0:
        sides_of_two(words, family, end, points, scratch, out)
    else:
        sides_of_classes(words, family, end, points, scratch, out)


@kernel
def sides_of_two(words: Any, family: int, end: int, points: Any, scratch: Any, out: Any) -> None:
    """Two classes, no branch minimum.

    With d = weight of class 0 - weight of class 1, a node of weight W gets (W + |d|) / 2 right. A
    further test gets (W + |d'| + |d - d'|) / 2 right, which is convex in its left branch's d':
    only the least and the greatest d' matter.
    """
    target, weight, signed = points.target, points.weight, scratch.signed
    n_families, n = words.shape
    left = right = 0.0
    of_left = of_right = 0.0
    for i in range(n):
        point = words[family, i] & ROW
        w = weight[point]
        d = w if target[point] == 0 else -w
        if i < end:
            signed[point, 0], signed[point, 1] = d, 0.0
            left += w
            of_left += d
        else:
            signed[point, 0], signed[point, 1] = 0.0, d
            right += w
            of_right += d
    least_left = least_right = most_left = most_right = 0.0
    for other in range(n_families):
        d_left = d_right = 0.0
        word = words[other, 0]
        for i in range(n - 1):
            point = word & ROW
            d_left += signed[point, 0]
            d_right += signed[point, 1]
            following = words[other, i + 1]
            if (word ^ following) > ROW:  # the codes differ
                least_left = min(least_left, d_left)
                most_left = max(most_left, d_left)
                least_right = min(least_right, d_right)
                most_right = max(most_right, d_right)
            word = following
    out[0] = out[2] = of_side(left, of_left, least_left, most_left, points.leaf_cost)
    out[1] = out[3] = of_side(right, of_right, least_right, most_right, points.leaf_cost)


@kernel
def of_side(total: float, d: float, least: float, most: float, leaf_cost: float) -> float:
    """What a side of two classes costs, as a leaf or with the best further test."""
    reach = max(abs(least) + abs(d - least), abs(most) + abs(d - most))
    leaf = max(total - abs(d), 0.0) / 2 + leaf_cost
    return min(leaf, max(total - reach, 0.0) / 2 + 2 * leaf_cost)


@kernel
def sides_of_classes(
    words: Any, family: int, end: int, points: Any, scratch: Any, out: Any
) -> None:
    """Any number of classes, with a branch minimum.

    The heaviest class of what lies before a further test is gathered on the way up, of what lies
    behind it on the way down.
    """
    target, weight, rows, mass = points.target, points.weight, points.rows, points.mass
    n_classes, leaf_cost = points.n_classes, points.leaf_cost
    branch_rows, branch_weight = points.branch_rows, points.branch_weight
    slot, count, head = scratch.slot, scratch.by_class, scratch.head
    n_families, n = words.shape
    count[:] = 0.0
    rows_left = rows_right = mass_left = mass_right = 0.0
    for i in range(n):
        point = words[family, i] & ROW
        if i < end:
            slot[point] = target[point]
            rows_left += rows[point]
            mass_left += mass[point]
        else:
            slot[point] = n_classes + target[point]
            rows_right += rows[point]
            mass_right += mass[point]
        count[slot[point]] += weight[point]
    left = right = leaf_left = leaf_right = 0.0
    for k in range(n_classes):
        left += count[k]
        right += count[n_classes + k]
        leaf_left = max(leaf_left, count[k])
        leaf_right = max(leaf_right, count[n_classes + k])
    best_left = kept_left = leaf_left
    best_right = kept_right = leaf_right
    for other in range(n_families):
        count[:] = 0.0
        top_left = top_right = 0.0
        for i in range(n - 1):
            point = words[other, i] & ROW
            s = slot[point]
            c = count[s] + weight[point]
            count[s] = c
            if s < n_classes:
                top_left = max(top_left, c)
            else:
                top_right = max(top_right, c)
            head[0, i], head[1, i] = top_left, top_right
        count[:] = 0.0
        top_left = top_right = 0.0
        r_left = r_right = m_left = m_right = 0.0
        word = words[other, n - 1]
        for i in range(n - 1, 0, -1):
            point = word & ROW
            s = slot[point]
            c = count[s] + weight[point]
            count[s] = c
            if s < n_classes:
                top_left = max(top_left, c)
                r_left += rows[point]
                m_left += mass[point]
            else:
                top_right = max(top_right, c)
                r_right += rows[point]
                m_right += mass[point]
            before = words[other, i - 1]
            if (word ^ before) > ROW:
                right_ones = head[0, i - 1] + top_left
                best_left = max(best_left, right_ones)
                if (
                    right_ones > kept_left
                    and min(r_left, rows_left - r_left) >= branch_rows
                    and min(m_left, mass_left - m_left) >= branch_weight
                ):
                    kept_left = right_ones
                right_ones = head[1, i - 1] + top_right
                best_right = max(best_right, right_ones)
                if (
                    right_ones > kept_right
                    and min(r_right, rows_right - r_right) >= branch_rows
                    and min(m_right, mass_right - m_right) >= branch_weight
                ):
                    kept_right = right_ones
            word = before
    for side in range(2):
        total = left if side == 0 else right
        leaf = total - (leaf_left if side == 0 else leaf_right) + leaf_cost
        best = total - (best_left if side == 0 else best_right) + 2 * leaf_cost
        kept = total - (kept_left if side == 0 else kept_right) + 2 * leaf_cost
        out[side] = max(min(leaf, best), 0.0)
        out[2 + side] = max(min(leaf, kept), 0.0)


@kernel
def one_test(words: Any, points: Any, head: Any, out: Any, at: Any) -> None:
    """The best single test of all the points.

    `out`: what the points cost as a leaf, with one test, and with one that holds the branch
    minimum; `at`: the family and the end of the last.
    """
    target, weight, rows, mass = points.target, points.weight, points.rows, points.mass
    n_classes, leaf_cost = points.n_classes, points.leaf_cost
    branch_rows, branch_weight = points.branch_rows, points.branch_weight
    n_families, n = words.shape
    count, rest = head
    total = all_rows = all_mass = 0.0
    rest[:] = 0.0
    count[:] = 0.0
    for i in range(n):
        point = words[0, i] & ROW
        rest[target[point]] += weight[point]
        total += weight[point]
        all_rows += rows[point]
        all_mass += mass[point]
    out[0] = total - rest.max() + leaf_cost
    out[1] = out[2] = 1e300
    for family in range(n_families):
        for k in range(n_classes):
            rest[k] += count[k]
            count[k] = 0.0
        r = m = 0.0
        for i in range(n - 1):
            point = words[family, i] & ROW
            count[target[point]] += weight[point]
            rest[target[point]] -= weight[point]
            r += rows[point]
            m += mass[point]
            if (words[family, i] ^ words[family, i + 1]) > ROW:
                cost = max(total - count.max() - rest.max(), 0.0) + 2 * leaf_cost
                out[1] = min(out[1], cost)
                if (
                    cost < out[2]
                    and min(r, all_rows - r) >= branch_rows
                    and min(m, all_mass - m) >= branch_weight
                ):
                    out[2] = cost
                    at[0], at[1] = family, i + 1


@kernel
def divide(words: Any, family: int, end: int, goes_left: Any, left: Any, right: Any) -> None:
    """The words of the points on each side of a cut, in the order they had."""
    n_families, n = words.shape
    for i in range(n):
        goes_left[words[family, i] & ROW] = i < end
    for other in range(n_families):
        a = b = 0
        for i in range(n):
            word = words[other, i]
            if goes_left[word & ROW]:
                left[other, a] = word
                a += 1
            else:
                right[other, b] = word
                b += 1
