"""A numeric column in several ordered bins, a branch for each."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from attrs import field, frozen, validators

from treekit import CUTS, Column, Floats, Ints, Kind, Offers, Search, Tests, join_offers

from .edges import METHODS, Method, edges_in_nodes, edges_of_table


@frozen
class Bins:
    """A branch for each of several ranges of a number (Dougherty, Kohavi and Sahami 1995).

    A bin is a branch even where no row of the node lies in it, as a level is one in `multiway`.
    Static bins make the column an ordinal one, which is asked about once on a path; dynamic
    bins are found anew in each node, so that a column may be asked about again.

    method: "equal_width" divides the range into equal parts; "equal_frequency" divides the
        weight, as far as ties allow; "k_means" puts each value to the nearest of the bins' means,
        beginning with bins of equal frequency (Lloyd 1982).
    bins: how many; fewer where there are not so many different values.
    when: "static" bins are those of the whole training table, "dynamic" ones the node's own.
    """

    kinds: ClassVar[tuple[Kind, ...]] = ("numeric",)

    method: Method = field(default="equal_width", validator=validators.in_(METHODS))
    bins: int = field(default=4, validator=[validators.ge(2), validators.le(1000)])
    when: Literal["static", "dynamic"] = field(
        default="static", validator=validators.in_(("static", "dynamic"))
    )

    def asked_once(self, column: Column) -> bool:
        return self.when == "static"

    def offer(self, search: Search, columns: Ints) -> Offers:
        edges = self._edges(search, columns)
        return join_offers(
            [_of_column(search, int(c), e) for c, e in zip(columns, edges, strict=True)]
        )

    def _edges(self, search: Search, columns: Ints) -> list[Floats]:
        if self.when == "dynamic":
            return edges_in_nodes(search, columns, self.method, self.bins)
        n = len(search.nodes)
        found = [edges_of_table(search.table, int(c), self.method, self.bins) for c in columns]
        return [np.broadcast_to(edges, (n, len(edges))) for edges in found]


def _of_column(search: Search, column: int, edges: Floats) -> Offers:
    tests = Tests(CUTS, edges, 1 + np.isfinite(edges).sum(axis=1))
    seen = search.divided(column, tests)
    score = np.where(search.enough(seen.weight, seen.rows), search.score(seen.stats), -np.inf)
    return search.offer_tests(column, tests, score, seen.weight)
