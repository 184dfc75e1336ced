"""Stops: why a node is a leaf. `before` looks at the node alone, `after` at its best test too."""

from __future__ import annotations

import math
from typing import Any, ClassVar, Literal

import numpy as np
from attrs import Attribute, field, frozen
from attrs.validators import and_, ge, gt, in_, instance_of, le, lt, optional

from treekit import Bools, Floats, Nodes

_number = instance_of((int, float))

# Sums of fractional weights carry rounding errors: 3 times a third must count as 1.
_WEIGHT_NOISE = 1e-9
_SCORE_NOISE = 1e-12


@frozen
class Pure:
    """Stop where all the target values are the same."""

    reason: ClassVar[str] = "all target values are the same"

    def before(self, nodes: Nodes) -> Bools:
        return nodes.pure


@frozen
class NoColumns:
    """Stop where no column is left to ask about (Quinlan 1986: each attribute once on a path)."""

    reason: ClassVar[str] = "no column is left to ask about"

    def before(self, nodes: Nodes) -> Bools:
        return np.asarray(nodes.columns_left == 0)


@frozen
class MinRows:
    """Stop where too few rows are left, and allow only tests whose branches hold enough.

    C4.5's -m is `branch` counted by weight; rpart's minsplit and minbucket are `split` and
    `branch` counted by rows.

    split   a node with fewer is a leaf; twice `branch` unless given
    branch  at least two branches of a test must hold this many
    count   "rows" counts rows, whatever their weights; "weight" adds the weights up
    """

    split: float | None = field(default=None, validator=optional(and_(_number, ge(0.0))))
    branch: float = field(default=1.0, validator=and_(_number, ge(0.0)))
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

    def before(self, nodes: Nodes) -> Bools:
        if self.count == "rows":
            return np.asarray(nodes.rows < self.least)
        return np.asarray(nodes.weight < self.least * (1 - _WEIGHT_NOISE))


@frozen
class MinWeightFraction:
    """Stop where a node holds less than a share of the sample's weight (after scikit-learn).

    share  what a node must hold to be split: of all the weight, more than 0 and at most 1
    """

    share: float = field(validator=and_(_number, gt(0.0), le(1.0)))

    @property
    def reason(self) -> str:
        return f"a weight of less than {self.share:g} of the whole sample's"

    def before(self, nodes: Nodes) -> Bools:
        return np.asarray(nodes.weight < self.share * nodes.sample[0] * (1 - _WEIGHT_NOISE))


@frozen
class MaxDepth:
    """Stop at a depth.

    depth  how many tests a row may be asked at most; 0 leaves the root alone
    """

    depth: int = field(validator=and_(instance_of(int), ge(0)))

    @property
    def reason(self) -> str:
        return f"the greatest depth, {self.depth}, is reached"

    def before(self, nodes: Nodes) -> Bools:
        return np.asarray(nodes.depth >= self.depth)


@frozen
class MinImpurity:
    """Stop where the node is hardly mixed (scikit-learn before 1.0: min_impurity_split).

    Where the recipe binds no impurity there is nothing to measure, and only pure nodes stop.

    impurity  what a node's impurity must exceed for it to be split, in the impurity's unit
    """

    impurity: float = field(validator=and_(_number, ge(0.0), lt(math.inf)))

    @property
    def reason(self) -> str:
        return f"an impurity of at most {self.impurity:g}"

    def before(self, nodes: Nodes) -> Bools:
        measured = nodes.pure | (nodes.impurity > 0.0)
        return np.asarray(measured & (nodes.impurity <= self.impurity * (1 + _SCORE_NOISE)))


def _finite(strategy: Any, attribute: Attribute[float], value: float) -> None:
    if not math.isfinite(value):
        raise ValueError(f"'{attribute.name}' must be a finite number: {value}")


@frozen
class MinGain:
    """Stop where the best test's score does not exceed a gain.

    A score is the difference of nearly equal numbers when a test tells nothing. So a score counts
    as exceeding the gain only by more than 1e-12 of the node's impurity (of 1 where the recipe
    binds no impurity), and rounding never decides.

    gain  what the score must exceed, in the criterion's unit
    """

    gain: float = field(default=0.0, validator=and_(_number, _finite))

    @property
    def reason(self) -> str:
        return f"no test scores more than {self.gain:g}"

    def after(self, nodes: Nodes, score: Floats) -> Bools:
        scale = np.where(nodes.impurity > 0.0, nodes.impurity, 1.0)
        return np.asarray(~(score > self.gain + _SCORE_NOISE * scale))
