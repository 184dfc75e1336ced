"""How nodes are shared out to threads."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from treekit.table.record import Ints

SHARES = 4  # for each thread, so that none waits long for the others


def most_of(sizes: Ints, threads: int, least: int) -> int:
    """How much of nodes of these sizes a share should hold, not less than `least`."""
    return max(int(sizes.sum()) // (SHARES * threads), least, 1)


def side_by_side(sizes: Ints, most: int) -> list[slice]:
    """Nodes in shares that begin each `most` or so; a node that is larger is a share of its own."""
    number = (np.cumsum(sizes) - sizes) // most
    begins = np.diff(number, prepend=-1) > 0
    large = sizes > most
    begins |= large
    begins[1:] |= large[:-1]
    ends = [*np.flatnonzero(begins).tolist(), len(sizes)]
    return [slice(*ab) for ab in pairwise(ends)]
