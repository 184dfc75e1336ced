"""Columns of different numbers of levels side by side in one array."""

from __future__ import annotations

import numpy as np

from treekit import Ints

TIMES = 4  # so many times the levels of the narrowest column of a part the widest has at most
CELLS = 1 << 22  # that an array holds at most, if a column alone does not need more


def parts_of_like_width(widths: Ints, cells: int) -> list[Ints]:
    """The positions of columns in parts for which an array [columns, widest] is not mostly empty.

    Nor is it too large, if a level takes so many `cells`.
    """
    order = np.argsort(widths, kind="stable")
    parts: list[Ints] = []
    begin = 0
    for i in range(1, len(order) + 1):
        if i < len(order):
            widest = int(widths[order[i]])
            fits = (i + 1 - begin) * widest * cells <= CELLS
            if fits and widest <= TIMES * max(int(widths[order[begin]]), 1):
                continue
        parts.append(np.sort(order[begin:i]))
        begin = i
    return parts
