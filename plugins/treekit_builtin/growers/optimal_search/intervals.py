"""Bounds over the cuts of a family between two cuts whose costs are known.

Let L(t) and R(t) be the least costs of the two sides of cut t. The left side grows with t and the
right side shrinks, so for a < t < b, with w the weight that lies between two cuts:
    L(t) >= L(a) + loss(a, t),  L(t) >= L(b) - w(t, b)
    R(t) >= R(b) + loss(t, b),  R(t) >= R(a) - w(a, t)
as a tree for some points does no better on more of them, and a tree for fewer points can be asked
about all of them (Mazumder, Meng and Wang 2022; Brita, van der Linden and Demirovic 2025). A branch
minimum is not heeded by these bounds: a tree need not hold it on fewer points.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from treekit import Floats, Ints, kernel

from .points import ROW


class Cuts(NamedTuple):
    """The cuts 1..J of each family. Cut 0 lies before all the points, cut J + 1 behind them.

    ends    [f, j]: how many points lie before a cut
    passed  [f, j]: what they weigh
    lost    [f, j]: their loss
    limits  [f]: J, and the first and the last cut that hold the branch minimum
    """

    ends: Ints
    passed: Floats
    lost: Floats
    limits: Ints


@kernel
def find_cuts(words: Any, points: Any, cuts: Any) -> None:
    """Fill in the cuts of every family."""
    weight, rows, mass, loss = points.weight, points.rows, points.mass, points.loss
    branch_rows, branch_weight = points.branch_rows, points.branch_weight
    ends, passed, lost, limits = cuts
    n_families, n = words.shape
    all_rows = all_mass = 0.0
    for i in range(n):
        point = words[0, i] & ROW
        all_rows += rows[point]
        all_mass += mass[point]
    for family in range(n_families):
        found = 0
        w = gone = r = m = 0.0
        ends[family, 0], passed[family, 0], lost[family, 0] = 0, 0.0, 0.0
        limits[family, 1], limits[family, 2] = n + 1, 0
        for i in range(n):
            point = words[family, i] & ROW
            w += weight[point]
            gone += loss[point]
            r += rows[point]
            m += mass[point]
            if i == n - 1 or (words[family, i] ^ words[family, i + 1]) > ROW:
                found += 1
                ends[family, found], passed[family, found], lost[family, found] = i + 1, w, gone
                if (
                    i < n - 1
                    and min(r, all_rows - r) >= branch_rows
                    and min(m, all_mass - m) >= branch_weight
                ):
                    limits[family, 1] = min(limits[family, 1], found)
                    limits[family, 2] = found
        limits[family, 0] = found - 1


@kernel
def bounds_at(cut: int, a: int, b: int, known: Any, passed: Any, lost: Any) -> Any:
    """What L and R are at least at a cut between a and b; known = L(a), R(a), L(b), R(b)."""
    left = max(known[0] + lost[cut] - lost[a], known[2] - (passed[b] - passed[cut]))
    right = max(known[3] + lost[b] - lost[cut], known[1] - (passed[cut] - passed[a]))
    return left, right


@kernel
def open_cuts(a: int, b: int, known: Any, passed: Any, lost: Any, limits: Any, goal: float) -> Any:
    """The cut in the middle of those between a and b that may cost less than `goal`; 0: none.

    Then the least bound of those that may, of those that may not, and of those that are barred by
    the branch minimum.
    """
    first = last = 0
    least_open = least_closed = least_barred = 1e300
    for cut in range(a + 1, b):
        left, right = bounds_at(cut, a, b, known, passed, lost)
        bound = left + right
        if cut < limits[1] or cut > limits[2]:
            least_barred = min(least_barred, bound)
        elif bound < goal:
            if first == 0:
                first = cut
            last = cut
            least_open = min(least_open, bound)
        else:
            least_closed = min(least_closed, bound)
    return (first + last) // 2, least_open, least_closed, least_barred
