"""One tree."""

from __future__ import annotations

import numpy as np
from attrs import frozen

from treekit import Forest, Grow, Table


@frozen
class Single:
    """One tree, grown on the whole table (Breiman et al. 1984, chapter 2)."""

    def plant(self, table: Table, grow: Grow, rng: np.random.Generator) -> Forest:
        member = grow(table, rng)
        return Forest((member,), (1.0,), facts=member.facts)
