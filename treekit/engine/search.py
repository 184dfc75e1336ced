"""What splitters ask of the open nodes: best cuts, histograms, scores, and offers made of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from attrs import evolve, frozen

from treekit.engine import joining, partition, scan
from treekit.engine.best_cuts import BestCuts, Placing
from treekit.engine.cases import Cases
from treekit.engine.scoring import Scoring
from treekit.offers import Cuts, Found, Histogram, Nodes, Offers, Tests
from treekit.offers import split_information as split_info_of
from treekit.table.ranking import HALF, LOW
from treekit.table.record import Bools, Floats, Ints, Table
from treekit.tree import CUTS, LEVELS


@frozen(eq=False)
class NodeSearch:
    """The engine's `roles.Search`: some open nodes, and where their cases lie."""

    nodes: Nodes
    cases: Cases
    start: Ints
    stop: Ints
    scoring: Scoring
    missing: Any
    branch_rows: float
    branch_weight: float
    rng: np.random.Generator

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

    def cases_of(self, node: int) -> tuple[Ints, Floats]:
        cases = self.cases
        which = (cases.words[0, self.start[node] : self.stop[node]] & LOW).astype(np.int64)
        weights = cases.weights[which] if len(cases.weights) > 1 else cases.weights
        rows = cases.rows[which] if len(cases.rows) else which
        return rows, np.broadcast_to(weights, rows.shape)

    def span(self, columns: Ints) -> Floats:
        sample = self.cases.sample
        which = sample.word_row[columns]
        ends = np.empty((len(self.nodes), len(columns)), np.int64)
        scan.known_ends.bound(self.compiled)(
            self.cases.words, which, sample.n_distinct[which - 1], self.start, self.stop, ends
        )
        first = np.repeat(self.start[:, None], len(columns), axis=1)
        some = ends > first
        return np.stack(
            [self._values(which, first, some), self._values(which, ends - 1, some)], axis=-1
        )

    def known_weight(self, columns: Ints) -> Floats:
        known = np.repeat(self.nodes.weight[:, None], len(columns), axis=1)
        gappy = self.table.has_unknown[columns]
        if gappy.any():
            known[:, gappy] = self._known_stats(columns[gappy])[..., 0]
        return known

    def _known_stats(self, columns: Ints) -> Floats:
        sample = self.cases.sample
        known = np.empty((len(self.nodes), len(columns), self.nodes.stats.shape[1]))
        which = sample.word_row[columns]
        scan.known_stats.bound(self.compiled)(
            self.cases.words, which, sample.n_distinct[which - 1], self.start, self.stop,
            self.nodes.stats, self.cases.targets, self.cases.weights, known,
        )  # fmt: skip
        return known

    def _known(self, columns: Ints) -> tuple[Floats, Floats]:
        """[n, c, S] and [n, c]: statistics and impurity of the cases known in each column."""
        if self.table.has_unknown[columns].any():
            known = self._known_stats(columns)
            return known, self.scoring.impurity_of(known, self.compiled)
        each = len(columns)
        known = np.repeat(self.nodes.stats[:, None], each, axis=1)
        return known, np.repeat(self.nodes.impurity[:, None], each, axis=1)

    def cuts(
        self,
        columns: Ints,
        margin: Floats | None = None,
        gap: float = 0.0,
        boundaries_only: bool = False,
    ) -> Cuts:
        sample = self.cases.sample
        which = sample.word_row[columns]
        offset = sample.offset[which - 1]
        known, before = self._known(columns)
        found = BestCuts(
            scoring=self.scoring,
            known=known,
            before=before,
            scale=self.scale,
            of_classes=self.of_classes,
            compiled=self.compiled,
            placed=self._placing(columns, known),
        )
        found.search(
            self.cases.words, which, sample.n_distinct[which - 1], self.start, self.stop,
            np.ascontiguousarray(known[..., 0]), self.cases.targets, self.cases.weights,
            self.branch_rows, self.branch_weight,
            np.zeros(known.shape[:2]) if margin is None else np.ascontiguousarray(margin),
            gap, sample.single_values, offset,
            boundaries_only or (self.scoring.skips_runs and gap <= 0.0 and found.placed is None),
        )  # fmt: skip
        valid = found.score > -np.inf
        weight = known[..., 0]
        low = self._values(which, found.place - 1, valid)
        high = self._values(which, found.place, valid)
        weights = np.stack([found.left, weight - found.left], axis=-1)
        if found.placed is not None and found.placed.typical is not None:
            typical = found.placed.typical.reshape(*weight.shape, -1)
            above = typical > (low / 2 + high / 2)[..., None]
            weights += joining.unknown_sides(found.placed.unknown, above)
        return Cuts(
            score=np.where(valid, found.score, 0.0) * self._discount(weight) + _none(valid),
            low=low,
            high=high,
            weights=weights,
            tries=found.tries,
        )

    def _placing(self, columns: Ints, known: Floats) -> Placing | None:
        """How cuts are scored where the handler counts the unknown rows; None: it does not."""
        missing = self.missing
        gappy = bool(self.table.has_unknown[columns].any())
        if not (gappy and joining.counts_unknown(missing)):
            return None
        whole = np.repeat(self.nodes.stats[:, None], len(columns), axis=1)
        unknown = self._unknown(whole, known)
        if hasattr(missing, "join"):
            return Placing(unknown, lambda mine, place, *counted: missing.join(*counted))
        typical = np.stack([missing.typical(self, int(c)) for c in columns], axis=1)
        typical = typical.reshape(-1, typical.shape[2])
        sample = self.cases.sample
        which = sample.word_row[columns]
        lying = (self.cases.words, which, sample.values, sample.offset[which - 1])

        def ways(mine: Ints, place: Ints, branches: Floats, unknown: Floats) -> Floats:
            side = np.empty((len(mine), typical.shape[1]), np.int64)
            joining.typical_sides.bound(self.compiled)(*lying, mine, place, typical, side)
            joined = branches.copy(order="K")
            joining.add_unknown.bound(self.compiled)(joined, unknown, side)
            return joined[:, None]

        return Placing(unknown, ways, typical)

    def _values(self, which: Ints, place: Ints, valid: Bools) -> Floats:
        """The values at these places of the columns' words, NaN where there is no cut."""
        sample = self.cases.sample
        ranks = self.cases.words[which, np.where(valid, place, 0)] >> HALF
        at = np.where(valid, sample.offset[which - 1] + ranks.astype(np.int64), 0)
        return np.where(valid, sample.values[at], np.nan) if len(sample.values) else at * np.nan

    def _discount(self, known: Floats) -> Floats:
        """What the missing-value handler makes of a score over `known` [n, ...] weight."""
        total = np.broadcast_to(
            self.nodes.weight.reshape((-1,) + (1,) * (known.ndim - 1)), known.shape
        )
        return np.where(known < total, self.missing.discount(known, total), 1.0)

    def histogram(self, column: int) -> Histogram:
        seen = self._known_histogram(column)
        if not (hasattr(self.missing, "typical") and self.table.has_unknown[column]):
            return seen
        value = np.asarray(self.missing.typical(self, column))
        level = np.where(np.isnan(value), -1.0, value).astype(np.int64)
        rest = self._unknown(self.nodes.stats, seen.stats.sum(axis=1))
        rows = self._unknown_rows(column, level.shape[1] > 1)
        return joining.filled(seen, Histogram(rest[:, None], rows), level, self.compiled)

    def _unknown(self, whole: Floats, known: Floats) -> Floats:
        """The statistics of the unknown cases, [..., S]."""
        return joining.without(whole, known, self.of_classes)

    def _unknown_rows(self, column: int, by_class: bool) -> Ints:
        """[n, 1] or [n, classes]: how many rows of each node are unknown in a column."""
        groups = len(self.table.schema.classes) if by_class else 1
        count = np.zeros((len(self.nodes), groups), np.int64)
        partition.count_unknown.bound(self.compiled)(
            self.cases.words[0], self.start, self.stop, self.table.cells[column],
            self.cases.rows, self.cases.targets, by_class, count,
        )  # fmt: skip
        return count

    def typical(self, column: int, by_class: bool = False) -> Floats:
        groups = 1 + len(self.table.schema.classes) * by_class
        if self.table.columns[column].is_numeric:
            sums = np.zeros((len(self.nodes), groups, 2))
            partition.value_sums.bound(self.compiled)(
                self.cases.words[0], self.start, self.stop, self.table.cells[column],
                self.cases.rows, self.cases.weights, self.cases.targets, by_class, sums,
            )  # fmt: skip
            known = sums[..., 0]
            mean = np.full(known.shape, np.nan)
            np.divide(sums[..., 1], known, out=mean, where=known > 0)
            return mean
        weight = self._known_histogram(column).stats[..., :groups]
        some = weight.max(axis=1, initial=0.0) > 0
        return np.where(some, weight.argmax(axis=1), np.nan)

    def _known_histogram(self, column: int) -> Histogram:
        levels = len(self.table.columns[column].levels)
        stats = np.zeros((len(self.nodes), levels, self.nodes.stats.shape[1]))
        rows = np.zeros((len(self.nodes), levels), np.int64)
        partition.histogram.bound(self.compiled)(
            self.cases.words[0], self.start, self.stop, self.table.cells[column],
            self.cases.rows, self.cases.weights, self.cases.targets, stats, rows,
        )  # fmt: skip
        return Histogram(stats, rows)

    def divided(self, column: int, tests: Tests) -> Histogram:
        columns = np.full(len(self.nodes), column)
        return self._divided(columns, np.full(len(columns), tests.kind), _held(tests))

    def _divided(self, column: Ints, kind: Ints, operands: Floats) -> Histogram:
        """The statistics of each branch of each node's test, operands[n, p] padded with inf."""
        widest = int(operands.shape[1])
        levels = operands[(kind == LEVELS)[:, None] & np.isfinite(operands)]
        branches = max((kind == CUTS).any() * (widest + 1), int(levels.max(initial=-1)) + 1, 1)
        stats = np.zeros((len(self.nodes), branches, self.nodes.stats.shape[1]))
        rows = np.zeros((len(self.nodes), branches), np.int64)
        partition.branch_histogram.bound(self.compiled)(
            self.cases.words[0], self.start, self.stop, kind, column,
            np.ascontiguousarray(operands), self.table.cells, self.cases.rows, self.cases.weights,
            self.cases.targets, stats, rows,
        )  # fmt: skip
        return Histogram(stats, rows)

    def found(self, offers: Offers, choice: Ints) -> Found:
        """The chosen offers, for the stop rules."""
        each, at = np.arange(len(choice)), np.maximum(choice, 0)

        def branches() -> Floats:
            return self._divided(*_padded(offers, at)).stats

        return Found(
            score=np.where(choice >= 0, offers.score[each, at], -np.inf),
            tries=np.where(choice >= 0, offers.tries[each, at], 0),
            find_branches=branches,
        )

    def toward(self, offers: Offers, choice: Ints) -> Ints:
        """[n, D]: the branch of the chosen test for unknown values; -1: the handler is asked.

        D is 1, or 1 + classes where it depends on the class; the first is for queries.
        """
        toward = np.full((len(choice), joining.toward_width(self.missing, self.table)), -1)
        for j in np.unique(choice[choice >= 0]):
            here, column = np.flatnonzero(choice == j), int(offers.columns[j])
            tests = offers.tests[j]
            if hasattr(self.missing, "typical"):
                value = np.asarray(self.missing.typical(self, column))[here]
                toward[here] = joining.branch_taken(tests, here, value)
            elif hasattr(self.missing, "join") and self.table.has_unknown[column]:
                branches = self.divided(column, tests).stats[here]
                rest = self._unknown(self.nodes.stats[here], branches.sum(axis=1))
                ways = joining.best_way(self.missing, self.scoring, branches, rest, self.compiled)
                joined = joining.joined_branch(branches, ways.branches)
                joined = np.minimum(joined, tests.n_branches[here])
                toward[here, 0] = np.where(rest[:, 0] > 0, joined, -1)
        return toward

    def score(self, branches: Floats) -> Floats:
        known = branches.sum(axis=-2)
        if hasattr(self.missing, "join"):
            each = self.nodes.stats.reshape((len(known),) + (1,) * (known.ndim - 2) + (-1,))
            rest = self._unknown(np.broadcast_to(each, known.shape), known)
            value = joining.best_way(
                self.missing, self.scoring, branches, rest, self.compiled
            ).score
            return np.where(value > -np.inf, value, -np.inf)
        weight = known[..., 0]
        before = self.scoring.impurity_of(known, self.compiled)
        value = self.scoring.score(known, branches, before, self.compiled)
        usable = (value > -np.inf) & (weight > 0)
        return np.where(usable, value, 0.0) * self._discount(weight) + _none(usable)

    def at(self, node: int) -> NodeSearch:
        one = slice(node, node + 1)
        return evolve(self, nodes=self.nodes.only(one), start=self.start[one], stop=self.stop[one])

    def enough(self, weight: Floats, rows: Floats | Ints) -> Bools:
        least = self.branch_weight * (1 - scan.WEIGHT_TIE)
        holds = (weight > 0) & (weight >= least) & (rows >= self.branch_rows)
        return np.asarray(holds.sum(axis=-1) >= 2)

    def offer_cuts(self, columns: Ints, cuts: Cuts, at: Floats) -> Offers:
        two = np.full(len(self.nodes), 2, np.int64)
        unknown = self.nodes.weight[:, None] - cuts.weights.sum(axis=-1)
        return self._offers(
            columns,
            cuts.score,
            split_info_of(cuts.weights, np.maximum(unknown, 0.0)),
            tuple(Tests(CUTS, at[:, [j]], two) for j in range(len(columns))),
            cuts.tries,
        )

    def offer_tests(
        self, column: int, tests: Tests, score: Floats, weights: Floats, tries: Ints | None = None
    ) -> Offers:
        unknown = np.maximum(self.nodes.weight - weights.sum(axis=-1), 0.0)
        return self._offers(
            np.array([column]),
            score[:, None],
            split_info_of(weights, unknown)[:, None],
            (tests,),
            np.ones((len(score), 1), np.int64) if tries is None else tries[:, None],
        )

    def offer_groups(
        self,
        column: int,
        groups: Floats,
        n_branches: Ints,
        score: Floats,
        weights: Floats,
        tries: Ints | None = None,
    ) -> Offers:
        return self.offer_tests(column, Tests(LEVELS, groups, n_branches), score, weights, tries)

    def _offers(
        self,
        columns: Ints,
        score: Floats,
        split_info: Floats,
        tests: tuple[Tests, ...],
        tries: Ints,
    ) -> Offers:
        n_levels = np.array([len(self.table.columns[c].levels) for c in columns], np.int64)
        return Offers(columns, score, split_info, tests, tries, n_levels, self.table.n_rows)


def _padded(offers: Offers, at: Ints) -> tuple[Ints, Ints, Floats]:
    """Column, kind and operands (padded with inf) of each node's test at position `at`."""
    widest = max(t.operands.shape[1] for t in offers.tests)
    operands = np.full((len(at), widest), np.inf)
    kind = np.zeros(len(at), np.int64)
    for j in np.unique(at):
        here = np.flatnonzero(at == j)
        tests = offers.tests[j]
        operands[here, : tests.operands.shape[1]] = _held(tests)[here]
        kind[here] = tests.kind
    return offers.columns[at], kind, operands


def _held(tests: Tests) -> Floats:
    """The operands of each node's test, inf in the place of those that it does not have."""
    held = np.arange(tests.operands.shape[1]) < tests.n_operands[:, None]
    return np.where(held, tests.operands, np.inf)


def _none(valid: Bools) -> Floats:
    """-inf where there is nothing to offer, else 0."""
    return np.where(valid, 0.0, -np.inf)
