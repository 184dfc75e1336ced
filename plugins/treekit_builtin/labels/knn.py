"""Answers by the nearest training rows of the leaf."""

from __future__ import annotations

from typing import Any

import numpy as np
from attrs import Attribute, field, frozen
from attrs.validators import and_, ge, instance_of

from treekit import Floats, Ints, Neighbours, Table, Tree, neighbours, visits

from .nodes import ends_here, who_answers
from .numbers import Mean
from .predictors import standardised
from .shares import Frequencies


def _norm(strategy: Any, attribute: Attribute[Any], value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"'{attribute.name}' must be a number from 1 on, or inf: {value!r}")
    if not value >= 1:
        raise ValueError(
            f"'{attribute.name}' must be at least 1, or inf: {value!r} gives no norm, as a detour"
            " could be shorter than the straight way"
        )


@frozen
class Knn:
    """The k nearest training rows of the leaf, by a p-norm (Fix and Hodges 1951; Cover, Hart 1967).

    The answer is the shares of their classes, or the mean of their numbers. The distance of two
    rows is (sum over the columns of |difference|^p)^(1/p). A numeric column differs by its values,
    an ordinal one by the places of its levels, a nominal one by 0 or 1. An unknown number stands at
    the mean of the training rows; an unknown level differs from every level, and from another
    unknown one.

    Rows at the same distance as the k-th share its place and those left after it, so that their
    order decides nothing. Distances that agree to a billionth are the same. k counts weight: a row
    of weight 3 is three rows. A leaf with less than k answers by all its rows, an empty one by its
    parent's.

    k            how many rows answer
    p            1: the sum of the differences; 2: the straight line; inf: the greatest difference
    standardise  divide a numeric or ordinal column by its standard deviation in the training rows
    """

    k: int = field(default=5, validator=and_(instance_of(int), ge(1)))
    p: float = field(default=2.0, validator=_norm)
    standardise: bool = field(default=False, validator=instance_of(bool))

    def answers(self, tree: Tree, table: Table) -> Floats:
        """[nodes, classes]: shares, or [nodes, 1]: means, of all rows of a node."""
        label = Frequencies() if table.task == "classification" else Mean()
        return label.answers(tree, table)

    def models(self, tree: Tree, table: Table, grown: Tree) -> Neighbours:
        answering, source = ends_here(tree), who_answers(tree)
        needed = set(source[answering].tolist())
        found = {
            node: (rows, weights) for node, rows, weights in visits(tree, table) if node in needed
        }
        nobody = (np.empty(0, np.int64), np.empty(0))
        members: list[tuple[Ints, Floats]] = [
            found[int(source[node])] if answering[node] else nobody for node in range(tree.n_nodes)
        ]
        measures = [
            (0.0, 1.0) if column.kind == "nominal" else self._measure(values, table.weights)
            for column, values in zip(table.columns, table.cells, strict=True)
        ]
        centre, scale = np.array(measures, np.float64).reshape(-1, 2).T
        return neighbours(table, members, self.k, float(self.p), centre, scale)

    def _measure(self, values: Floats, weights: Floats) -> tuple[float, float]:
        """Where a column's unknown values stand, and what its differences are divided by."""
        known = ~np.isnan(values) & (weights > 0.0)
        if not known.any():
            return 0.0, 1.0
        # In units of the greatest value, so that no square overflows.
        size = float(np.abs(values[known]).max()) or 1.0
        centre = float(np.average(values[known] / size, weights=weights[known])) * size
        standard = standardised(values / size, known, weights) if self.standardise else None
        scale = 1.0 if standard is None else standard[2] * size
        return centre, scale if scale > 0.0 else 1.0
