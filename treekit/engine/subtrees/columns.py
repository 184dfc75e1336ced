"""The columns of a table as the kernels of subtrees have them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from attrs import frozen

from treekit.divisions import n_divisions
from treekit.engine.sample import Sample
from treekit.engine.subtrees.layout import TRAITS
from treekit.table.record import Bools, Ints

if TYPE_CHECKING:
    from treekit.engine.choosing import Choosing

MOST_FLAGS = 1 << 11  # values of all ordered columns that are counted
MOST_LEVELS = 1 << 11  # levels of all nominal columns
MOST_TALLIES = 1 << 15  # of a case, so that all that is counted is numbered by 16 bits


def are_known_to_kernels(groups: list[tuple[Any, Ints]], sample: Sample) -> bool:
    """Do kernels know what splitters offer of the columns that they serve?"""
    nominal = sample.is_nominal
    if not np.count_nonzero(nominal):
        return all(getattr(splitter, "any_cut", False) for splitter, _ in groups)
    return all(
        (hasattr(splitter, "any_division") or not nominal[served].any())
        and (getattr(splitter, "any_cut", False) or bool(nominal[served].all()))
        for splitter, served in groups
    )


def has_few_levels(sample: Sample) -> bool:
    """Have a table's nominal columns no more levels than is worth counting in every node?"""
    nominal, tallied = sample.is_nominal, sample.is_nominal | sample.table.has_unknown
    if not np.count_nonzero(tallied):
        return True
    few = int(sample.n_levels[nominal].sum()) <= MOST_LEVELS
    return few and int(np.count_nonzero(tallied)) <= MOST_TALLIES


@frozen(eq=False, slots=False)
class Columns:
    """Every column of the table, in its order; see `subtrees.layout`.

    n_distinct  how many values or levels a column has
    n_flags     values of the ordered columns that are counted, of each all but the greatest
    n_tallies   what is tallied of a case
    n_counts    all that is counted, and a place for what is unknown if anything is tallied
    """

    sample: Sample
    slot: Ints
    n_distinct: Ints
    traits: Ints
    n_flags: int
    n_tallies: int
    n_counts: int

    def __len__(self) -> int:
        return len(self.slot)

    def spread(self, of_ordered: Ints, otherwise: int) -> Ints:
        """What is told of the ordered columns, told of every column."""
        if len(of_ordered) == len(self):
            return of_ordered
        row = self.sample.code_row
        return np.where(row >= 0, of_ordered[row] if len(of_ordered) else otherwise, otherwise)

    def trait(self, name: str) -> Ints:
        return self.traits[:, TRAITS.index(name)]

    @property
    def is_gappy(self) -> bool:
        """Has some column unknown values?"""
        return self.is_mixed and bool(np.count_nonzero(self.trait("known_at") >= 0))

    @property
    def is_mixed(self) -> bool:
        return self.n_tallies > 0

    @cached_property
    def widest(self) -> int:
        """The most levels that a nominal column has."""
        if not self.is_mixed:
            return 0
        return int(self.n_distinct[self.sample.is_nominal].max(initial=0))

    @cached_property
    def most_divisions(self) -> int:
        if not self.widest:
            return 0
        every = self.trait("every")
        most = int(every.max(initial=0))
        return max(int(n_divisions(n, most)) for n in (self.widest, min(self.widest, most)))

    @cached_property
    def levels(self) -> npt.NDArray[np.int32]:
        """[k, rows]: `sample.levels`."""
        if not self.widest:
            return np.empty((0, 0), np.int32)
        return self.sample.levels.astype(np.int32)


def columns_of(choosing: Choosing, sample: Sample, counted: int) -> Columns:
    """The columns of a sample; ordered ones of so few values are counted."""
    nominal, n_distinct = sample.is_nominal, sample.n_distinct
    traits = np.full((len(nominal), len(TRAITS)), -1, np.int64)
    if len(n_distinct) < len(nominal):
        of_ordered = n_distinct[sample.code_row] if len(n_distinct) else 0
        n_distinct = np.where(nominal, sample.n_levels, of_ordered)
    slot, n_flags = _slots(n_distinct, (n_distinct <= counted) & ~nominal, nominal)
    has_unknown = sample.table.has_unknown
    at, tally = n_flags, 0
    for k in [*np.flatnonzero(nominal).tolist(), *np.flatnonzero(has_unknown & ~nominal).tolist()]:
        known_at = level_row = -1
        if nominal[k]:
            slot[k], level_row = -1 - at, int(sample.level_row[k])
            at += int(n_distinct[k])
        if has_unknown[k]:
            known_at, at = at, at + 1
        traits[k] = known_at, tally, level_row, 0
        tally += 1
    for splitter, served in choosing.groups:
        if hasattr(splitter, "any_division"):
            traits[served, TRAITS.index("every")] = splitter.any_division(sample.table)
    return Columns(sample, slot, n_distinct, traits, n_flags, tally, at + int(tally > 0))


def _slots(n_distinct: Ints, few: Bools, nominal: Bools) -> tuple[Ints, int]:
    """Where the cases of ordered columns lie, those of few values by flags; how many flags."""
    if not np.count_nonzero(few):
        return np.cumsum(~nominal), 0
    lower = np.where(few, np.maximum(n_distinct - 1, 0), 0)
    ends = np.cumsum(lower)
    flagged = few & (ends <= MOST_FLAGS)
    slot = np.where(flagged, -1 - (ends - lower), np.cumsum(~(flagged | nominal)))
    return slot, int(lower[flagged].sum())
