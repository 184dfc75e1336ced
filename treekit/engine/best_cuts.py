"""The best cut of each column in each node: candidates are gathered, scored and kept in blocks.

Formulas in row form are compiled into a loop over the block; formulas in array form get the block
as NumPy arrays. Either way a block holds candidates of many nodes, so Python's cost vanishes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from treekit.engine import scan
from treekit.engine.scoring import Scoring
from treekit.table.record import Floats

BLOCK = 8_192


class BestCuts:
    """Arrays [nodes, columns], filled by `search`.

    The score of the best cut (-inf: none), the ranks below and above it, the weight of its left
    side, and how many cuts were tried.
    """

    def __init__(self, scoring: Scoring, known: Floats, of_classes: bool, compiled: bool) -> None:
        shape = known.shape[:2]
        self.scoring = scoring
        self.known = known.reshape(-1, known.shape[2])
        self.before = scoring.impurity_of(self.known)
        self.of_classes = of_classes
        self.compiled = compiled
        self.score = np.full(shape, -np.inf)
        self.low = np.zeros(shape, np.uint64)
        self.high = np.zeros(shape, np.uint64)
        self.left = np.zeros(shape)
        self.tries = np.zeros(shape, np.int64)

    def search(self, *where: Any) -> None:
        """Weigh every cut; `where` are the arguments of `scan.fill_block` up to its cursor."""
        size = self.known.shape[1]
        # Statistics lie plane by plane, so that NumPy's sums over the last axis run long.
        planes = np.empty((2, size, BLOCK))
        owner, value = np.empty(BLOCK, np.int64), np.empty(BLOCK)
        low, high = np.empty(BLOCK, np.uint64), np.empty(BLOCK, np.uint64)
        cursor, left = np.array([0, 0, -1, 1, 1], np.int64), np.zeros(size)
        scale = np.maximum(np.abs(self.before), self.scoring.floor)
        best = (self.score.ravel(), self.low.ravel(), self.high.ravel(), self.left.ravel())
        fill = scan.fill_block.bound(self.compiled)
        keep = scan.keep_best.bound(self.compiled)
        score = self._score_rows if self.scoring.is_fused else self._score_arrays
        n = BLOCK
        while n == BLOCK:
            n = fill(*where, cursor, left, planes[0], owner, low, high, self.tries)
            score(n, planes, owner, value)
            keep(n, value, owner, low, high, planes[0, 0], scale, *best)

    def _score_rows(self, n: int, planes: Floats, owner: Any, value: Floats) -> None:
        scan.score_block.bound(self.compiled, self.scoring.formulas)(
            n, planes[0], owner, self.known, self.before, self.of_classes,
            *self.scoring.parameters, value,
        )  # fmt: skip

    def _score_arrays(self, n: int, planes: Floats, owner: Any, value: Floats) -> None:
        mine = owner[:n]
        whole = self.known.T[:, mine]
        left, right = planes[0, :, :n], planes[1, :, :n]
        np.subtract(whole, left, out=right)
        if self.of_classes:
            np.maximum(right, 0.0, out=right)  # a class weight left below zero by rounding
        branches = planes[:, :, :n].transpose(2, 0, 1)
        value[:n] = self.scoring.score(whole.T, branches, self.before[mine])
