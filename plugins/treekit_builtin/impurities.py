"""Impurities: how mixed is a node?

Statistics are [W, c1..cK] for classes and [W, sum wy, sum wy^2] for a number.
"""

from __future__ import annotations

import math
from typing import ClassVar, Literal

from attrs import field, frozen, validators

from treekit import Floats, row_form


@frozen
class Entropy:
    """Shannon's entropy of the classes (Quinlan 1986; Shannon 1948).

    base: the base of the logarithm; 2 measures bits.
    """

    tasks: ClassVar[tuple[str, ...]] = ("classification",)
    strictly_concave: ClassVar[bool] = True

    base: float = field(default=2.0, validator=validators.gt(1.0))

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
    """Gini's index, the chance that two draws differ in class (Breiman et al. 1984, 4.3.1)."""

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
class Variance:
    """The variance of the target (Breiman et al. 1984, 8.3).

    ddof: 0 divides the sum of squares by n, 1 by n - 1 (Kelleher et al. 2015, 4.4.3).
    """

    tasks: ClassVar[tuple[str, ...]] = ("regression",)

    ddof: Literal[0, 1] = field(default=0, validator=validators.in_((0, 1)))

    @row_form
    @staticmethod
    def impurity(stats: Floats, ddof: float) -> float:
        total: float = stats[0]
        # One case has no variance; fractional weights may add up to 1 only nearly.
        if total - ddof <= 1e-9:
            return 0.0
        squares: float = stats[2] - stats[1] * stats[1] / total
        return max(squares, 0.0) / (total - ddof)
