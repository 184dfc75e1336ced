"""Classes by what their errors cost."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
from attrs import Attribute, field, frozen

from treekit import Floats, Problem, RecipeError, Table, Tree, least_cost

from .nodes import CLASSES
from .shares import Frequencies


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

    The numbers are those of `treekit.least_cost`: the cheaper a class, the greater its number, and
    they sum to 1. If every error costs the same, they are the class shares themselves; otherwise
    they are not probabilities. Growth and pruning do not see this matrix; for costs throughout see
    the table [classes] of recipes, with which only a label without costs of its own goes.

    An empty node answers as its parent does. Of classes that cost the same, the first one wins.

    cost  a row for each actual class, a column for each answer, in the order of the classes:
          cost[actual][predicted]. None given: every error costs 1
    """

    tasks: ClassVar[tuple[str, ...]] = CLASSES

    cost: tuple[tuple[float, ...], ...] = field(default=(), converter=_tuples, validator=_square)

    def answers(self, tree: Tree, table: Table) -> Floats:
        """[nodes, classes]: numbers that sum to 1, the greatest for the cheapest class."""
        shares = Frequencies().answers(tree, table)
        return least_cost(shares, self._matrix(shares.shape[1]))

    @property
    def has_costs(self) -> bool:
        return bool(self.cost)

    def _matrix(self, n_classes: int) -> Floats:
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
        return np.array(self.cost, dtype=np.float64)
