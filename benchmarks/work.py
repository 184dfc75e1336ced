"""What is to be fitted, said once for every program."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from benchmarks.data import Data

Kind = Literal["tree", "forest", "adaboost", "gradient_boosting", "c45", "cart"]

# What a program's answers must be beside treekit's: the same row by row; equally good within a
# tolerance; or anything, since it grows another tree by design.
Must = Literal["same", "as good", "anything"]


@frozen
class Work:
    """A model to be learned from data.

    tested  rows that the answers are asked for; those it was learned from unless given
    depth   of a tree; None: until every leaf is pure
    trees   of a forest, or rounds of boosting
    alpha   what CART asks of a split for each leaf that it adds (rpart: cp)
    must    what the answers of a program that does the very same must be beside treekit's
    """

    kind: Kind
    data: Data
    tested: Data | None = None
    depth: int | None = None
    trees: int = 1
    alpha: float = 0.01
    threads: int = 1
    seed: int = 0
    must: Must = "same"

    @property
    def asked(self) -> Data:
        return self.tested or self.data

    def coded(self, answers: Any) -> NDArray[np.float64]:
        """Answers as numbers, classes by their place."""
        found = np.asarray(answers)
        if found.dtype != object:
            return np.asarray(found, np.float64).ravel()
        code = {name: float(i) for i, name in enumerate(self.data.table.schema.classes)}
        return np.array([code[name] for name in found])

    def error(self, answers: NDArray[np.float64]) -> float:
        """The share of wrong answers, or the root of the mean squared error."""
        wrong = answers - self.asked.y
        if self.data.n_classes:
            return float((wrong != 0).mean())
        return float(np.sqrt((wrong**2).mean()))
