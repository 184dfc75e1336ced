"""One level of a column against all the others."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from attrs import frozen

from treekit import LEVELS, Floats, Ints, Kind, Offers, Search, Tests, first_best, join_offers


@frozen
class OneVsRest:
    """Is it this level or another? The best level is asked for (Kononenko et al. 1984, ASSISTANT).

    Every other level goes to the second branch, even one that the node does not hold. A column of
    k levels has at most k such tests, however many they are; `subset` weighs more.
    """

    kinds: ClassVar[tuple[Kind, ...]] = ("nominal", "ordinal")

    def offer(self, search: Search, columns: Ints) -> Offers:
        return join_offers([_of_column(search, int(c)) for c in columns])

    def every_test(self, search: Search, column: int) -> Tests:
        """Each of the levels that the one node of the search holds, against the rest."""
        held = search.histogram(column).rows[0] > 0
        asked = np.flatnonzero(held) if held.sum() > 1 else np.empty(0, np.int64)
        return Tests(LEVELS, _apart(asked, len(held)), np.full(len(asked), 2, np.int64))


def _of_column(search: Search, column: int) -> Offers:
    seen = search.histogram(column)
    rest = seen.stats.sum(axis=1, keepdims=True) - seen.stats
    if search.table.schema.classes:
        rest = np.maximum(rest, 0.0)  # a class weight left below zero by rounding
    branches = np.stack([seen.stats, rest], axis=2)
    rows = np.stack([seen.rows, seen.rows.sum(axis=1, keepdims=True) - seen.rows], axis=2)
    allowed = search.enough(branches[..., 0], rows) & (rows > 0).all(axis=2)
    score = np.where(allowed, search.score(branches), -np.inf)
    best = first_best(score, search.nodes.impurity)
    nodes, asked = np.arange(len(best)), np.maximum(best, 0)
    return search.offer_groups(
        column,
        _apart(asked, score.shape[1]),
        np.full(len(best), 2, np.int64),
        np.where(best >= 0, score[nodes, asked], -np.inf),
        branches[nodes, asked, :, 0],
        allowed.sum(axis=1),
    )


def _apart(asked: Ints, levels: int) -> Floats:
    """[n, levels]: branch 0 for the level asked for, 1 for every other."""
    return np.where(np.arange(levels) == asked[:, None], 0.0, 1.0)
