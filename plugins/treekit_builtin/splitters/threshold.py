"""Cuts of an ordered column into `value <= cut` and the rest."""

from __future__ import annotations

from functools import partial
from typing import ClassVar, Literal

import numpy as np
from attrs import field, frozen, validators

from treekit import CUTS, Floats, Ints, Kind, Offers, Search, Table, Tests

from .places import below_midpoint, midpoint

Candidates = Literal["all", "boundaries"]
Place = Literal["midpoint", "below_midpoint", "data_value"]
PLACES: tuple[Place, ...] = ("midpoint", "below_midpoint", "data_value")
CANDIDATES: tuple[Candidates, ...] = ("all", "boundaries")


@frozen
class Threshold:
    """Every cut between neighbouring values (Breiman et al. 1984, 2.3; Quinlan 1993, 2.4).

    cut: "midpoint" of the neighbours; the number just "below_midpoint", so that a value in the
        very middle goes up, as rpart has it; or the greatest "data_value" of the whole training
        table that is no greater than the midpoint, as C4.5 has it.
    margin: each side must weigh this share of the known cases per class, but no less than the
        branch minimum and no more than 25; 0 asks for nothing (C4.5 Release 8: 0.1).
    description_length: charge a column log2(cuts tried) / cases for choosing one of its cuts
        (Quinlan 1996, section 3).
    gap: neighbours that differ by no more than this in single precision are not cut apart.
    candidates: "all" cuts are weighed, or only "boundaries" between unlike target values and the
        first and the last cut that the branch minimum allows. Where the impurity is concave, as
        entropy, Gini's index and the variance are, the best is among them (Fayyad and Irani 1992).
    """

    kinds: ClassVar[tuple[Kind, ...]] = ("numeric", "ordinal")

    cut: Place = field(default="midpoint", validator=validators.in_(PLACES))
    margin: float = field(default=0.0, validator=[validators.ge(0.0), validators.lt(1.0)])
    description_length: bool = False
    gap: float = field(default=0.0, validator=validators.ge(0.0))
    candidates: Candidates = field(default="all", validator=validators.in_(CANDIDATES))

    @property
    def declines(self) -> str:
        """Why a column may be offered nothing."""
        return "no cut gains more than naming it costs" if self.description_length else ""

    @property
    def any_cut(self) -> bool:
        """Is a column's best cut the offer, whichever it is?"""
        charged = self.margin > 0.0 or self.gap > 0.0 or self.description_length
        return not charged and self.candidates == "all"

    def offer(self, search: Search, columns: Ints) -> Offers:
        boundaries_only = self.candidates == "boundaries"
        only_best = not self.description_length
        margins = self._margins(search, columns)
        cuts = search.cuts(columns, margins, self.gap, boundaries_only, only_best)
        offers = search.offer_cuts(columns, cuts, partial(self.place, search.table))
        if not self.description_length:
            return offers
        tries = np.maximum(cuts.tries, 1)
        charged = offers.penalised(np.log2(tries) / search.nodes.weight[:, None])
        return charged.only(charged.score > 0.0)

    def every_test(self, search: Search, column: int) -> Tests:
        """Every cut between neighbouring values in the one node of the search."""
        rows, _ = search.cases_of(0)
        values = search.table.cells[column, rows]
        distinct = np.unique(values[~np.isnan(values)])
        columns = np.full(max(len(distinct) - 1, 0), column)
        places = self.place(search.table, columns, distinct[:-1], distinct[1:])
        return Tests(CUTS, places[:, None], np.full(len(places), 2, np.int64))

    def _margins(self, search: Search, columns: Ints) -> Floats | None:
        if self.margin == 0.0:
            return None
        n_classes = max(len(search.table.schema.classes), 1)
        share = self.margin * search.known_weight(columns) / n_classes
        least = max(search.branch_weight, search.branch_rows)
        return np.where(share <= least, least, np.minimum(share, 25.0))

    def place(self, table: Table, columns: Ints, low: Floats, high: Floats) -> Floats:
        """Where each column is cut between these neighbours."""
        if self.cut == "midpoint":
            return midpoint(low, high)
        if self.cut == "below_midpoint":
            return below_midpoint(low, high)
        places = np.empty_like(low)
        for column in np.unique(columns).tolist():
            here = columns == column
            places[here] = _greatest_upto(table.distinct(column), low[here], high[here])
        return places


def _greatest_upto(values: Floats, low: Floats, high: Floats) -> Floats:
    """The greatest of the ascending `values` that is no greater than the middle of low and high.

    In single precision, as C4.5 keeps its numbers: it decides whether a value is the middle.
    """
    if len(values) == 0:
        return low
    single = values.astype(np.float32)
    middle = (0.5 * (low.astype(np.float32).astype(float) + high.astype(np.float32))).astype(
        np.float32
    )
    found = values[np.maximum(np.searchsorted(single, middle, side="right") - 1, 0)]
    return np.where((found >= low) & (found < high), found, low)
