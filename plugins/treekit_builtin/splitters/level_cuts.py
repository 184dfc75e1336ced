"""Cuts between the levels of an ordinal column."""

from __future__ import annotations

from typing import ClassVar

from attrs import field, frozen, validators

from treekit import Ints, Kind, Offers, Search, Tests

from .threshold import CANDIDATES, Candidates, Threshold


@frozen
class LevelCuts:
    """Every cut between the levels of an ordinal column, in their order (Breiman et al. 1984, 2.4).

    A level that the node does not hold goes with the nearer of the levels beside the cut, the lower
    one if both are as near. It is `threshold` without what only numbers need.

    candidates: "all" cuts are weighed, or only "boundaries", as in `threshold`.
    """

    kinds: ClassVar[tuple[Kind, ...]] = ("ordinal",)

    candidates: Candidates = field(default="all", validator=validators.in_(CANDIDATES))

    def offer(self, search: Search, columns: Ints) -> Offers:
        return Threshold(candidates=self.candidates).offer(search, columns)

    def every_test(self, search: Search, column: int) -> Tests:
        """Every cut between neighbouring levels in the one node of the search."""
        return Threshold().every_test(search, column)
