"""Answers by the nearest training rows of a node."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from attrs import field, frozen

from treekit.leaf_models.space import UNKNOWN_ASKED, UNKNOWN_HERE, Space, space_of
from treekit.table.record import Bools, Floats, Ints, Table
from treekit.tree import Int64s

if TYPE_CHECKING:
    from treekit.leaf_models.crowd import Crowd


@frozen(eq=False)
class Neighbours:
    """The training rows of each node, of which the nearest answer for a row.

    The nearest are those that come first up to a weight of k; rows at the same distance as the
    last of them share what is left of k. They answer by the shares of their classes or by the mean
    of their numbers, each by its weight. Where a node holds less than k, all its rows count.
    `treekit.leaf_models.space.Space` says how far apart two rows are. The rows of node i are
    row[first[i]] .. row[first[i + 1] - 1]; nodes at which no row ends need none.

    k          how much weight answers, from 1 on: of plain rows, how many of them
    p          of the p-norm, from 1 on; math.inf for the greatest difference
    n_classes  0: the targets are numbers
    nominal    [columns]: which columns are nominal
    centre     [columns]: where an unknown number stands; 0 of nominal ones
    scale      [columns]: what a difference is divided by; 1 of nominal ones
    cells      [columns, rows]: the training rows, coded as a Table is
    target     [rows]: the number of a class, or a number
    first      [nodes + 1]
    row        a training row of a node
    weight     what it weighs there, more than 0
    """

    k: int
    p: float
    n_classes: int
    nominal: Bools
    centre: Floats
    scale: Floats
    cells: Floats = field(repr=False)
    target: Floats = field(repr=False)
    first: Int64s
    row: Int64s = field(repr=False)
    weight: Floats = field(repr=False)

    @cached_property
    def space(self) -> Space:
        return space_of(self.cells, self.p, self.nominal, self.centre, self.scale)

    @cached_property
    def size(self) -> float:
        """Numbers are added up in units of the greatest, so that no sum overflows."""
        return 1.0 if self.n_classes else float(np.abs(self.target).max(initial=0.0)) or 1.0

    @cached_property
    def _crowds(self) -> dict[int, Crowd]:
        return {}

    def rows_of(self, node: int) -> slice:
        """Where the rows of a node stand in `row` and `weight`."""
        return slice(int(self.first[node]), int(self.first[node + 1]))

    def key(self, node: int) -> bytes:
        """Nodes of the same key answer every row the same."""
        here = self.rows_of(node)
        return self.row[here].tobytes() + self.weight[here].tobytes()

    def crowd(self, node: int) -> Crowd:
        """The rows of a node, ready to be searched; made when they are first asked for."""
        # SciPy's structures take their time to import, and few models need them.
        from treekit.leaf_models.crowd import Crowd

        if node not in self._crowds:
            here = self.rows_of(node)
            rows = self.row[here]
            target = self.target[rows]
            self._crowds[node] = Crowd(
                self.space,
                self.k,
                self.space.points(self.cells[:, rows], UNKNOWN_HERE),
                self.weight[here],
                np.eye(self.n_classes)[target.astype(np.int64)]
                if self.n_classes
                else target[:, None] / self.size,
            )
        return self._crowds[node]


def neighbours(
    table: Table,
    members: Sequence[tuple[Ints, Floats]],
    k: int,
    p: float,
    centre: Floats,
    scale: Floats,
) -> Neighbours:
    """One record of each node's training rows and their weights there."""
    some = [(rows[weights > 0.0], weights[weights > 0.0]) for rows, weights in members]
    rows = np.concatenate([rows for rows, _ in some])
    kept, row = np.unique(rows, return_inverse=True)
    return Neighbours(
        k=k,
        p=p,
        n_classes=len(table.schema.classes),
        nominal=np.array([column.kind == "nominal" for column in table.columns], bool),
        centre=np.asarray(centre, np.float64),
        scale=np.asarray(scale, np.float64),
        cells=np.ascontiguousarray(table.cells[:, kept]),
        target=table.y[kept],
        first=np.cumsum([0, *(len(rows) for rows, _ in some)], dtype=np.int64),
        row=row.astype(np.int64),
        weight=np.concatenate([weights for _, weights in some]),
    )


def means_for(models: Neighbours, table: Table, rows: Ints, nodes: Ints) -> Floats:
    """[ends, A]: what each of these rows is answered at the node that stands beside it."""
    out = np.empty((len(rows), models.n_classes or 1))
    order = np.argsort(nodes, kind="stable")
    for part in np.split(order, np.flatnonzero(np.diff(nodes[order])) + 1):
        if len(part):
            asked = models.space.points(table.cells[:, rows[part]], UNKNOWN_ASKED)
            out[part] = models.crowd(int(nodes[part[0]])).answers(asked) * models.size
    return out


@frozen(eq=False)
class Nearest:
    """The training rows that answer for a row, the nearest first.

    row       their positions among the rows that the model keeps
    distance  how far away each is
    weight    what each counts
    """

    row: Ints
    distance: Floats
    weight: Floats


def nearest(models: Neighbours, table: Table, row: int, node: int) -> Nearest:
    """Who answers for a row of the table at a node."""
    crowd = models.crowd(node)
    asked = models.space.points(table.cells[:, [row]], UNKNOWN_ASKED)
    distances = crowd.distances(asked)
    counts = crowd.counted(distances)[0] * crowd.weight
    there = np.flatnonzero(counts > 0.0)
    # Rows that are as far in all but the last digits stand in their own order.
    farthest = float(distances[0, there].max()) or 1.0
    order = there[np.argsort(np.round(distances[0, there] / farthest, 9), kind="stable")]
    with np.errstate(over="ignore"):
        away = np.minimum(distances[0, order] / models.space.unit, np.finfo(np.float64).max)
    return Nearest(models.row[models.rows_of(node)][order], away, counts[order])
