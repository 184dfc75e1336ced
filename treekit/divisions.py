"""The divisions of a column's levels into two groups (Breiman et al. 1984, 2.4.2 and 4.2.2).

Either the levels are put in order, and a division is where that order is cut; or every division is
weighed. What is said of one column in one node: counts[s, level] are its statistics by level,
`place` the levels that have cases, in the order that counts, and a division is told by its number,
from 0. Growth level by level (`treekit_builtin`'s subset) and in one go (`engine.subtree_search`)
both look here.
"""

from __future__ import annotations

from treekit.compiling import kernel


@kernel
def leading_statistic(stats):  # type: ignore[no-untyped-def]
    """The statistic whose share puts levels in order: a number's sum, or a class.

    Of two classes the first, of more the greatest of the node.
    """
    leading = 1
    if stats.shape[0] > 3:
        for s in range(2, stats.shape[0]):
            if stats[s] > stats[leading]:
                leading = s
    return leading


@kernel
def held_levels(counts, place):  # type: ignore[no-untyped-def]
    """Write the levels that have cases, as they come; how many there are."""
    n = 0
    for level in range(counts.shape[1]):
        if counts[0, level] > 0.0:
            place[n] = level
            n += 1
    return n


@kernel
def sort_levels(counts, leading, place):  # type: ignore[no-untyped-def]
    """Write the levels that have cases by their share of a statistic, ascending; how many."""
    n = 0
    for level in range(counts.shape[1]):
        if counts[0, level] > 0.0:
            share, at = counts[leading, level] / counts[0, level], n
            while at > 0 and counts[leading, place[at - 1]] / counts[0, place[at - 1]] > share:
                place[at] = place[at - 1]
                at -= 1
            place[at] = level
            n += 1
    return n


@kernel
def tries_every(n, most):  # type: ignore[no-untyped-def]
    """Is every division of n levels tried, if that is done up to so many? Two have but one."""
    return 2 < n <= most


@kernel
def place_levels(counts, leading, most, place):  # type: ignore[no-untyped-def]
    """Write the levels that have cases in the order that counts; how many there are."""
    n = held_levels(counts, place)
    return n if tries_every(n, most) else sort_levels(counts, leading, place)


@kernel
def n_divisions(n, most):  # type: ignore[no-untyped-def]
    """How many divisions of n levels are tried."""
    return (1 << (n - 1)) - 1 if tries_every(n, most) else max(n - 1, 0)


@kernel
def first_groups(values, place, n, most, out):  # type: ignore[no-untyped-def]
    """out[i]: what the first group of the i-th division holds of one statistic of the levels."""
    if not tries_every(n, most):
        for i in range(n - 1):
            own = values[place[i]]
            out[i] = out[i - 1] + own if i else own
        return
    # A group without its first level is a smaller group, whose sum is known; the last level is
    # always in the first group.
    whole = (1 << n) - 1
    for group in range(1 << (n - 1), whole):
        rest, at = group & (group - 1), 0
        while (group >> at) & 1 == 0:
            at += 1
        own = values[place[at]]
        out[whole - group - 1] = out[whole - rest - 1] + own if rest else own


@kernel
def write_groups(division, place, n, most, groups):  # type: ignore[no-untyped-def]
    """The group, 0 or 1, of each level that has cases."""
    every = tries_every(n, most)
    for i in range(n):
        groups[place[i]] = ((division + 1) >> i) & 1 if every else int(i > division)
