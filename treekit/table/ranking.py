"""Rank codes: a column's rows in ascending order of their values, nothing lost."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from attrs import frozen

from treekit.compiling import SMALL, kernel

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


def remaining(ranked: Ranking, kept: npt.NDArray[np.bool_]) -> Ranking:
    """The ranking of the kept rows, numbered anew: what `ranking` gives, without sorting."""
    number = np.cumsum(kept, dtype=np.int64) - 1
    words = np.empty(int(number[-1]) + 1 if len(number) else 0, np.uint64)
    known = np.empty(len(ranked.distinct) + 1, np.int64)
    n_distinct = _leave_out.bound(len(kept) > SMALL)(ranked.words, kept, number, words, known)
    return Ranking(words, ranked.distinct[known[:n_distinct]])


@kernel
def _leave_out(words, kept, number, out, known):  # type: ignore[no-untyped-def]
    """Write the words of the kept rows; `known[r]` is what rank r was. Returns how many ranks."""
    unknown = known.shape[0] - 1
    filled = 0
    ranks = 0
    for i in range(words.shape[0]):
        row = np.int64(words[i] & LOW)
        if not kept[row]:
            continue
        old = np.int64(words[i] >> HALF)
        rank = ranks
        if old != unknown:
            if ranks == 0 or known[ranks - 1] != old:
                known[ranks] = old
                ranks += 1
            rank = ranks - 1
        out[filled] = (np.uint64(rank) << HALF) | np.uint64(number[row])
        filled += 1
    return ranks
