"""AdaBoost for classes: by weights, or by samples drawn by weight."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import ClassVar, Literal

import numpy as np
from attrs import field, frozen
from attrs.validators import and_, gt, in_, instance_of, lt

from treekit import Floats, Forest, Grow, Member, Table, winners

from .rounds import TREES, boosted, by_draws, by_weight, rounds_field, said

CLASSES = ("classification",)

Multiclass = Literal["samme", "m1"]

# The error at which a tree has no vote, by the number of classes.
LIMITS: dict[Multiclass, Callable[[int], float]] = {
    "samme": lambda classes: 1.0 - 1.0 / classes,  # who guesses is wrong as often
    "m1": lambda classes: 0.5,
}


@frozen
class AdaBoost:
    """AdaBoost on weighted rows, by vote (Freund and Schapire 1997; SAMME: Zhu et al. 2009).

    A tree whose wrong rows have the share e of the weight gets the vote ln((1 - e) / e), and
    ln(K - 1) more of K classes; the weights of its wrong rows are multiplied by the exponential of
    that. The rows weigh the same in all in every round. Boosting stops early at a tree without
    error, whose vote is that of half a row more being wrong, ln(2n + 1) of n rows; and at a tree
    that would have no vote, e >= 1 - 1/K, which is dropped unless it is the first.

    rounds      how many trees there are at most
    power       of the exponential that wrong rows are multiplied by; 2 does what multiplying right
                rows by exp(-alpha) and wrong ones by exp(alpha) does, with alpha = ln((1 - e) / e)
    multiclass  how more than two classes are boosted: "samme", as above; "m1", like two, without
                ln(K - 1) and up to an error of 1/2 (Freund and Schapire 1996, figure 1)
    """

    tasks: ClassVar[tuple[str, ...]] = CLASSES
    trees = TREES

    rounds: int = rounds_field(50)
    power: float = field(
        default=1.0, validator=and_(instance_of((int, float)), gt(0.0), lt(math.inf))
    )
    multiclass: Multiclass = field(default="samme", validator=in_(LIMITS))

    def plant(self, table: Table, grow: Grow, rng: np.random.Generator) -> Forest:
        learn, wrong = by_weight(table, grow, rng), wrong_on(table)
        limit = limit_of(table, self.multiclass)
        found = boosted(table, self.rounds, learn, wrong, grow.told, limit, self.power)
        return Forest(found.members, found.log_odds, "vote", facts=found.facts)


@frozen
class AdaBoostResampled:
    """AdaBoost on rows drawn by weight, by vote (Freund and Schapire 1996, section 2).

    Each tree is grown on as many rows as there are, drawn with replacement by their weights; a row
    that is drawn k times weighs k. Its wrong rows among all, by weight, have the share e, and
    its vote is ln((1 - e) / e) / 2, and ln(K - 1) / 2 more of K classes. Weights change and
    boosting stops as in `adaboost`.

    rounds      how many trees there are at most
    multiclass  how more than two classes are boosted: "samme", as above; "m1", like two, without
                ln(K - 1) and up to an error of 1/2 (Freund and Schapire 1996, figure 1)
    """

    tasks: ClassVar[tuple[str, ...]] = CLASSES
    trees = TREES

    rounds: int = rounds_field(50)
    multiclass: Multiclass = field(default="samme", validator=in_(LIMITS))

    def plant(self, table: Table, grow: Grow, rng: np.random.Generator) -> Forest:
        learn, wrong = by_draws(table, grow, rng), wrong_on(table)
        limit = limit_of(table, self.multiclass)
        found = boosted(table, self.rounds, learn, wrong, grow.told, limit)
        votes = tuple(log_odds / 2 for log_odds in found.log_odds)
        return Forest(found.members, votes, "vote", facts=found.facts)


def wrong_on(table: Table) -> Callable[[Member], Floats]:
    """What tells of a tree, for each row, whether it answers another class: 1, or else 0."""

    def wrong(member: Member) -> Floats:
        return np.asarray(winners(said(member, table)) != table.y, np.float64)

    return wrong


def limit_of(table: Table, multiclass: Multiclass) -> float:
    """The error at which a tree has no vote, of the classes that there are."""
    present = np.unique(table.y[table.weights > 0])
    return LIMITS[multiclass](max(len(present), 2))
