"""Metrics of answers that are numbers. Rows count by weight; NaN is what cannot be told."""

from __future__ import annotations

import math

import numpy as np

from treekit.metrics.answered import Answered, mean_of


def mean_squared_error(found: Answered) -> float:
    """The mean square of answer minus truth."""
    return mean_of((found.said - found.actual) ** 2, found.weights)


def rmse(found: Answered) -> float:
    """The square root of the mean squared error, in the target's own unit."""
    return math.sqrt(mean_squared_error(found))


def mean_absolute_error(found: Answered) -> float:
    """The mean distance of the answer from the truth."""
    return mean_of(np.abs(found.said - found.actual), found.weights)


def r_squared(found: Answered) -> float:
    """1 minus the squared error as a share of the target's own spread.

    1 at best, 0 for always answering the mean, below 0 for worse; NaN where the target does not
    vary.
    """
    mean = mean_of(found.actual, found.weights)
    spread = mean_of((found.actual - mean) ** 2, found.weights)
    return 1.0 - mean_squared_error(found) / spread if spread > 0 else float("nan")
