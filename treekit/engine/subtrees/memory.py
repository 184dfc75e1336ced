"""The memory in which the kernels of subtrees work, as `subtrees.layout` has it."""

from __future__ import annotations

from typing import Any

import numpy as np
from attrs import frozen

from treekit.engine.subtrees.asking import MOST_CORNERS, new_asking
from treekit.engine.subtrees.columns import Columns
from treekit.engine.subtrees.layout import FLUSHED, GATHERED, MARKS, STACKED


@frozen(eq=False)
class Memory:
    """For nodes of up to so many rows, of a table with up to so many cases."""

    rows: int
    n_cases: int
    arrays: tuple[Any, ...]


def new_memory(
    columns: Columns,
    n: int,
    n_cases: int,
    size: int,
    counted: int,
    weighted: bool,
    keep: int,
    asked: int,
) -> Memory:
    """For nodes of up to n rows, of a table with so many cases and statistics of this size.

    counted  columns of no more values are counted
    keep     as many tests stand in for a node's own
    asked    as many columns are looked at in the node, and none handed on, unless it is 0
    """
    n_columns, ordered = len(columns), int((columns.slot > 0).sum())
    gathered = max(
        min(GATHERED, n) + counted,
        min(GATHERED, columns.n_flags),
        columns.most_divisions,
        n if asked else 0,
    )
    room = max(FLUSHED + gathered + 1, asked * MOST_CORNERS + 1)
    mixed = (
        columns.traits,
        np.empty((n, columns.n_tallies), np.uint16),  # tallies
        np.empty(size),  # known
        np.empty(n_columns),  # known_weight
        np.empty(n_columns),  # best_left
        np.empty(n_columns),  # merit
        np.empty(columns.widest, np.int64),  # levels
        np.empty(columns.most_divisions, np.int64),  # left_rows
    )
    arrays = (
        np.empty(n_cases, np.int32),  # number
        np.empty((2, 1 + (0 if asked else ordered), n + 1), np.uint64),  # words
        new_asking(n, ordered, asked),
        np.empty((n, columns.n_flags), np.uint8),  # flags
        np.empty(n, np.int8),  # side
        np.empty(n),  # y
        np.empty(n),  # weights
        np.empty((n + 1, STACKED), np.int64),  # stack
        np.empty(n + 1, np.uint64),  # keys
        np.empty((size, room)),  # lefts
        np.empty(room, np.int64),  # place
        np.empty(room),  # value
        np.empty((size, columns.n_counts)),  # counts
        np.empty(columns.n_counts if weighted else 0, np.int64),  # rows
        np.empty(size),  # left
        np.empty(n_columns),  # best
        np.empty((n_columns, len(MARKS)), np.int64),  # marks
        np.ones(n_columns, dtype=bool),  # allowed
        mixed,
        _standing(columns, n, keep),
    )
    return Memory(n, n_cases, arrays)


def _standing(columns: Columns, n: int, keep: int) -> tuple[Any, ...]:
    """As `subtrees.standing_in` has it."""
    n_columns = len(columns) if keep else 0
    return (
        np.empty(n if keep else 0, np.int8),  # steps
        np.empty((columns.n_counts, 2)),  # sent
        np.empty(2, np.int64),  # whole
        np.empty(3, np.int64),  # found
        np.empty((2, 2)),  # sides
        np.empty(n_columns, np.int64),  # place
        np.empty(n_columns, dtype=bool),  # flipped
        np.empty((n_columns, 2)),  # rated
        np.empty((n_columns, columns.widest), np.int8),  # to
    )
