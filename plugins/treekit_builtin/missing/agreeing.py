"""For each column, the test that agrees best with a node's own (Breiman et al. 1984, 5.3.1)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import evolve, frozen

from treekit import (
    CUTS,
    LEVELS,
    NOWHERE,
    Bools,
    Division,
    Floats,
    Ints,
    Search,
    Surrogates,
    Tests,
    row_form,
)
from treekit_builtin.splitters.places import RPART_MIDDLE, midpoint

LEAST_ROWS = 2  # that a surrogate must send each way


@frozen
class Agreement:
    """The weight that two tests send the same way, whichever side of one is called which."""

    @row_form
    @staticmethod
    def score(parent: Floats, branches: Floats, before: float, after: Floats) -> float:
        straight: float = branches[0, 1] + branches[1, 2]
        flipped: float = branches[0, 2] + branches[1, 1]
        return max(straight, flipped)


@frozen(eq=False)
class Candidate:
    """The best test of one column in each of n nodes.

    flipped   [n]: its branch 0 goes where the node's branch 1 goes
    sides     [n, 2, 2]: the weight by its branch, and by the branch of the node's own test
    allowed   [n]: enough rows go each way
    """

    column: int
    tests: Tests
    flipped: Bools
    sides: Floats
    allowed: Bools

    @property
    def agreeing(self) -> Floats:
        """[n]: the weight that both tests send the same way."""
        straight = self.sides[:, 0, 0] + self.sides[:, 1, 1]
        return np.where(self.flipped, self.sides.sum(axis=(1, 2)) - straight, straight)


@frozen(eq=False)
class Rated:
    """A candidate with its agreement and adjusted agreement, and the nodes that may keep it."""

    candidate: Candidate
    agreement: Floats
    adjusted: Floats
    kept: Bools


def candidates(division: Division, as_rpart: bool) -> list[Candidate]:
    """The best test of every column in the table's order; none where it is the node's own."""
    search = division.search(Agreement(), LEAST_ROWS)
    columns = search.table.columns
    ordered = np.array([i for i, c in enumerate(columns) if c.kind != "nominal"], np.int64)
    found = (
        {c.column: c for c in _on_cuts(search, division, ordered, as_rpart)} if len(ordered) else {}
    )
    for i, column in enumerate(columns):
        if column.kind == "nominal":
            found[i] = _on_levels(search, division, i, as_rpart)
    return [
        evolve(found[i], allowed=found[i].allowed & (division.column != i)) for i in sorted(found)
    ]


def _on_cuts(search: Search, division: Division, columns: Ints, as_rpart: bool) -> list[Candidate]:
    cuts = search.cuts(columns)
    # The cut lies below the next row's value, whether or not the node's own test knows that row.
    high = division.next_above(columns, cuts.low)
    middles = [
        RPART_MIDDLE[division.table.columns[c].kind] if as_rpart else midpoint for c in columns
    ]
    between = zip(middles, cuts.low.T, high.T, strict=True)
    middle = np.stack([of(low, above) for of, low, above in between], axis=1)
    two = np.full(len(middle), 2, np.int64)
    found = []
    for j, column in enumerate(columns):
        tests = Tests(CUTS, middle[:, [j]], two)
        sides = search.divided(int(column), tests).stats[..., 1:]
        straight = sides[:, 0, 0] + sides[:, 1, 1]
        flipped = sides[:, 0, 1] + sides[:, 1, 0] >= straight
        found.append(Candidate(int(column), tests, flipped, sides, cuts.score[:, j] > -np.inf))
    return found


def _on_levels(search: Search, division: Division, column: int, as_rpart: bool) -> Candidate:
    """Each level goes where most of its weight goes; a level in balance, where most of all goes."""
    seen = search.histogram(column)
    sent = seen.stats[..., 1:]  # [n, levels, 2]
    overall = sent.sum(axis=1)
    balanced = overall[:, 0] == overall[:, 1]
    most = np.where(balanced, _right(division), overall.argmax(axis=1))[:, None]
    to = np.where(sent[..., 0] == sent[..., 1], most, sent.argmax(axis=-1))
    present = seen.weight > 0
    groups = np.where(present, to, NOWHERE).astype(np.float64)
    two = np.full(len(groups), 2, np.int64)
    sides = np.stack([np.where(groups == g, 1.0, 0.0)[..., None] * sent for g in (0, 1)], axis=1)
    if as_rpart:
        # rpart 4.1 counts agreeing and disagreeing rows where rows of each side are meant.
        rows = division.search(Agreement(), LEAST_ROWS, weighted=False).histogram(column).stats
        agreeing = np.take_along_axis(rows[..., 1:], to[..., None].astype(np.int64), axis=2)
        same = agreeing[..., 0].sum(axis=1)
        allowed = (same >= LEAST_ROWS) & (rows[..., 0].sum(axis=1) - same >= LEAST_ROWS)
    else:
        each = [np.where(groups == g, seen.rows, 0).sum(axis=1) for g in (0, 1)]
        allowed = np.minimum(*each) >= LEAST_ROWS
    none = np.zeros(len(groups), bool)
    return Candidate(column, Tests(LEVELS, groups, two), none, sides.sum(axis=2), allowed)


def _right(division: Division) -> Ints:
    """[n]: the branch that rpart calls right: the greater mean of the target, or of class numbers.

    Where they are equal, the first one.
    """
    branches, numbers = division.branches, division.table.task == "regression"
    places = np.arange(1.0, branches.shape[-1])
    amount = branches[..., 1] if numbers else branches[..., 1:] @ places
    mean = amount / branches[..., 0]
    return np.where(mean[:, 0] < mean[:, 1], 1, 0)


def gathered(rated: Sequence[Rated], n: int, keep: int) -> Surrogates:
    """The best of each of n nodes, by their agreement; of equals the earlier column first."""
    if not rated:
        kept = np.empty((0, n), bool)
        agreement = adjusted = np.empty((0, n))
    else:
        kept = np.stack([r.kept for r in rated])
        agreement = np.where(kept, np.stack([r.agreement for r in rated]), -np.inf)
        adjusted = np.stack([r.adjusted for r in rated])
    order = np.argsort(-agreement, axis=0, kind="stable")[:keep]
    chosen = np.take_along_axis(kept, order, axis=0)
    node, rank = np.nonzero(chosen.T)
    which = order[rank, node]
    tests = [r.candidate.tests for r in rated]
    widths = np.array([t.operands.shape[1] for t in tests], np.int64)[which]
    start = np.concatenate([[0], np.cumsum(widths)]).astype(np.int64)
    operands = np.empty(int(start[-1]))
    for j in np.unique(which):
        mine = np.flatnonzero(which == j)
        at = start[mine][:, None] + np.arange(tests[j].operands.shape[1])
        operands[at] = tests[j].operands[node[mine]]
    flipped = np.array([r.candidate.flipped for r in rated], bool).reshape(len(rated), n)
    columns = np.array([r.candidate.column for r in rated], np.int32)
    kinds = np.array([t.kind for t in tests], np.int8)
    return Surrogates(
        first=np.concatenate([[0], np.cumsum(chosen.sum(axis=0))]).astype(np.int64),
        column=columns[which],
        kind=kinds[which],
        start=start,
        operands=operands,
        flipped=flipped[which, node],
        agreement=agreement[which, node],
        adjusted=adjusted[which, node],
    )
