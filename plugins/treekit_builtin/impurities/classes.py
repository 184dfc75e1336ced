"""Impurities of the classes' shares."""

from __future__ import annotations

import math
from typing import ClassVar

from attrs import field, frozen, validators

from treekit import Floats, row_form

# A smaller share of the weight is what rounding left of a class; its root would count.
NOISE = 1e-12


def unit_of_information(base: float) -> str:
    """What the logarithm to this base measures; most bases have no name."""
    return {2.0: "bits", math.e: "nats", 10.0: "hartleys"}.get(base, "")


@frozen
class Entropy:
    """Shannon's entropy of the classes (Quinlan 1986; Shannon 1948).

    base: the base of the logarithm; 2 measures bits.
    """

    tasks: ClassVar[tuple[str, ...]] = ("classification",)
    strictly_concave: ClassVar[bool] = True

    base: float = field(default=2.0, validator=validators.gt(1.0))

    @property
    def unit(self) -> str:
        return unit_of_information(self.base)

    @row_form
    @staticmethod
    def impurity(stats: Floats, base: float) -> float:
        # sum of p * log(1 / p), as log W - sum(c * log c) / W: one division in all
        total: float = stats[0]
        if total <= 0.0:
            return 0.0
        inner: float = 0.0
        for k in range(1, stats.shape[0]):
            if stats[k] > 0.0:
                inner += stats[k] * math.log2(stats[k])
        bits = math.log2(total) - inner / total
        return max(bits, 0.0) / math.log2(base)


@frozen
class Gini:
    """Gini's index, the chance that two draws differ in class (Breiman et al. 1984, 4.3.1).

    Ellerman (2013) calls the same figure logical entropy.
    """

    tasks: ClassVar[tuple[str, ...]] = ("classification",)
    strictly_concave: ClassVar[bool] = True

    @row_form
    @staticmethod
    def impurity(stats: Floats) -> float:
        total: float = stats[0]
        if total <= 0.0:
            return 0.0
        squares: float = 0.0
        for k in range(1, stats.shape[0]):
            squares += stats[k] * stats[k]
        return 1.0 - squares / (total * total)


@frozen
class Misclassification:
    """The share of rows outside the greatest class (Breiman et al. 1984, 4.1)."""

    tasks: ClassVar[tuple[str, ...]] = ("classification",)

    @row_form
    @staticmethod
    def impurity(stats: Floats) -> float:
        total: float = stats[0]
        if total <= 0.0:
            return 0.0
        greatest: float = 0.0
        for k in range(1, stats.shape[0]):
            greatest = max(greatest, stats[k])
        return 1.0 - greatest / total


@frozen
class Dkm:
    """2 * sqrt(p * (1 - p)) of two classes (Dietterich, Kearns and Mansour 1996).

    The source has two classes. Of more, each is set against all the others and the
    sqrt(p * (1 - p)) are added up, which for two classes is the same.
    """

    tasks: ClassVar[tuple[str, ...]] = ("classification",)
    strictly_concave: ClassVar[bool] = True

    @row_form
    @staticmethod
    def impurity(stats: Floats) -> float:
        total: float = 0.0
        for k in range(1, stats.shape[0]):
            total += stats[k]
        roots: float = 0.0
        for k in range(1, stats.shape[0]):
            rest: float = total - stats[k]
            if min(stats[k], rest) > NOISE * total:
                roots += math.sqrt(stats[k] * rest)
        return roots / total if total > 0.0 else 0.0
