"""The growth loop: one for every recipe, level by level, without recursion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from attrs import evolve

from treekit.compiling import SMALL
from treekit.engine.cases import Splits, carry, first_cases, settle, take_branches
from treekit.engine.chosen import SPLIT, Chosen, leaves
from treekit.engine.levels import Levels
from treekit.engine.sample import sample_of
from treekit.engine.scoring import Scoring
from treekit.engine.search import NodeSearch
from treekit.errors import DataError, Problem
from treekit.offers import Nodes, first_best, join_offers
from treekit.table.record import Bools, Floats, Ints, Kind, Table
from treekit.tree import STAY, Int32s, Tree

# Reasons that no strategy gives; the stop rules' follow them.
EMPTY, NO_TEST = 0, 1
OWN_REASONS = ("no rows reach it", "no test tells its rows apart")
HISTOGRAM_CELLS = 1 << 22  # how many statistics of levels are held at once


class Parts(Protocol):
    """The strategies that growth needs; a recipe's `tree` has them."""

    @property
    def impurity(self) -> Any: ...
    @property
    def criterion(self) -> Any: ...
    @property
    def splitter(self) -> Mapping[Kind, Any]: ...
    @property
    def stop(self) -> tuple[Any, ...]: ...
    @property
    def missing(self) -> Any: ...
    @property
    def grower(self) -> Any: ...


def grow(table: Table, parts: Parts, rng: np.random.Generator) -> Tree:
    """Grow a tree on a table by a recipe's strategies."""
    if table.n_rows == 0:
        raise DataError(Problem("there are no rows to grow a tree on", table.source))
    parts.missing.check(table)
    if not table.weights.all():
        table = table.take(table.weights > 0)
    growth = Growing(table, parts, rng)
    parts.grower.grow(growth)
    return growth.tree()


class Growing:
    """A tree under way (`roles.Growth`): the closed levels, and the open nodes of the next."""

    def __init__(self, table: Table, parts: Parts, rng: np.random.Generator) -> None:
        self.table = table
        self.parts = parts
        self.rng = rng
        self.scoring = Scoring(parts.impurity, parts.criterion)
        self.groups = _columns_by_splitter(table, parts.splitter)
        self.branch_rows = max((getattr(s, "branch_rows", 0) for s in parts.stop), default=0)
        self.branch_weight = max((getattr(s, "branch_weight", 0.0) for s in parts.stop), default=0)
        sample = sample_of(table, not getattr(parts.impurity, "uncentred", False))
        self.cases = first_cases(sample)
        self.visited = 0
        self.levels = Levels((*OWN_REASONS, *(str(s.reason) for s in parts.stop)), sample.centre)
        self.once = np.zeros(table.n_columns, dtype=bool)
        for splitter, columns in self.groups:
            if hasattr(splitter, "asked_once"):
                self.once[columns] = [splitter.asked_once(table.columns[c]) for c in columns]
        self.used = np.zeros((1, table.n_columns), dtype=bool)
        self.start = np.zeros(1, np.int64)
        self._open(sample.stats[None, :], np.array([table.n_rows]), 0)

    def _open(self, stats: Floats, rows: Ints, depth: int) -> None:
        """The next nodes, and which of them are leaves at once."""
        self.nodes = Nodes(
            stats=stats,
            rows=rows,
            depth=np.full(len(rows), depth, np.int64),
            impurity=self.scoring.impurity_of(stats, self.cases.compiled),
            pure=_pure(stats, self.table, self.cases.sample.centre),
            columns_left=(~self.used).sum(axis=1),
            sample=self.cases.sample.stats,
        )
        self.reason = self._stopped_before(self.nodes)

    @property
    def open_nodes(self) -> int:
        return len(self.nodes)

    def tree(self) -> Tree:
        return self.levels.tree()

    def split_level(self) -> None:
        nodes = self.nodes
        self._count_visits()
        chosen = leaves(self.reason)
        for some in _chunks(np.flatnonzero(self.reason == SPLIT), self._chunk_size()):
            chosen = chosen.updated(some, self._choose(nodes.only(some), some))
        unknown = np.full(len(nodes), STAY, np.int32)
        split = np.flatnonzero(chosen.column >= 0)
        if len(split):
            unknown[split] = self._divide(chosen, split)
        else:
            self.used = self.used[:0]
            self._open(nodes.stats[:0], nodes.rows[:0], 0)
        self.levels.append(nodes, chosen, unknown)

    def _count_visits(self) -> None:
        """Compile once the work is more than a small table's; small trees never wait for it."""
        self.visited += int(self.nodes.rows.sum()) * max(self.table.n_columns, 1)
        if self.visited > SMALL and not self.cases.compiled:
            self.cases = evolve(self.cases, compiled=True)

    def _stopped_before(self, nodes: Nodes) -> Ints:
        """The reason why each node is a leaf before any test is looked for, or SPLIT."""
        reason = np.where(nodes.weight > 0, SPLIT, EMPTY)
        for number, rule in enumerate(self.parts.stop, len(OWN_REASONS)):
            if hasattr(rule, "before"):
                reason[(reason == SPLIT) & rule.before(nodes)] = number
        return reason

    def _choose(self, nodes: Nodes, some: Ints) -> Chosen:
        """The best test of each of these nodes, or the reason why it has none."""
        search = NodeSearch(
            nodes,
            self.cases,
            self.start[some],
            self.start[some] + nodes.rows,
            self.scoring,
            self.parts.missing,
            self.branch_rows,
            self.branch_weight,
        )
        offers = join_offers([splitter.offer(search, cols) for splitter, cols in self.groups])
        offers = offers.only(~self.used[some][:, offers.columns])
        if hasattr(self.parts.criterion, "choose"):
            choice = np.asarray(self.parts.criterion.choose(offers))
        else:
            choice = first_best(offers.score, search.scale)
        score = np.where(
            choice >= 0, offers.score[np.arange(len(choice)), np.maximum(choice, 0)], -np.inf
        )
        reason = np.where(choice >= 0, SPLIT, NO_TEST)
        for number, rule in enumerate(self.parts.stop, len(OWN_REASONS)):
            if hasattr(rule, "after"):
                reason[(reason == SPLIT) & rule.after(nodes, score)] = number
        return Chosen.of(offers, np.where(reason == SPLIT, choice, -1), score, reason)

    def _divide(self, chosen: Chosen, split: Ints) -> Int32s:
        """Send the cases of the split nodes to their children; answer where unknown values go."""
        nodes = self.nodes
        n_children = chosen.n_branches[split]
        splits = Splits(
            start=self.start[split],
            stop=self.start[split] + nodes.rows[split],
            kind=chosen.kind[split],
            column=chosen.column[split],
            operands=chosen.operands,
            operand_start=np.append(chosen.operand_start[split], len(chosen.operands)),
            first_child=np.cumsum(n_children) - n_children,
            n_children=n_children,
        )
        taken = take_branches(self.cases, splits)
        owner = np.repeat(np.arange(len(split)), n_children)
        destination = self.parts.missing.destination(owner, taken.known_weight, len(split))
        settled = settle(self.cases, splits, taken, destination)
        used = self.used[split]
        used[np.arange(len(split)), splits.column] |= self.once[splits.column]
        self.used = used[owner]
        self._open(settled.stats, settled.count, int(nodes.depth[0]) + 1)
        is_open = self.reason == SPLIT
        self.cases, self.start = carry(self.cases, splits, taken, settled, is_open)
        return np.asarray(destination, np.int32)

    def _chunk_size(self) -> int:
        widest = max((len(c.levels) for c in self.table.columns), default=0)
        cells = self.nodes.stats.shape[1] * max(widest, self.table.n_columns, 1)
        return int(max(HISTOGRAM_CELLS // cells, 1))


def _columns_by_splitter(table: Table, splitters: Mapping[Kind, Any]) -> list[tuple[Any, Ints]]:
    """Each splitter with the columns it serves, in the table's order."""
    groups: list[tuple[Any, list[int]]] = []
    for i, column in enumerate(table.columns):
        if column.kind not in splitters:
            raise DataError(
                Problem(
                    f"column {column.name!r} is {column.kind}, and the recipe has no splitter for"
                    f" {column.kind} columns",
                    table.source,
                    f"bind tree.splitter.{column.kind}, or leave the column out",
                )
            )
        splitter = splitters[column.kind]
        for known, columns in groups:
            if known == splitter:
                columns.append(i)
                break
        else:
            groups.append((splitter, [i]))
    if not groups:
        raise DataError(Problem("there is no column to ask about", table.source))
    return [(splitter, np.array(columns, np.int64)) for splitter, columns in groups]


def _pure(stats: Floats, table: Table, centre: float) -> Bools:
    """Are all the target values the same, up to rounding?"""
    if not table.schema.target.is_numeric:
        return np.asarray(stats[:, 1:].max(axis=1) >= stats[:, 0] * (1 - 1e-12))
    weight, total, squares = stats.T
    spread = squares - np.divide(total**2, weight, out=np.zeros_like(total), where=weight > 0)
    noise = 1e-13 * squares + weight * (1e-15 * centre) ** 2
    return np.asarray(spread <= noise)


def _chunks(nodes: Ints, size: int) -> list[Ints]:
    return [nodes[i : i + size] for i in range(0, len(nodes), size)]
