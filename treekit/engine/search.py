"""What splitters ask of the open nodes: best cuts, histograms, scores, and offers made of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from attrs import evolve, field, frozen

from treekit.engine import counting, joining, scan, unknown
from treekit.engine.along import cases_along
from treekit.engine.best_cuts import BestCuts
from treekit.engine.blocks import Placing, Room, Weighing, neighbours
from treekit.engine.cases import Cases
from treekit.engine.pairs import Allowed, Where
from treekit.engine.scoring import Scoring
from treekit.narrow import total as total_of
from treekit.offers import Cuts, Found, Histogram, Later, Nodes, Offers, Tests
from treekit.offers import split_information as split_info_of
from treekit.table.record import Bools, Floats, Ints, Table
from treekit.tree import CUTS, LEVELS, LINEAR

NONE = np.empty(0)


@frozen(eq=False)
class NodeSearch:
    """The engine's `provided.Search`: some open nodes, and where their cases lie.

    `asked` [nodes, columns of the table]: which columns may be asked about in each node; None: all.
    Of the others no case is looked at, as if no row had a known value. `rivals`: the column of the
    greatest score will be chosen, and nobody looks at the others.
    """

    nodes: Nodes
    cases: Cases
    start: Ints
    stop: Ints
    scoring: Scoring
    missing: Any
    branch_rows: float
    branch_weight: float
    rng: np.random.Generator
    asked: Bools | None = None
    rivals: bool = False
    room: Room = field(factory=Room)

    @property
    def table(self) -> Table:
        return self.cases.sample.table

    @property
    def of_classes(self) -> bool:
        """Are the statistics class weights?"""
        return self.cases.targets.dtype.kind != "f"

    @property
    def compiled(self) -> bool:
        return self.cases.compiled

    @property
    def scale(self) -> Floats:
        """[n]: the magnitude from which a node's scores are computed, for ties."""
        return np.maximum(np.abs(self.nodes.impurity), self.scoring.floor)

    def stops(self, columns: Ints) -> Ints:
        """[n, c]: where the cases to be looked at end, at `start` where a column is not asked."""
        whole = np.repeat(self.stop[:, None], len(columns), axis=1)
        if self.asked is None:
            return whole
        return np.where(self.asked[:, columns], whole, self.start[:, None])

    def stops_of(self, column: int) -> Ints:
        """[n]: the same of one column."""
        return self.stop if self.asked is None else self.stops(np.array([column]))[:, 0]

    def may_ask(self, columns: Ints) -> Bools:
        if self.asked is None:
            return np.ones((len(self.nodes), len(columns)), dtype=bool)
        return self.asked[:, columns]

    def cases_of(self, node: int) -> tuple[Ints, Floats]:
        which = self.cases.order[self.start[node] : self.stop[node]]
        rows = self.cases.rows_of(which)
        return rows, np.broadcast_to(self.cases.weights_of(which), rows.shape)

    def where(self, columns: Ints) -> Where:
        return Where(self.cases, columns, self.start, self.stops(columns))

    def span(self, columns: Ints) -> Floats:
        where = self.where(columns)
        least, greatest = (np.empty(where.stops.shape, np.int64) for _ in range(2))
        scan.known_spans.bound(self.compiled)(*where.of_table, least, greatest)
        some = greatest >= 0
        return np.stack(
            [self.values(where.ranked, rank, some) for rank in (least, greatest)], axis=-1
        )

    def known_weight(self, columns: Ints) -> Floats:
        known = np.repeat(self.nodes.weight[:, None], len(columns), axis=1)
        gappy = self.table.has_unknown[columns]
        if gappy.any():
            known[:, gappy] = self._known_stats(self.where(columns[gappy]))[..., 0]
        return known

    def _known_stats(self, where: Where) -> Floats:
        """[n, c, S]: the statistics of the cases whose value is known."""
        cases, stats = self.cases, self.nodes.stats
        known = np.empty((len(stats), where.n_columns, stats.shape[1]))
        if self.asked is None and self.of_classes and cases.weigh_one and where.carried.all():
            scan.known_counts.bound(self.compiled)(
                cases.words, cases.carried[where.ranked], where.stops, where.known_ends, stats,
                cases.targets, known,
            )  # fmt: skip
        else:
            scan.known_stats.bound(self.compiled)(
                *where.of_table, stats, cases.targets, cases.weights, known
            )
        return known

    def cuts(
        self,
        columns: Ints,
        margin: Floats | None = None,
        gap: float = 0.0,
        boundaries_only: bool = False,
        only_best: bool = False,
    ) -> Cuts:
        where = self.where(columns)
        stats, before = self.nodes.stats, self.nodes.impurity
        weight, placed = np.repeat(stats[:, :1], len(columns), axis=1), None
        gappy = bool(self.table.has_unknown[columns].any())
        if gappy:
            known = self._known_stats(where)
            placed = unknown.placing(self, columns, known)
            weight, stats = known[..., 0], known.reshape(-1, known.shape[2])
            before = self.scoring.impurity_of(stats, self.compiled)
        weighing = Weighing(
            self.scoring,
            stats,
            before,
            1 if gappy else max(len(columns), 1),
            self.of_classes,
            self.compiled,
            placed,
        )
        allowed = Allowed(
            math.ceil(self.branch_rows),  # kernels are compiled for whole rows, whoever asks
            float(self.branch_weight),
            NONE if margin is None else np.ascontiguousarray(margin).ravel(),
            gap,
            self.cases.sample.single_values if gap > 0.0 else NONE,
            boundaries_only or (self.scoring.skips_runs and gap <= 0.0 and placed is None),
            only_best and self.rivals and not gappy,
        )
        found = BestCuts(where, weighing, self.scale, allowed, self.room)
        found.search()
        score = found.score
        if gappy:
            valid = score > -np.inf
            score = np.where(valid, score, 0.0) * self._discount(weight) + _none(valid)
        return Cuts(
            score,
            found.tries,
            partial(self._neighbours, where.ranked, found),
            partial(_side_weights, placed, found.left, weight),
        )

    def _neighbours(
        self, which: Ints, found: BestCuts, nodes: Ints, at: Ints
    ) -> tuple[Floats, Floats]:
        """The values on both sides of some nodes' best cuts; NaN: there is no cut."""
        some, rows = found.score[nodes, at] > -np.inf, which[at]
        lower, upper = neighbours(found.between[nodes, at])
        return self.values(rows, lower, some), self.values(rows, upper, some)

    def values(self, which: Ints, rank: Ints, valid: Bools) -> Floats:
        """The values of these ranks of rows of the codes, NaN where they are not valid."""
        sample = self.cases.sample
        found = np.full(valid.shape, np.nan)
        rows = np.broadcast_to(which, valid.shape)[valid]
        found[valid] = sample.values[sample.offset[rows] + rank[valid]]
        return found

    def _discount(self, known: Floats) -> Floats:
        """What the missing-value handler makes of a score over `known` [n, ...] weight."""
        total = np.broadcast_to(
            self.nodes.weight.reshape((-1,) + (1,) * (known.ndim - 1)), known.shape
        )
        return np.where(known < total, self.missing.discount(known, total), 1.0)

    def histograms(self, columns: Ints) -> Histogram:
        seen = counting.by_level(self, columns)
        for j, column in enumerate(columns):
            levels = len(self.table.columns[column].levels)
            own = self._with_typical(int(column), seen.of(j, levels))
            if own is not None:
                seen.stats[:, j, :levels], seen.rows[:, j, :levels] = own.stats, own.rows
        return seen

    def histogram(self, column: int) -> Histogram:
        return self.histograms(np.array([column])).of(0)

    def _with_typical(self, column: int, seen: Histogram) -> Histogram | None:
        """With the unknown values where the handler has levels stand for them; None: it has not."""
        if not (hasattr(self.missing, "typical") and self.table.has_unknown[column]):
            return None
        value = np.asarray(self.missing.typical(self, column))
        level = np.where(np.isnan(value), -1.0, value).astype(np.int64)
        rest = self.unknown(self.nodes.stats, seen.stats.sum(axis=1))
        rows = counting.unknown_rows(self, column, level.shape[1] > 1)
        return joining.filled(seen, Histogram(rest[:, None], rows), level, self.compiled)

    def unknown(self, whole: Floats, known: Floats) -> Floats:
        """The statistics of the unknown cases, [..., S]."""
        return joining.without(whole, known, self.of_classes)

    def typical(self, column: int, by_class: bool = False) -> Floats:
        return counting.typical(self, column, by_class)

    def divided(self, column: int, tests: Tests) -> Histogram:
        columns = np.full(len(self.nodes), column)
        kinds = np.full(len(columns), tests.kind)
        stop = self.stop if tests.kind == LINEAR else self.stops_of(column)
        return counting.by_branch(self, columns, kinds, counting.held(tests), stop)

    def along(self, tests: Tests) -> NodeSearch:
        cases, start, stop = cases_along(self.cases, self.start, self.stop, tests)
        return evolve(self, cases=cases, start=start, stop=stop, asked=None)

    def found(self, offers: Offers, choice: Ints) -> Found:
        """The chosen offers, for the stop rules."""
        each, at = np.arange(len(choice)), np.maximum(choice, 0)

        def branches() -> Floats:
            return counting.by_branch(self, *counting.padded(offers, at), self.stop).stats

        return Found(
            score=np.where(choice >= 0, offers.score[each, at], -np.inf),
            tries=np.where(choice >= 0, offers.tries[each, at], 0),
            find_branches=branches,
        )

    def score(self, branches: Floats) -> Floats:
        known = np.ascontiguousarray(total_of(branches.swapaxes(-1, -2)))
        if hasattr(self.missing, "join"):
            each = self.nodes.stats.reshape((len(known),) + (1,) * (known.ndim - 2) + (-1,))
            rest = self.unknown(np.broadcast_to(each, known.shape), known)
            value = joining.best_way(
                self.missing, self.scoring, branches, rest, self.compiled
            ).score
            return np.where(value > -np.inf, value, -np.inf)
        weight = known[..., 0]
        before = self.scoring.impurity_of(known, self.compiled)
        value = self.scoring.score(known, branches, before, self.compiled)
        usable = (value > -np.inf) & (weight > 0)
        return np.where(usable, value, 0.0) * self._discount(weight) + _none(usable)

    def at(self, node: int | Ints) -> NodeSearch:
        some = slice(node, node + 1) if isinstance(node, int) else node
        return evolve(
            self,
            nodes=self.nodes.only(some),
            start=self.start[some],
            stop=self.stop[some],
            asked=None if self.asked is None else self.asked[some],
        )

    def enough(self, weight: Floats, rows: Floats | Ints) -> Bools:
        least = self.branch_weight * (1 - scan.WEIGHT_TIE)
        holds = (weight > 0) & (weight >= least) & (rows >= self.branch_rows)
        return np.asarray(total_of(holds.astype(np.float64)) >= 2)

    def offer_cuts(
        self, columns: Ints, cuts: Cuts, at: Callable[[Ints, Floats, Floats], Floats]
    ) -> Offers:
        two = np.full(len(self.nodes), 2, np.int64)

        def split_info() -> Floats:
            rest = self.nodes.weight[:, None] - cuts.weights.sum(axis=-1)
            return split_info_of(cuts.weights, np.maximum(rest, 0.0))

        def find(nodes: Ints, positions: Ints) -> Floats:
            return at(columns[positions], *cuts.between(nodes, positions))

        return self._offers(
            columns,
            cuts.score,
            split_info,
            tuple(Tests(CUTS, Later(find, j), two) for j in range(len(columns))),
            cuts.tries,
        )

    def offer_tests(
        self,
        column: int,
        tests: Tests,
        score: Floats,
        weights: Floats | Callable[[], Floats],
        tries: Ints | None = None,
    ) -> Offers:
        def split_info() -> Floats:
            each = weights() if callable(weights) else weights
            rest = np.maximum(self.nodes.weight - each.sum(axis=-1), 0.0)
            return split_info_of(each, rest)[:, None]

        return self._offers(
            np.array([column]),
            score[:, None],
            split_info,
            (tests,),
            np.ones((len(score), 1), np.int64) if tries is None else tries[:, None],
        )

    def offer_groups(
        self,
        column: int,
        groups: Floats,
        n_branches: Ints,
        score: Floats,
        weights: Floats | Callable[[], Floats],
        tries: Ints | None = None,
    ) -> Offers:
        return self.offer_tests(column, Tests(LEVELS, groups, n_branches), score, weights, tries)

    def _offers(
        self,
        columns: Ints,
        score: Floats,
        split_info: Floats | Callable[[], Floats],
        tests: tuple[Tests, ...],
        tries: Ints,
    ) -> Offers:
        n_levels = np.array([len(self.table.columns[c].levels) for c in columns], np.int64)
        return Offers(columns, score, split_info, tests, tries, n_levels, self.table.n_rows)


def _side_weights(placed: Placing | None, left: Floats, weight: Floats, cuts: Cuts) -> Floats:
    """[n, c, 2]: what each side of the best cuts weighs, with the unknown where a value stands
    for them.
    """
    weights = np.stack([left, weight - left], axis=-1)
    if placed is not None and placed.typical is not None:
        typical = placed.typical.reshape(*weight.shape, -1)
        above = typical > (cuts.low / 2 + cuts.high / 2)[..., None]
        weights += joining.unknown_sides(placed.unknown, above)
    return weights


def _none(valid: Bools) -> Floats:
    """-inf where there is nothing to offer, else 0."""
    return np.where(valid, 0.0, -np.inf)
