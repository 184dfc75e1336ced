"""Entropies that have an order: how much do rare classes count?"""

from __future__ import annotations

import math
from typing import ClassVar

from attrs import field, frozen, validators

from treekit import Floats, row_form
from treekit_builtin.impurities.classes import unit_of_information

# A smaller share of the weight is what rounding left of a class; a low power of it would count.
NOISE = 1e-12


@frozen
class Tsallis:
    """Tsallis' entropy of the classes, (1 - sum of p^q) / (q - 1) (Tsallis 1988).

    q: the order, above 0; 1 is Shannon's entropy in nats, 2 is Gini's index. The lower, the more
        rare classes count.
    """

    tasks: ClassVar[tuple[str, ...]] = ("classification",)
    strictly_concave: ClassVar[bool] = True

    q: float = field(default=1.5, validator=[validators.gt(0.0), validators.lt(math.inf)])

    @row_form
    @staticmethod
    def impurity(stats: Floats, q: float) -> float:
        # As p - p^q = -p * expm1((q - 1) * log p), nothing cancels where q is near 1.
        total: float = stats[0]
        if total <= 0.0:
            return 0.0
        inner: float = 0.0
        for k in range(1, stats.shape[0]):
            share: float = stats[k] / total
            if share > NOISE:
                if q == 1.0:
                    inner -= share * math.log(share)
                else:
                    inner -= share * math.expm1((q - 1.0) * math.log(share)) / (q - 1.0)
        return max(0.0, inner)


@frozen
class Renyi:
    """Renyi's entropy of the classes, log(sum of p^alpha) / (1 - alpha) (Renyi 1961).

    alpha: the order, above 0; 1 is Shannon's entropy, 2 the collision entropy. The lower, the more
        rare classes count. Above 1 it is not concave, and a split may have a negative gain.
    base: the base of the logarithm; 2 measures bits.
    """

    tasks: ClassVar[tuple[str, ...]] = ("classification",)

    alpha: float = field(default=2.0, validator=[validators.gt(0.0), validators.lt(math.inf)])
    base: float = field(default=2.0, validator=[validators.gt(1.0), validators.lt(math.inf)])

    @property
    def strictly_concave(self) -> bool:
        return self.alpha <= 1.0

    @property
    def unit(self) -> str:
        return unit_of_information(self.base)

    @row_form
    @staticmethod
    def impurity(stats: Floats, alpha: float, base: float) -> float:
        total: float = stats[0]
        if total <= 0.0:
            return 0.0
        greatest: float = 0.0
        for k in range(1, stats.shape[0]):
            greatest = max(greatest, stats[k])
        inner: float = 0.0
        for k in range(1, stats.shape[0]):
            share: float = stats[k] / total
            if share > NOISE:
                if alpha == 1.0:
                    inner -= share * math.log(share)
                elif alpha < 2.0:  # nothing cancels where alpha is near 1
                    inner += share * math.expm1((alpha - 1.0) * math.log(share))
                else:  # nothing vanishes where alpha is great
                    inner += (stats[k] / greatest) ** alpha
        if alpha == 1.0:
            nats = inner
        elif alpha < 2.0:
            nats = math.log1p(inner) / (1.0 - alpha)
        else:
            order = alpha / (1.0 - alpha)
            nats = order * math.log(greatest / total) + math.log(inner) / (1.0 - alpha)
        return max(0.0, nats) / math.log(base)
