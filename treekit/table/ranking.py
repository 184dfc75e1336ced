"""Rank codes: the rows in ascending order of every ordered column, nothing lost."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

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
    values   known values of each column in ascending order, each once, end to end: a rank is an
             index into its column's, and their number is the rank that stands for unknown; there
             may be some that no row has
    start    [k + 1]: values[start[i]:start[i + 1]] are those of the i-th column
    """

    words: Words
    columns: Ints
    values: Floats
    start: Ints

    def distinct(self, column: int) -> Floats:
        """The known values of a column of the table."""
        held: Floats = self._held[self.columns.tolist().index(column)]
        return held

    @cached_property
    def _held(self) -> list[Floats]:
        """The values of each column that some row has."""
        held = []
        for words, first, last in zip(self.words[1:], self.start, self.start[1:], strict=False):
            ranks = words >> HALF
            ranks = ranks[: np.searchsorted(ranks, np.uint64(last - first))]
            fresh = np.ones(len(ranks), dtype=bool)
            np.not_equal(ranks[1:], ranks[:-1], out=fresh[1:])
            held.append(self.values[first + ranks[fresh].astype(np.int64)])
        return held


def rankings(cells: Floats, columns: Sequence[int]) -> Rankings:
    """Sort these columns of `cells[column, row]`."""
    n_rows = cells.shape[1]
    words = np.empty((1 + len(columns), n_rows), np.uint64)
    words[0] = np.arange(n_rows, dtype=np.uint64)
    values = [_rank(cells[column], words[1 + i]) for i, column in enumerate(columns)]
    start = np.cumsum([0, *map(len, values)], dtype=np.int64)
    end_to_end = np.concatenate([np.empty(0), *values])
    return Rankings(words, np.array(columns, np.int64), end_to_end, start)


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


def remaining(whole: Rankings, cells: Floats, kept: npt.NDArray[np.bool_]) -> Rankings:
    """The rankings of the kept rows, which are `cells`, numbered anew: without sorting if it pays.

    What `rankings` gives, but for the order of rows whose values are equal, and with the ranks of
    the whole.
    """
    n_kept = cells.shape[1]
    if n_kept * FEWER_ARE_SORTED < len(kept) or whole.words.size <= SMALL:
        return rankings(cells, whole.columns.tolist())
    number = np.cumsum(kept, dtype=np.uint64) - np.uint64(1)
    room = np.empty(len(whole.words) * n_kept + 1, np.uint64)
    leave_out.bound(True)(whole.words, kept, number, n_kept, room)
    words = room[:-1].reshape(-1, n_kept)
    words[0] = np.arange(n_kept, dtype=np.uint64)
    return Rankings(words, whole.columns, whole.values, whole.start)


@kernel
def leave_out(words, kept, number, width, out):  # type: ignore[no-untyped-def]
    """Write the words of the kept rows of each column, in their order.

    What is not kept is written over by what comes next, so that there is no branch on it. `out`
    holds the columns, of `width` words each, end to end, and a word more.
    """
    for c in range(words.shape[0]):
        column, left = words[c], out[c * width :]
        filled = 0
        for i in range(words.shape[1]):
            word = column[i]
            row = word & LOW
            left[filled] = (word & ~LOW) | number[row]
            filled += int(kept[row])
