"""Bhattacharyya distance as a treekit criterion."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import frozen

from treekit import Floats, hookimpl


@frozen
class Bhattacharyya:
    """Bhattacharyya distance between the classes' shares of the branches (Bhattacharyya 1946).

    It does not change with the weight of a class, so rare classes count as much as others. Of
    more than two classes, the one that is farthest from the rest counts. A perfect split would be
    infinitely far; it counts as an overlap of 1e-15. Needs no impurity.
    """

    tasks: ClassVar[tuple[str, ...]] = ("classification",)

    def score(self, parent: Floats, branches: Floats, before: Floats, after: Floats) -> Floats:
        own = branches[..., 1:]
        sides = np.stack([own, own @ (1.0 - np.eye(own.shape[-1]))])
        total = sides.sum(axis=-2, keepdims=True)
        share = sides / np.where(total > 0.0, total, 1.0)
        overlap = np.sqrt(share[0] * share[1]).sum(axis=-2)
        both = (total > 0.0).all(axis=0)[..., 0, :]
        return np.asarray(-np.log(np.where(both, overlap, 1.0).clip(1e-15, 1.0).min(axis=-1)))


@hookimpl
def treekit_criteria() -> dict[str, type]:
    return {"bhattacharyya": Bhattacharyya}
