"""Hellinger distance as a treekit criterion."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import frozen

from treekit import Floats, hookimpl


@frozen
class Hellinger:
    """Hellinger distance between the classes' shares of the branches (Cieslak and Chawla 2008).

    It does not change with the weight of a class, so rare classes count as much as others. Of
    more than two classes, the one that is farthest from the rest counts. Needs no impurity.
    """

    tasks: ClassVar[tuple[str, ...]] = ("classification",)

    def score(self, parent: Floats, branches: Floats, before: Floats, after: Floats) -> Floats:
        own = branches[..., 1:]
        rest = own @ (1.0 - np.eye(own.shape[-1]))
        total = np.stack([own, rest]).sum(axis=-2, keepdims=True)
        share = np.stack([own, rest]) / np.where(total > 0.0, total, 1.0)
        apart = np.sqrt(((np.sqrt(share[0]) - np.sqrt(share[1])) ** 2).sum(axis=-2))
        both = (total > 0.0).all(axis=0)[..., 0, :]
        return np.asarray(np.where(both, apart, 0.0).max(axis=-1))


@hookimpl
def treekit_criteria() -> dict[str, type]:
    return {"hellinger": Hellinger}
