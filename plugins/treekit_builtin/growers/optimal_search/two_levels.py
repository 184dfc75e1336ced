"""The best first test of two levels: both of its sides have one further test at most."""

from __future__ import annotations

from typing import Any

import numpy as np

from treekit import kernel

from .intervals import bounds_at, open_cuts
from .sides import sides


@kernel
def two_levels(
    words: Any, points: Any, scratch: Any, cuts: Any, between: Any, known: Any, place: Any,
    costs: Any, budget: int,
) -> None:  # fmt: skip
    """Look at the cuts between known cuts, until none may cost less than what was found.

    between, known  the stack of what is still to be looked at: family, a, b, and the costs there
    place           the size of the stack; the best family and its cut, -1: none is good enough
    costs           goal, the least cost found, what any cost at least, the same without the branch
                    minimum, rounding
    budget          returns when so many words were visited, to be called again
    """
    ends, passed, lost, limits = cuts
    out, here = np.zeros(4), np.zeros(4)
    n_families, n = words.shape
    spent = 0
    while place[0] > 0 and spent < budget:
        top = place[0] - 1
        family, a, b = between[top, 0], between[top, 1], between[top, 2]
        here[:] = known[top]
        cut, _, least_closed, least_barred = open_cuts(
            a, b, here, passed[family], lost[family], limits[family], costs[0]
        )
        costs[2] = min(costs[2], least_closed)
        costs[3] = min(costs[3], least_closed, least_barred)
        place[0] = top
        spent += b - a
        if cut == 0:
            continue
        sides(words, family, ends[family, cut], points, scratch, out)
        spent += n * n_families
        left, right = bounds_at(cut, a, b, here, passed[family], lost[family])
        left, right = max(left, out[0]), max(right, out[1])
        costs[3] = min(costs[3], left + right)
        cost = out[2] + out[3]
        costs[2] = min(costs[2], cost)
        if cost < costs[0]:
            costs[0] = cost - costs[4]
            costs[1] = cost
            place[1], place[2] = family, cut
        if cut + 1 < b:
            between[top, 0], between[top, 1], between[top, 2] = family, cut, b
            known[top, 0], known[top, 1] = left, right
            known[top, 2], known[top, 3] = here[2], here[3]
            top += 1
        if a + 1 < cut:
            between[top, 0], between[top, 1], between[top, 2] = family, a, cut
            known[top, 0], known[top, 1] = here[0], here[1]
            known[top, 2], known[top, 3] = left, right
            top += 1
        place[0] = top
