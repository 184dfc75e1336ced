"""Impurities of a number to predict."""

from __future__ import annotations

import math
from typing import ClassVar, Literal

from attrs import field, frozen, validators

from treekit import Floats, row_form

# Smaller parts of a sum of squares are rounding errors, which a root would make large.
NOISE = 1e-13


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


@frozen
class StandardDeviation:
    """The standard deviation of the target, about the mean of n rows (M5: Quinlan 1992)."""

    tasks: ClassVar[tuple[str, ...]] = ("regression",)

    @row_form
    @staticmethod
    def impurity(stats: Floats) -> float:
        total: float = stats[0]
        if total <= 0.0:
            return 0.0
        squares: float = stats[2] - stats[1] * stats[1] / total
        if squares <= NOISE * stats[2]:
            return 0.0
        return math.sqrt(squares / total)


@frozen
class Poisson:
    """The Poisson deviance of counts about their mean, per row (rpart: Therneau and Atkinson 1997).

    The deviance is 2 * (mean of y log y - mean log mean). The first part adds up the same over a
    node and over its branches, so no gain depends on it, and the statistics do not hold it; the
    impurity is the second part, -2 * mean * log(mean). Its differences are those of the
    deviance, itself it is not: a pure node is not 0, and a node may be below 0. Use it with
    `gain`. The target must not be negative. The statistics cannot show single values; a cut
    that leaves a branch with a mean below 0 has no score.
    """

    tasks: ClassVar[tuple[str, ...]] = ("regression",)
    uncentred: ClassVar[bool] = True

    @row_form
    @staticmethod
    def impurity(stats: Floats) -> float:
        if stats[0] <= 0.0:
            return 0.0
        mean: float = stats[1] / stats[0]
        if mean <= 0.0:
            # Rounding may leave a little less than nothing of counts that are all 0.
            return 0.0 if mean > -1e-9 else math.nan
        return -2.0 * mean * math.log(mean)
