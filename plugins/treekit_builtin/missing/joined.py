"""Unknown values are counted with the branches: with one of them, or as one of their own."""

from __future__ import annotations

import numpy as np
from attrs import frozen

from treekit import Floats, Int32s, Ints, heaviest_branch


@frozen
class OwnBranch:
    """Unknown values are a branch of their own (Quinlan 1989, section 2: an extra value).

    A test has such a branch where unknown values were seen in training; elsewhere they go to the
    heaviest branch. Scores count the branch like any other.
    """

    def discount(self, known: Floats, total: Floats) -> Floats:
        return np.ones_like(known)

    def destination(self, owner: Ints, weight: Floats, n: int) -> Int32s:
        return heaviest_branch(owner, weight, n)

    def join(self, branches: Floats, unknown: Floats) -> Floats:
        """One way: a further branch."""
        return np.concatenate([branches, unknown[..., None, :]], axis=-2)[..., None, :, :]


@frozen
class DefaultDirection:
    """Unknown values go where they make the better test (Chen and Guestrin 2016, section 3.4).

    Every branch that has rows is tried, and the first of the best is kept. Where no unknown value
    was seen in training, they go to the heaviest branch.
    """

    def discount(self, known: Floats, total: Floats) -> Floats:
        return np.ones_like(known)

    def destination(self, owner: Ints, weight: Floats, n: int) -> Int32s:
        return heaviest_branch(owner, weight, n)

    def join(self, branches: Floats, unknown: Floats) -> Floats:
        """A way for each branch; an empty one is passed over for the heaviest."""
        ways = np.stack([branches] * branches.shape[-2], axis=-3)
        for branch in range(branches.shape[-2]):
            ways[..., branch, branch, :] += unknown
        empty = branches[..., 0] <= 0.0
        if not empty.any():
            return ways
        heaviest = branches[..., 0].argmax(axis=-1)[..., None, None, None]
        return np.where(empty[..., None, None], np.take_along_axis(ways, heaviest, axis=-3), ways)
