"""What gradient boosting descends: losses of numbers and of classes, and the steps of leaves."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from attrs import evolve, frozen

from treekit import (
    Answered,
    Floats,
    Member,
    Problem,
    RecipeError,
    Table,
    Tree,
    ends,
    log_loss,
    mean_squared_error,
    softmax,
    winners,
)

# A leaf whose rows are all but certain has nothing to divide by; it takes no step.
_FLAT = 1e-150


class Loss(Protocol):
    """A loss of scores [rows, width]: one for a number, or one for each class.

    `base` is what the scores of all rows begin with; `outputs` are the scores that each round
    changes, by a tree for each.
    """

    @property
    def base(self) -> Floats: ...
    @property
    def outputs(self) -> tuple[int, ...]: ...

    def residuals(self, y: Floats, scores: Floats) -> Floats:
        """[rows, outputs]: by how much the loss falls as each score rises."""

    def mean(self, y: Floats, scores: Floats, weights: Floats) -> float:
        """The mean loss by weight."""

    def stepped(self, member: Member) -> Member:
        """A tree of the residuals, its answers being the steps that its leaves take."""


@frozen(eq=False)
class Squared:
    """The squared error of a number (Friedman 2001, algorithm 2): leaves answer as they are."""

    base: Floats
    outputs: tuple[int, ...] = (0,)

    def residuals(self, y: Floats, scores: Floats) -> Floats:
        return np.asarray(y[:, None] - scores)

    def mean(self, y: Floats, scores: Floats, weights: Floats) -> float:
        return mean_squared_error(Answered(y, scores[:, 0], weights))

    def stepped(self, member: Member) -> Member:
        return member


@frozen(eq=False)
class Deviance:
    """The negative log likelihood of classes (Friedman 2001, algorithms 5 and 6).

    Of two classes only the second one's score changes. `rate` is what a leaf's Newton step is
    multiplied by: (K - 1) / K where all K classes have a tree.
    """

    base: Floats
    outputs: tuple[int, ...]
    rate: float

    def residuals(self, y: Floats, scores: Floats) -> Floats:
        shares = softmax(scores)
        return np.column_stack([(y == k) - shares[:, k] for k in self.outputs])

    def mean(self, y: Floats, scores: Floats, weights: Floats) -> float:
        shares = softmax(scores)
        said = winners(shares).astype(np.float64)
        return log_loss(Answered(y, said, weights, shares.shape[1], shares))

    def stepped(self, member: Member) -> Member:
        if member.leaf_models is not None:
            raise RecipeError(
                Problem(
                    "the label puts models in the leaves, but of boosted classes each leaf answers"
                    " by one number, its Newton step",
                    "tree.label",
                    "take the label mean",
                )
            )
        return evolve(member, answers=self.rate * newton_steps(member.tree, member.learned))


def loss_of(table: Table) -> Loss:
    """The loss that fits the target of a table."""
    if table.task == "regression":
        return Squared(np.array([np.average(table.y, weights=table.weights)]))
    classes = table.y.astype(np.int64)
    shares = np.bincount(classes, table.weights, len(table.schema.classes)) / table.weights.sum()
    base = np.log(np.maximum(shares, np.finfo(float).tiny))
    present = tuple(np.flatnonzero(shares > 0).tolist())
    if len(present) == 2:
        return Deviance(base, present[1:], 1.0)
    return Deviance(base, present, (len(present) - 1) / len(present))


def newton_steps(tree: Tree, residuals: Table) -> Floats:
    """[nodes, 1]: sum r / sum |r| (1 - |r|) of the rows of each node, by weight.

    A node that no row reaches takes its parent's.
    """
    found = ends(tree, residuals)
    weight = residuals.weights[found.row] * found.share
    r = residuals.y[found.row]
    sums = np.column_stack([weight, weight * r, weight * np.abs(r) * (1 - np.abs(r))])
    totals = np.zeros((tree.n_nodes, 3))
    np.add.at(totals, found.node, sums)
    starts = tree.level_starts
    for begin, end in zip(starts[-2:0:-1], starts[:1:-1], strict=True):
        np.add.at(totals, tree.parent[begin:end], totals[begin:end])
    reached, rise, bend = totals.T
    steps = np.divide(rise, bend, out=np.zeros_like(rise), where=bend > _FLAT)
    for node in np.flatnonzero(reached[1:] <= 0) + 1:
        steps[node] = steps[tree.parent[node]]
    return steps[:, None]
