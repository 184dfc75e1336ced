"""Stops that look at the rows of a node: is there anything left to tell apart?"""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np
from attrs import field, frozen
from attrs.validators import and_, ge, lt

from treekit import Bools, Nodes, Search
from treekit_builtin.stops.noise import SCORE_NOISE, number


@frozen
class Pure:
    """Stop where all the target values are the same (Quinlan 1986, section 4)."""

    reason: ClassVar[str] = "all target values are the same"
    stops_pure: ClassVar[bool] = True

    def before(self, nodes: Nodes) -> Bools:
        return nodes.pure


@frozen
class NoColumns:
    """Stop where no column is left to ask about (Quinlan 1986: each attribute once on a path)."""

    reason: ClassVar[str] = "no column is left to ask about"

    def before(self, nodes: Nodes) -> Bools:
        return np.asarray(nodes.columns_left == 0)


@frozen
class MinImpurity:
    """Stop where the node is hardly mixed (scikit-learn before 1.0: min_impurity_split).

    Where the recipe binds no impurity there is nothing to measure, and only pure nodes stop.

    impurity  what a node's impurity must exceed for it to be split, in the impurity's unit
    """

    impurity: float = field(validator=and_(number, ge(0.0), lt(math.inf)))

    @property
    def reason(self) -> str:
        return f"an impurity of at most {self.impurity:g}"

    def before(self, nodes: Nodes) -> Bools:
        measured = nodes.pure | (nodes.impurity > 0.0)
        return np.asarray(measured & (nodes.impurity <= self.impurity * (1 + SCORE_NOISE)))


@frozen
class SameValues:
    """Stop where the rows are alike in every column (Tan, Steinbach and Kumar 2005, section 4.3.2).

    An unknown value tells no rows apart. Without this rule such a node is a leaf too, for want of
    a test; with it, the reason is told.
    """

    reason: ClassVar[str] = "all rows are alike in every column"

    def look(self, search: Search) -> Bools:
        columns = search.table.columns
        ordered = np.array([i for i, c in enumerate(columns) if c.kind != "nominal"], np.int64)
        differ = np.zeros(len(search.nodes), dtype=bool)
        if len(ordered):
            span = search.span(ordered)
            differ |= (span[..., 0] < span[..., 1]).any(axis=1)
        for i, column in enumerate(columns):
            if column.kind == "nominal":
                differ |= (search.histogram(i).rows > 0).sum(axis=1) > 1
        return ~differ
