"""The rows of a node, and which of them are the nearest.

Those count that come first up to a weight of k. Rows at the distance where k is reached are tied:
they share what is left of it, by weight, so the order of the rows decides nothing, and a row of
weight 3 counts as three rows do. Distances that agree to a billionth are the same.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any, Final

import numpy as np
from attrs import frozen
from scipy.sparse import csr_array, diags_array
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from treekit.leaf_models.space import Points, Space, coordinates
from treekit.table.record import Bools, Floats, Ints

SAME: Final = 1e-9

# A tree of points pays from so many rows on, and up to so many coordinates.
FEWEST_ROWS: Final = 200
MOST_COORDINATES: Final = 24

# How many distances are held at a time.
BATCH: Final = 1 << 20
MOST_TIED: Final = 64


@frozen(eq=False)
class Crowd:
    """The rows of one node: where they are, what they weigh, and what they answer [rows, A]."""

    space: Space
    k: int
    points: Points
    weight: Floats
    values: Floats

    @cached_property
    def enough(self) -> int:
        """So many nearest rows weigh k, whichever they are; or there are no more."""
        reached = np.cumsum(np.sort(self.weight))
        return min(len(self.weight), int(np.searchsorted(reached, self.k * (1.0 - SAME))) + 1)

    @cached_property
    def levels(self) -> list[Floats]:
        return [np.unique(column) for column in self.points.levels.T]

    @cached_property
    def tree(self) -> cKDTree | None:
        """The points in a k-d tree; None where measuring every distance is as quick."""
        if not (self.space.by_powers or self.space.p == math.inf):
            return None
        width = self.points.ordered.shape[1] + sum(len(known) + 1 for known in self.levels)
        if len(self.points) < max(FEWEST_ROWS, 4 * self.enough) or width > MOST_COORDINATES:
            return None
        return cKDTree(coordinates(self.space, self.points, self.levels))

    def answers(self, asked: Points) -> Floats:
        """[asked, A]: the weighted mean of what the nearest rows answer."""
        # Rows that are alike are asked once: of few levels there are many such.
        both = np.concatenate([asked.ordered, asked.levels], axis=1)
        _, first, alike = np.unique(both, axis=0, return_index=True, return_inverse=True)
        return self._answers(asked.take(first))[alike]

    def _answers(self, asked: Points) -> Floats:
        out = np.empty((len(asked), self.values.shape[1]))
        held = len(self.points) if self.tree is None else self.enough + 1
        step = max(1, BATCH // held)
        for first in range(0, len(asked), step):
            some = slice(first, first + step)
            part = asked.take(some)
            if self.tree is None:
                out[some] = self._mean(csr_array(self.counted(self.distances(part))))
            else:
                out[some] = self._searched(self.tree, part)
        return out

    def distances(self, asked: Points) -> Floats:
        """[asked, rows], by the definition, where 1 is the space's unit."""
        p, unit = self.space.p, self.space.unit
        n_nominal = asked.levels.shape[1]
        differing = np.zeros((len(asked), len(self.points)))
        if n_nominal:
            differing = np.rint(cdist(asked.levels, self.points.levels, "hamming") * n_nominal)
        if self.space.by_powers:
            along = self._along(asked, p)
            if not n_nominal:
                return along
            return np.asarray((along**p + differing * unit**p) ** (1.0 / p))
        greatest = np.maximum(self._along(asked, math.inf), unit * (differing > 0.0))
        if p == math.inf:
            return np.asarray(greatest)
        return self._in_units_of(greatest, asked, differing)

    def _along(self, asked: Points, p: float) -> Floats:
        """[asked, rows]: how far apart they are by the p-norm of their numbers and places alone."""
        if not asked.ordered.shape[1]:
            return np.zeros((len(asked), len(self.points)))
        return np.asarray(cdist(asked.ordered, self.points.ordered, "minkowski", p=p))

    def _in_units_of(self, greatest: Floats, asked: Points, differing: Floats) -> Floats:
        """The p-norms by the shares of the greatest difference: no power of these overflows."""
        p = self.space.p
        unit = np.where(greatest > 0.0, greatest, 1.0)
        powers = differing * (self.space.unit * (differing > 0.0) / unit) ** p
        for x, z in zip(asked.ordered.T, self.points.ordered.T, strict=True):
            powers += (np.abs(x[:, None] - z) / unit) ** p
        return np.asarray(greatest * powers ** (1.0 / p))

    def counted(self, distances: Floats) -> Floats:
        """[asked, rows]: which part of a row's weight counts, by the distances of all rows."""
        near = np.argpartition(distances, self.enough - 1, axis=1)[:, : self.enough]
        found = np.take_along_axis(distances, near, axis=1)
        order = np.argsort(found, axis=1)
        last = self._where_reached(
            np.take_along_axis(found, order, axis=1), np.take_along_axis(near, order, axis=1)
        )
        nearer, tied = _compared(distances, last)
        # A product of matrices would round by how many rows are asked about.
        share = self._share((nearer * self.weight).sum(axis=1), (tied * self.weight).sum(axis=1))
        return np.asarray(nearer + tied * share[:, None])

    def _where_reached(self, ascending: Floats, rows: Ints) -> Floats:
        """[asked, 1]: the distance at which these rows weigh k; the last one if they never do."""
        reached = np.cumsum(self.weight[rows], axis=1) >= self.k * (1.0 - SAME)
        reached[:, -1] = True
        return np.take_along_axis(ascending, reached.argmax(axis=1)[:, None], axis=1)

    def _share(self, nearer: Floats, tied: Floats) -> Floats:
        """Which part of the tied rows' weight counts, by what both kinds of rows weigh."""
        return np.clip((self.k - nearer) / tied, 0.0, 1.0)

    def _mean(self, counts: Any) -> Floats:
        total = counts @ self.weight
        return np.asarray(counts @ (self.weight[:, None] * self.values) / total[:, None])

    def _searched(self, tree: cKDTree, asked: Points) -> Floats:
        """The answers by a search of the tree."""
        at = coordinates(self.space, asked, self.levels)
        found = tree.query(at, self.enough + 1, p=self.space.p, workers=-1)
        distances, rows = np.asarray(found[0]), np.asarray(found[1], np.int64)
        last = self._where_reached(distances[:, :-1], rows[:, :-1])
        nearer, tied = _compared(distances, last)
        weight = self.weight[rows]
        before = (nearer * weight).sum(axis=1)
        share = self._share(before, (tied * weight).sum(axis=1))
        out = self._mean(self._matrix(nearer + tied * share[:, None], rows))
        # If the last one found is tied, there may be more such rows than were asked for.
        more = np.flatnonzero(tied[:, -1])
        for first in range(0, len(more), MOST_TIED):
            some = more[first : first + MOST_TIED]
            within = self._within(tree, at[some], last[some, 0] * (1.0 + SAME))
            ahead = self._matrix(nearer[some], rows[some])
            level = within - ahead
            share = self._share(before[some], level @ self.weight)
            out[some] = self._mean(ahead + diags_array(share) @ level)
        return out

    def _within(self, tree: cKDTree, at: Floats, radius: Floats) -> Any:
        """[asked, rows]: 1 for the rows that are no further away than the radius."""
        found = tree.query_ball_point(at, radius, p=self.space.p)
        start = np.cumsum([0, *map(len, found)])
        rows = np.concatenate([np.asarray(rows, np.int64) for rows in found])
        return csr_array((np.ones(len(rows)), rows, start), shape=(len(at), len(self.points)))

    def _matrix(self, counts: Any, rows: Ints) -> Any:
        """[asked, rows]: `counts[asked, found]` at the rows that were found."""
        start = np.arange(0, counts.size + 1, counts.shape[1])
        shape = (len(counts), len(self.points))
        return csr_array((counts.ravel().astype(np.float64), rows.ravel(), start), shape=shape)


def _compared(distances: Floats, last: Floats) -> tuple[Bools, Bools]:
    """Which rows are nearer than the last that counts, and which are as far."""
    nearer = distances < last * (1.0 - SAME)
    return nearer, (distances <= last * (1.0 + SAME)) & ~nearer
