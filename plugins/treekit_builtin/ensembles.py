"""Ensembles: how many trees become one answer."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from attrs import frozen

from treekit import Forest, Member, Table


@frozen
class Single:
    """One tree, grown on the whole table (Breiman et al. 1984, chapter 2)."""

    def plant(
        self,
        table: Table,
        grow: Callable[[Table, np.random.Generator], Member],
        rng: np.random.Generator,
    ) -> Forest:
        return Forest((grow(table, rng),), (1.0,))
