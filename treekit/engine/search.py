"""What splitters ask of the open nodes: best cuts, histograms, scores, and offers made of them."""

from __future__ import annotations

import numpy as np
from attrs import evolve, frozen

from treekit.engine import partition, scan
from treekit.engine.best_cuts import BestCuts
from treekit.engine.cases import Cases
from treekit.engine.scoring import Scoring
from treekit.offers import Cuts, Histogram, Nodes, Offers, Tests
from treekit.offers import split_information as split_info_of
from treekit.roles import Missing
from treekit.table.ranking import HALF
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
    missing: Missing
    branch_rows: float
    branch_weight: float

    @property
    def table(self) -> Table:
        return self.cases.sample.table

    @property
    def compiled(self) -> bool:
        return self.cases.compiled

    @property
    def scale(self) -> Floats:
        """[n]: the magnitude from which a node's scores are computed, for ties."""
        return np.maximum(np.abs(self.nodes.impurity), self.scoring.floor)

    def known_weight(self, columns: Ints) -> Floats:
        known = np.repeat(self.nodes.weight[:, None], len(columns), axis=1)
        gappy = self.table.has_unknown[columns]
        if gappy.any():
            known[:, gappy] = self._known_stats(columns[gappy])[..., 0]
        return known

    def _known_stats(self, columns: Ints) -> Floats:
        sample = self.cases.sample
        known = np.empty((len(self.nodes), len(columns), sample.n_stats))
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

    def cuts(self, columns: Ints, margin: Floats | None = None, gap: float = 0.0) -> Cuts:
        sample = self.cases.sample
        which = sample.word_row[columns]
        offset = sample.offset[which - 1]
        known, before = self._known(columns)
        found = BestCuts(
            scoring=self.scoring,
            known=known,
            before=before,
            scale=self.scale,
            of_classes=not self.table.schema.target.is_numeric,
            compiled=self.compiled,
        )
        found.search(
            self.cases.words, which, sample.n_distinct[which - 1], self.start, self.stop,
            np.ascontiguousarray(known[..., 0]), self.cases.targets, self.cases.weights,
            self.branch_rows, self.branch_weight,
            np.zeros(known.shape[:2]) if margin is None else np.ascontiguousarray(margin),
            gap, sample.single_values, offset, self.scoring.skips_runs and gap <= 0.0,
        )  # fmt: skip
        valid = found.score > -np.inf
        weight = known[..., 0]
        return Cuts(
            score=np.where(valid, found.score, 0.0) * self._discount(weight) + _none(valid),
            low=self._values(which, found.place - 1, valid),
            high=self._values(which, found.place, valid),
            weights=np.stack([found.left, weight - found.left], axis=-1),
            tries=found.tries,
        )

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
        levels = len(self.table.columns[column].levels)
        stats = np.zeros((len(self.nodes), levels, self.nodes.stats.shape[1]))
        rows = np.zeros((len(self.nodes), levels), np.int64)
        partition.histogram.bound(self.compiled)(
            self.cases.words[0], self.start, self.stop, self.table.cells[column],
            self.cases.rows, self.cases.weights, self.cases.targets, stats, rows,
        )  # fmt: skip
        return Histogram(stats, rows)

    def score(self, branches: Floats) -> Floats:
        known = branches.sum(axis=-2)
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
        )

    def offer_groups(
        self, column: int, groups: Floats, n_branches: Ints, score: Floats, weights: Floats
    ) -> Offers:
        unknown = np.maximum(self.nodes.weight - weights.sum(axis=-1), 0.0)
        return self._offers(
            np.array([column]),
            score[:, None],
            split_info_of(weights, unknown)[:, None],
            (Tests(LEVELS, groups, n_branches),),
        )

    def _offers(
        self, columns: Ints, score: Floats, split_info: Floats, tests: tuple[Tests, ...]
    ) -> Offers:
        n_levels = np.array([len(self.table.columns[c].levels) for c in columns], np.int64)
        return Offers(columns, score, split_info, tests, n_levels, self.table.n_rows)


def _none(valid: Bools) -> Floats:
    """-inf where there is nothing to offer, else 0."""
    return np.where(valid, 0.0, -np.inf)
