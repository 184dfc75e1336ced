"""Gradient boosting: each round's trees take a step down the loss."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from attrs import evolve, field, frozen
from attrs.validators import and_, ge, gt, instance_of, le, lt

from treekit import Bools, Column, DataError, Floats, Forest, Grow, Member, Problem, Table

from .losses import Loss, loss_of
from .rounds import NO_ERROR, TREES, rounds_field, said

# Residuals no greater than this share of the greatest at first are none.
_NOTHING = 1e-12

BEST_ROUND = "best_round"
BEST_LOSS = "held_out_loss"


def _share(default: float, *limits: Any) -> Any:
    return field(default=default, validator=and_(instance_of((int, float)), *limits))


@frozen
class GradientBoosting:
    """Trees of numbers, each a step down the loss of those before (Friedman 2001, 2002).

    A number is predicted by least squares, beginning with the mean; classes by their likelihood,
    beginning with their shares. In every round trees are grown on the residuals: of two classes
    one tree, of more one for each. The leaves of boosted classes answer by a Newton step, whatever
    the label, and labels that put models in leaves are refused; of numbers they answer by the
    label. Boosting stops early when no row has a residual.

    rounds      how many rounds there are at most
    shrinkage   what each tree's answers are multiplied by (Friedman's nu, the learning rate)
    subsample   the share of the rows that each round sees, drawn without replacement
    validation  the share of the rows that is held out to tell the best round, which is the last
                one kept; of each class a row is left to learn from; 0: every round is kept
    patience    after how many rounds without a lesser loss on the rows held out boosting stops
    """

    tree_task: ClassVar[str] = "regression"
    retargets: ClassVar[bool] = True
    trees = TREES

    rounds: int = rounds_field(100)
    shrinkage: float = _share(0.1, gt(0.0), le(1.0))
    subsample: float = _share(1.0, gt(0.0), le(1.0))
    validation: float = _share(0.0, ge(0.0), lt(1.0))
    patience: int = rounds_field(10)

    def check(self, table: Table) -> None:
        if not self.validation:
            return
        weighty = table.weights > 0
        rows, held_out = np.count_nonzero(weighty), n_of(weighty, self.validation)
        classes = len(np.unique(table.y[weighty])) if table.task == "classification" else 0
        left, least = rows - held_out, max(classes, 2)
        if left < least:
            what = (
                f"ensemble.validation = {self.validation:g} holds out {held_out} of {rows} rows"
                f" with a weight, which leaves {left} to learn from"
            )
            wanted = f"leave {least} rows" + (", one of each class," if classes else "")
            raise DataError(Problem(what, table.source, f"{wanted} at least, or set it to 0"))

    def plant(self, table: Table, grow: Grow, rng: np.random.Generator) -> Forest:
        held_out = judges_of(table, self.validation, rng) if self.validation else None
        rows = table if held_out is None else table.take(~held_out)
        loss = loss_of(rows)
        slope = Slope.of(rows, loss)
        judges = None if held_out is None else Slope.of(table.take(held_out), loss)
        rounds: list[list[Member]] = []
        losses: list[float] = []
        facts: dict[str, float] = {}
        residuals = slope.residuals()
        least = _NOTHING * float(np.abs(residuals).max())
        for done in range(1, self.rounds + 1):
            sample = some_of(rows, self.subsample, rng) if self.subsample < 1.0 else None
            trees = []
            for of_one in residuals.T:
                aimed = slope.aimed(of_one, sample)
                trees.append(evolve(loss.stepped(grow(aimed, rng)), learned=aimed))
            rounds.append(trees)
            slope.step(trees, self.shrinkage)
            grow.told(done, self.rounds)
            if judges is not None:
                judges.step(trees, self.shrinkage)
                losses.append(judges.mean_loss())
                if done - 1 - int(np.argmin(losses)) >= self.patience:
                    break
            residuals = slope.residuals()
            if float(np.abs(residuals).max()) <= least:
                facts[NO_ERROR] = float(done)
                break
        if losses:
            best = int(np.argmin(losses)) + 1
            rounds = rounds[:best]
            facts |= {BEST_ROUND: float(best), BEST_LOSS: losses[best - 1]}
        members = tuple(member for trees in rounds for member in trees)
        return Forest(
            members,
            weights=(self.shrinkage,) * len(members),
            rule="sum" if table.task == "regression" else "softmax",
            base=tuple(loss.base.tolist()),
            outputs=() if table.task == "regression" else loss.outputs * len(rounds),
            facts=facts,
        )


@frozen(eq=False)
class Slope:
    """Rows on their way down a loss; `scores` [rows, width] are where they stand."""

    rows: Table
    loss: Loss
    scores: Floats

    @staticmethod
    def of(rows: Table, loss: Loss) -> Slope:
        """Where all rows begin."""
        return Slope(rows, loss, np.tile(loss.base, (rows.n_rows, 1)))

    def residuals(self) -> Floats:
        return self.loss.residuals(self.rows.y, self.scores)

    def mean_loss(self) -> float:
        return self.loss.mean(self.rows.y, self.scores, self.rows.weights)

    def aimed(self, residuals: Floats, sample: Bools | None) -> Table:
        """Some of the rows with their residuals as the target."""
        aimed = self.rows.aiming_at(Column("score", "numeric"), residuals)
        return aimed if sample is None else aimed.reweighted(self.rows.weights * sample)

    def step(self, trees: list[Member], shrinkage: float) -> None:
        """A step by each of the scores that have a tree."""
        for output, member in zip(self.loss.outputs, trees, strict=True):
            self.scores[:, output] += shrinkage * said(member, self.rows)[:, 0]


def n_of(weighty: Bools, share: float) -> int:
    """So many are this share of the rows that weigh anything: at least one and not all."""
    n = int(np.count_nonzero(weighty))
    return min(max(round(share * n), 1), max(n - 1, 1))


def some_of(table: Table, share: float, rng: np.random.Generator) -> Bools:
    """[rows]: this share of the rows that weigh anything."""
    return drawn_of(table.weights > 0, n_of(table.weights > 0, share), rng)


def judges_of(table: Table, share: float, rng: np.random.Generator) -> Bools:
    """[rows]: the rows to hold out, drawn so that of each class a row is left to learn from."""
    weighty = table.weights > 0
    n = n_of(weighty, share)
    if table.task == "classification":
        for code in np.unique(table.y[weighty]):
            weighty = weighty & ~drawn_of(weighty & (table.y == code), 1, rng)
    return drawn_of(weighty, n, rng)


def drawn_of(rows: Bools, n: int, rng: np.random.Generator) -> Bools:
    """[rows]: so many of these, drawn without replacement."""
    some = np.zeros(len(rows), dtype=bool)
    some[rng.choice(np.flatnonzero(rows), n, replace=False)] = True
    return some
