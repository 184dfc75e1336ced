"""What was answered beside what is true: all that the metrics of answers look at."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from attrs import frozen

from treekit.table.record import Bools, Floats, Task


@frozen(eq=False)
class Answered:
    """The answers for rows whose target is known. Any predictor's will do, treekit's or not.

    actual     [rows]: the index of a class, or a number
    said       [rows]: the answer, told in the same way
    weights    [rows]: what each row counts
    n_classes  0: the answers are numbers
    shares     [rows, classes]: the class probabilities; None where there are none
    """

    actual: Floats
    said: Floats
    weights: Floats
    n_classes: int = 0
    shares: Floats | None = None

    @property
    def task(self) -> Task:
        return "classification" if self.n_classes else "regression"

    @cached_property
    def weight(self) -> float:
        """Of all the rows."""
        return float(self.weights.sum())

    @cached_property
    def probabilities(self) -> Floats:
        """The shares, when they are known to be there."""
        if self.shares is None:
            raise ValueError("these answers have no class probabilities")
        return self.shares

    @cached_property
    def confusion(self) -> Floats:
        """[actual, answered]: the weight of the rows of each class that were answered so."""
        found = np.zeros((self.n_classes, self.n_classes))
        np.add.at(found, (self.actual.astype(np.int64), self.said.astype(np.int64)), self.weights)
        return found

    @cached_property
    def is_class(self) -> Bools:
        """[rows, classes]: is the row of this class?"""
        return np.asarray(self.actual[:, None] == np.arange(self.n_classes))


def mean_of(values: Floats, weights: Floats) -> float:
    """The mean by weight; NaN where nothing weighs."""
    total = float(weights.sum())
    return float(weights @ values) / total if total > 0 else float("nan")
