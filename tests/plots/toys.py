"""Impurities that a user might write, right and wrong ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from attrs import frozen


@frozen
class RootGini:
    """The square root of Gini's index."""

    tasks: ClassVar[tuple[str, ...]] = ("classification",)
    unit: ClassVar[str] = "roots"

    power: float = 0.5

    def impurity(self, stats: Any) -> Any:
        p = np.clip(stats[..., 1:] / np.maximum(stats[..., :1], 1e-300), 0, 1)
        return (p * (1 - p)).sum(axis=-1) ** self.power


@frozen
class OneSided:
    """Worst where three quarters are of the first class."""

    def impurity(self, stats: Any) -> Any:
        p = stats[..., 1] / stats[..., 0]
        return np.where(p <= 0.75, p / 0.75, (1 - p) / 0.25)


def toy(formula: Callable[[Any], Any]) -> Any:
    """An impurity with this formula."""

    @frozen
    class Toy:
        def impurity(self, stats: Any) -> Any:
            return formula(stats)

    return Toy()
