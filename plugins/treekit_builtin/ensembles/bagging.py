"""Bagging: trees on bootstrap samples of the rows."""

from __future__ import annotations

import numpy as np
from attrs import field, frozen, validators

from treekit import Forest, Grow, Table

from .bags import COMBINE, Bags, Combine, Rows, check_combine, rows_or_share


@frozen
class Bagging:
    """Trees grown on samples of the rows, their answers combined (Breiman 1996, sections 2 to 4).

    Rows that are in no sample of some trees measure the error out of bag: what those trees say of
    them together is compared with what they are.

    trees: how many.
    rows: what each tree learns from: a "bootstrap" sample, as many rows as there are, drawn with
        replacement, so that one drawn twice weighs twice as much; a share of the rows, drawn
        without replacement; or "all".
    combine: "average" the class shares, or the numbers; or let each tree "vote" for a class.
    """

    trees: int = field(default=100, validator=validators.ge(1), metadata={"example": 3})
    rows: Rows = field(default="bootstrap", validator=rows_or_share)
    combine: Combine = field(default="average", validator=validators.in_(COMBINE))

    def check(self, table: Table) -> None:
        check_combine(self.combine, table)

    def plant(self, table: Table, grow: Grow, rng: np.random.Generator) -> Forest:
        return Bags(self.trees, self.rows, self.combine).plant(table, grow, rng)
