"""Rank codes: the place of every value among its column's, nothing lost."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt
from attrs import evolve, frozen

from treekit.compiling import SMALL, kernel
from treekit.errors import DataError, Problem
from treekit.table.values import Places, Values, place_kind
from treekit.threads import at_hand, in_order

CODE_BITS = 32
BLOCK = 1 << 14  # cells of columns that are ranked together: of few rows each costs more to begin

Codes = npt.NDArray[np.uint32]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


@frozen(eq=False)
class Rankings:
    """The numeric and ordinal columns of a table, ranked once for all that is grown on it.

    codes       [k, rows]: the rank of each row's value among those of its column, in the high
                bits; the row's class in the low ones, so that who looks at a value has it at hand
    class_bits  how many bits the class has; 0 where the target is a number, or there is none
    columns     [k]: their numbers in the table
    values      known values of each column in ascending order, each once, end to end: a rank is an
                index into its column's, and their number is the rank that stands for unknown;
                there may be some that no row has. They are looked up in the table's cells, or in
                those of the table that rows were taken from
    start       [k + 1]: values[start[i]:start[i + 1]] are those of the i-th column
    once        [k]: is no value held by two rows?
    """

    codes: Codes
    class_bits: int
    columns: Ints
    values: Values
    start: Ints
    once: Bools

    def distinct(self, column: int) -> Floats:
        """The known values of a column of the table."""
        held: Floats = self._held[self.columns.tolist().index(column)]
        return held

    @cached_property
    def _held(self) -> list[Floats]:
        """The values of each column that some row has."""
        held = []
        for codes, first, last in zip(self.codes, self.start, self.start[1:], strict=False):
            present = np.zeros(last - first + 1, dtype=bool)
            present[codes >> np.uint32(self.class_bits)] = True
            held.append(self.values[first:last][present[:-1]])
        return held

    def ascending(self, column: int) -> Ints:
        """The rows whose value is known, in ascending order of it, equals in their own order."""
        rows: Ints = self._ascending[self.columns.tolist().index(column)]
        return rows

    @cached_property
    def _ascending(self) -> list[Ints]:
        found, rows = [], np.arange(self.codes.shape[1], dtype=np.uint64)
        for codes, n_distinct in zip(self.codes, np.diff(self.start), strict=True):
            ranks = (codes >> np.uint32(self.class_bits)).astype(np.uint64)
            known = ranks < n_distinct
            # Words are sorted in a part of the time that a stable argsort takes.
            words = np.sort((ranks[known] << np.uint64(CODE_BITS)) | rows[known])
            found.append((words & np.uint64((1 << CODE_BITS) - 1)).astype(np.int64))
        return found

    def take(self, rows: npt.NDArray[np.integer], once: bool) -> Rankings:
        """The same of some rows; `once`: none of them is there twice. Nothing is sorted again."""
        codes = self.codes.take(rows, axis=1)
        return evolve(self, codes=codes, once=self.once & once)

    def aiming_at(self, classes: Floats | None, n_classes: int) -> Rankings:
        """The same with the classes of another target; None: it has none."""
        ranks = self.codes >> np.uint32(self.class_bits)
        return with_classes(evolve(self, codes=ranks, class_bits=0), classes, n_classes)


def rankings(
    cells: Floats, columns: Sequence[int], classes: Floats | None = None, n_classes: int = 0
) -> Rankings:
    """Rank these columns of `cells[column, row]`; `classes` are the rows', if they have any."""
    n_rows = cells.shape[1]
    codes = np.empty((len(columns), n_rows), np.uint32)
    step = max(BLOCK // max(n_rows, 1), 1)

    def ranked(first: int) -> tuple[Ints, Bools, Places]:
        block = list(columns[first : first + step])
        some = cells[block[0] : block[0] + 1] if len(block) == 1 else cells[block]
        holding = np.empty(some.size, place_kind(cells))
        n_distinct, is_once = _rank(some, codes[first : first + len(block)], holding)
        holding = holding[: n_distinct.sum()]
        before = np.array(block, holding.dtype) * holding.dtype.type(n_rows)  # of earlier columns
        holding += before if len(block) == 1 else before.repeat(n_distinct)
        return n_distinct, is_once, holding

    begins = range(0, len(columns), step)
    found = in_order(ranked, begins, min(at_hand(), len(begins)))
    start = np.zeros(len(columns) + 1, np.int64)
    once = np.empty(len(columns), dtype=bool)
    # There are at most as many values as cells; what is never written to takes no memory.
    places, filled = np.empty(codes.size, place_kind(cells)), 0
    for first, (n_distinct, is_once, holding) in zip(begins, found, strict=True):
        start[first + 1 : first + 1 + step] = n_distinct
        once[first : first + step] = is_once
        places[filled : filled + len(holding)] = holding
        filled += len(holding)
    start.cumsum(out=start)
    places.resize(filled, refcheck=False)  # nobody else looks at them yet
    values = Values(cells, places)
    unclassed = Rankings(codes, 0, np.array(columns, np.int64), values, start, once)
    return with_classes(unclassed, classes, n_classes)


def with_classes(ranked: Rankings, classes: Floats | None, n_classes: int) -> Rankings:
    """Rankings without classes, with these, written over them."""
    if classes is None or n_classes < 2 or len(ranked.codes) == 0:
        return ranked
    bits = (n_classes - 1).bit_length()
    most = int(np.diff(ranked.start).max())
    if most.bit_length() + bits > CODE_BITS:
        what = f"a column of {most:,} different values is too much for {n_classes:,} classes"
        raise DataError(Problem(what, instead="round its values, or merge classes"))
    own = classes.astype(np.uint32)

    def add_classes(codes: Codes) -> None:
        codes <<= np.uint32(bits)
        codes |= own

    # A small table is done at once, a large one column by column, while it is in the cache.
    at_once = ranked.codes.size <= BLOCK
    for _ in in_order(add_classes, [ranked.codes] if at_once else ranked.codes, at_hand()):
        pass
    return evolve(ranked, class_bits=bits)


def _rank(columns: Floats, ranks: Codes, rows: Places) -> tuple[Ints, Bools]:
    """Write the ranks of some columns, and, end to end, a row that holds each distinct value.

    Answers with how many values each column has, and whether none of them is there twice.
    """
    n_rows = columns.shape[1]
    if len(columns) == 1 and SMALL < n_rows < 1 << CODE_BITS:
        column = (columns[0], ranks[0], rows)
        found = _rank_whole(*column)
        if found is None and _mostly_differ(columns[0]):
            found = _rank_by_words(*column)
        if found is not None:
            return found
    order = columns.argsort(axis=1)  # NaN comes last
    order += n_rows * np.arange(len(columns))[:, None]
    ascending = columns.ravel()[order]
    known = ascending == ascending
    first = known.copy()
    first[:, 1:] &= ascending[:, 1:] != ascending[:, :-1]
    n_distinct = first.sum(axis=1, dtype=np.int64)
    # Ranks count from 0, and what is unknown comes behind the last.
    ranks.ravel()[order] = first.cumsum(axis=1, dtype=np.uint32) - known
    holding = order[first]
    rows[: len(holding)] = holding % n_rows
    return n_distinct, n_distinct == known.sum(axis=1)


def _rank_whole(values: Floats, ranks: Codes, rows: Places) -> tuple[Ints, Bools] | None:
    """The same of whole numbers that lie close together, which are counted, not sorted."""
    least, greatest = whole_span.bound(True)(values)
    if not 0 <= greatest - least < len(values):
        return None
    rank_of = np.zeros(int(greatest - least) + 1, np.uint32)
    n_known = note_whole.bound(True)(values, least, rank_of)
    held = rank_of > 0
    found = rank_of[held]
    rows[: len(found)] = found - 1
    rank_of[:] = np.cumsum(held) - held
    rank_whole.bound(True)(values, least, rank_of, len(found), ranks)
    return np.array([len(found)], np.int64), np.array([len(found) == n_known])


@kernel
def whole_span(values):  # type: ignore[no-untyped-def]
    """The least and the greatest of the known values; infinity and 0 if one is not whole."""
    least, greatest = np.inf, -np.inf
    for i in range(values.shape[0]):
        value = values[i]
        if value != value:
            continue
        if value != np.floor(value):
            return np.inf, 0.0
        least, greatest = min(least, value), max(greatest, value)
    return least, greatest


@kernel
def note_whole(values, least, noted):  # type: ignore[no-untyped-def]
    """Note 1 + a row that holds each value, counted from the least one; how many rows hold one."""
    n_known = 0
    for i in range(values.shape[0]):
        if values[i] == values[i]:
            noted[np.uint64(np.int64(values[i] - least))] = i + 1
            n_known += 1
    return n_known


@kernel
def rank_whole(values, least, rank_of, unknown, ranks):  # type: ignore[no-untyped-def]
    """Look up each row's rank."""
    for i in range(values.shape[0]):
        known = values[i] == values[i]
        ranks[i] = rank_of[np.uint64(np.int64(values[i] - least))] if known else unknown


def _mostly_differ(values: Floats) -> bool:
    """Do they, by a sample? An argsort is quick where they do not."""
    some = values[:: max(len(values) // 1024, 1)]
    return len(np.unique(some)) > len(some) // 2


def _rank_by_words(values: Floats, ranks: Codes, rows: Places) -> tuple[Ints, Bools] | None:
    """The same of a long column: words are sorted in a quarter of the time that an argsort takes.

    A word is the upper half of a value's bits, made to ascend, and the row. None: too many values
    differ in the lower half alone.
    """
    words = np.empty(len(values), np.uint64)
    n_known = write_words.bound(True)(values, words)
    words = words[:n_known]
    words.sort()
    n_distinct = rank_words.bound(True)(values, words, rows, ranks)
    if n_distinct < 0:
        return None
    if n_known < len(values):
        ranks[np.isnan(values)] = n_distinct
    return np.array([n_distinct], np.int64), np.array([n_distinct == n_known])


@kernel
def write_words(values, words):  # type: ignore[no-untyped-def]
    """A word for each known value; how many there are."""
    bits = values.view(np.int64)
    filled = np.uint64(0)
    for i in range(values.shape[0]):
        # The bits of a number below 0 ascend as it falls; one below all others has the least word.
        ascending = bits[i] ^ ((bits[i] >> 63) & np.int64(0x7FFFFFFFFFFFFFFF))
        upper = (np.uint64(ascending) ^ np.uint64(1 << 63)) >> np.uint64(32) << np.uint64(32)
        words[filled] = upper | np.uint64(i)
        filled += np.uint64(values[i] == values[i])
    return np.int64(filled)


@kernel
def rank_words(values, words, rows, ranks):  # type: ignore[no-untyped-def]
    """Write the ranks of the rows of sorted words, and a row of each distinct value; how many
    values there are.

    Words with the same upper half that turn out not to be in order are put in order by inserting,
    and ranked again; -1 is returned where that would take too long.
    """
    low, n = np.uint64(0xFFFFFFFF), words.shape[0]
    i = begin = n_distinct = n_before = moved = 0
    previous, word_before = -np.inf, np.uint64(0)
    while i < n:
        word = words[i]
        value = values[word & low]
        if (word ^ word_before) > low:
            begin, n_before = i, n_distinct
        elif value < previous:
            end = i
            while end < n and (words[end] ^ word) <= low:
                end += 1
            moved += insert_words(values, words[begin:end], 8 * n - moved)
            if moved >= 8 * n:
                return -1
            i, n_distinct = begin, n_before
            word = words[i]
            value = values[word & low]
            previous = values[rows[n_distinct - 1]] if n_distinct > 0 else -np.inf
        if n_distinct == 0 or value != previous:
            rows[n_distinct] = word & low
            n_distinct += 1
        ranks[word & low] = n_distinct - 1
        previous, word_before = value, word
        i += 1
    return n_distinct


@kernel
def insert_words(values, words, most):  # type: ignore[no-untyped-def]
    """Put words in the order of their values; how often one was moved, `most` or less."""
    low, moved = np.uint64(0xFFFFFFFF), 0
    for i in range(1, words.shape[0]):
        word = words[i]
        k = i
        while k > 0 and moved < most and values[words[k - 1] & low] > values[word & low]:
            words[k] = words[k - 1]
            k -= 1
            moved += 1
        words[k] = word
    return moved
