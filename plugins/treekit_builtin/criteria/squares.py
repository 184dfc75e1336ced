"""How the squares of a number about its mean divide between and within branches [..., k, 3]."""

from __future__ import annotations

import numpy as np
from attrs import frozen

from treekit import Floats

NOISE = 1e-12  # what rounding leaves of a weight, or of the squares


@frozen(eq=False)
class Squares:
    """Arrays [...]. `unexplained` is the share of the squares that is within branches, 1 where all
    numbers are the same; `between` and `within` are the degrees of freedom.
    """

    unexplained: Floats
    between: Floats
    within: Floats


def squares_of(branches: Floats) -> Squares:
    """The analysis of variance of a split; a share below 1e-12 is what rounding left."""
    weight, total, squares = np.moveaxis(branches, -1, 0)
    parent = branches.sum(axis=-2)
    held = weight > NOISE * parent[..., :1]
    each = np.where(held, weight, 1.0)
    within = np.maximum(squares - np.where(held, total**2 / each, 0.0), 0.0).sum(axis=-1)
    heavy = np.where(parent[..., 0] > 0.0, parent[..., 0], 1.0)
    whole = parent[..., 2] - parent[..., 1] ** 2 / heavy
    spread = whole > NOISE * parent[..., 2]
    share = np.where(spread, within / np.where(spread, whole, 1.0), 1.0)
    n_branches = held.sum(axis=-1).astype(np.float64)
    return Squares(
        np.clip(share, NOISE, 1.0),
        np.maximum(n_branches - 1.0, 0.0),
        np.maximum(parent[..., 0] - n_branches, 0.0),
    )
