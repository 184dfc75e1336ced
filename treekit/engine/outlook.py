"""Looking further than a node's best test: tests are tried, and nothing is split."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import evolve, field, frozen

from treekit.engine.batch import Batch
from treekit.engine.chosen import SPLIT, Chosen
from treekit.engine.drawing import drawn_places
from treekit.engine.search import NodeSearch
from treekit.engine.unknown import toward
from treekit.offers import Offers, Tests
from treekit.provided import Search, Tried
from treekit.table.record import Bools, Floats, Ints
from treekit.tree import CUTS, LINEAR

if TYPE_CHECKING:
    from treekit.engine.growth import Growing


@frozen(eq=False, slots=False)
class View:
    """The engine's `provided.Outlook`: nodes that may be split, looked at by a growth of their own.

    drawn  [1, columns of the table]: the columns that were drawn for a node, by its place here
    """

    growing: Growing
    batch: Batch
    drawn: dict[int, Bools] = field(factory=dict)

    def __len__(self) -> int:
        return len(self.batch)

    @property
    def numbers(self) -> Ints:
        return self.batch.numbers

    @property
    def columns(self) -> int | None:
        return self.growing.choosing.few

    @cached_property
    def search(self) -> NodeSearch:
        return self.growing.choosing.search(self.batch)

    def best(self) -> Floats:
        choice = self.growing.looked(self.batch).choice
        return np.where(choice.column >= 0, choice.score, -np.inf)

    def tests(self, node: int) -> list[tuple[int, Tests]]:
        search, used = self.search.at(node), self.batch.used[node]
        if self.columns is not None:
            search = evolve(search, asked=self._drawn(node, self.columns))
        may_ask = search.may_ask(np.arange(search.table.n_columns))[0]
        found = []
        for splitter, columns in self.growing.choosing.groups:
            left = columns[~used[columns]]
            if len(left) == 0:
                continue
            if hasattr(splitter, "every_test"):
                # It names its tests itself, and need not look for the best of them.
                drawn = left[may_ask[left]].tolist()
                found += [(c, tests_of(splitter, search, c, None)) for c in drawn]
                continue
            offers = splitter.offer(search, left)
            for column, offered in zip(offers.columns.tolist(), offers.tests, strict=True):
                # Which columns a sum may have, its splitter knows.
                allowed = offered.kind == LINEAR or may_ask[column]
                if offered.n_operands[0] > 0 and allowed:
                    found.append((column, tests_of(splitter, search, column, offered)))
        return sorted(found, key=lambda one: one[0])

    @cached_property
    def places(self) -> Ints:
        """[n, columns]: the order in which each node draws its columns."""
        batch = self.batch
        return drawn_places(batch.keys, ~batch.used, batch.cases.compiled)

    def _drawn(self, node: int, few: int) -> Bools:
        """[1, columns]: the first so many columns of a node's order of which one offers a test."""
        if node not in self.drawn:
            choosing, alone = self.growing.choosing, self.batch.only(np.array([node]))
            place, search = self.places[[node]], self.search.at(node)
            for first in range(0, max(int(alone.nodes.columns_left[0]), 1), few):
                asked = (place >= first) & (place < first + few)
                if (choosing.offers(alone, evolve(search, asked=asked)).score > -np.inf).any():
                    break
            self.drawn[node] = asked
            if alone.numbers[0] >= 0:
                choosing.drawn[int(alone.numbers[0])] = asked
        return self.drawn[node]

    def tried(self, node: int, column: int, tests: Tests) -> Tried:
        batch = self.growing.counted(copies(self.batch, node, len(tests.n_branches)))
        search = self.growing.choosing.search(batch)
        offers = offered(search, column, tests)
        score = offers.score[:, 0]
        allowed = np.flatnonzero(score > -np.inf)
        none = np.empty(0, np.int64)
        if len(allowed) == 0:
            return Tried(score, none, View(self.growing, batch.only(none)))
        choice = np.where(score > -np.inf, 0, -1)
        reason = np.full(len(choice), SPLIT)
        chosen = Chosen.of(offers, choice, score, reason, toward(search, offers, choice))
        below = self.growing.divide(evolve(batch, chosen=chosen), allowed)
        owner = np.repeat(allowed, chosen.n_branches[allowed])
        is_open = below.candidates
        return Tried(score, owner[is_open], View(self.growing, below.only(is_open)))


def tests_of(splitter: Any, search: Search, column: int, offered: Tests | None) -> Tests:
    """Every test that is weighed for a node: those the splitter names, else those of its kind.

    One that offers single cuts is taken to weigh every cut between neighbouring values.
    """
    if offered is None or hasattr(splitter, "every_test"):
        named: Tests = splitter.every_test(search, column)
        return named
    if offered.kind != CUTS or int(offered.n_branches[0]) != 2:
        return offered
    rows, _ = search.cases_of(0)
    values = search.table.cells[column, rows]
    distinct = np.unique(values[~np.isnan(values)])
    low, high = distinct[:-1], distinct[1:]
    middle = low / 2 + high / 2
    cuts = np.where(middle < high, middle, low)
    # The offered cut may lie elsewhere between the same two neighbours.
    own = float(offered.operands[0, 0])
    at = int(np.searchsorted(distinct, own, side="right")) - 1
    if np.isfinite(own) and 0 <= at < len(cuts):
        cuts[at] = own
    return Tests(CUTS, cuts[:, None], np.full(len(cuts), 2, np.int64))


def offered(search: NodeSearch, column: int, tests: Tests) -> Offers:
    """A test of one column for each node as offers; -inf where its branches hold too little."""
    parts = search.divided(column, tests)
    enough = search.enough(parts.weight, parts.rows)
    score = np.where(enough, search.score(parts.stats), -np.inf)
    return search.offer_tests(column, tests, score, parts.weight)


def copies(batch: Batch, node: int, n: int) -> Batch:
    """The same node n times, each with cases of its own."""
    rows = int(batch.nodes.rows[node])
    start = int(batch.start[node])
    own = batch.cases.order[start : start + rows]
    return evolve(
        batch.only(np.full(n, node)),
        start=np.arange(n) * rows,
        cases=batch.cases.only(np.tile(own, n)),
    )
