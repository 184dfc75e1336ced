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
    Floats,
    Histogram,
    Ints,
    Kind,
    Offers,
    Search,
    Table,
    Tests,
    first_best,
    first_groups,
    join_offers,
    kernel,
    leading_statistic,
    n_divisions,
    place_levels,
    write_groups,
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

    def any_division(self, table: Table) -> int:
        """Up to how many levels in a node every division is tried; 0: only those of the order."""
        order_will_do = self.divisions == "ordered" or (
            self.divisions == "sufficient" and len(table.schema.classes) <= 2
        )
        return 0 if order_will_do else self.exhaustive

    def offer(self, search: Search, columns: Ints) -> Offers:
        levels = np.array([len(search.table.columns[c].levels) for c in columns], np.int64)
        offers: list[Offers] = []
        for some in parts_of_like_width(levels, search.nodes.stats.size):
            offers += self._offers(search, columns[some], levels[some])
        return join_offers(offers)

    def _offers(self, search: Search, columns: Ints, levels: Ints) -> Iterator[Offers]:
        seen, most = search.histograms(columns), self.any_division(search.table)
        score, groups, tries = _divide_in_order(search, seen)
        held = (seen.weight > 0).sum(axis=-1)
        node, at = np.nonzero((held > 2) & (held <= most))
        for some in _with_as_many_levels(held[node, at], seen.stats.shape[-1]):
            pair = node[some], at[some]
            score[pair], groups[pair], tries[pair] = _divide_every_way(search, seen, *pair)
        two = np.full(len(score), 2, np.int64)
        for j, column in enumerate(columns):
            own = groups[:, j, : levels[j]]
            weights = partial(_weights, own, seen.of(j, levels[j]))
            yield search.offer_groups(int(column), own, two, score[:, j], weights, tries[:, j])

    def every_test(self, search: Search, column: int) -> Tests:
        """Every division that is tried in the one node of the search."""
        seen, most = search.histogram(column), self.any_division(search.table)
        counts = seen.stats[0].T
        place = np.empty(counts.shape[1], np.int64)
        n = place_levels(counts, leading_statistic(search.nodes.stats[0]), most, place)
        groups = np.full((n_divisions(n, most), counts.shape[1]), float(NOWHERE))
        for division, own in enumerate(groups):
            write_groups(division, place, n, most, own)
        return Tests(LEVELS, groups, np.full(len(groups), 2, np.int64))


def _weights(groups: Floats, seen: Histogram) -> Floats:
    """[n, 2]: what each group weighs."""
    return np.stack([np.where(groups == g, seen.weight, 0.0).sum(1) for g in (0, 1)], axis=1)


def _divide_in_order(search: Search, seen: Histogram) -> tuple[Floats, Floats, Ints]:
    """[n, c]: the best division of the ordered levels into a first and a second part, of how many.

    The statistics of the nodes say in which order.
    """
    n, columns, levels, size = seen.stats.shape
    each = np.repeat(np.arange(n), columns)
    stats, rows = seen.stats.reshape(-1, levels, size), seen.rows.reshape(-1, levels)
    score, groups, tries = _divide(search.at(each), stats, rows, 0, max(levels - 1, 0))
    return (
        score.reshape(n, columns),
        groups.reshape(n, columns, levels),
        tries.reshape(n, columns),
    )


def _with_as_many_levels(held: Ints, size: int) -> Iterator[Ints]:
    """Nodes and columns that hold equally many levels, so many of them that there is room."""
    for many in np.unique(held).tolist():
        alike = np.flatnonzero(held == many)
        at_once = max(ROOM // (size << many), 1)
        yield from (alike[i : i + at_once] for i in range(0, len(alike), at_once))


def _divide_every_way(
    search: Search, seen: Histogram, nodes: Ints, columns: Ints
) -> tuple[Floats, Floats, Ints]:
    """The best of all divisions of levels into two groups, of how many, for each node and column.

    They all have equally many levels with rows.
    """
    many = int(np.count_nonzero(seen.weight[nodes[0], columns[0]] > 0))
    stats, rows = seen.stats[nodes, columns], seen.rows[nodes, columns]
    return _divide(search.at(nodes), stats, rows, many, n_divisions(many, many))


def _divide(
    search: Search, stats: Floats, rows: Ints, most: int, widest: int
) -> tuple[Floats, Floats, Ints]:
    """The best division of each node's levels `stats` [m, L, S], its groups, and of how many.

    `most` as `any_division` has it; no node has more than `widest` divisions.
    """
    m, levels, size = stats.shape
    place, held = np.empty((m, levels), np.int64), np.empty(m, np.int64)
    branches = np.zeros((m, widest, 2, size))
    branch_rows = np.zeros((m, widest, 2), np.int64)
    _lay_out.bound(search.compiled)(
        search.nodes.stats, stats, rows, most, place, held, branches, branch_rows
    )
    inside = np.arange(widest) < (held[:, None] - 1 if most == 0 else widest)
    allowed = search.enough(branches[..., 0], branch_rows) & inside
    score = np.where(allowed, search.score(branches), -np.inf)
    best = np.asarray(first_best(score, search.nodes.impurity))
    groups = np.full((m, levels), float(NOWHERE))
    _write_each.bound(search.compiled)(best, place, held, most, groups)
    value = np.full(m, -np.inf)
    some = best >= 0
    value[some] = score[some, best[some]]
    return value, groups, allowed.sum(axis=-1)


@kernel
def _lay_out(nodes, stats, rows, most, place, held, branches, branch_rows):  # type: ignore[no-untyped-def]
    """The levels in the order that counts, and the branches of every division."""
    for i in range(stats.shape[0]):
        own = stats[i].T
        n = place_levels(own, leading_statistic(nodes[i]), most, place[i])
        held[i] = n
        for s in range(own.shape[0]):
            _fill(own[s], place[i], n, most, branches[i, :, :, s])
        _fill(rows[i], place[i], n, most, branch_rows[i])


@kernel
def _fill(values, place, n, most, branches):  # type: ignore[no-untyped-def]
    """Both groups' sums of one statistic, in every division."""
    first_groups(values, place, n, most, branches[:, 0])
    if n == 0:
        return
    total = values[place[0]]
    for k in range(1, n):
        total += values[place[k]]
    for i in range(n_divisions(n, most)):
        branches[i, 1] = total - branches[i, 0]


@kernel
def _write_each(best, place, held, most, groups):  # type: ignore[no-untyped-def]
    """The groups of the best divisions."""
    for i in range(best.shape[0]):
        write_groups(best[i], place[i], held[i], most, groups[i])
