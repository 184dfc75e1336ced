"""Reductions along a last axis that may be short: NumPy's own take their time for each row then."""

from __future__ import annotations

from typing import Final

import numpy as np

from treekit.table.record import Bools, Floats, Ints

NARROW: Final = 8  # so many values NumPy adds up in their order, as it is done here


def greatest(values: Floats) -> Floats:
    """`values.max(axis=-1)`."""
    if not 0 < values.shape[-1] < NARROW:
        return np.asarray(values.max(axis=-1))
    best = values[..., 0].copy()
    for i in range(1, values.shape[-1]):
        np.maximum(best, values[..., i], out=best)
    return best


def total(values: Floats) -> Floats:
    """`values.sum(axis=-1)`, to the last bit."""
    if not 0 < values.shape[-1] < NARROW:
        return np.asarray(values.sum(axis=-1))
    added = values[..., 0].copy()
    for i in range(1, values.shape[-1]):
        added += values[..., i]
    return added


def first_true(flags: Bools) -> Ints:
    """`flags.argmax(axis=-1)` where there is a True: the place of the first. Else any place."""
    if not 0 < flags.shape[-1] < NARROW:
        return np.asarray(flags.argmax(axis=-1))
    place = np.zeros(flags.shape[:-1], np.int64)
    none_yet = np.asarray(~flags[..., 0])
    for i in range(1, flags.shape[-1]):
        place += none_yet
        none_yet &= ~flags[..., i]
    return place
