"""Kernels that find tests which stand in for a node's own (`treekit.standing_in`), and ask them.

They are the same in every kernel of subtrees, which therefore gets them as a pointer. Every case
weighs 1. side[case] is the branch to which the node's own test sends a case, or UNKNOWN.
Of columns, `place[k]` is where the cut that agrees best lies among the cases in order, `to[k]` the
branch of each level, flipped[k] whether the test's first side goes to the second branch, and
rated[k] its agreement and how much better that is than the greater branch alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from treekit.compiling import kernel
from treekit.engine.agreement_in_order import one_way_best, take_from
from treekit.engine.scan import HALF, LOW
from treekit.engine.subtrees.layout import (
    ADJUSTED,
    AGREEMENT,
    CLASS_BITS,
    KEEP,
    KNOWN_AT,
    LEVEL_ROW,
    STOOD_ABOVE,
    STOOD_BELOW,
    STOOD_COLUMN,
    STOOD_FLIPPED,
    TALLY,
    UNKNOWN,
)
from treekit.standing_in import (
    SURROGATE_GAIN,
    SURROGATE_ROWS,
    rate_agreement,
    right_branch,
    send_levels,
)


@kernel
def stand_in(  # type: ignore[no-untyped-def]
    column, begin, end, mine, slot, n_distinct, limits, of_numbers, traits, tallies, counts, side,
    branches, n_unknown, standing, stood, stood_figures, stood_groups,
):  # fmt: skip
    """Find the tests that stand in for the test of `column`, and send the unknown cases where they
    say; how many tests there are.

    `branches` are the statistics of what that test sends to each branch.
    """
    n_kept = find_stand_ins(
        column, begin, end, mine, slot, n_distinct, limits, of_numbers, traits, tallies, counts,
        side, branches, standing, stood, stood_figures, stood_groups,
    )  # fmt: skip
    ask_stand_ins(
        n_kept, stood, begin, end, mine, slot, n_distinct, traits, tallies, counts, standing,
        n_unknown, side,
    )  # fmt: skip
    return n_kept


@kernel
def stand_in_nowhere(  # type: ignore[no-untyped-def]
    column, begin, end, mine, slot, n_distinct, limits, of_numbers, traits, tallies, counts, side,
    branches, n_unknown, standing, stood, stood_figures, stood_groups,
):  # fmt: skip
    """No test stands in for another."""
    return 0


@kernel
def find_stand_ins(  # type: ignore[no-untyped-def]
    column, begin, end, mine, slot, n_distinct, limits, of_numbers, traits, tallies, counts, side,
    branches, standing, stood, stood_figures, stood_groups,
):  # fmt: skip
    """Write the tests that stand in for that of `column`, the best first; how many there are."""
    steps, sent, whole, found, sides, place, flipped, rated, to = standing
    class_bits = np.uint64(limits[CLASS_BITS])
    n_nominal = 0
    for k in range(slot.shape[0]):
        n_nominal += int(traits[k, LEVEL_ROW] >= 0)
    n_one, n_other = count_sent(mine[0], begin, end, n_nominal, tallies, side, steps, sent)
    right = right_branch(branches, of_numbers)
    for k in range(slot.shape[0]):
        rated[k, AGREEMENT] = -np.inf
        if k == column:
            continue
        if traits[k, LEVEL_ROW] >= 0:
            own = sent[-1 - slot[k] : -1 - slot[k] + n_distinct[k]]
            sides[:] = 0.0
            allowed = send_levels(own, own, right, False, to[k], sides)
            agreeing, flipped[k] = sides[0, 0] + sides[1, 1], False
            allowed &= agreeing > max(sides[0, 0] + sides[1, 0], sides[0, 1] + sides[1, 1])
        else:
            row = mine[slot[k]]
            known_end = end_of_known(traits[k, KNOWN_AT], begin, end, counts)
            whole[0], whole[1] = n_one, n_other
            take_from(row, known_end, end, steps, whole)
            one_way_best(row, class_bits, begin, known_end, steps, SURROGATE_ROWS, whole, found)
            allowed, place[k] = found[0] >= 0, found[0]
            straight = found[1] + whole[1] - found[2]
            crosswise = found[2] + whole[0] - found[1]
            agreeing, flipped[k] = float(max(straight, crosswise)), crosswise >= straight
        agreement, adjusted = rate_agreement(agreeing, float(n_one), float(n_other))
        if allowed and adjusted > SURROGATE_GAIN:
            rated[k, AGREEMENT], rated[k, ADJUSTED] = agreement, adjusted
    n_kept = 0
    while n_kept < limits[KEEP]:
        k = rated[:, AGREEMENT].argmax()
        if rated[k, AGREEMENT] == -np.inf:
            break
        stood[n_kept, STOOD_COLUMN], stood[n_kept, STOOD_FLIPPED] = k, flipped[k]
        stood_figures[n_kept, AGREEMENT] = rated[k, AGREEMENT]
        stood_figures[n_kept, ADJUSTED] = rated[k, ADJUSTED]
        if traits[k, LEVEL_ROW] >= 0:
            stood_groups[n_kept] = to[k]
        else:
            row = mine[slot[k]]
            stood[n_kept, STOOD_BELOW] = np.int64(row[place[k] - 1] >> (HALF + class_bits))
            stood[n_kept, STOOD_ABOVE] = np.int64(row[place[k]] >> (HALF + class_bits))
        rated[k, AGREEMENT] = -np.inf
        n_kept += 1
    return n_kept


@kernel
def count_sent(row, begin, end, n_tallies, tallies, side, steps, sent):  # type: ignore[no-untyped-def]
    """How many cases go to each branch, and sent[value, branch] of them by the first tallies; the
    steps that they take in the order of a column (`engine.agreement_in_order`).
    """
    sent[:] = 0.0
    one = other = 0
    for i in range(begin, end):
        case = row[i] & LOW
        to = side[case]
        steps[case] = int(to == 0) - int(to == 1)
        if to == UNKNOWN:
            continue
        one, other = one + (1 - to), other + to
        for q in range(n_tallies):
            sent[tallies[case, q], to] += 1.0
    return one, other


@kernel
def end_of_known(known_at, begin, end, counts):  # type: ignore[no-untyped-def]
    """Where the unknown cases of an ordered column begin."""
    return begin + int(counts[0, known_at] + 0.5) if known_at >= 0 else end


@kernel
def ask_stand_ins(  # type: ignore[no-untyped-def]
    n_kept, stood, begin, end, mine, slot, n_distinct, traits, tallies, counts, standing, n_unknown,
    side,
):  # fmt: skip
    """Send the unknown cases where the first test sends them that knows a branch."""
    _, _, _, _, _, place, _, _, to = standing
    for j in range(n_kept):
        if n_unknown == 0:
            break
        k, flips = stood[j, STOOD_COLUMN], stood[j, STOOD_FLIPPED]
        if traits[k, LEVEL_ROW] >= 0:
            own = -1 - slot[k]
            for i in range(begin, end):
                case = mine[0][i] & LOW
                level = tallies[case, traits[k, TALLY]] - own
                if side[case] == UNKNOWN and level < n_distinct[k] and to[k, level] >= 0:
                    side[case] = to[k, level]
                    n_unknown -= 1
        else:
            row = mine[slot[k]]
            known_end = end_of_known(traits[k, KNOWN_AT], begin, end, counts)
            for i in range(begin, known_end):
                case = row[i] & LOW
                if side[case] == UNKNOWN:
                    side[case] = flips ^ int(i >= place[k])
                    n_unknown -= 1


def signature() -> Any:
    """That of `stand_in`, in numba's types."""
    from numba import types

    tuple_of: Any = types.Tuple
    whole, wholes, rows_of_wholes = types.int64, types.int64[::1], types.int64[:, ::1]
    rows_of_floats, bytes_, rows_of_bytes = (
        types.float64[:, ::1],
        types.int8[::1],
        types.int8[:, ::1],
    )
    standing = tuple_of((
        bytes_, rows_of_floats, wholes, wholes, rows_of_floats, wholes, types.boolean[::1],
        rows_of_floats, rows_of_bytes,
    ))  # fmt: skip
    return whole(
        whole, whole, whole, types.uint64[:, ::1], wholes, wholes, wholes, whole, rows_of_wholes,
        types.uint16[:, ::1], rows_of_floats, bytes_, rows_of_floats, whole, standing,
        rows_of_wholes, rows_of_floats, rows_of_bytes,
    )  # fmt: skip
