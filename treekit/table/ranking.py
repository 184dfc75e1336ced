"""Rank codes: a column's rows in ascending order of their values, nothing lost."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from attrs import frozen

HALF = np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)


@frozen(eq=False)
class Ranking:
    """A column in ascending order.

    words     the rank of the value in the high half, the row in the low half
    distinct  the known values in ascending order: a rank is an index into them, and
              len(distinct) is the rank that stands for unknown
    """

    words: npt.NDArray[np.uint64]
    distinct: npt.NDArray[np.float64]


def ranking(values: npt.NDArray[np.float64]) -> Ranking:
    """Sort a column once."""
    order = np.argsort(values)  # NaN comes last
    ascending = values[order]
    n_known = len(values) - int(np.isnan(values).sum())
    first = np.ones(n_known, dtype=bool)
    first[1:] = ascending[1:n_known] != ascending[: max(n_known - 1, 0)]
    ranks = np.empty(len(values), np.uint64)
    ranks[:n_known] = np.cumsum(first) - 1
    distinct = ascending[:n_known][first]
    ranks[n_known:] = len(distinct)
    return Ranking((ranks << HALF) | order.astype(np.uint64), distinct)
