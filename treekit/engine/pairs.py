"""The nodes and columns whose cuts are asked for: their cases, and which cuts are allowed.

A pair is a node and a column; its number is node * columns + column.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from attrs import frozen

from treekit.engine.cases import Cases
from treekit.table.record import Bools, Floats, Ints


@frozen(eq=False)
class Allowed:
    """Which cuts may be offered.

    rows, weight  what each side must hold
    margin        [pairs]: what each side must weigh besides, or empty
    gap           neighbours in `values` no further apart are not cut apart
    skips_runs    as `scan` has it
    only_best     only the best of a node's columns matters
    """

    rows: int
    weight: float
    margin: Floats
    gap: float
    values: Floats
    skips_runs: bool
    only_best: bool

    @property
    def sides(self) -> tuple[int, float, Floats]:
        return self.rows, self.weight, self.margin


@frozen(eq=False, slots=False)
class Where:
    """The cases of some nodes, and the columns whose cuts are asked for; `stops` is [n, c]."""

    cases: Cases
    columns: Ints
    start: Ints
    stops: Ints

    @cached_property
    def ranked(self) -> Ints:
        """[c]: which of the ordered columns they are."""
        return self.cases.sample.code_row[self.columns]

    @cached_property
    def carried(self) -> Bools:
        return np.asarray(self.cases.carried[self.ranked] > 0)

    @cached_property
    def n_distinct(self) -> Ints:
        return self.cases.sample.n_distinct[self.ranked]

    @cached_property
    def offset(self) -> Ints:
        return self.cases.sample.offset[self.ranked]

    @property
    def n_columns(self) -> int:
        return len(self.columns)

    @cached_property
    def sizes(self) -> Ints:
        """[n, c]: how many cases there are."""
        return self.stops - self.start[:, None]

    @cached_property
    def largest(self) -> int:
        return int(self.sizes.max())

    @cached_property
    def known_ends(self) -> Ints:
        """[n, c]: where the unknown values of carried columns begin."""
        return self.cases.known_ends(self.ranked, self.start, self.stops)

    @cached_property
    def target_bits(self) -> int:
        """How many bits of a word hold the class."""
        if self.cases.targets.dtype.kind == "f":
            return 0
        if self.cases.packed:
            return self.cases.sample.ranked.class_bits
        return int(self.cases.targets.max(initial=0)).bit_length()

    @cached_property
    def arguments(self) -> tuple[Any, ...]:
        """Of loose columns, as the kernels take them."""
        cases, which = self.cases, self.cases.loose[self.ranked]
        return (
            cases.order, cases.codes, cases.class_bits, which, self.n_distinct, self.start,
            self.stops,
        )  # fmt: skip

    @property
    def of_table(self) -> tuple[Any, ...]:
        """Of any column, by the codes of the table."""
        cases = self.cases
        return (
            cases.order, cases.rows, cases.sample.codes, cases.class_bits, self.ranked,
            self.n_distinct, self.start, self.stops,
        )  # fmt: skip


@frozen(eq=False)
class Bins:
    """Pair p has the bins first[p] to first[p + 1], of 2 ** shift[p] ranks each; or none.

    Of each bin: the weight of both classes, the rows, and whether it may hold the best cut; `kept`
    says how many of a pair's do.
    """

    first: Ints
    shift: Ints
    weights: Floats
    rows: Ints
    keep: Ints
    kept: Ints

    @staticmethod
    def empty(first: Ints, shift: Ints) -> Bins:
        n = int(first[-1])
        rows, keep, kept = np.zeros(n, np.int64), np.empty(n, np.int64), np.zeros_like(first)
        return Bins(first, shift, np.zeros(2 * n), rows, keep, kept)
