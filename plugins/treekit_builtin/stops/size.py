"""Stops that bound the size of nodes, branches and trees."""

from __future__ import annotations

from typing import Literal

import numpy as np
from attrs import field, frozen
from attrs.validators import and_, ge, gt, in_, instance_of, le, optional

from treekit import Bools, Nodes
from treekit_builtin.stops.noise import WEIGHT_NOISE, number


@frozen
class MinRows:
    """Stop where too few rows are left, in a node or its branches (Quinlan 1993, 4.1; rpart).

    C4.5's -m is `branch` counted by weight; rpart's minsplit and minbucket are `split` and
    `branch` counted by rows.

    split   a node with fewer is a leaf; twice `branch` unless given
    branch  at least two branches of a test must hold this many
    count   "rows" counts rows, whatever their weights; "weight" adds the weights up
    """

    split: float | None = field(default=None, validator=optional(and_(number, ge(0.0))))
    branch: float = field(default=1.0, validator=and_(number, ge(0.0)))
    count: Literal["rows", "weight"] = field(default="rows", validator=in_(("rows", "weight")))

    @property
    def least(self) -> float:
        """What a node must hold to be split."""
        return 2 * self.branch if self.split is None else self.split

    @property
    def reason(self) -> str:
        if self.count == "rows":
            return f"fewer than {self.least:g} rows"
        return f"a weight of less than {self.least:g}"

    @property
    def branch_rows(self) -> float:
        return self.branch if self.count == "rows" else 0

    @property
    def branch_weight(self) -> float:
        return self.branch if self.count == "weight" else 0

    @property
    def node_rows(self) -> float:
        return self.least if self.count == "rows" else 0.0

    @property
    def node_weight(self) -> float:
        return self.least * (1 - WEIGHT_NOISE) if self.count == "weight" else 0.0

    def before(self, nodes: Nodes) -> Bools:
        return np.asarray((nodes.rows < self.node_rows) | (nodes.weight < self.node_weight))


@frozen
class MinWeightFraction:
    """Stop where a node holds less than a share of the sample's weight (after scikit-learn).

    share  what a node must hold to be split: of all the weight, more than 0 and at most 1
    """

    share: float = field(validator=and_(number, gt(0.0), le(1.0)))

    @property
    def reason(self) -> str:
        return f"a weight of less than {self.share:g} of the whole sample's"

    def before(self, nodes: Nodes) -> Bools:
        return np.asarray(nodes.weight < self.share * nodes.sample[0] * (1 - WEIGHT_NOISE))


@frozen
class MaxDepth:
    """Stop at a depth (rpart and scikit-learn: maxdepth, max_depth).

    depth  how many tests a row may be asked at most; 0 leaves the root alone
    """

    depth: int = field(validator=and_(instance_of(int), ge(0)))

    @property
    def reason(self) -> str:
        return f"the greatest depth, {self.depth}, is reached"

    @property
    def deepest(self) -> int:
        return self.depth

    def before(self, nodes: Nodes) -> Bools:
        return np.asarray(nodes.depth >= self.deepest)


@frozen
class MaxLeaves:
    """Stop where the tree has as many leaves as it may (after scikit-learn: max_leaf_nodes).

    With the grower `best_first` the leaves are spent where they take most away; with `level` they
    are spent level by level, in order.

    leaves  how many leaves the tree may have; 1 leaves the root alone
    """

    leaves: int = field(validator=and_(instance_of(int), ge(1)))

    @property
    def reason(self) -> str:
        return f"the tree may not have more than {self.leaves} leaves"

    @property
    def most_leaves(self) -> int:
        return self.leaves
