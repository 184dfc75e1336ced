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


@frozen
class Grouping:
    """Levels merged pair by pair while that pays (Quinlan 1993, section 7.3; C4.5's -s).

    A column of two levels is split as it is, once. Of the others, levels that weigh next to
    nothing in the node are set aside as a last branch; levels of one and the same class are
    merged first; then, again and again, the pair of groups whose merger is worth most.

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
        widest = max(len(g.weights) for g in found)
        weights = np.array([np.pad(g.weights, (0, widest - len(g.weights))) for g in found])
        return search.offer_groups(
            column,
            np.array([g.branch_of_level for g in found]),
            np.array([g.n_branches for g in found], np.int64),
            np.array([g.score for g in found]),
            weights,
        )

    def _of_node(self, one: Search, seen: Histogram, node: int) -> _Grouped:
        weight = seen.weight[node]
        kept = [int(level) for level in np.flatnonzero(weight > 0.5)]
        groups = _merge_single_classes([_Group((v,), seen.stats[node, v]) for v in kept])
        if len(groups) < 2:
            return _Grouped(-np.inf, np.full(len(weight), float(NOWHERE)), 2, np.zeros(1))
        groups = self._merge_greedily(one, groups)
        stats = np.array([g.stats for g in groups])
        rows = np.array([seen.rows[node, list(g.levels)].sum() for g in groups])
        score = float(one.score(stats[None])[0]) if one.enough(stats[:, 0], rows) else -np.inf
        branch = np.full(len(weight), float(len(groups)))
        for number, group in enumerate(groups):
            branch[list(group.levels)] = number
        n_branches = len(groups) + int(len(kept) < len(weight))
        return _Grouped(score, branch, n_branches, stats[:, 0])

    def _merge_greedily(self, one: Search, groups: list[_Group]) -> list[_Group]:
        gain, info = _measure(one, np.array([[g.stats for g in groups]]))
        least_gain, previous = gain[0] / 2, float(self._worth(gain, info)[0])
        while len(groups) > 2:
            heavy = [g.weight >= 1 for g in groups]
            heaviest = max(range(len(groups)), key=lambda i: (groups[i].weight, -i))
            pairs = [
                pair
                for pair in combinations(range(len(groups)), 2)
                if sum(heavy) >= 3 or heaviest not in pair
            ]
            if not pairs:
                break
            gains, infos = _measure(one, _mergers(groups, np.array(pairs)))
            values = self._worth(gains, infos)
            best = _best_pair(values, gains, least_gain, self.by == "gain" or sum(heavy) < 2)
            if best < 0:
                break
            stalled = values[best] < previous + ENOUGH
            if self.by == "ratio" and sum(heavy) >= 2 and stalled:
                break
            groups = _merged(groups, *pairs[best])
            previous = float(values[best])
        return groups

    def _worth(self, gain: Floats, info: Floats) -> Floats:
        """C4.5's worth of a test; below zero for none."""
        if self.by == "gain":
            return np.where(info > 0, gain, -EPSILON)
        sound = (gain >= 0) & (info > EPSILON)
        return np.where(sound, gain / np.where(sound, info, 1.0), -EPSILON)


@frozen(eq=False)
class _Group:
    levels: tuple[int, ...]
    stats: Floats

    @property
    def weight(self) -> float:
        return float(self.stats[0])

    @property
    def single_class(self) -> int:
        """The class that has all but next to nothing of the group, -1 if none has."""
        counts = self.stats[1:]
        best = int(counts.argmax())
        return best if counts.sum() - counts[best] < 0.1 else -1


@frozen(eq=False)
class _Grouped:
    score: float
    branch_of_level: Floats
    n_branches: int
    weights: Floats


def _merged(groups: list[_Group], i: int, j: int) -> list[_Group]:
    """Group j goes into group i, and the last group takes its place, as C4.5 has it."""
    merged = list(groups)
    levels = tuple(sorted((*groups[i].levels, *groups[j].levels)))
    merged[i] = evolve(groups[i], levels=levels, stats=groups[i].stats + groups[j].stats)
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
        j = i + 1
        while j < len(groups):
            if groups[i].single_class >= 0 and groups[i].single_class == groups[j].single_class:
                groups = _merged(groups, i, j)
            else:
                j += 1
        i += 1
    return groups


def _measure(one: Search, partitions: Floats) -> tuple[Floats, Floats]:
    """Gain and split information of partitions [p, groups, S] of one node."""
    weight = partitions[..., 0]
    possible = (weight >= 1).sum(axis=-1) >= 2
    gain = np.where(possible, one.score(partitions[None])[0], -EPSILON)
    unknown = np.maximum(one.nodes.weight[0] - weight.sum(axis=-1), 0.0)
    return gain, split_information(weight, unknown)


def _best_pair(values: Floats, gains: Floats, least_gain: float, anything: bool) -> int:
    """The pair to merge: enough gain comes first, then the value, the later pair on ties."""
    best, best_value, best_gain = -1, -EPSILON, -EPSILON
    for pair, (value, gain) in enumerate(zip(values, gains, strict=True)):
        lifts = gain >= least_gain > best_gain
        if lifts or value >= best_value - TIE or (best < 0 and anything):
            best, best_value, best_gain = pair, float(value), float(gain)
    return best
