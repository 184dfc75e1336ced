"""For each column, the test that agrees best with a node's own (Breiman et al. 1984, 5.3.1)."""

from __future__ import annotations

import numpy as np
from attrs import frozen

from treekit import (
    CUTS,
    LEVELS,
    SURROGATE_ROWS,
    Bools,
    Division,
    Floats,
    Ints,
    Surrogates,
    Table,
    kernel,
    right_branch,
    send_levels,
)
from treekit_builtin.splitters.places import RPART_MIDDLE, midpoint
from treekit_builtin.widths import parts_of_like_width


@frozen(eq=False)
class Candidates:
    """The best test of each of c columns in each of n nodes.

    kinds     [c]: of the tests
    start     [c + 1]: where the operands of each begin
    operands  [n, start[-1]]: a cut, or the branch of each level
    flipped   [n, c]: the test's branch 0 goes where the node's branch 1 goes
    sides     [n, c, 2, 2]: the weight by its branch, and by the branch of the node's own test
    allowed   [n, c]: it may stand in for the node's own: enough rows go each way
    """

    kinds: Ints
    start: Ints
    operands: Floats
    flipped: Bools
    sides: Floats
    allowed: Bools

    @property
    def agreeing(self) -> Floats:
        """[n, c]: the weight that both tests send the same way."""
        straight = self.sides[..., 0, 0] + self.sides[..., 1, 1]
        return np.where(self.flipped, self.sides.sum(axis=(2, 3)) - straight, straight)


def candidates(division: Division, as_rpart: bool, look: bool = True) -> Candidates:
    """The best test of every column; none where it is the node's own, or without a look."""
    n, columns = len(division.column), division.table.columns
    nominal = np.array([column.kind == "nominal" for column in columns], dtype=bool)
    widths = np.where(nominal, [len(column.levels) for column in columns], 1).astype(np.int64)
    start = np.concatenate([[0], np.cumsum(widths)]).astype(np.int64)
    shape = (n, len(columns))
    found = Candidates(
        np.where(nominal, LEVELS, CUTS),
        start,
        np.empty((n, int(start[-1]))),
        np.zeros(shape, dtype=bool),
        np.zeros((*shape, 2, 2)),
        np.zeros(shape, dtype=bool),
    )
    for here, find in ((np.flatnonzero(~nominal), _on_cuts), (np.flatnonzero(nominal), _on_levels)):
        if look and len(here):
            find(division, here, as_rpart, found)
    found.allowed[division.column[:, None] == np.arange(len(columns))] = False
    return found


def _on_cuts(division: Division, columns: Ints, as_rpart: bool, found: Candidates) -> None:
    low, high, sides = division.cuts(columns, SURROGATE_ROWS)
    each = np.broadcast_to(columns, low.shape)
    found.operands[:, found.start[columns]] = places(division.table, each, low, high, as_rpart)
    straight = sides[..., 0, 0] + sides[..., 1, 1]
    found.flipped[:, columns] = sides[..., 0, 1] + sides[..., 1, 0] >= straight
    found.sides[:, columns] = sides
    found.allowed[:, columns] = ~np.isnan(low)


def places(table: Table, columns: Ints, low: Floats, high: Floats, as_rpart: bool) -> Floats:
    """Where each of the columns is cut between two neighbours."""
    if not as_rpart:
        return midpoint(low, high)
    kinds = np.array([column.kind for column in table.columns])[columns]
    made = np.empty(low.shape)
    for kind, middle in RPART_MIDDLE.items():
        made = np.where(kinds == kind, middle(low, high), made)
    return made


def _on_levels(division: Division, columns: Ints, as_rpart: bool, found: Candidates) -> None:
    branches, of_numbers = division.branches, division.table.task == "regression"
    widths = np.diff(found.start)[columns]
    for some in parts_of_like_width(widths, 2 * len(branches)):
        weight, rows = division.levels(columns[some])
        _send_levels.bound(division.compiled)(
            columns[some], widths[some], weight, rows, branches, of_numbers, as_rpart, found.start,
            found.operands, found.sides, found.allowed,
        )  # fmt: skip


@kernel
def _send_levels(  # type: ignore[no-untyped-def]
    columns, widths, weight, rows, branches, of_numbers, as_rpart, start, operands, sides, allowed
):
    for n in range(weight.shape[0]):
        right = right_branch(branches[n], of_numbers)
        for j in range(columns.shape[0]):
            c, width = columns[j], widths[j]
            allowed[n, c] = send_levels(
                weight[n, j, :width], rows[n, j, :width], right, as_rpart,
                operands[n, start[c] :], sides[n, c],
            )  # fmt: skip


def gathered(found: Candidates, agreement: Floats, adjusted: Floats, keep: int) -> Surrogates:
    """The best of each node by their agreement [n, c], -inf where one may not be kept; of equals
    the earlier column first.
    """
    order = np.argsort(-agreement, axis=1, kind="stable")[:, :keep]
    chosen = np.take_along_axis(agreement, order, axis=1) > -np.inf
    node, rank = np.nonzero(chosen)
    column = order[node, rank]
    widths = np.diff(found.start)[column]
    start = np.concatenate([[0], np.cumsum(widths)]).astype(np.int64)
    own = np.repeat(found.start[column] - start[:-1], widths) + np.arange(start[-1])
    return Surrogates(
        first=np.concatenate([[0], np.cumsum(chosen.sum(axis=1))]).astype(np.int64),
        column=column.astype(np.int32),
        kind=found.kinds[column].astype(np.int8),
        start=start,
        operands=found.operands[np.repeat(node, widths), own],
        flipped=found.flipped[node, column],
        agreement=agreement[node, column],
        adjusted=adjusted[node, column],
    )
