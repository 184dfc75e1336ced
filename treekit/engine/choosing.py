"""How the tests of open nodes are chosen, and why a node is a leaf after all."""

from __future__ import annotations

from copy import deepcopy
from functools import cached_property
from typing import Any

import numpy as np
from attrs import evolve, field, frozen

from treekit.engine.batch import Batch
from treekit.engine.blocks import Room
from treekit.engine.chosen import SPLIT, Chosen
from treekit.engine.drawing import drawn_places
from treekit.engine.parts import Parts, columns_by_splitter
from treekit.engine.scoring import Scoring
from treekit.engine.search import NodeSearch
from treekit.engine.unknown import toward
from treekit.offers import Found, Nodes, Offers, first_best, join_offers
from treekit.provided import Step, Watch
from treekit.roles import takes_greatest
from treekit.table.record import Bools, Floats, Ints, Table
from treekit.tree import LINEAR

# Reasons that no strategy gives; the stop rules' follow them.
EMPTY, NO_TEST = 0, 1
FEW_VALUES = 1024  # a column that has no more is counted by value in all but small nodes
OWN_REASONS = ("no rows reach it", "no test tells its rows apart")


@frozen(eq=False)
class Choosing:
    """A recipe's strategies, met with a table.

    groups   each splitter with the columns that it serves
    watch    who looks on, or nobody
    columns  how many columns are drawn for each node; None: all are asked about
    drawn    the columns that were drawn for a node whose test a grower chooses, by its number
    room     memory for the search, used again and again
    reasons  why a node may be a leaf, in words
    """

    table: Table
    parts: Parts
    rng: np.random.Generator
    scoring: Scoring
    groups: list[tuple[Any, Ints]]
    watch: Watch | None = None
    columns: int | None = None
    drawn: dict[int, Bools] = field(factory=dict)
    room: Room = field(factory=Room)

    @staticmethod
    def of(
        table: Table,
        parts: Parts,
        rng: np.random.Generator,
        watch: Watch | None,
        columns: int | None,
    ) -> Choosing:
        scoring = Scoring(parts.impurity, parts.criterion)
        groups = columns_by_splitter(table, parts.splitter)
        return Choosing(table, parts, rng, scoring, groups, watch, columns)

    @cached_property
    def carried(self) -> Bools:
        """Of each ordered column: is its order carried from level to level?

        Not if it has few values, which are counted; nor if it is not asked about in most nodes; nor
        if bins tell where its best cut may lie (`engine.bounding`), unless values are unknown, or
        surrogates are found in its order, too.
        """
        ranked = self.table.rankings
        many = np.diff(ranked.start) > FEW_VALUES
        if self.few is not None:
            return np.zeros_like(many)
        if hasattr(self.parts.missing, "surrogates") and self.table.given_weights is None:
            return many
        known = not np.count_nonzero(self.table.has_unknown)
        if known and self.scoring.skips_runs and len(self.table.schema.classes) == 2:
            return many & ~(ranked.once | takes_greatest(self.parts.criterion))
        return many

    @property
    def few(self) -> int | None:
        """How many columns are drawn for each node, if not all are asked about."""
        few = self.columns
        return few if few is not None and few < self.table.n_columns else None

    @property
    def reasons(self) -> tuple[str, ...]:
        return (*OWN_REASONS, *(str(rule.reason) for rule in self.parts.stop))

    def stopped_before(self, nodes: Nodes) -> Ints:
        """The reason why each node is a leaf before any test is looked for, or SPLIT."""
        reason = np.where(nodes.weight > 0, SPLIT, EMPTY)
        for number, rule in enumerate(self.parts.stop, len(OWN_REASONS)):
            if hasattr(rule, "before"):
                reason[(reason == SPLIT) & rule.before(nodes)] = number
        return reason

    def search(self, batch: Batch) -> NodeSearch:
        return NodeSearch(
            batch.nodes,
            batch.cases,
            batch.start,
            batch.stop,
            self.scoring,
            self.parts.missing,
            max((getattr(rule, "branch_rows", 0) for rule in self.parts.stop), default=0),
            max((getattr(rule, "branch_weight", 0.0) for rule in self.parts.stop), default=0),
            self.rng,
            rivals=self.watch is None and takes_greatest(self.parts.criterion),
            room=self.room,
        )

    def offers(self, batch: Batch, search: NodeSearch) -> Offers:
        """What the columns that may be asked about offer to each of these nodes."""
        offers = join_offers([splitter.offer(search, cols) for splitter, cols in self.groups])
        allowed = ~batch.used if search.asked is None else search.asked
        # Which columns a sum may have, its splitter knows.
        sums = np.array([tests.kind == LINEAR for tests in offers.tests], dtype=bool)
        return offers.only(allowed[:, offers.columns] | sums)

    def _choose(self, batch: Batch, asked: Bools | None = None) -> Chosen:
        """The best test of each of these nodes, or the reason why it has none.

        `asked` [nodes, columns] are the columns to choose from, of those that may be asked about.
        """
        criterion, search = self.parts.criterion, self.search(batch)
        looking = search if asked is None else evolve(search, asked=asked)
        offers = self.offers(batch, looking)
        if hasattr(criterion, "review"):
            offers = criterion.review(offers, looking)
        if hasattr(criterion, "choose"):
            choice = np.asarray(criterion.choose(offers))
        else:
            choice = first_best(offers.score, search.scale)
        found = search.found(offers, choice)
        reason = np.where(choice >= 0, SPLIT, NO_TEST)
        self.judge(search.nodes, found, reason, search)
        return self._chosen(batch, search, offers, choice, found.score, reason, asked)

    def by_own(self, batch: Batch, own: Offers, worth: float | None) -> Chosen:
        """A test that the grower chose, unless the stop rules find it `worth` too little."""
        search, offers, at = self.search(batch), own, 0
        asked = self.drawn.get(int(batch.numbers[0]))
        if self.watch is not None:
            # Who looks on sees what the other columns offer, and draws nothing from what follows.
            looking = evolve(search, asked=asked, rng=deepcopy(self.rng))
            offers, at = replaced(self.offers(batch, looking), own)
        choice, reason = np.array([at]), np.array([SPLIT])
        if worth is not None:
            found = evolve(search.found(offers, choice), score=np.array([worth]))
            self.judge(search.nodes, found, reason, search)
        return self._chosen(batch, search, offers, choice, offers.score[:, at], reason, asked)

    def judge(
        self, nodes: Nodes, found: Found, reason: Ints, search: NodeSearch | None = None
    ) -> None:
        """Ask the stop rules that look at the nodes' rows or at their best tests."""
        for number, rule in enumerate(self.parts.stop, len(OWN_REASONS)):
            if hasattr(rule, "look") and search is not None:
                untold = (reason == SPLIT) | (reason == NO_TEST)
                reason[untold & rule.look(search)] = number
            if hasattr(rule, "after"):
                reason[(reason == SPLIT) & rule.after(nodes, found)] = number

    def _chosen(
        self,
        batch: Batch,
        search: NodeSearch,
        offers: Offers,
        choice: Ints,
        score: Floats,
        reason: Ints,
        asked: Bools | None = None,
    ) -> Chosen:
        """The offers at `choice` where there is no reason for a leaf; who looks on is told."""
        if self.watch is not None:
            words = tuple("" if r == SPLIT else self.reasons[r] for r in reason)
            offers = offers.held()
            self.watch.looked(Step(batch.numbers, search, offers, batch.used, choice, words, asked))
        choice = np.where(reason == SPLIT, choice, -1)
        return Chosen.of(offers, choice, score, reason, toward(search, offers, choice))

    def found(self, batch: Batch) -> Chosen:
        """The best test of each node: of any column, or of a few that are drawn.

        A node to which none of these offers a test draws as many again, until none is left.
        """
        few = self.few
        if few is None:
            return self._choose(batch)
        place = drawn_places(batch.keys, ~batch.used, batch.cases.compiled)
        chosen = self._choose(batch, place < few)
        asked = few
        while True:
            left = (chosen.reason == NO_TEST) & (batch.nodes.columns_left > asked)
            again = np.flatnonzero(left)
            if len(again) == 0:
                return chosen
            following = (place[again] >= asked) & (place[again] < asked + few)
            chosen = chosen.updated(again, self._choose(batch.only(again), following))
            asked += few


def replaced(offers: Offers, own: Offers) -> tuple[Offers, int]:
    """The offers with that of one column in the place of another of it, and where that is."""
    # A sum stands under a column that may have an offer of its own.
    sums = [(tests.kind == LINEAR) == (own.tests[0].kind == LINEAR) for tests in offers.tests]
    at = int(np.flatnonzero((offers.columns == own.columns[0]) & sums)[0])
    score, split_info = offers.score.copy(), offers.split_info.copy()
    score[:, at], split_info[:, at] = own.score[:, 0], own.split_info[:, 0]
    tests = (*offers.tests[:at], *own.tests, *offers.tests[at + 1 :])
    return evolve(offers, score=score, split_info=split_info, tests=tests), at
