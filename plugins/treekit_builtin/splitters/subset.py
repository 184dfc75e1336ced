"""Two groups of a column's levels."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import ClassVar, Literal

import numpy as np
from attrs import field, frozen, validators

from treekit import (
    LEVELS,
    NOWHERE,
    Bools,
    Floats,
    Histogram,
    Ints,
    Kind,
    Offers,
    Search,
    Tests,
    first_best,
    join_offers,
    kernel,
)
from treekit_builtin.widths import parts_of_like_width

Divisions = Literal["sufficient", "every", "ordered"]
DIVISIONS: tuple[Divisions, ...] = ("sufficient", "every", "ordered")
ROOM = 1 << 20  # numbers: the statistics of divisions that are weighed at once


@frozen
class Subset:
    """The best division of the levels into two groups (Breiman et al. 1984, 2.4.2 and 4.2.2).

    With two classes, or a number to predict, the levels are put in order by the share of the first
    class or by their mean, and only divisions of that order are tried: for a concave impurity
    one of them is the best (Breiman et al. 1984, theorem 4.5). With more classes every
    division is tried, if the levels are not too many; if they are, they are put in order by the
    share of the node's greatest class. A level without rows in the node belongs to neither group
    and goes where unknown values go.

    exhaustive: up to this many levels in a node, every division is tried.
    divisions: "sufficient" is as above. "every" tries every division even where the order would
        do, as an impurity that is not concave may want it. "ordered" tries only those of the
        order, however many classes and few levels there are.
    """

    kinds: ClassVar[tuple[Kind, ...]] = ("nominal",)

    exhaustive: int = field(default=10, validator=[validators.ge(2), validators.le(16)])
    divisions: Divisions = field(default="sufficient", validator=validators.in_(DIVISIONS))

    def offer(self, search: Search, columns: Ints) -> Offers:
        levels = np.array([len(search.table.columns[c].levels) for c in columns], np.int64)
        offers: list[Offers] = []
        for some in parts_of_like_width(levels, search.nodes.stats.size):
            offers += self._offers(search, columns[some], levels[some])
        return join_offers(offers)

    def _offers(self, search: Search, columns: Ints, levels: Ints) -> Iterator[Offers]:
        seen = search.histograms(columns)
        score, groups, tries = _divide_in_order(search, seen, _sort_key(search, seen))
        node, at = np.nonzero(self._wants_every(search, seen))
        for some in _with_as_many_levels(seen.weight[node, at], seen.stats.shape[-1]):
            pair = node[some], at[some]
            score[pair], groups[pair], tries[pair] = _divide_every_way(search, seen, *pair)
        two = np.full(len(score), 2, np.int64)
        for j, column in enumerate(columns):
            own = groups[:, j, : levels[j]]
            weights = partial(_weights, own, seen.of(j, levels[j]))
            yield search.offer_groups(int(column), own, two, score[:, j], weights, tries[:, j])

    def every_test(self, search: Search, column: int) -> Tests:
        """Every division that is tried in the one node of the search."""
        seen = search.histogram(column)
        key = _sort_key(search, seen)[0]
        present = np.flatnonzero(np.isfinite(key))
        if self._wants_every(search, seen)[0]:
            ways = np.arange(1, 1 << (len(present) - 1))
            second = (ways[:, None] >> np.arange(len(present))) & 1
        else:
            present = present[np.argsort(key[present], kind="stable")]
            second = np.triu(np.ones((max(len(present) - 1, 0), len(present))), 1)
        groups = np.full((len(second), len(key)), float(NOWHERE))
        groups[:, present] = second
        return Tests(LEVELS, groups, np.full(len(groups), 2, np.int64))

    def _wants_every(self, search: Search, seen: Histogram) -> Bools:
        """The nodes in which every division is to be tried."""
        present = (seen.weight > 0).sum(axis=-1)
        order_will_do = self.divisions == "ordered" or (
            self.divisions == "sufficient" and len(search.table.schema.classes) <= 2
        )
        return np.asarray((present > 2) & (present <= self.exhaustive) & (not order_will_do))


def _sort_key(search: Search, seen: Histogram) -> Floats:
    """What orders the levels of each node: a mean, or the share of a class; absent levels last."""
    classes = len(search.table.schema.classes)
    if classes <= 2:
        amount = seen.stats[..., 1]
    else:
        greatest = 1 + search.nodes.stats[:, 1:].argmax(axis=1)
        each = greatest.reshape((-1,) + (1,) * (seen.stats.ndim - 1))
        amount = np.take_along_axis(seen.stats, each, axis=-1)[..., 0]
    empty = np.full(seen.weight.shape, np.inf)
    return np.asarray(np.divide(amount, seen.weight, out=empty, where=seen.weight > 0))


def _weights(groups: Floats, seen: Histogram) -> Floats:
    """[n, 2]: what each group weighs."""
    return np.stack([np.where(groups == g, seen.weight, 0.0).sum(1) for g in (0, 1)], axis=1)


def _divide_in_order(search: Search, seen: Histogram, key: Floats) -> tuple[Floats, Floats, Ints]:
    """[n, c]: the best division of the ordered levels into a first and a second part, of how many.

    The levels are put in order by `key` [n, c, L].
    """
    n, columns, levels = key.shape
    order = np.empty(key.shape, np.int64)
    branches = np.empty((n, columns, max(levels - 1, 0), 2, seen.stats.shape[-1]))
    branch_rows = np.empty(branches.shape[:-1], np.int64)
    _lay_out.bound(search.compiled)(key, seen.stats, seen.rows, order, branches, branch_rows)
    inside = np.isfinite(np.take_along_axis(key, order, axis=2))[..., 1:]
    allowed = search.enough(branches[..., 0], branch_rows) & inside
    score = np.where(allowed, search.score(branches), -np.inf)
    best = first_best(score, search.nodes.impurity[:, None])
    groups = np.empty(key.shape)
    np.put_along_axis(groups, order, np.arange(levels) > best[..., None], axis=2)
    groups[~np.isfinite(key)] = NOWHERE
    value = np.where(best >= 0, score.max(axis=-1, initial=-np.inf), -np.inf)
    return value, groups, allowed.sum(axis=-1)


@kernel
def _lay_out(key, stats, rows, order, branches, branch_rows):  # type: ignore[no-untyped-def]
    """The levels of each node and column in the order of their keys, and the branches of every
    division of that order.
    """
    levels, size = key.shape[2], stats.shape[3]
    total = np.empty(size)
    for n in range(key.shape[0]):
        for c in range(key.shape[1]):
            own, place = key[n, c], order[n, c]
            for level in range(levels):
                at = level
                while at > 0 and own[place[at - 1]] > own[level]:
                    place[at] = place[at - 1]
                    at -= 1
                place[at] = level
            total[:] = 0.0
            n_rows = 0
            for k in range(levels):
                for s in range(size):
                    total[s] += stats[n, c, place[k], s]
                n_rows += rows[n, c, place[k]]
                if k < levels - 1:
                    branches[n, c, k, 0] = total
                    branch_rows[n, c, k, 0] = n_rows
            for k in range(levels - 1):
                for s in range(size):
                    branches[n, c, k, 1, s] = total[s] - branches[n, c, k, 0, s]
                branch_rows[n, c, k, 1] = n_rows - branch_rows[n, c, k, 0]


def _with_as_many_levels(weight: Floats, size: int) -> Iterator[Ints]:
    """Nodes and columns `weight` [m, L] with equally many levels, so many that there is room."""
    present = (weight > 0).sum(axis=1)
    for many in np.unique(present).tolist():
        alike = np.flatnonzero(present == many)
        at_once = max(ROOM // (size << many), 1)
        yield from (alike[i : i + at_once] for i in range(0, len(alike), at_once))


def _divide_every_way(
    search: Search, seen: Histogram, nodes: Ints, columns: Ints
) -> tuple[Floats, Floats, Ints]:
    """The best of all divisions of levels into two groups, of how many, for each node and column.

    They all have equally many levels with rows.
    """
    here, each = seen.weight[nodes, columns] > 0, np.arange(len(nodes))[:, None]
    many = int(here[0].sum())
    present = np.argsort(~here, axis=1, kind="stable")[:, :many]
    ways = np.arange(1, 1 << (many - 1))
    second = (ways[:, None] >> np.arange(many)) & 1
    stats, rows = (part[nodes, columns][each, present] for part in (seen.stats, seen.rows))
    branches = np.stack([(1 - second) @ stats, second @ stats], axis=2)
    branch_rows = np.stack([rows @ (1 - second).T, rows @ second.T], axis=2)
    allowed = search.enough(branches[..., 0], branch_rows)
    score = np.where(allowed, search.at(nodes).score(branches), -np.inf)
    best = np.asarray(first_best(score, search.nodes.impurity[nodes]))
    groups = np.full(here.shape, float(NOWHERE))
    groups[each, present] = second[np.maximum(best, 0)]
    value = np.where(best >= 0, score[each[:, 0], best], -np.inf)
    return value, groups, allowed.sum(axis=1)
