"""What splitters ask of the open nodes: best cuts, histograms, scores, and offers made of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from attrs import evolve, frozen

from treekit.engine import partition, scan
from treekit.engine.cases import Cases
from treekit.engine.scoring import Scoring
from treekit.roles import CUTS, LEVELS, Cuts, Histogram, Missing, Nodes, Offers, Tests
from treekit.roles import split_information as split_info_of
from treekit.table.record import Bools, Floats, Ints, Table

BLOCK = 16_384


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

    def cuts(self, columns: Ints, margin: Floats | None = None, gap: float = 0.0) -> Cuts:
        shape = (len(self.nodes), len(columns))
        sample = self.cases.sample
        which = sample.word_row[columns]
        found = _Found(shape)
        limits = np.zeros(shape) if margin is None else np.ascontiguousarray(margin)
        where = (
            self.cases.words, which, sample.n_distinct[which - 1], self.start, self.stop,
        )  # fmt: skip
        rules = (
            self.cases.targets, self.cases.weights, self.branch_rows, self.branch_weight, limits,
            gap, sample.values, sample.offset[which - 1],
        )  # fmt: skip
        if self.scoring.is_fused:
            known = np.empty(shape)
            scan.best_cuts.bound(self.compiled, self.scoring.formulas)(
                *where, self.nodes.stats, *rules, self.scoring.floor, *self.scoring.parameters,
                found.score, found.low, found.high, found.left, known, found.tries,
            )  # fmt: skip
        else:
            known_stats = self._known_stats(columns)
            known = known_stats[..., 0]
            self._score_in_blocks(where, rules, known_stats, found)
        total = np.broadcast_to(self.nodes.weight[:, None], shape)
        valid = found.score > -np.inf
        discount = np.where(known < total, self.missing.discount(known, total), 1.0)
        offset = sample.offset[which - 1]
        last = max(len(sample.values) - 1, 0)
        return Cuts(
            score=np.where(valid, np.where(valid, found.score, 0.0) * discount, -np.inf),
            low=_values_at(sample.values, np.minimum(offset + found.low.astype(np.int64), last)),
            high=_values_at(sample.values, np.minimum(offset + found.high.astype(np.int64), last)),
            weights=np.stack([found.left, known - found.left], axis=-1),
            tries=found.tries,
        )

    def _score_in_blocks(
        self, where: tuple[Any, ...], rules: tuple[Any, ...], known: Floats, found: _Found
    ) -> None:
        """Array-form formulas: blocks of candidates from many nodes, scored by NumPy at once."""
        size = known.shape[-1]
        # Statistics lie plane by plane, so that NumPy's sums over the last axis run long.
        branches = np.empty((size, 2, BLOCK)).transpose(2, 1, 0)
        owner, left = np.empty(BLOCK, np.int64), np.zeros(size)
        low, high = np.empty(BLOCK, np.uint64), np.empty(BLOCK, np.uint64)
        cursor = np.array([0, 0, -1], np.int64)
        before = self.scoring.impurity_of(known).ravel()
        scale = np.maximum(np.abs(before), self.scoring.floor)
        parents = known.reshape(-1, size)
        fill = scan.fill_block.bound(self.compiled)
        keep = scan.keep_best.bound(self.compiled)
        while True:
            n = fill(*where, known, *rules, cursor, left, branches, owner, low, high)
            if n == 0:
                return
            block, mine = branches[:n], owner[:n]
            value = self.scoring.score(parents[mine], block, before[mine])
            keep(
                n, value, owner, low, high, block[:, 0, 0], scale,
                found.score.ravel(), found.low.ravel(), found.high.ravel(), found.left.ravel(),
                found.tries.ravel(),
            )  # fmt: skip

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
        before = self.scoring.impurity_of(known)
        total = self.nodes.weight.reshape((-1,) + (1,) * (known.ndim - 2))
        weight = known[..., 0]
        value = self.scoring.score(known, branches, before)
        total = np.broadcast_to(total, weight.shape)
        discount = np.where(weight < total, self.missing.discount(weight, total), 1.0)
        usable = (value > -np.inf) & (weight > 0)
        return np.where(usable, np.where(usable, value, 0.0) * discount, -np.inf)

    def at(self, node: int) -> NodeSearch:
        one = slice(node, node + 1)
        return evolve(
            self, nodes=self.nodes.only(one), start=self.start[one], stop=self.stop[one]
        )

    def enough(self, weight: Floats, rows: Floats | Ints) -> Bools:
        holds = (weight > 0) & (weight >= self.branch_weight) & (rows >= self.branch_rows)
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


class _Found:
    """Room for the best cut of each node and column."""

    def __init__(self, shape: tuple[int, int]) -> None:
        self.score = np.full(shape, -np.inf)
        self.low = np.zeros(shape, np.uint64)
        self.high = np.zeros(shape, np.uint64)
        self.left = np.zeros(shape)
        self.tries = np.zeros(shape, np.int64)


def _values_at(values: Floats, at: Ints) -> Floats:
    return values[at] if len(values) else np.full(at.shape, np.nan)
