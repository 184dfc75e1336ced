"""One branch for every level of a column."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import frozen

from treekit import Column, Ints, Kind, Offers, Search, join_offers


@frozen
class Multiway:
    """A branch for every level the table knows, even an empty one (Quinlan 1986, section 4)."""

    kinds: ClassVar[tuple[Kind, ...]] = ("nominal", "ordinal")

    def asked_once(self, column: Column) -> bool:
        return True

    def offer(self, search: Search, columns: Ints) -> Offers:
        return join_offers([self._of_column(search, int(c)) for c in columns])

    def _of_column(self, search: Search, column: int) -> Offers:
        seen = search.histogram(column)
        n, levels = seen.rows.shape
        score = np.where(search.enough(seen.weight, seen.rows), search.score(seen.stats), -np.inf)
        branch_of_level = np.broadcast_to(np.arange(levels, dtype=np.float64), (n, levels))
        branches = np.full(n, levels, np.int64)
        return search.offer_groups(column, branch_of_level, branches, score, seen.weight)
