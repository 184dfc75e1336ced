"""Edges that divide ordered values into bins: one row of edges for each of several samples.

Edges ascend, and `value <= edge` lies below it. Where a sample has fewer bins, as ties cannot be
divided, its row is filled up with infinity.
"""

from __future__ import annotations

from typing import Literal
from weakref import WeakKeyDictionary

import numpy as np
from attrs import frozen

from treekit import Floats, Ints, Search, Table

from .places import midpoint

Method = Literal["equal_width", "equal_frequency", "k_means"]
METHODS: tuple[Method, ...] = ("equal_width", "equal_frequency", "k_means")

ROUNDS = 300  # of k-means, at most
NOISE = 1e-9  # sums of weights that differ by less are the same


@frozen(eq=False)
class Ordered:
    """Weighted values of several samples: `values[first[n]:first[n + 1]]` are one's, ascending."""

    values: Floats
    weights: Floats
    first: Ints

    @property
    def start(self) -> Ints:
        return self.first[:-1]

    @property
    def stop(self) -> Ints:
        return self.first[1:]

    def upto(self, edges: Floats) -> Ints:
        """[n, e]: where the values above each edge of each sample begin."""
        low = np.repeat(self.start[:, None], edges.shape[1], axis=1)
        high = np.repeat(self.stop[:, None], edges.shape[1], axis=1)
        while (low < high).any():
            middle = (low + high) // 2
            below = (low < high) & (self.values[np.minimum(middle, len(self.values) - 1)] <= edges)
            high = np.where(below, high, middle)
            low = np.where(below, middle + 1, low)
        return low


def in_order(values: Floats, weights: Floats, owner: Ints, n: int) -> Ordered:
    """The known ones of these values, ascending within each of n owners."""
    known = np.flatnonzero(~np.isnan(values))
    order = known[np.lexsort((values[known], owner[known]))]
    first = np.searchsorted(owner[order], np.arange(n + 1))
    return Ordered(values[order], weights[order], first)


def edges_of(method: Method, ordered: Ordered, bins: int) -> Floats:
    """[n, bins - 1]: the edges of each sample by one of the METHODS."""
    if len(ordered.values) == 0:
        return np.full((len(ordered.start), bins - 1), np.inf)
    if method == "equal_width":
        some = ordered.start < ordered.stop
        least = ordered.values[np.where(some, ordered.start, 0)]
        greatest = ordered.values[np.where(some, ordered.stop - 1, 0)]
        return equal_width(np.where(some, least, np.nan), np.where(some, greatest, np.nan), bins)
    edges = _equal_frequency(ordered, bins)
    return edges if method == "equal_frequency" else _k_means(ordered, edges)


def equal_width(least: Floats, greatest: Floats, bins: int) -> Floats:
    """[n, bins - 1]: the range from `least[n]` to `greatest[n]` in equal parts; NaN: no edges."""
    share = np.arange(1, bins) / bins
    edges = least[:, None] * (1.0 - share) + greatest[:, None] * share
    inside = (edges >= least[:, None]) & (edges < greatest[:, None])
    return _distinct(np.where(inside, edges, np.inf))


def _equal_frequency(ordered: Ordered, bins: int) -> Floats:
    """Each edge lies between two values, as near as can be to its share of the weight."""
    values, n = ordered.values, len(ordered.start)
    owner = np.repeat(np.arange(n), np.diff(ordered.first))
    gap = np.flatnonzero((np.diff(values) > 0.0) & (np.diff(owner) == 0))
    edges = np.full((n, bins - 1), np.inf)
    if len(gap) == 0:
        return edges
    total = np.concatenate([[0.0], np.cumsum(ordered.weights)])
    reached = total[gap + 1]
    base, whole = total[ordered.start], total[ordered.stop] - total[ordered.start]
    wanted = base[:, None] + whole[:, None] * (np.arange(1, bins) / bins)
    first, last = np.searchsorted(gap, ordered.start), np.searchsorted(gap, ordered.stop) - 1
    has_gap = first <= last
    ends = (np.where(has_gap, first, 0)[:, None], np.where(has_gap, last, 0)[:, None])
    above = np.clip(np.searchsorted(reached, wanted), *ends)
    below = np.maximum(above - 1, ends[0])
    slack = NOISE * whole[:, None]
    lower = np.abs(reached[below] - wanted) <= np.abs(reached[above] - wanted) + slack
    chosen = gap[np.where(lower, below, above)]
    edges[has_gap] = midpoint(values[chosen], values[chosen + 1])[has_gap]
    return _distinct(edges)


def _k_means(ordered: Ordered, edges: Floats) -> Floats:
    """Lloyd's rounds from the given bins: an edge is half-way between the means beside it."""
    weighted = ordered.weights * ordered.values
    place = ordered.upto(edges)
    for _ in range(ROUNDS):
        ends = np.column_stack([ordered.start, place, ordered.stop])
        some = np.diff(ends, axis=1) > 0
        held, total = (_sums(part, ends[:, :-1]) for part in (ordered.weights, weighted))
        means = np.divide(total, held, out=np.full(held.shape, np.inf), where=some)
        means.sort(axis=1)  # a bin left empty goes last, where it has no edge
        edges = means[:, :-1] / 2 + means[:, 1:] / 2
        moved = ordered.upto(edges)
        if np.array_equal(moved, place):
            break
        place = moved
    return _distinct(edges)


def _sums(parts: Floats, begin: Ints) -> Floats:
    """[n, k]: the sums from each place to the next; what an empty bin gets means nothing.

    Each is added up by itself, so that it does not depend on what lies before it.
    """
    padded = np.append(parts, 0.0)
    return np.asarray(np.add.reduceat(padded, begin.ravel())).reshape(begin.shape)


def _distinct(edges: Floats) -> Floats:
    """Each edge once, ascending."""
    edges = np.sort(edges, axis=1)
    edges[:, 1:][edges[:, 1:] == edges[:, :-1]] = np.inf
    return np.sort(edges, axis=1)


# --- of a whole table ----------------------------------------------------------------------------

_KNOWN: WeakKeyDictionary[Table, dict[tuple[int, Method, int], Floats]] = WeakKeyDictionary()


def edges_of_table(table: Table, column: int, method: Method, bins: int) -> Floats:
    """[at most bins - 1]: the edges of a numeric column over the whole table, found once."""
    known = _KNOWN.setdefault(table, {})
    key = (column, method, bins)
    if key not in known:
        everyone = np.zeros(table.n_rows, np.int64)
        ordered = in_order(table.cells[column], table.weights, everyone, 1)
        found = edges_of(method, ordered, bins)[0]
        known[key] = found[np.isfinite(found)]
    return known[key]


# --- of open nodes -------------------------------------------------------------------------------


def edges_in_nodes(search: Search, columns: Ints, method: Method, bins: int) -> list[Floats]:
    """For each column, [n, bins - 1]: its edges in each of the open nodes."""
    if method == "equal_width":
        span = search.span(columns)
        return [equal_width(span[:, j, 0], span[:, j, 1], bins) for j in range(len(columns))]
    n = len(search.nodes)
    held = [search.cases_of(node) for node in range(n)]
    rows = np.concatenate([rows for rows, _ in held])
    weights = np.concatenate([weights for _, weights in held])
    owner = np.repeat(np.arange(n), [len(rows) for rows, _ in held])
    cells = search.table.cells
    return [edges_of(method, in_order(cells[c, rows], weights, owner, n), bins) for c in columns]
