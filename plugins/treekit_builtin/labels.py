"""Labels: what a leaf answers.

A node that no row reaches has no rows of its own to answer from: its parent answers for it.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
from attrs import Attribute, field, frozen
from attrs.validators import and_, ge, instance_of, lt

from treekit import Floats, Int64s, Problem, RecipeError, Tree

_CLASSES = ("classification",)

# Equal costs must not seem to differ by the rounding of their mean.
_COST_NOISE = 1e-12


@frozen
class Majority:
    """The shares of the class weights; the greatest is the class, the first one on ties.

    An empty node answers the majority class of its parent, with all the weight (Quinlan 1986,
    section 4; Quinlan 1993, chapter 2).
    """

    tasks: ClassVar[tuple[str, ...]] = _CLASSES

    def answers(self, tree: Tree) -> Floats:
        """[nodes, classes]: shares that sum to 1."""
        source = who_answers(tree)
        counts = tree.stats[source, 1:]
        shares = counts / counts.sum(axis=1, keepdims=True)
        empty = np.flatnonzero(source != np.arange(tree.n_nodes))
        shares[empty] = np.eye(shares.shape[1])[counts[empty].argmax(axis=1)]
        return np.asarray(shares)


@frozen
class Frequencies:
    """The shares of the class weights (Breiman, Friedman, Olshen and Stone 1984, section 2.4).

    An empty node answers its parent's shares, where `majority` answers one class alone.
    """

    tasks: ClassVar[tuple[str, ...]] = _CLASSES

    def answers(self, tree: Tree) -> Floats:
        """[nodes, classes]: shares that sum to 1."""
        counts = _counts(tree)
        return np.asarray(counts / counts.sum(axis=1, keepdims=True))


@frozen
class Laplace:
    """Class shares by the law of succession: (n_c + 1) / (n + K) of K classes (Niblett 1987).

    So few rows never make a class certain. n_c is the weight of a class in the node, n that of
    all K. An empty node answers its parent's estimate.
    """

    tasks: ClassVar[tuple[str, ...]] = _CLASSES

    def answers(self, tree: Tree) -> Floats:
        """[nodes, classes]: shares that sum to 1."""
        raised = _counts(tree) + 1.0
        return np.asarray(raised / raised.sum(axis=1, keepdims=True))


@frozen
class MEstimate:
    """Class shares drawn to the sample's: (n_c + m p_c) / (n + m), p_c at the root (Cestnik 1990).

    n_c is the weight of a class in the node, n that of all classes, p_c the share of the class in
    the root. An empty node answers its parent's estimate.

    m  what the root's shares weigh against the node's own rows; 0 leaves the node's shares alone
    """

    tasks: ClassVar[tuple[str, ...]] = _CLASSES

    m: float = field(default=2.0, validator=and_(instance_of((int, float)), ge(0.0), lt(math.inf)))

    def answers(self, tree: Tree) -> Floats:
        """[nodes, classes]: shares that sum to 1."""
        whole = tree.stats[0, 1:]
        drawn = _counts(tree) + self.m * whole / whole.sum()
        return np.asarray(drawn / drawn.sum(axis=1, keepdims=True))


def _square(strategy: Any, attribute: Attribute[Any], value: Any) -> None:
    name = attribute.name
    if not isinstance(value, tuple) or not all(isinstance(row, tuple) for row in value):
        raise ValueError(f"'{name}' must be a list of lists of numbers: {value!r}")
    for number, row in enumerate(value, 1):
        if len(row) != len(value):
            raise ValueError(
                f"'{name}' must have as many columns as rows, {len(value)}:"
                f" row {number} has {len(row)}"
            )
        if not all(isinstance(cost, int | float) and math.isfinite(cost) for cost in row):
            raise ValueError(f"'{name}' must hold finite numbers: row {number} is {list(row)}")


def _tuples(rows: Any) -> Any:
    """Lists as tuples, so that the strategy stays frozen; whatever else for the validator."""
    if not isinstance(rows, list | tuple):
        return rows
    return tuple(tuple(row) if isinstance(row, list | tuple) else row for row in rows)


@frozen
class MinimumCost:
    """The class of least expected cost under a cost matrix (Breiman et al. 1984, section 2.4).

    To answer class j in a node with class shares p costs e_j = sum over i of p_i cost[i][j]. The
    node answers, for each class, 1/K + (the mean of e over the K classes - e_j) / s: the cheaper
    a class, the greater its number, and they sum to 1. s is the same for every node, and the
    least that leaves none below 0. So what several leaves or trees answer together is again the
    class of least expected cost, under their shares together. If every error costs the same, the
    numbers are the class shares themselves; otherwise they are not probabilities.

    An empty node answers as its parent does. Of classes that cost the same, the first one wins.

    cost  a row for each actual class, a column for each answer, in the order of the classes:
          cost[actual][predicted]. None given: every error costs 1
    """

    tasks: ClassVar[tuple[str, ...]] = _CLASSES

    cost: tuple[tuple[float, ...], ...] = field(default=(), converter=_tuples, validator=_square)

    def answers(self, tree: Tree) -> Floats:
        """[nodes, classes]: numbers that sum to 1, the greatest for the cheapest class."""
        shares = Frequencies().answers(tree)
        n_classes = shares.shape[1]
        cost = self._matrix(n_classes)
        dearer = cost - cost.mean(axis=1, keepdims=True)
        scale = n_classes * float(dearer.max())
        if scale <= _COST_NOISE:
            return np.full_like(shares, 1.0 / n_classes)
        return np.asarray(np.maximum(1.0 / n_classes - shares @ dearer / scale, 0.0))

    def _matrix(self, n_classes: int) -> Floats:
        """The costs, the greatest of them counted as 1."""
        if not self.cost:
            return 1.0 - np.eye(n_classes)
        if len(self.cost) != n_classes:
            raise RecipeError(
                Problem(
                    f"the cost matrix is for {len(self.cost)} classes, but the target has"
                    f" {n_classes}",
                    "tree.label.cost",
                    "give one row and one column for each class, in the order of the classes",
                )
            )
        cost = np.array(self.cost, dtype=np.float64)
        return np.asarray(cost / (np.abs(cost).max() or 1.0))


@frozen
class Mean:
    """The weighted mean of the target; an empty node takes its parent's.

    Breiman, Friedman, Olshen and Stone 1984, section 8.3.
    """

    tasks: ClassVar[tuple[str, ...]] = ("regression",)

    def answers(self, tree: Tree) -> Floats:
        """[nodes, 1]: means."""
        stats = tree.stats[who_answers(tree)]
        return np.asarray(stats[:, 1:2] / stats[:, :1] + tree.centre)


def who_answers(tree: Tree) -> Int64s:
    """The node whose statistics answer for each node: an empty node's parent answers for it."""
    nodes = np.arange(tree.n_nodes, dtype=np.int64)
    return np.where((tree.weight > 0.0) | (nodes == 0), nodes, tree.parent)


def _counts(tree: Tree) -> Floats:
    """[nodes, classes]: the class weights that each node answers from."""
    return np.asarray(tree.stats[who_answers(tree), 1:])
