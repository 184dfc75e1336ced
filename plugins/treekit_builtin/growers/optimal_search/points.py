"""What is to be told apart: the rows of a problem as points, and the tests as sorted families.

Rows that no test tells apart are merged: one point for each class among them. What all classes
have in common there is an error of every tree; it is set aside as `offset`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from attrs import frozen

from treekit import Floats, Int64s, Ints

ROW = (1 << 32) - 1  # a word's low half: the point; the high half is its code
HALF = 32


@frozen(eq=False)
class RowsAndTests:
    """Rows of classes, and families of nested tests that may be asked of them.

    codes          [families, n], not negative; test (f, r) sends the rows with codes[f] <= r left
    target         [n]: the class of each row
    weights        [n], more than 0
    n_classes      how many classes there are
    branch_rows    how many rows each branch of a test must hold
    branch_weight  what each branch of a test must weigh
    leaf_cost      what each leaf of the tree costs besides its errors
    """

    codes: npt.NDArray[Any]
    target: Ints
    weights: Floats
    n_classes: int
    branch_rows: float = 1
    branch_weight: float = 0.0
    leaf_cost: float = 0.0

    @property
    def bounded(self) -> bool:
        """Is any test forbidden for a branch that is too small?"""
        return self.branch_rows > 1 or self.branch_weight > 0


class Given(NamedTuple):
    """What the kernels are given of the points: see `Points`."""

    target: Ints
    weight: Floats
    rows: Floats
    mass: Floats
    loss: Floats
    n_classes: int
    branch_rows: float
    branch_weight: float
    leaf_cost: float


@frozen(eq=False)
class Points:
    """A problem as the search sees it. Arrays have one entry per point unless said otherwise.

    words    [families, points]: code << 32 | point, each family in ascending order
    family   the number that each of the families has in the problem
    target   the class
    weight   of the class beyond what all classes of the merged rows have in common
    rows     how many rows it stands for
    mass     what those rows weigh
    loss     the part of the weight that every tree gets wrong
    offset   the error that every tree makes besides
    total    the weight of all the rows
    """

    words: Int64s
    family: Ints
    target: Ints
    weight: Floats
    rows: Floats
    mass: Floats
    loss: Floats
    offset: float
    total: float
    n_classes: int
    branch_rows: float
    branch_weight: float
    leaf_cost: float

    @property
    def given(self) -> Given:
        return Given(*(getattr(self, name) for name in Given._fields))

    @property
    def rounding(self) -> float:
        """Errors that differ by no more are the same."""
        return 1e-9 * self.total


def points_of(problem: RowsAndTests) -> Points:
    """The points and the families that are worth a look."""
    kept = _distinct_families(problem.codes)
    codes = problem.codes[kept].astype(np.int64)
    n_classes = problem.n_classes
    group, n_groups = _groups(codes, len(problem.target))
    cell, first, place = np.unique(
        group * n_classes + problem.target, return_index=True, return_inverse=True
    )
    mass = np.asarray(np.bincount(place, problem.weights, len(cell)), np.float64)
    by_class = np.zeros((n_groups, n_classes))
    by_class[cell // n_classes, cell % n_classes] = mass
    shared = by_class.min(axis=1)
    heaviest = by_class.argmax(axis=1)
    weight = mass - shared[cell // n_classes]
    loss = np.where(cell % n_classes == heaviest[cell // n_classes], 0.0, weight)
    rows = np.bincount(place, minlength=len(cell)).astype(np.float64)
    # A point without weight matters only where rows are counted.
    held = np.flatnonzero((weight > 0) | problem.bounded)
    codes = codes[:, first[held]]
    order = np.argsort(codes, axis=1, kind="stable")
    return Points(
        words=np.take_along_axis(codes, order, axis=1) << HALF | order,
        family=kept,
        target=(cell % n_classes)[held],
        weight=weight[held],
        rows=rows[held],
        mass=mass[held],
        loss=loss[held],
        offset=float(shared.sum()) * (n_classes - 1),
        total=float(problem.weights.sum()),
        n_classes=n_classes,
        branch_rows=float(problem.branch_rows),
        branch_weight=float(problem.branch_weight),
        leaf_cost=float(problem.leaf_cost),
    )


def _distinct_families(codes: npt.NDArray[Any]) -> Ints:
    """The families that ask anything, without those that ask what an earlier one asks."""
    kept: list[int] = []
    seen: set[bytes] = set()
    for family, values in enumerate(codes):
        distinct, ranks = np.unique(values, return_inverse=True)
        if len(distinct) < 2:
            continue
        forms = {ranks.tobytes(), (len(distinct) - 1 - ranks).tobytes()}
        if not forms & seen:
            kept.append(family)
            seen |= forms
    return np.array(kept, np.int64)


def _groups(codes: Ints, n_rows: int) -> tuple[Ints, int]:
    """Which rows no family tells apart: a number for each row, and how many there are."""
    group, n_groups = np.zeros(n_rows, np.int64), min(n_rows, 1)
    for values in codes:
        distinct, group = np.unique(group * (values.max() + 1) + values, return_inverse=True)
        n_groups = len(distinct)
        if n_groups == n_rows:
            break
    return group, n_groups
