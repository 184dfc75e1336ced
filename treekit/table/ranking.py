"""Rank codes: the rows in ascending order of every ordered column, nothing lost."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from attrs import frozen

from treekit.compiling import SMALL, kernel

HALF = np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)
FEWER_ARE_SORTED = (
    16  # of a few rows in a large table, sorting is quicker than leaving out the rest
)

Words = npt.NDArray[np.uint64]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@frozen(eq=False)
class Rankings:
    """The numeric and ordinal columns of a table, sorted once for all that is grown on it.

    words    [1 + k, rows]: the rows in their order, then those of each column in ascending order;
             the rank of the value in the high half, the row in the low half
    columns  [k]: their numbers in the table
    values   the known values of each column in ascending order, each once, end to end: a rank is
             an index into its column's, and their number is the rank that stands for unknown
    start    [k + 1]: values[start[i]:start[i + 1]] are those of the i-th column
    """

    words: Words
    columns: Ints
    values: Floats
    start: Ints

    def distinct(self, column: int) -> Floats:
        """The known values of a column of the table."""
        (at,) = np.flatnonzero(self.columns == column)
        return self.values[self.start[at] : self.start[at + 1]]


def rankings(cells: Floats, columns: Sequence[int]) -> Rankings:
    """Sort these columns of `cells[column, row]`."""
    n_rows = cells.shape[1]
    words = np.empty((1 + len(columns), n_rows), np.uint64)
    words[0] = np.arange(n_rows, dtype=np.uint64)
    values = [_rank(cells[column], words[1 + i]) for i, column in enumerate(columns)]
    return Rankings(words, np.array(columns, np.int64), *_end_to_end(values))


def _rank(values: Floats, words: Words) -> Floats:
    """Write a column's words; its distinct values."""
    order = np.argsort(values)  # NaN comes last
    ascending = values[order]
    n_known = len(values) - int(np.isnan(values).sum())
    first = np.ones(n_known, dtype=bool)
    np.not_equal(ascending[1:n_known], ascending[: max(n_known - 1, 0)], out=first[1:])
    distinct = ascending[:n_known][first]
    first[:1] = False  # ranks count from 0
    np.cumsum(first, out=words[:n_known])
    words[n_known:] = len(distinct)
    words <<= HALF
    words |= order.view(np.uint64)
    return distinct


def _end_to_end(values: Sequence[Floats]) -> tuple[Floats, Ints]:
    start = np.cumsum([0, *map(len, values)], dtype=np.int64)
    return np.concatenate([np.empty(0), *values]), start


def remaining(whole: Rankings, cells: Floats, kept: npt.NDArray[np.bool_]) -> Rankings:
    """The rankings of the kept rows, which are `cells`, numbered anew: without sorting if it pays.

    What `rankings` gives, but for the order of rows whose values are equal.
    """
    n_kept = cells.shape[1]
    if n_kept * FEWER_ARE_SORTED < len(kept) or whole.words.size <= SMALL:
        return rankings(cells, whole.columns.tolist())
    number = np.cumsum(kept, dtype=np.uint64) - np.uint64(1)
    words = np.empty((len(whole.words), n_kept), np.uint64)
    words[0] = np.arange(n_kept, dtype=np.uint64)
    found = np.empty(len(whole.values), np.bool_)
    leave_out.bound(True)(whole.words, whole.start, kept, number, words, found)
    values = [
        whole.values[a:b][found[a:b]]
        for a, b in zip(whole.start[:-1], whole.start[1:], strict=True)
    ]
    return Rankings(words, whole.columns, *_end_to_end(values))


@kernel
def leave_out(words, start, kept, number, out, found):  # type: ignore[no-untyped-def]
    """Write the words of the kept rows of each column; `found`: the values that are still there."""
    for c in range(1, words.shape[0]):
        offset, unknown = start[c - 1], start[c] - start[c - 1]
        found[offset : offset + unknown] = False
        filled = 0
        before, rank = np.int64(-1), np.int64(-1)
        for i in range(words.shape[1]):
            word = words[c, i]
            row = word & LOW
            if not kept[row]:
                continue
            old = np.int64(word >> HALF)
            if old != before:
                before = old
                rank += 1
                if old != unknown:
                    found[offset + old] = True
            out[c, filled] = (np.uint64(rank) << HALF) | number[row]
            filled += 1
