"""Kernels that find the cuts which agree best with nodes' own tests, where cases lie in order.

As `agreement`, for columns whose order is carried from level to level and cases that weigh 1: what
is counted is whole, and one walk along a column tells all of its cuts.
"""

from __future__ import annotations

import numpy as np

from treekit.compiling import kernel
from treekit.engine.agreement import agreeing
from treekit.engine.scan import HALF, LOW
from treekit.tree import NOWHERE


@kernel
def best_cuts_in_order(  # type: ignore[no-untyped-def]
    words, class_bits, carried, start, stop, known_end, branch, least_rows, low, high, sides
):
    """As `agreement.best_cuts`: the cuts that agree best, of equals the lowest.

    `words[carried[j]]` lists the cases in the order of column j, those whose value is known up to
    known_end[n, j].
    """
    steps = np.zeros(branch.shape[0], np.int8)
    whole, found = np.empty(2, np.int64), np.empty(3, np.int64)
    for n in range(start.shape[0]):
        sent_one, sent_other = steps_of(words[0], start[n], stop[n], branch, steps)
        for j in range(carried.shape[0]):
            own = words[carried[j]]
            whole[0], whole[1] = sent_one, sent_other
            take_from(own, known_end[n, j], stop[n], steps, whole)
            one_way_best(
                own, class_bits, start[n], known_end[n, j], steps, least_rows, whole, found
            )
            at, one, other = found[0], found[1], found[2]
            if at >= 0:
                low[n, j] = np.int64(own[at - 1] >> (HALF + class_bits))
                high[n, j] = np.int64(own[at] >> (HALF + class_bits))
                sides[n, j, 0, 0], sides[n, j, 0, 1] = one, other
                sides[n, j, 1, 0], sides[n, j, 1, 1] = whole[0] - one, whole[1] - other


@kernel
def steps_of(order, begin, end, branch, steps):  # type: ignore[no-untyped-def]
    """Write 1 for a case that is sent to branch 0, -1 for branch 1, 0 for nowhere; how many of
    the first two there are.
    """
    one = other = 0
    for i in range(begin, end):
        sent = branch[order[i]]
        step = int(sent == 0) - int(sent != 0) * int(sent != NOWHERE)
        steps[order[i]] = step
        one += int(step > 0)
        other += int(step < 0)
    return one, other


@kernel
def take_from(own, begin, end, steps, whole):  # type: ignore[no-untyped-def]
    """Take these cases from what is sent to each branch."""
    for i in range(begin, end):
        step = np.int64(steps[own[i] & LOW])
        whole[0] -= int(step > 0)
        whole[1] -= int(step < 0)


@kernel
def one_way_best(own, class_bits, begin, end, steps, least_rows, whole, found):  # type: ignore[no-untyped-def]
    """Write the place above the best cut and what lies below it of both branches; -1: none agrees
    on more than the greater branch.

    What agrees grows with the lead that one of the branches has below the cut, so that the cuts of
    the greatest lead of either are all that need be weighed. A case that is sent nowhere changes
    no lead, and the first cut of equal ones lies next to a case that is sent.
    """
    found[0], found[1], found[2] = -1, 0, 0
    first, count, lead = begin, np.int64(0), np.int64(0)
    while first < end and count < least_rows:
        step = np.int64(steps[own[first] & LOW])
        count, lead, first = count + (step & 1), lead + step, first + 1
    last, above = end, np.int64(0)
    while last > first and above < least_rows:
        last -= 1
        above += np.int64(steps[own[last] & LOW]) & 1
    if above < least_rows or first > last:
        return
    most = least = lead
    at_most = at_least = np.int64(-1)
    most_count = least_count = count
    rank_shift = HALF + class_bits
    rank = own[first - 1] >> rank_shift
    for i in range(first, last + 1):
        # There is a cut below place i if its rank is another.
        below, rank = rank, own[i] >> rank_shift
        if below != rank:
            if lead > most or at_most < 0:
                most, most_count, at_most = lead, count, np.int64(i)
            if lead < least or at_least < 0:
                least, least_count, at_least = lead, count, np.int64(i)
        step = np.int64(steps[own[i] & LOW])
        count, lead = count + (step & 1), lead + step
    if at_most < 0:
        return
    straight = agreeing(
        (most_count + most) / 2, (most_count - most) / 2, float(whole[0]), float(whole[1])
    )
    flipped = agreeing(
        (least_count + least) / 2, (least_count - least) / 2, float(whole[0]), float(whole[1])
    )
    if max(straight, flipped) <= max(whole[0], whole[1]):
        return
    if straight > flipped or (straight == flipped and at_most < at_least):
        found[0], count, lead = at_most, most_count, most
    else:
        found[0], count, lead = at_least, least_count, least
    found[1], found[2] = (count + lead) // 2, (count - lead) // 2
