"""Class shares."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np
from attrs import field, frozen
from attrs.validators import and_, ge, instance_of, lt

from treekit import Floats, Table, Tree

from .nodes import CLASSES, counts_of, who_answers


@frozen
class Majority:
    """Class shares; the greatest is the class, the first one on ties (Quinlan 1986, section 4).

    An empty node answers the majority class of its parent, with all the weight (Quinlan 1986,
    section 4; Quinlan 1993, chapter 2).
    """

    tasks: ClassVar[tuple[str, ...]] = CLASSES

    def answers(self, tree: Tree, table: Table) -> Floats:
        """[nodes, classes]: shares that sum to 1."""
        source = who_answers(tree)
        counts = tree.stats[source, 1:]
        shares = counts / counts.sum(axis=1, keepdims=True)
        empty = np.flatnonzero(source != np.arange(tree.n_nodes))
        if len(empty):
            shares[empty] = np.eye(shares.shape[1])[counts[empty].argmax(axis=1)]
        return np.asarray(shares)


@frozen
class Frequencies:
    """The shares of the class weights (Breiman, Friedman, Olshen and Stone 1984, section 2.4).

    An empty node answers its parent's shares, where `majority` answers one class alone.
    """

    tasks: ClassVar[tuple[str, ...]] = CLASSES

    def answers(self, tree: Tree, table: Table) -> Floats:
        """[nodes, classes]: shares that sum to 1."""
        counts = counts_of(tree)
        return np.asarray(counts / counts.sum(axis=1, keepdims=True))


@frozen
class Laplace:
    """Class shares by the law of succession: (n_c + 1) / (n + K) of K classes (Niblett 1987).

    So few rows never make a class certain. n_c is the weight of a class in the node, n that of
    all K. An empty node answers its parent's estimate.
    """

    tasks: ClassVar[tuple[str, ...]] = CLASSES

    def answers(self, tree: Tree, table: Table) -> Floats:
        """[nodes, classes]: shares that sum to 1."""
        raised = counts_of(tree) + 1.0
        return np.asarray(raised / raised.sum(axis=1, keepdims=True))


@frozen
class MEstimate:
    """Class shares drawn to the sample's: (n_c + m p_c) / (n + m), p_c at the root (Cestnik 1990).

    n_c is the weight of a class in the node, n that of all classes, p_c the share of the class in
    the root. An empty node answers its parent's estimate.

    m  what the root's shares weigh against the node's own rows; 0 leaves the node's shares alone
    """

    tasks: ClassVar[tuple[str, ...]] = CLASSES

    m: float = field(default=2.0, validator=and_(instance_of((int, float)), ge(0.0), lt(math.inf)))

    def answers(self, tree: Tree, table: Table) -> Floats:
        """[nodes, classes]: shares that sum to 1."""
        whole = tree.stats[0, 1:]
        drawn = counts_of(tree) + self.m * whole / whole.sum()
        return np.asarray(drawn / drawn.sum(axis=1, keepdims=True))
