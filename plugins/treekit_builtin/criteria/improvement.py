"""rpart's way of choosing among columns."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import frozen

from treekit import Floats, Ints, Offers, Task, Tree

from .gains import Gain


@frozen
class Improvement:
    """Gain, the greatest number wins, however small the lead (rpart 4.1).

    Other criteria take the earlier column unless the later one is better by more than rounding
    can make it. This one is led by the last bit, as rpart is. Bind it with the splitters
    `rpart_class` and `rpart_anova`, which score by rpart's own sums, to get rpart's very trees.
    """

    by_mean_impurity: ClassVar[bool] = True

    score = Gain.__dict__["score"]

    def choose(self, offers: Offers) -> Ints:
        best = offers.score.argmax(axis=1)
        some = np.isfinite(offers.score.max(axis=1, initial=-np.inf))
        return np.where(some, best, -1)

    def worth(self, tree: Tree, task: Task) -> Floats:
        """What is called `improve` in rpart; of numbers, it is a share of the sum of squares."""
        if task == "classification":
            return tree.score
        weight, total, squares = tree.stats.T
        return np.asarray(tree.score * (squares - total**2 / np.where(weight > 0, weight, 1.0)))
