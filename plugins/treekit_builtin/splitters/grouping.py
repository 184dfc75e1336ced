"""C4.5's greedy grouping of the levels of a column."""

from __future__ import annotations

from itertools import combinations
from typing import ClassVar, Literal

import numpy as np
from attrs import evolve, field, frozen, validators

from treekit import (
    NOWHERE,
    Column,
    Floats,
    Histogram,
    Ints,
    Kind,
    Offers,
    Search,
    join_offers,
    split_information,
)

from .multiway import Multiway

EPSILON = 1e-3
ENOUGH = 1e-5  # what a merger must add to the ratio
TIE = 1e-12  # values that differ by less are equal
NOISE = 1e-9  # sums of fractional weights that differ by less are the same
NEXT_TO_NOTHING = 0.5  # a level that weighs no more is set aside
STRAY = 0.1  # what a group of one class may hold of others


@frozen
class Grouping:
    """Levels merged pair by pair while that pays (Quinlan 1993, section 7.3; C4.5's -s).

    A column of two levels is split as it is, once. Of the others, levels that weigh next to
    nothing in the node are set aside as a last branch; levels of one and the same class are
    merged first; then, again and again, the pair of groups whose merger is worth most. While
    fewer than three groups hold the stop rules' branch minimum, the heaviest is left alone.

    by: mergers are compared, and stop, by the gain "ratio"; by "gain" they go on down to two
        groups (C4.5's -g).
    """

    kinds: ClassVar[tuple[Kind, ...]] = ("nominal",)

    by: Literal["ratio", "gain"] = field(
        default="ratio", validator=validators.in_(("ratio", "gain"))
    )

    def asked_once(self, column: Column) -> bool:
        return len(column.levels) <= 2

    def offer(self, search: Search, columns: Ints) -> Offers:
        return join_offers([self._of_column(search, int(c)) for c in columns])

    def _of_column(self, search: Search, column: int) -> Offers:
        if len(search.table.columns[column].levels) <= 2:
            return Multiway().offer(search, np.array([column]))
        seen = search.histogram(column)
        found = [self._of_node(search.at(n), seen, n) for n in range(len(search.nodes))]
        offers = search.offer_groups(
            column,
            np.array([g.branch_of_level for g in found]),
            np.array([g.n_branches for g in found], np.int64),
            np.array([g.score for g in found]),
            seen.weight,
        )
        # What is set aside is no part of C4.5's split information.
        return evolve(offers, split_info=np.array([[g.split_info] for g in found]))

    def _of_node(self, search: Search, seen: Histogram, node: int) -> _Grouped:
        stats, rows = seen.stats[node], seen.rows[node]
        kept = stats[:, 0] > NEXT_TO_NOTHING * (1 + NOISE)
        groups = _merge_single_classes(
            [_Group((int(v),), stats[v], int(rows[v])) for v in np.flatnonzero(kept)]
        )
        if len(groups) < 2:
            return _Grouped(-np.inf, 0.0, np.full(len(kept), float(NOWHERE)), 2)
        scale = _Scale.of(search, stats, kept)
        groups, gain, info = self._merge_greedily(scale, groups)
        enough = search.enough(
            np.array([g.weight for g in groups]), np.array([g.rows for g in groups])
        )
        branch = np.full(len(kept), float(len(groups)))
        for number, group in enumerate(groups):
            branch[list(group.levels)] = number
        return _Grouped(
            gain if enough else -np.inf,
            info,
            branch,
            len(groups) + int(not kept.all()),
        )

    def _merge_greedily(
        self, scale: _Scale, groups: list[_Group]
    ) -> tuple[list[_Group], float, float]:
        """The groups that are left, their gain and their split information."""
        gains, infos = scale.measure(np.array([[g.stats for g in groups]]))
        gain, info = float(gains[0]), float(infos[0])
        value = float(self._worth(gains, infos)[0])
        least_gain = gain / 2
        while len(groups) > 2:
            heavy = sum(scale.is_enough(g) for g in groups)
            heaviest = max(range(len(groups)), key=lambda i: (groups[i].weight, -i))
            pairs = [
                pair
                for pair in combinations(range(len(groups)), 2)
                if heavy >= 3 or heaviest not in pair
            ]
            gains, infos = scale.measure(_mergers(groups, np.array(pairs)))
            values = self._worth(gains, infos)
            forced = self.by == "gain" or heavy < 2
            best = _best_pair(values, gains, least_gain, forced)
            if not forced and (best < 0 or values[best] < value + ENOUGH):
                break
            groups = _merged(groups, *pairs[best])
            gain, info, value = float(gains[best]), float(infos[best]), float(values[best])
        return groups, gain, info

    def _worth(self, gain: Floats, info: Floats) -> Floats:
        """C4.5's worth of a test; below zero for none."""
        if self.by == "gain":
            return np.where((info > 0) & (gain > -EPSILON), gain, -EPSILON)
        sound = (gain >= 0) & (info > EPSILON)
        return np.where(sound, gain / np.where(sound, info, 1.0), -EPSILON)


@frozen(eq=False)
class _Group:
    levels: tuple[int, ...]
    stats: Floats
    rows: int

    @property
    def weight(self) -> float:
        return float(self.stats[0])

    @property
    def main_class(self) -> int:
        return int(self.stats[1:].argmax())

    def is_only(self, label: int) -> bool:
        """Has this class all but next to nothing of the group?"""
        return bool(self.stats[1 + label] >= self.weight - STRAY)


@frozen(eq=False)
class _Grouped:
    score: float
    split_info: float
    branch_of_level: Floats
    n_branches: int


@frozen(eq=False)
class _Scale:
    """What the partitions of one node are measured by.

    `aside` are the classes of the levels set aside, one pure branch for each: C4.5 counts their
    cases before the split, and finds nothing left to tell apart in them after it.
    """

    search: Search
    aside: Floats
    unknown: float

    @staticmethod
    def of(search: Search, stats: Floats, kept: Ints) -> _Scale:
        classes = stats[~kept, 1:].sum(axis=0)
        unknown = max(float(search.nodes.weight[0] - stats[:, 0].sum()), 0.0)
        return _Scale(search, np.column_stack([classes, np.diag(classes)]), unknown)

    def measure(self, partitions: Floats) -> tuple[Floats, Floats]:
        """Gain and split information of partitions [p, groups, S].

        While groups are merged, two of a weight of 1 are enough.
        """
        weight = partitions[..., 0]
        possible = (weight >= 1 - NOISE).sum(axis=-1) >= 2
        aside = np.broadcast_to(self.aside, (len(partitions), *self.aside.shape))
        branches = np.concatenate([partitions, aside], axis=1)
        gain = np.where(possible, self.search.score(branches[None])[0], -EPSILON)
        counted = (weight.sum(axis=-1) + self.unknown) / self.search.nodes.weight[0]
        return gain, counted * split_information(weight, np.full(len(weight), self.unknown))

    def is_enough(self, group: _Group) -> bool:
        """Does a group hold the stop rules' branch minimum?"""
        heavy = group.weight >= self.search.branch_weight * (1 - NOISE)
        return bool(heavy and group.rows >= self.search.branch_rows)


def _merged(groups: list[_Group], i: int, j: int) -> list[_Group]:
    """Group j goes into group i, and the last group takes its place, as C4.5 has it."""
    one, other = groups[i], groups[j]
    merged = list(groups)
    merged[i] = _Group(
        tuple(sorted((*one.levels, *other.levels))), one.stats + other.stats, one.rows + other.rows
    )
    merged[j] = merged[-1]
    return merged[:-1]


def _mergers(groups: list[_Group], pairs: Ints) -> Floats:
    """[pairs, groups, S]: the partitions with one pair merged, the second group left empty."""
    partitions = np.repeat(np.array([[g.stats for g in groups]]), len(pairs), axis=0)
    each, (first, second) = np.arange(len(pairs)), pairs.T
    partitions[each, first] += partitions[each, second]
    partitions[each, second] = 0.0
    return partitions


def _merge_single_classes(groups: list[_Group]) -> list[_Group]:
    i = 0
    while i < len(groups):
        label = groups[i].main_class
        j = i + 1 if groups[i].is_only(label) else len(groups)
        while j < len(groups):
            if groups[j].is_only(label):
                groups = _merged(groups, i, j)
            else:
                j += 1
        i += 1
    return groups


def _best_pair(values: Floats, gains: Floats, least_gain: float, forced: bool) -> int:
    """The pair to merge: enough gain comes first, then the value, the later pair on ties.

    -1 if none is worth anything and no merger is forced.
    """
    best, best_value, best_gain = -1, 0.0, -EPSILON
    for pair, (value, gain) in enumerate(zip(values, gains, strict=True)):
        lifts = gain >= least_gain > best_gain
        if lifts or value >= best_value - TIE or (best < 0 and forced):
            best, best_value, best_gain = pair, float(value), float(gain)
    return best
