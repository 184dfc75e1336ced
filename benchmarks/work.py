"""What is to be fitted, said once for every program."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from benchmarks.contest import Must, Outcome
from benchmarks.data import Data

Kind = Literal["tree", "forest", "adaboost"]


@frozen
class Work:
    """A model to be learned from data.

    tested  rows that the answers are asked for; those it was learned from unless given
    depth   of a tree; None: until every leaf is pure
    trees   of a forest, or rounds of boosting
    must    what the answers of an exact program must be beside treekit's
    """

    kind: Kind
    data: Data
    tested: Data | None = None
    depth: int | None = None
    trees: int = 1
    threads: int = 1
    seed: int = 0
    must: Must = "same"

    @property
    def asked(self) -> Data:
        return self.tested or self.data

    def outcome(self, answers: NDArray[Any], nodes: int | None) -> Outcome:
        """Answers to the rows that are asked for, judged."""
        wrong = answers - self.asked.y
        if self.data.n_classes:
            return Outcome(answers, float((wrong != 0).mean()), nodes)
        return Outcome(answers, float(np.sqrt((wrong**2).mean())), nodes)
