"""AdaBoost for numbers: AdaBoost.R2, by samples drawn by weight, or by weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Literal

import numpy as np
from attrs import field, frozen
from attrs.validators import in_

from treekit import Floats, Forest, Grow, Member, Table

from .rounds import TREES, Learn, boosted, by_draws, by_weight, rounds_field, said

NUMBERS = ("regression",)

Loss = Literal["linear", "square", "exponential"]

# Of errors as shares of the greatest one.
LOSSES: dict[Loss, Callable[[Floats], Floats]] = {
    "linear": lambda off: off,
    "square": np.square,
    "exponential": lambda off: np.asarray(-np.expm1(-off)),
}


@frozen
class AdaBoostR2:
    """AdaBoost.R2: rows drawn by weight, the weighted median of the trees (Drucker 1997).

    Each tree is grown on as many rows as there are, drawn with replacement by their weights; a row
    that is drawn k times weighs k. A tree's errors on all rows are divided by the greatest. Their
    mean loss by weight is e, and the tree weighs ln((1 - e) / e). The weight of a row of loss l is
    multiplied by ((1 - e) / e) ** l, and the rows weigh the same in all in every round. Boosting
    stops early at a tree without error, which weighs ln(2n + 1) of n rows, and at one whose mean
    loss is not below 1/2, which is dropped unless it is the first.

    rounds  how many trees there are at most
    loss    of an error x of the greatest: "linear", x; "square", its square; "exponential",
            1 - exp(-x)
    """

    tasks: ClassVar[tuple[str, ...]] = NUMBERS
    trees = TREES

    rounds: int = rounds_field(50)
    loss: Loss = field(default="linear", validator=in_(LOSSES))

    def plant(self, table: Table, grow: Grow, rng: np.random.Generator) -> Forest:
        return by_median(table, self.rounds, by_draws(table, grow, rng), self.loss, grow.told)


@frozen
class AdaBoostR2Weighted:
    """AdaBoost.R2 with trees grown on weighted rows instead of drawn ones (after Drucker 1997).

    All else is as in `adaboost_r2`.

    rounds  how many trees there are at most
    loss    of an error x of the greatest: "linear", x; "square", its square; "exponential",
            1 - exp(-x)
    """

    tasks: ClassVar[tuple[str, ...]] = NUMBERS
    trees = TREES

    rounds: int = rounds_field(50)
    loss: Loss = field(default="linear", validator=in_(LOSSES))

    def plant(self, table: Table, grow: Grow, rng: np.random.Generator) -> Forest:
        return by_median(table, self.rounds, by_weight(table, grow, rng), self.loss, grow.told)


def by_median(
    table: Table, rounds: int, learn: Learn, loss: Loss, told: Callable[[int, int], None]
) -> Forest:
    """The trees of AdaBoost.R2, as they can be `learn`ed; their weighted median is the answer."""
    found = boosted(table, rounds, learn, losses_on(table, loss), told)
    return Forest(found.members, found.log_odds, "weighted_median", facts=found.facts)


def losses_on(table: Table, loss: Loss) -> Callable[[Member], Floats]:
    """What tells of a tree the loss of each row: of its error as a share of the greatest."""

    def losses(member: Member) -> Floats:
        off = np.abs(said(member, table)[:, 0] - table.y)
        greatest = float(off[table.weights > 0].max())
        return LOSSES[loss](np.minimum(off / greatest, 1.0)) if greatest > 0 else np.zeros_like(off)

    return losses
