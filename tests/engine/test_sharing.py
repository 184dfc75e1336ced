"""Nodes are shared out to threads: each node once, in order, about as much to each."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treekit.engine import best_cuts
from treekit.engine.sharing import most_of, side_by_side

SIZES = st.lists(st.integers(0, 1_000), min_size=1, max_size=40).map(np.array)


@given(SIZES, st.integers(1, 500))
def test_every_node_is_in_one_share(sizes: np.ndarray, most: int) -> None:
    shares = side_by_side(sizes, most)
    assert np.concatenate([np.arange(len(sizes))[share] for share in shares]).tolist() == list(
        range(len(sizes))
    )


@given(SIZES, st.integers(1, 500))
def test_a_large_node_is_alone_and_others_are_not_many(sizes: np.ndarray, most: int) -> None:
    for share in side_by_side(sizes, most):
        held = sizes[share]
        assert len(held) == 1 or (held.max() <= most and held.sum() < 2 * most)


def test_a_share_holds_a_part_of_all_but_not_too_little() -> None:
    assert most_of(np.array([600, 200]), threads=2, least=10) == 100
    assert most_of(np.array([600, 200]), threads=2, least=150) == 150
    assert most_of(np.array([0]), threads=2, least=0) == 1


def test_of_a_large_node_each_thread_gets_some_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(best_cuts, "LARGE", 1)

    class Where:
        n_columns = 5
        sizes = np.repeat(np.array([[90], [2], [3]]), 5, axis=1)

    search = object.__new__(best_cuts.BestCuts)
    search.where = Where()  # type: ignore[assignment]
    assert search._shares(2) == [
        (slice(0, 1), slice(0, 3)),
        (slice(0, 1), slice(3, 5)),
        (slice(1, 3), slice(0, 5)),
    ]
