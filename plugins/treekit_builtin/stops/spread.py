"""A stop that measures a node's target against the whole sample's."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import field, frozen
from attrs.validators import and_, gt, instance_of, lt

from treekit import Bools, Floats, Nodes


@frozen
class MinSpread:
    """Stop where the target's deviation is a small share of the whole sample's (M5: Quinlan 1992).

    share  a node whose standard deviation is less than this share of the sample's is a leaf
    """

    tasks: ClassVar[tuple[str, ...]] = ("regression",)

    share: float = field(default=0.05, validator=and_(instance_of((int, float)), gt(0.0), lt(1.0)))

    @property
    def reason(self) -> str:
        return f"a deviation of less than {self.share:g} of the whole sample's"

    def before(self, nodes: Nodes) -> Bools:
        return np.asarray(_variance(nodes.stats) < self.share**2 * _variance(nodes.sample))


def _variance(stats: Floats) -> Floats:
    weight = np.maximum(stats[..., 0], np.finfo(np.float64).tiny)
    return np.asarray(np.maximum(stats[..., 2] / weight - (stats[..., 1] / weight) ** 2, 0.0))
