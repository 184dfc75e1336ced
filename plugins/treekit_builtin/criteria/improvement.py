"""rpart's way of choosing among columns."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import frozen

from treekit import Ints, Offers

from .gains import Gain


@frozen
class Improvement:
    """Gain, the greatest number wins, however small the lead (rpart 4.1).

    Other criteria take the earlier column unless the later one is better by more than rounding
    can make it. This one is led by the last bit, as rpart is; bind it to show equality with rpart.
    """

    by_mean_impurity: ClassVar[bool] = True

    score = Gain.__dict__["score"]

    def choose(self, offers: Offers) -> Ints:
        best = offers.score.argmax(axis=1)
        some = np.isfinite(offers.score.max(axis=1, initial=-np.inf))
        return np.where(some, best, -1)
