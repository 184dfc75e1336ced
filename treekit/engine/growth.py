"""The growth loop: one for every recipe, without recursion."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy

import numpy as np
from attrs import evolve

from treekit.compiling import OFTEN, SMALL, interpreted
from treekit.engine.batch import Batch
from treekit.engine.cases import first_cases
from treekit.engine.choosing import OWN_REASONS, Choosing
from treekit.engine.chosen import SPLIT, VAIN, leaves
from treekit.engine.closed import Closed
from treekit.engine.division import spread_out
from treekit.engine.drawing import first_key
from treekit.engine.finished import Finished
from treekit.engine.finishing import Finishing, can_finish
from treekit.engine.joining import toward_width
from treekit.engine.opening import Opening
from treekit.engine.outlook import View, offered
from treekit.engine.parts import Parts, prepared
from treekit.engine.sample import sample_of
from treekit.engine.vain import InVain
from treekit.errors import DataError, Problem
from treekit.offers import Tests
from treekit.provided import Watch
from treekit.table.record import Bools, Floats, Ints, Table
from treekit.threads import go_on
from treekit.tree import STAY, Tree

Tell = Callable[[Mapping[str, float]], None]

HISTOGRAM_CELLS = 1 << 22  # how many statistics of levels are held at once


def grow(
    table: Table,
    parts: Parts,
    rng: np.random.Generator,
    watch: Watch | None = None,
    tell: Tell | None = None,
    columns: int | None = None,
    compiled: bool = False,
    in_vain: InVain | None = None,
) -> Tree:
    """Grow a tree on a table by a recipe's strategies; `tell` gets what the grower tells of it.

    `columns` as `provided.Grow` has it. `compiled` from the start, however small the table: it is
    one of many. `in_vain`: what the pruner says of nodes that need not be split.
    """
    if table.n_rows == 0:
        raise DataError(Problem("there are no rows to grow a tree on", table.source))
    table = prepared(table, parts)
    if table.n_rows == 0:
        raise DataError(Problem("there are no rows left to grow a tree on", table.source))
    growth = Growing(table, parts, rng, watch, columns, compiled, in_vain)
    parts.grower.grow(growth)
    if tell is not None:
        tell(growth.facts)
    return growth.tree()


class Growing:
    """A tree under way (`provided.Growth`): the closed nodes, and the open ones in batches."""

    def __init__(
        self,
        table: Table,
        parts: Parts,
        rng: np.random.Generator,
        watch: Watch | None = None,
        columns: int | None = None,
        compiled: bool = False,
        in_vain: InVain | None = None,
    ) -> None:
        self.table = table
        self.parts = parts
        self.rng = rng
        self.choosing = Choosing.of(table, parts, rng, watch, columns)
        self.sample = sample_of(table, not getattr(parts.impurity, "uncentred", False))
        self.reasons = self.choosing.reasons
        self.toward_width = toward_width(parts.missing, table)
        # Where leaves are counted, those below count too.
        counted = any(hasattr(rule, "most_leaves") for rule in parts.stop)
        self.in_vain = None if counted else in_vain
        self.undrawn = None if self.in_vain is None else rng.bit_generator.state
        self.finishing = (
            Finishing(
                self.choosing, self.sample, self.in_vain if self.choosing.few is None else None
            )
            if can_finish(self.choosing, self.sample)
            else None
        )
        self.visited = 0
        self.compiled = compiled or self._is_worth_compiling
        self.leaves = 1
        self.opened = 0
        self.closed = Closed()
        self.facts: dict[str, float] = {}
        self.opening = Opening(self.choosing, self.sample)
        root = self.opening.nodes(
            self.sample.stats[None, :],
            np.array([table.n_rows]),
            np.zeros(1, np.int64),
            np.zeros((1, table.n_columns), dtype=bool),
            first_key(rng) if self.choosing.few is not None else np.zeros(1, np.uint64),
            first_cases(self.sample, self._carried, self.choosing.few is not None, self.compiled),
        )
        self.frontier = [self._numbered(root)]
        self.told: dict[int, Batch] = {}  # prospects, each alone

    @property
    def _formulas(self) -> tuple[type, type]:
        return type(self.parts.impurity), type(self.parts.criterion)

    @property
    def _is_worth_compiling(self) -> bool:
        """Is there much to do, or was much done, by formulas whose kernels must be waited for?"""
        patience = self.finishing.patience if self._in_one_go and self.finishing else OFTEN
        return self.table.cells.size > SMALL or interpreted(self._formulas) >= patience

    @property
    def _in_one_go(self) -> bool:
        return self.finishing is not None and self.finishing.in_one_go(self.table.n_rows)

    @property
    def _carried(self) -> Bools:
        """Which columns' orders are carried from level to level, if there are levels."""
        if self._in_one_go:
            return np.zeros(len(self.sample.codes), dtype=bool)
        return self.choosing.carried

    def _numbered(self, batch: Batch) -> Batch:
        """New nodes with their numbers in the order of opening."""
        self.opened += len(batch)
        return evolve(batch, numbers=np.arange(self.opened - len(batch), self.opened))

    @property
    def open_nodes(self) -> int:
        return sum(map(len, self.frontier)) + len(self.told)

    def tree(self) -> Tree:
        tree, opened = self.closed.tree(self.reasons, self.sample.centre, self.compiled)
        if self.choosing.watch is not None:
            self.choosing.watch.finished(opened)
        return tree

    def split_level(self) -> None:
        batches = [*self.told.values(), *self.frontier]
        self.told, self.frontier = {}, []
        for batch in batches:
            self._split(self._spared(self.looked(batch)))

    def _spared(self, batch: Batch) -> Batch:
        """The batch, its nodes that would be split in vain closed, if nothing is drawn for them."""
        if self.in_vain is None or self.rng.bit_generator.state != self.undrawn:
            return batch
        these = (batch.choice.column >= 0) & self.in_vain.nodes(batch.nodes)
        if not these.any():
            return batch
        number = self._number_of(self.in_vain.reason)
        return evolve(batch, chosen=batch.choice.closed(these, number))

    def _number_of(self, reason: str) -> int:
        if reason not in self.reasons:
            self.reasons = (*self.reasons, reason)
        return self.reasons.index(reason)

    def split_all(self) -> None:
        while self.open_nodes:
            if self.finishing is not None:
                self._finish(self.finishing)
            self.split_level()

    def _finish(self, finishing: Finishing) -> None:
        """Grow the subtrees of nodes with few rows, in one go."""
        batches, self.frontier = self.frontier, []
        for batch in batches:
            small = (batch.reason == SPLIT) & (batch.nodes.rows <= finishing.most_rows)
            n_small = np.count_nonzero(small)
            if batch.cases.compiled and n_small:
                some = batch if n_small == len(small) else batch.only(np.flatnonzero(small))
                numbers = some.numbers
                for finished in finishing.subtrees(some):
                    numbers = self._append(numbers, finished)
                if n_small == len(small):
                    continue
                batch = batch.only(np.flatnonzero(~small))
            self.frontier.append(batch)

    def _append(self, numbers: Ints, finished: Finished) -> Ints:
        """Close the nodes of subtrees; the roots have the first of these numbers. The others."""
        own = finished.is_root
        n_roots = int(np.count_nonzero(own))
        n_below = len(own) - n_roots
        number = np.empty(len(own), np.int64)
        number[own] = numbers[:n_roots]
        number[~own] = np.arange(self.opened, self.opened + n_below)
        self.opened += n_below
        self.leaves += n_below - int(np.count_nonzero(finished.chosen.column >= 0))
        vain = finished.chosen.reason == VAIN
        if self.in_vain is not None and vain.any():
            finished.chosen.reason[vain] = self._number_of(self.in_vain.reason)
        self.closed.append(
            number,
            finished.nodes,
            finished.chosen,
            finished.unknown,
            number[finished.first_child],
            finished.surrogates,
        )
        return numbers[n_roots:]

    def prospects(self) -> tuple[Ints, Floats, Floats]:
        batches, self.frontier = [self.looked(b) for b in self.frontier], []
        found = []
        for batch in batches:
            can_split = batch.choice.column >= 0
            if not can_split.all():
                self._close(batch.only(np.flatnonzero(~can_split)))
            found.append(batch.only(np.flatnonzero(can_split)).shared)
            for i in range(len(found[-1])):
                self.told[int(found[-1].numbers[i])] = found[-1].only(np.array([i]))
        none = (np.empty(0, np.int64), np.empty(0), np.empty(0))
        parts = [none, *((b.numbers, b.choice.score, b.nodes.weight) for b in found)]
        numbers, scores, weights = (np.concatenate(part) for part in zip(*parts, strict=True))
        return numbers, scores, weights

    def split(self, number: int) -> None:
        self._split(self.looked(self.told.pop(number)))

    def outlooks(self) -> list[View]:
        batches, self.frontier = self.frontier, []
        found = []
        imagined = copy(self)
        # Nobody looks on at what is only imagined.
        imagined.choosing = evolve(self.choosing, watch=None)
        for batch in batches:
            stopped = np.flatnonzero(batch.reason != SPLIT)
            if len(stopped):
                self._close(self.looked(batch.only(stopped)))
            for i in batch.candidates.tolist():
                alone = self.counted(batch.only(np.array([i])).shared)
                self.told[int(alone.numbers[0])] = alone
                found.append(View(imagined, alone))
        return found

    def split_by(self, number: int, column: int, test: Tests, worth: float | None = None) -> Ints:
        batch = evolve(self.told.pop(number), chosen=None)
        own = offered(self.choosing.search(batch), column, test)
        chosen = self.choosing.by_own(batch, own, worth)
        first = self.opened
        self._split(evolve(batch, chosen=chosen))
        return np.arange(first, self.opened)

    def tell(self, facts: Mapping[str, float]) -> None:
        self.facts.update(facts)

    def close(self, reason: str) -> None:
        batches = [self.looked(b) for b in (*self.told.values(), *self.frontier)]
        self.frontier = []
        self.told.clear()
        number = self._number_of(reason)
        for batch in batches:
            chosen = batch.choice.closed(batch.choice.column >= 0, number)
            self._close(evolve(batch, chosen=chosen))

    def _close(self, batch: Batch) -> None:
        """These nodes are leaves."""
        nowhere = np.full(len(batch), STAY, np.int32)
        self.closed.append(
            batch.numbers, batch.nodes, batch.choice, nowhere, np.zeros(len(batch), np.int64)
        )

    def _split(self, batch: Batch) -> None:
        """Split the nodes that have a test, as far as there is room for leaves; close the rest."""
        batch = self._with_room(batch)
        chosen = batch.choice
        unknown = np.full(len(batch), STAY, np.int32)
        first_child = np.zeros(len(batch), np.int64)
        surrogates = None
        split = np.flatnonzero(chosen.column >= 0)
        if len(split):
            n_children = chosen.n_branches[split]
            first_child[split] = self.opened + np.cumsum(n_children) - n_children
            # Who looks on may keep what it was shown.
            own = batch if self.choosing.watch is None else batch.shared
            below, unknown[split], surrogates = self.opening.children(own, split)
            self.frontier.append(self._numbered(below))
            if surrogates is not None:
                surrogates = spread_out(surrogates, chosen.column >= 0)
        self.closed.append(batch.numbers, batch.nodes, chosen, unknown, first_child, surrogates)

    def _with_room(self, batch: Batch) -> Batch:
        """The batch with the tests for which the tree may still have leaves, the first ones."""
        for number, rule in enumerate(self.parts.stop, len(OWN_REASONS)):
            if hasattr(rule, "most_leaves"):
                further = np.maximum(batch.choice.n_branches - 1, 0)
                beyond = self.leaves + np.cumsum(further) > rule.most_leaves
                too_many = beyond & (batch.choice.column >= 0)
                batch = evolve(batch, chosen=batch.choice.closed(too_many, number))
        self.leaves += int(np.maximum(batch.choice.n_branches - 1, 0).sum())
        return batch

    def looked(self, batch: Batch) -> Batch:
        """The batch with the best test of each node, or the reason why it has none."""
        if batch.chosen is not None:
            return batch
        go_on()
        batch = self.counted(batch)
        chosen = leaves(batch.reason, self.toward_width)
        for some in _chunks(batch.candidates, self._chunk_size(batch)):
            chosen = chosen.updated(some, self.choosing.found(batch.only(some)))
        return evolve(batch, chosen=chosen)

    def counted(self, batch: Batch) -> Batch:
        """Compile once the work is more than a small table's; small trees never wait for it."""
        if batch.cases.compiled:
            return batch
        cells = int(batch.nodes.rows.sum()) * max(self.table.n_columns, 1)
        self.visited += cells
        interpreted(self._formulas, cells)
        if self.visited > SMALL:
            self.compiled = True
            return evolve(batch, cases=evolve(batch.cases, compiled=True))
        return batch

    def divide(self, batch: Batch, split: Ints) -> Batch:
        """The children that the split nodes would have; of those nodes nothing is kept."""
        return self.opening.children(batch.shared, split)[0]

    def _chunk_size(self, batch: Batch) -> int:
        widest = max((len(c.levels) for c in self.table.columns), default=0)
        cells = batch.nodes.stats.shape[1] * max(widest, self.table.n_columns, 1)
        return int(max(HISTOGRAM_CELLS // cells, 1))


def _chunks(nodes: Ints, size: int) -> list[Ints]:
    return [nodes[i : i + size] for i in range(0, len(nodes), size)]
