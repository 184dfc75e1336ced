"""The best cut of each column in each node: candidates are gathered, scored and kept in blocks.

Formulas in row form are compiled into a loop over the block; formulas in array form get the block
as NumPy arrays. Either way a block holds candidates of many nodes, so Python's cost vanishes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from attrs import frozen

from treekit.engine import scan
from treekit.engine.joining import best_scores
from treekit.engine.scoring import Scoring
from treekit.table.record import Floats, Ints

# NumPy's temporaries of a block then stay below what malloc hands back to the system each time.
BLOCK_BYTES = 1 << 17
# Compiled formulas have no temporaries: the larger the block, the less often Python is entered.
FUSED_BYTES = 1 << 19

Scorer = Callable[[int, Floats, Ints, Ints, Floats], None]


@frozen(eq=False)
class Placing:
    """How a handler counts the unknown cases with those of a candidate's branches.

    unknown  [nodes, columns, S]: their statistics
    ways     of node and column, place of the upper neighbour, branches [m, 2, S] and unknown
             [m, S]: the ways [m, ways, k, S] of counting them, of which the best one is taken
    typical  [nodes * columns, 1 or 1 + classes]: the values that stand for them; None: none do
    """

    unknown: Floats
    ways: Callable[[Ints, Ints, Floats, Floats], Floats]
    typical: Floats | None = None


class BestCuts:
    """Arrays [nodes, columns], filled by `search`.

    The score of the best cut (-inf: none), where its upper neighbour lies among the column's
    words, the weight of its left side, and how many cuts were tried.
    """

    def __init__(
        self,
        scoring: Scoring,
        known: Floats,
        before: Floats,
        scale: Floats,
        of_classes: bool,
        compiled: bool,
        placed: Placing | None = None,
    ) -> None:
        shape = known.shape[:2]
        self.scoring = scoring
        self.known = known.reshape(-1, known.shape[2])
        self.before = before.ravel()
        self.scale = scale
        self.of_classes = of_classes
        self.compiled = compiled
        self.placed = placed
        self.score = np.full(shape, -np.inf)
        self.place = np.ones(shape, np.int64)
        self.left = np.zeros(shape)
        self.tries = np.zeros(shape, np.int64)

    def search(self, *where: Any) -> None:
        """Weigh every cut; `where` are the arguments of `scan.fill_block` up to its cursor."""
        size, n_columns = self.known.shape[1], len(self.score.T)
        # Statistics lie plane by plane, so that NumPy's sums over the last axis run long.
        room = FUSED_BYTES if self.scoring.is_fused and self.placed is None else BLOCK_BYTES
        n = max(room // (16 * (size - 1)), 256)
        planes, value = np.empty((2, size, n)), np.empty(n)
        place, owner, bounds = (np.empty(n + 1, np.int64) for _ in range(3))
        cursor, left = np.array([0, 0, -1, 1, 1], np.int64), np.zeros(size)
        scale = np.repeat(self.scale, n_columns)
        best = (self.score.ravel(), self.place.ravel(), self.left.ravel())
        fill = scan.fill_block.bound(self.compiled, self._size())
        keep = scan.keep_best.bound(self.compiled)
        score = self._scorer(place)
        while cursor[0] < n_columns:
            runs = fill(*where, cursor, left, planes[0], place[:n], owner, bounds, self.tries)
            score(runs, planes, owner, bounds, value)
            keep(runs, value, owner, bounds, place, planes[0, 0], scale, *best)

    def _scorer(self, place: Ints) -> Scorer:
        if self.placed is not None:
            return self._placed_scorer(self.placed, place)
        return self._row_scorer() if self.scoring.is_fused else self._score_arrays

    def _size(self) -> dict[str, int]:
        """Two classes, and numbers: worth kernels of their own, whose loops are unrolled."""
        return {"SIZE": 3} if self.known.shape[1] == 3 else {}

    def _row_scorer(self) -> Scorer:
        """Formulas in row form, compiled into a loop over the block."""
        kernel = scan.score_block.bound(self.compiled, {**self.scoring.formulas, **self._size()})
        parameters = self.scoring.parameters

        def score(runs: int, planes: Floats, owner: Ints, bounds: Ints, value: Floats) -> None:
            facts = (self.known, self.before, self.of_classes)
            kernel(runs, planes[0], owner, bounds, *facts, *parameters, value)

        return score

    def _score_arrays(
        self, runs: int, planes: Floats, owner: Ints, bounds: Ints, value: Floats
    ) -> None:
        """Formulas in array form: the block as NumPy arrays."""
        mine, whole, branches = self._branches(runs, planes, owner, bounds)
        value[: len(mine)] = self.scoring.score(whole.T, branches, self.before[mine], self.compiled)

    def _placed_scorer(self, placed: Placing, place: Ints) -> Scorer:
        """The unknown cases count too, where the handler puts them."""
        unknown = placed.unknown.reshape(self.known.shape)
        whole = self.known + unknown
        before = self.scoring.impurity_of(whole, self.compiled)
        unknown, whole = np.ascontiguousarray(unknown.T), np.ascontiguousarray(whole.T)

        def score(runs: int, planes: Floats, owner: Ints, bounds: Ints, value: Floats) -> None:
            mine, _, branches = self._branches(runs, planes, owner, bounds)
            m = len(mine)
            ways = placed.ways(mine, place[:m], branches, unknown.take(mine, axis=1).T)
            value[:m] = best_scores(
                self.scoring, ways, whole.take(mine, axis=1), before[mine], self.compiled
            )

        return score

    @cached_property
    def by_statistic(self) -> Floats:
        return np.ascontiguousarray(self.known.T)

    def _branches(
        self, runs: int, planes: Floats, owner: Ints, bounds: Ints
    ) -> tuple[Ints, Floats, Floats]:
        """Of each candidate: its node and column, their statistics [S, m], its branches."""
        n = int(bounds[runs])
        mine = np.repeat(owner[:runs], np.diff(bounds[: runs + 1]))
        whole = self.by_statistic.take(mine, axis=1)
        left, right = planes[0, :, :n], planes[1, :, :n]
        np.subtract(whole, left, out=right)
        if self.of_classes:
            np.maximum(right, 0.0, out=right)  # a class weight left below zero by rounding
        return mine, whole, planes[:, :, :n].transpose(2, 0, 1)
