"""The cuts that agree best with a node's own test, against every cut there is."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest

from treekit.engine import agreement, agreement_in_order, scan
from treekit.table.record import Floats, Ints
from treekit.tree import NOWHERE

RANKS = 3000

Tell = Callable[[Ints, Ints, Floats, list[int], bool], tuple[Ints, Ints, Floats]]


def told(
    ranks: Ints, branch: Ints, weights: Floats, starts: list[int], compiled: bool
) -> tuple[Ints, Ints, Floats]:
    """What the kernel tells of some columns of nodes that lie end to end."""
    n = len(starts) - 1
    low, high = np.full((n, len(ranks)), -1), np.full((n, len(ranks)), -1)
    sides = np.zeros((n, len(ranks), 2, 2))
    agreement.best_cuts.bound(compiled)(
        np.arange(ranks.shape[1], dtype=np.uint64), np.array(starts[:-1]), np.array(starts[1:]),
        branch.astype(np.int8), np.empty(0, np.int64), weights, ranks.astype(np.uint32),
        np.uint64(0), np.arange(len(ranks)), np.full(len(ranks), RANKS), 2, np.ones(n), low, high,
        sides,
    )  # fmt: skip
    return low, high, sides


def told_in_order(
    ranks: Ints, branch: Ints, weights: Floats, starts: list[int], compiled: bool
) -> tuple[Ints, Ints, Floats]:
    """The same of the kernel that walks the cases in order, where each weighs 1."""
    n, (columns, m) = len(starts) - 1, ranks.shape
    words = np.tile(np.arange(m, dtype=np.uint64), (1 + columns, 1))
    for begin, end in itertools.pairwise(starts):
        for row, own in zip(words[1:], ranks, strict=True):
            order = begin + np.argsort(own[begin:end], kind="stable")
            row[begin:end] = (own[order].astype(np.uint64) << scan.HALF) | order.astype(np.uint64)
    start, carried = np.array(starts[:-1]), np.arange(1, 1 + columns)
    stops = np.repeat(np.array(starts[1:])[:, None], columns, axis=1)
    ends, none = np.empty((n, columns), np.int64), np.uint64(0)
    scan.known_ends.bound(compiled)(
        words, none, carried, np.full(columns, RANKS), start, stops, ends
    )
    low, high = np.full((n, columns), -1), np.full((n, columns), -1)
    sides = np.zeros((n, columns, 2, 2))
    agreement_in_order.best_cuts_in_order.bound(compiled)(
        words, none, carried, start, stops[:, 0].copy(), ends, branch.astype(np.int8), 2, low,
        high, sides,
    )  # fmt: skip
    return low, high, sides


def every_cut(
    ranks: Ints, branch: Ints, weights: Floats
) -> tuple[int, int, list[list[float]]] | None:
    """The lowest of the best cuts of a node, the rank above it, and the weight on its sides."""
    known = ranks < RANKS
    here = known & (branch != NOWHERE)
    best, found = max(weights[here & (branch == b)].sum() for b in (0, 1)), None
    for low in np.unique(ranks[here])[:-1]:
        left, right = here & (ranks <= low), here & (ranks > low)
        if min(left.sum(), right.sum()) < 2:
            continue
        sides = [[float(weights[s & (branch == b)].sum()) for b in (0, 1)] for s in (left, right)]
        agreed = max(sides[0][0] + sides[1][1], sides[0][1] + sides[1][0])
        if agreed > best:
            best, found = agreed, (int(low), int(ranks[known & (ranks > low)].min()), sides)
    return found


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize(
    ("tell", "weighted"), [(told, False), (told, True), (told_in_order, False)]
)
def test_the_best_cut_of_all_is_found(tell: Tell, weighted: bool, compiled: bool) -> None:
    """In columns of few values and of many, that agree or not; sums of eighths are exact."""
    rng = np.random.default_rng(3)
    found = 0
    for _ in range(12):
        starts = [0, *np.cumsum(rng.integers(3, 220, 3)).tolist()]
        m = starts[-1]
        branch = rng.choice([0, 1, 1, NOWHERE], m)
        near = np.where(branch == 1, 1400, 1600) + rng.integers(-400, 400, m)
        ranks = np.stack(
            [near, rng.integers(0, RANKS, m), rng.integers(0, 4, m), near // 100, near // 8 * 8]
        )
        ranks[rng.random(ranks.shape) < 0.1] = RANKS
        weights = rng.integers(0, 9, m) / 8 if weighted else np.ones(m)
        low, high, sides = tell(
            ranks, branch, weights if weighted else np.ones(1), starts, compiled
        )
        for n, (begin, end) in enumerate(itertools.pairwise(starts)):
            for j in range(len(ranks)):
                best = every_cut(ranks[j, begin:end], branch[begin:end], weights[begin:end])
                if best is None:
                    assert low[n, j] == high[n, j] == -1
                    continue
                found += 1
                assert (low[n, j], high[n, j], sides[n, j].tolist()) == best
    assert found > 60
