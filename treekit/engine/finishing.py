"""Nodes with few rows are not split level by level: their whole subtrees are grown in one go.

That can be done where what a node does depends on its own cases alone and is known to the kernels:
formulas in row form, each column's best cut or division in two, the greatest score or merit, and
unknown values that go where surrogates say, or to the heaviest branch. The tree is the one that
levels give. Stop rules are asked when the nodes are there, all at once, and what lies below a node
that they make a leaf is dropped; bounds that they tell beforehand save growing that.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from attrs import field, frozen

from treekit.engine import scan
from treekit.engine.batch import Batch
from treekit.engine.choosing import Choosing
from treekit.engine.finished import Closing, Finished, Grown
from treekit.engine.joining import counts_unknown
from treekit.engine.sample import Sample
from treekit.engine.subtrees.columns import (
    Columns,
    are_known_to_kernels,
    columns_of,
    has_few_levels,
)
from treekit.engine.subtrees.growing import grow_subtrees
from treekit.engine.subtrees.layout import (
    FACTS,
    LIMITS,
    STATS,
    STOOD,
    WEIGHTS,
)
from treekit.engine.subtrees.memory import Memory, new_memory
from treekit.engine.subtrees.standing_in import signature, stand_in, stand_in_nowhere
from treekit.engine.vain import InVain
from treekit.roles import Missing, takes_greatest
from treekit.table.record import Floats, Ints, Table
from treekit.threads import at_hand, go_on, in_order

# Rows of a node whose subtree is grown in one go: more where there are no bins (`engine.bounding`),
# and the order of columns is carried either way; more yet where nodes look at columns themselves.
MOST_ROWS, MOST_ROWS_CARRIED, MOST_ROWS_ASKED = 1 << 12, 1 << 16, 1 << 17
GROUP_ROWS = 1 << 16  # of the nodes whose subtrees are grown in one call
SHARES = 8  # for several threads
COUNTED = 16  # a column of no more values is counted by value in every node
NO_DEPTH = 1 << 31
LARGE = 1 << 20  # cells of a table


def can_finish(choosing: Choosing, sample: Sample) -> bool:
    """Can the subtrees of nodes be grown in one go?"""
    parts, table, missing = choosing.parts, choosing.table, choosing.parts.missing
    return bool(
        choosing.watch is None
        and choosing.scoring.is_fused
        and (takes_greatest(parts.criterion) or choosing.scoring.by_merit)
        and are_known_to_kernels(choosing.groups, sample)
        and not any(hasattr(rule, "look") or hasattr(rule, "most_leaves") for rule in parts.stop)
        and (not hasattr(missing, "surrogates") or _are_by_agreement(missing, table))
        and not counts_unknown(missing)
        and (getattr(missing, "to_heaviest", False) or not np.count_nonzero(table.has_unknown))
        and has_few_levels(sample)
    )


def _are_by_agreement(missing: Missing, table: Table) -> bool:
    """Can kernels find the surrogates, which count cases that weigh 1?"""
    return getattr(missing, "by_agreement", None) is not None and table.given_weights is None


@frozen(eq=False, slots=False)
class Finishing:
    """How the subtrees of nodes are grown in one go, in as many threads as are at hand.

    vain   nodes whose subtrees come off again, if that is known
    spare  memory that no thread uses now
    """

    choosing: Choosing
    sample: Sample
    vain: InVain | None = None
    spare: list[Memory] = field(factory=list)

    def subtrees(self, batch: Batch) -> Iterator[Finished]:
        """The subtrees of these open nodes, some nodes at a time, in their order."""
        groups = _groups(batch)

        def finished(some: Batch) -> Finished:
            go_on()
            memory = self._memory(some)
            grown = self._grown(some, memory)
            self.spare.append(memory)
            return self.closing.finished(*grown)

        yield from in_order(finished, groups, min(at_hand(), len(groups)))

    def in_one_go(self, n_rows: int) -> bool:
        """Can the subtree of a node with so many rows be grown in one go?"""
        return n_rows <= self.most_rows

    @cached_property
    def closing(self) -> Closing:
        return Closing(self.choosing, self.sample, self.vain)

    @cached_property
    def most_rows(self) -> int:
        if self.asked:
            return _shared(MOST_ROWS_ASKED)
        # Of a small table every node is small, and nothing need be found out.
        carries = self.sample.table.n_rows > MOST_ROWS and self.choosing.carried.any()
        return _shared(MOST_ROWS_CARRIED) if carries else MOST_ROWS

    @cached_property
    def columns(self) -> Columns:
        # Surrogates are found along columns in order.
        return columns_of(self.choosing, self.sample, 0 if self.keep is not None else COUNTED)

    @cached_property
    def keep(self) -> int | None:
        """How many tests stand in for a node's own; None: that is not asked for."""
        keep: int | None = getattr(self.choosing.parts.missing, "by_agreement", None)
        return keep

    @cached_property
    def slots(self) -> dict[str, Any]:
        """What the compiler is told of the kernels' work."""
        numbers = int(self.sample.table.schema.target.is_numeric)
        # Each kernel takes its time to compile. Of cases with weights there is one for two classes,
        # whose columns are ordered and known, and one for all others; and nodes that look at their
        # columns themselves have weights, as in a bag.
        weighted = int(self.sample.table.given_weights is not None or self.asked > 0)
        two = self.sample.n_stats == 3 and not numbers
        more = self.columns.is_mixed or self.choosing.scoring.by_merit or self.keep is not None
        mixed = int(more or (weighted and not two))
        size = 3 if numbers or (two and not (mixed and weighted)) else 0
        return {
            "NUMBERS": numbers,
            "SIZE": size,
            "WEIGHTED": weighted,
            "MIXED": mixed,
            "ASKING": int(self.asked > 0),
        }

    @cached_property
    def asked(self) -> int:
        """How many columns a node looks at itself, with nothing handed on; 0: they are handed on.

        It is so where bins tell where the best of its cuts may lie (`subtrees.asking`). Sums of
        whole weights are exact, in whatever order, so that the tree is the same either way.
        """
        choosing, sample = self.choosing, self.sample
        weights = sample.table.given_weights
        in_bins = (
            choosing.few is not None
            and self.keep is None
            and choosing.scoring.skips_runs
            and not choosing.scoring.by_merit
            and len(sample.table.schema.classes) == 2
            and not self.columns.is_mixed
            and (weights is None or bool((weights == np.trunc(weights)).all()))
        )
        return choosing.few if in_bins and choosing.few is not None else 0

    @property
    def patience(self) -> int:
        """How many cells may be visited without the compiler before compiling pays."""
        return max(
            grow_subtrees.patience("alone", self.slots),
            scan.score_run.patience("pointer", self.score_slots),
        )

    @cached_property
    def score_slots(self) -> dict[str, Any]:
        """The same of the loop that scores."""
        # A loop for each number of classes is worth compiling where there is much to do.
        large = self.sample.table.cells.size > LARGE
        size = self.sample.n_stats if large else self.slots["SIZE"]
        return {
            **self.choosing.scoring.formulas,
            "NUMBERS": self.slots["NUMBERS"],
            "SIZE": size,
        }

    @cached_property
    def formulas(self) -> tuple[Any, ...]:
        """The formulas as the kernels take them, and what they take besides."""
        slots, scoring = self.score_slots, self.choosing.scoring
        merit, further = scoring.merit
        return (
            scan.score_run.pointer(_scores, slots),
            scan.impurity_at.pointer(_impurity, {"impurity": slots["impurity"]}),
            scan.merit_at.pointer(_merit, {"merit": merit}),
            (stand_in if self.keep else stand_in_nowhere).pointer(signature, {}),
            *scoring.parameters,
            further,
        )

    @cached_property
    def bounds(self) -> tuple[Ints, Floats]:
        """What splits and nodes must hold, and what the stop rules say of nodes beforehand."""
        choosing, sample = self.choosing, self.sample
        rules = choosing.parts.stop

        def told(name: str, none: float, of: Callable[[list[float]], float] = max) -> float:
            return of([none, *(getattr(rule, name) for rule in rules if hasattr(rule, name))])

        weight = max(told("branch_weight", 0.0), 0.0) * (1 - scan.WEIGHT_TIE)
        rows = max(math.ceil(told("branch_rows", 1)), 1)
        if sample.table.given_weights is None:
            rows = max(rows, math.ceil(weight))  # a row weighs 1
        limits = {
            "branch_rows": rows,
            "node_rows": math.ceil(told("node_rows", 0)),
            "deepest": math.ceil(told("deepest", NO_DEPTH, min)),
            "stops_pure": told("stops_pure", False),
            "skips": choosing.scoring.skips_runs,
            "few": len(self.columns) if choosing.few is None else choosing.few,
            "class_bits": sample.ranked.class_bits,
            "by_merit": choosing.scoring.by_merit,
            "keep": self.keep or 0,
        }
        least = {
            "branch_weight": weight,
            "node_weight": told("node_weight", 0.0),
            "floor": choosing.scoring.floor,
            "centre": sample.centre,
            "in_vain": -math.inf if self.vain is None else self.vain.wrong(sample.stats),
        }
        return (
            np.array([limits[name] for name in LIMITS], np.int64),
            np.array([least[name] for name in WEIGHTS], np.float64),
        )

    def _grown(self, batch: Batch, memory: Memory) -> tuple[Grown, Ints]:
        """The subtrees' nodes, and where each begins."""
        cases, sample, columns = batch.cases, self.sample, self.columns
        most = 2 * int(batch.nodes.rows.sum())
        facts = np.empty((most, len(FACTS)), np.int64)
        figures = np.empty((most, STATS + sample.n_stats))
        groups = np.empty((most if columns.widest else 0, columns.widest), np.int8)
        apart = columns.is_gappy or self.keep
        branches = np.empty((most if apart else 0, 2, sample.n_stats))
        keep = self.keep or 0
        stood = np.empty((most, keep, len(STOOD)), np.int64)
        stood_figures = np.empty((most, keep, 2))
        stood_groups = np.empty((most, keep, columns.widest), np.int8)
        told: tuple[Any, ...] = (groups, branches, stood, stood_figures, stood_groups)
        roots = np.empty(len(batch) + 1, np.int64)
        grow_subtrees.bound(True, self.slots)(
            *self.formulas, batch.start, batch.stop, batch.nodes.depth, batch.nodes.stats,
            batch.keys, cases.order, cases.words, cases.codes, cases.rows,
            columns.spread(cases.carried, 0), columns.spread(cases.loose, -1), columns.slot,
            columns.n_distinct, cases.targets, cases.weights, columns.levels, *self.bounds,
            *memory.arrays, told, facts, figures, roots,
        )  # fmt: skip
        n = roots[-1]
        return Grown(facts[:n], figures[:n], *(array[:n] for array in told)), roots[:-1]

    def _memory(self, batch: Batch) -> Memory:
        """Memory that no thread uses now, if there is some that is enough, or else new."""
        rows, n_cases = int(batch.nodes.rows.max()), len(batch.cases)
        if self.spare:
            spare = self.spare.pop()
            if spare.rows >= rows and spare.n_cases >= n_cases:
                return spare
        return new_memory(
            self.columns,
            rows,
            n_cases,
            self.sample.n_stats,
            COUNTED,
            bool(self.slots["WEIGHTED"]),
            keep=self.keep or 0,
            asked=self.asked,
        )


def _shared(rows: int) -> int:
    """So many rows at a time, or fewer, so that several threads find work on a level."""
    return rows if at_hand() == 1 else max(rows // SHARES, 1)


def _groups(batch: Batch) -> list[Batch]:
    """The nodes in groups of so many rows, in their order."""
    group = (batch.nodes.rows.cumsum() - batch.nodes.rows) // _shared(GROUP_ROWS)
    if group[-1] == 0:
        return [batch]
    ends = np.flatnonzero(np.diff(group, append=-1)) + 1
    return [batch.only(np.arange(*ab)) for ab in pairwise([0, *ends.tolist()])]


def _scores() -> Any:
    from numba import types

    vector, matrix = types.float64[::1], types.float64[:, ::1]
    whole = types.int64
    return types.void(whole, whole, matrix, vector, types.float64, vector, vector, vector)


def _impurity() -> Any:
    from numba import types

    return types.float64(types.float64[::1], types.float64[::1])


def _merit() -> Any:
    from numba import types

    return types.float64(types.float64, types.float64, types.float64[::1])
