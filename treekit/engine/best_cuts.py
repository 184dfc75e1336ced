"""The best cut of each column in each node.

How the candidates of a node and a column are gathered depends on how many there may be: a column
with few values is counted by value; a node with many cases is first searched for where the best
cut may lie, if the formulas allow it; what is left is put in order.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from attrs import evolve

from treekit.engine import arranging, bounding, scan, walking
from treekit.engine.blocks import Block, Room, Weighing
from treekit.engine.cases import Words
from treekit.engine.pairs import Allowed, Bins, Where
from treekit.engine.sharing import most_of, side_by_side
from treekit.table.record import Bools, Floats, Ints
from treekit.threads import at_hand, in_order

# Values of a column that is counted: so few always, more if each has rows enough, so many at most.
COUNTED = (8, 8192)
ROWS_A_VALUE = 4
BINNED_FROM = 48  # cases of a node that is first searched in bins
MOST_BINS = 2048
ROWS_A_BIN = (4, 32)  # at the least, and at the most: a 64th of the node's cases between them
WORDS = 1 << 15  # put in order at a time, if no node has more cases
STRETCHES = 1 << 13
LEAST_BLOCK = 256
LARGE = 1 << 16  # cells that are searched in threads

Share = tuple[slice, slice]  # nodes and columns


class BestCuts:
    """Arrays [nodes, columns], filled by `search`.

    The score of the best cut (-inf: none), the ranks of the neighbours that it separates (`scan`),
    the weight of its left side, and how many cuts were tried.
    """

    def __init__(
        self, where: Where, weighing: Weighing, scale: Floats, allowed: Allowed, room: Room
    ) -> None:
        shape = where.stops.shape
        self.where = where
        self.weighing = weighing
        self.scale = scale
        self.allowed = allowed
        self.room = room
        self.compiled = weighing.compiled
        self.score = np.full(shape, -np.inf)
        self.between = np.zeros(shape, np.uint64)
        self.left = np.zeros(shape)
        self.tries = np.zeros(shape, np.int64)

    def search(self) -> None:
        """Weigh every cut that may be the best, in as many threads as are at hand."""
        threads = at_hand() if self._is_worth_threads else 1
        if threads == 1:
            self._search()
            return
        shares = self._shares(threads)
        free = [self.room.share(number) for number in range(threads)]

        def found(share: Share) -> BestCuts:
            room = free.pop()
            mine = self._share(share, room)
            free.append(room)
            return mine

        for share, mine in zip(shares, in_order(found, shares, threads), strict=True):
            self.score[share], self.between[share] = mine.score, mine.between
            self.left[share], self.tries[share] = mine.left, mine.tries

    @property
    def _is_worth_threads(self) -> bool:
        """Is there much to do, of nodes whose columns have the same in common?"""
        alike = self.weighing.per == self.where.n_columns and self.weighing.placed is None
        return alike and int(self.where.sizes.sum()) > LARGE

    def _shares(self, threads: int) -> list[Share]:
        """Some nodes each; of a large node some columns.

        The columns of a node are rivals: apart they cannot tell each other where no best cut is.
        """
        cells, n_columns = self.where.sizes.sum(axis=1), self.where.n_columns
        most = most_of(cells, threads, LARGE)
        step = -(-n_columns // threads)
        some = [slice(j, min(j + step, n_columns)) for j in range(0, n_columns, step)]
        whole = [slice(0, n_columns)]
        return [
            (nodes, columns)
            for nodes in side_by_side(cells, most)
            for columns in (some if cells[nodes.start] > most else whole)
        ]

    def _share(self, share: Share, room: Room) -> BestCuts:
        """The best cuts of some columns of some nodes."""
        nodes, columns = share
        where, allowed, weighing = self.where, self.allowed, self.weighing
        if len(allowed.margin):
            margin = allowed.margin.reshape(where.stops.shape)[share].ravel()
            allowed = evolve(allowed, margin=margin)
        mine = BestCuts(
            evolve(
                where,
                columns=where.columns[columns],
                start=where.start[nodes],
                stops=where.stops[share].copy(),
            ),
            evolve(
                weighing,
                known=weighing.known[nodes],
                before=weighing.before[nodes],
                per=columns.stop - columns.start,
            ),
            self.scale[nodes],
            allowed,
            room,
        )
        mine._search()
        return mine

    def _search(self) -> None:
        where, weighing = self.where, self.weighing
        sizes, distinct = where.sizes.T, where.n_distinct[:, None]
        some = sizes > 1
        carried = some & where.carried[:, None]
        counted = some & ~carried & (distinct <= np.clip(sizes // ROWS_A_VALUE, *COUNTED))
        if self.allowed.skips_runs and not weighing.of_classes:
            counted[:] = False  # of numbers that were added up nobody can tell if they are alike
        binned = (sizes >= BINNED_FROM) & ~carried & ~counted & self._binnable[:, None]
        most = int(where.n_distinct[counted.any(axis=1)].max(initial=0))
        points = bounding.MOST_POINTS * MOST_BINS * 2 if binned.any() else 0
        self.block = Block(
            max(weighing.room, most, points, LEAST_BLOCK), weighing.n_stats, self.room
        )
        pairs = np.arange(some.size).reshape(where.stops.shape).T
        if counted.any():
            self._count_by_value(pairs[counted], most)
        if binned.any():
            self._search_in_bins(np.sort(pairs[binned]))  # the columns of a node are rivals
        if carried.any():
            self._follow(pairs[carried])
        loose = pairs[some & ~carried & ~counted & ~binned]
        if len(loose):
            none = np.zeros(len(loose) + 1, np.int64)
            self._put_in_order(loose, Bins.empty(none, none))

    @property
    def _binnable(self) -> Bools:
        """[c]: may a column be searched in bins? If the number of its cuts is asked for, it must
        be known without counting them.
        """
        cases, allowed, weighing = self.where.cases, self.allowed, self.weighing
        by_rows = len(cases.weights) == 1 or (allowed.weight <= 0.0 and not len(allowed.margin))
        of_two = weighing.of_classes and weighing.n_stats == 3 and cases.packed
        concave = weighing.scoring.skips_runs and allowed.skips_runs and weighing.placed is None
        once = cases.sample.ranked.once[self.where.ranked] | allowed.only_best
        return once & (by_rows and of_two and concave)

    def _count_by_value(self, pairs: Ints, most: int) -> None:
        """Columns of few values."""
        where, cases, weighing = self.where, self.where.cases, self.weighing
        width = 1 << where.target_bits if weighing.of_classes else 3
        counts, rows = np.zeros((most + 1) * width), np.zeros(most + 1, np.int64)
        walk = walking.walk_counts.bound(self.compiled, self._slots)
        at, n_runs = 0, np.zeros(1, np.int64)
        while at < len(pairs):
            at = walk(
                pairs, at, *where.arguments, cases.packed, cases.targets, where.target_bits,
                cases.weights, *self._limits, counts, rows, np.empty(weighing.n_stats),
                *self.block.candidates, self.tries.ravel(), n_runs,
            )  # fmt: skip
            self._keep(int(n_runs[0]))

    def _search_in_bins(self, pairs: Ints) -> None:
        """Large nodes: first where the best cut may lie, then what is there."""
        where, block = self.where, self.block
        node, column = np.divmod(pairs, where.n_columns)
        distinct = where.n_distinct[column]
        sizes = where.sizes.ravel()[pairs]
        # The more cases, the better does a bin of several tell that it holds no best cut.
        wanted = np.clip(sizes / np.clip(sizes / 64, *ROWS_A_BIN), 2, MOST_BINS)
        shift = np.maximum(np.ceil(np.log2(distinct / wanted)).astype(np.int64), 0)
        n_bins = ((distinct - 1) >> shift) + 1
        chunk = np.cumsum(n_bins) // (len(block) // bounding.MOST_POINTS - MOST_BINS - 1)
        best = self.score.max(axis=1)
        for some in np.split(np.arange(len(pairs)), np.flatnonzero(np.diff(chunk)) + 1):
            first = np.concatenate([[0], np.cumsum(n_bins[some])])
            bins = Bins.empty(first, shift[some])
            ends = self._score_bins(pairs[some], bins)
            if self.allowed.only_best:
                np.maximum.at(best, node[some], ends)
                ends = best[node[some]]
            bounding.keep_bins.bound(self.compiled)(
                pairs[some], first, bins.weights, bins.rows, block.bounds, block.value, ends,
                self.scale, where.n_columns, bins.keep, bins.kept,
            )  # fmt: skip
            rows = np.add.reduceat(bins.rows, first[:-1])
            self._put_in_order(pairs[some], bins)
            if not self.allowed.only_best:
                self.tries[node[some], column[some]] = self._cuts_of_rows(pairs[some], rows)

    def _score_bins(self, pairs: Ints, bins: Bins) -> Floats:
        """Count the classes in bins and score their corners; each pair's best score at an end."""
        where, block, weighing = self.where, self.block, self.weighing
        order, codes, _, *rest = where.arguments
        bounding.count_bins.bound(self.compiled)(
            pairs, bins.first, bins.shift, order, codes, *rest, where.n_columns,
            where.cases.weights, bins.weights, bins.rows,
        )  # fmt: skip
        bounding.corner_points.bound(self.compiled)(
            pairs, bins.first, bins.weights, bins.rows, block.lefts, block.owner, block.bounds
        )
        weighing.score(block, len(pairs))
        best = np.empty(len(pairs))
        bounding.best_ends.bound(self.compiled)(
            pairs, bins.first, bins.weights, bins.rows, block.lefts, block.bounds, block.value,
            weighing.known, weighing.per, *self.allowed.sides, best,
        )  # fmt: skip
        return best

    def _cuts_of_rows(self, pairs: Ints, rows: Ints) -> Ints:
        """How many cuts are allowed where every value is there once and weighs the same."""
        allowed, weights = self.allowed, self.where.cases.weights
        least = np.full(len(pairs), max(allowed.weight, 0.0))
        if len(allowed.margin):
            least = np.maximum(allowed.margin[pairs], least)
        heft = float(weights[0]) if len(weights) == 1 else 1.0
        side = np.ceil(least * (1 - scan.WEIGHT_TIE) / heft)
        side = np.maximum(side, max(allowed.rows, 1)).astype(np.int64)
        return np.asarray(np.maximum(rows - 2 * side + 1, 0))

    def _follow(self, pairs: Ints) -> None:
        """Columns whose order is carried from level to level."""
        where, words = self.where, self.where.cases.words
        node, column = np.divmod(pairs, where.n_columns)
        row = where.cases.carried[where.ranked[column]]
        begin = row * words.shape[1] + where.start[node]
        end = row * words.shape[1] + where.known_ends[node, column]
        none = np.zeros(len(pairs), np.int64)
        before = np.zeros((1, self.weighing.n_stats))
        self._walk(words.ravel(), len(pairs), begin, end, pairs, none, end - begin, before)

    def _put_in_order(self, pairs: Ints, bins: Bins) -> None:
        """Sort the cases, those of bins that are kept alone, and weigh the cuts between them."""
        where, cases, room, size = self.where, self.where.cases, self.room, self.weighing.n_stats
        n = max(where.largest, WORDS)
        words, spare = room.array("words", n, np.uint64), room.array("spare", n + 1, np.uint64)
        count = room.array("count", arranging.MOST_BUCKETS + 1, np.int32)
        facts = ("begin", "end", "pair", "rows_before", "rows_known")
        stretches = [room.array(name, STRETCHES) for name in facts]
        before = room.array("before", STRETCHES * size, np.float64).reshape(-1, size)
        n_stretches = np.zeros(1, np.int64)
        arrange = arranging.arrange.bound(self.compiled)
        at = 0
        while at < len(pairs):
            at = arrange(
                pairs, at, *where.arguments, where.n_columns, cases.packed, cases.targets,
                np.uint64(where.target_bits), bins.first, bins.shift, bins.weights, bins.rows,
                bins.keep, bins.kept, words, spare, count, *stretches, before, n_stretches,
            )  # fmt: skip
            self._walk(words, int(n_stretches[0]), *stretches, before)

    def _walk(self, words: Words, n_stretches: int, *stretches: Any) -> None:
        """Weigh the cuts inside stretches of sorted words."""
        where, cases = self.where, self.where.cases
        walk = walking.walk_words.bound(self.compiled, self._slots)
        cursor, left = np.array([0, -1, 0, 0, 0, 0, 0], np.int64), np.empty(self.weighing.n_stats)
        while cursor[0] < n_stretches:
            runs = walk(
                words, n_stretches, *stretches, np.uint64(where.target_bits), cases.targets,
                cases.weights, *self._limits, cursor, left, *self.block.candidates,
                self.tries.ravel(),
            )  # fmt: skip
            self._keep(runs)

    @cached_property
    def _limits(self) -> tuple[Any, ...]:
        """What walks are told of what is known of the pairs, and of which cuts are allowed."""
        allowed, weighing, where = self.allowed, self.weighing, self.where
        return (
            weighing.known, weighing.per, *allowed.sides, allowed.gap, allowed.values,
            where.offset, where.n_columns, allowed.skips_runs,
        )  # fmt: skip

    @property
    def _slots(self) -> dict[str, int]:
        sized = self.weighing.sized
        return sized if self.weighing.of_classes else {**sized, "NUMBERS": 1}

    def _keep(self, runs: int) -> None:
        """Score the block's candidates, and remember the best."""
        block = self.block
        self.weighing.score(block, runs)
        scan.keep_best.bound(self.compiled)(
            runs, block.value, block.owner, block.bounds, block.between, block.lefts[0],
            self.scale, self.where.n_columns, self.score.ravel(), self.between.ravel(),
            self.left.ravel(),
        )  # fmt: skip
