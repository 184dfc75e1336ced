"""Columns drawn at random, node by node."""

from __future__ import annotations

import numpy as np

from treekit.compiling import kernel
from treekit.table.record import Bools, Ints


def drawn_places(rng: np.random.Generator, allowed: Bools, compiled: bool) -> Ints:
    """[n, c]: the place of each column in an order that is drawn for each node.

    Columns that are not allowed have no place: theirs is behind all.
    """
    place = np.full(allowed.shape, allowed.shape[1], np.int64)
    draw_places.bound(compiled)(rng.random(allowed.shape), allowed, place)
    return place


@kernel
def draw_places(chance, allowed, place):  # type: ignore[no-untyped-def]
    """Shuffle the allowed columns of each node (Fisher and Yates), by chances from 0 to 1."""
    left = np.empty(allowed.shape[1], np.int64)
    for n in range(allowed.shape[0]):
        count = 0
        for column in range(allowed.shape[1]):
            if allowed[n, column]:
                left[count] = column
                count += 1
        for i in range(count):
            j = min(i + int(chance[n, i] * (count - i)), count - 1)
            place[n, left[j]] = i
            left[j] = left[i]
