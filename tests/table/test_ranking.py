"""Every ordered column is sorted once, and nothing of it is lost."""

from __future__ import annotations

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from treekit.compiling import SMALL
from treekit.table.ranking import HALF, LOW, Rankings, rankings, remaining
from treekit.table.record import Column, Schema, Table


def cells_of(seed: int, rows: int) -> np.ndarray:
    """Ties, unknown values, a constant column and an empty one."""
    rng = np.random.default_rng(seed)
    some = rng.integers(-3, 4, (4, rows)).astype(float)
    some[1] = rng.normal(size=rows)
    some[0, rng.random(rows) < 0.3] = np.nan
    some[2] = 7.0
    some[3] = np.nan
    return some


def told(ranked: Rankings) -> list[tuple[list[float], list[float], list[int]]]:
    """Of each column: its distinct values, its values in the order of rows, which ranks differ."""
    found = []
    for i, words in enumerate(ranked.words[1:]):
        values = np.append(ranked.values[ranked.start[i] : ranked.start[i + 1]], np.nan)
        ranks, rows = (words >> HALF).astype(int), (words & LOW).astype(int)
        by_row = np.empty(len(words))
        by_row[rows] = values[ranks]
        dense = np.unique(ranks, return_inverse=True)[1]
        distinct = ranked.distinct(int(ranked.columns[i]))
        found.append((distinct.tolist(), by_row.tolist(), dense.tolist()))
    return found


@given(st.integers(0, 99), st.integers(1, 40))
def test_ranks_ascend_and_give_every_value_back(seed, rows):
    cells = cells_of(seed, rows)
    ranked = rankings(cells, [0, 1, 2, 3])
    assert (ranked.words[0] == np.arange(rows)).all()
    for column, (distinct, by_row, ranks) in zip(cells, told(ranked), strict=True):
        assert by_row == pytest.approx(column.tolist(), nan_ok=True, rel=0, abs=0)
        assert ranks == sorted(ranks)
        assert distinct == sorted(set(column[~np.isnan(column)]))


def test_only_the_ordered_columns_are_ranked():
    cells = cells_of(1, 20)
    ranked = rankings(cells, [1, 2])
    assert ranked.columns.tolist() == [1, 2]
    assert ranked.distinct(2).tolist() == [7.0]
    assert len(ranked.words) == 3


@pytest.mark.parametrize("rows", [30, SMALL])
@pytest.mark.parametrize("share", [0.02, 0.5, 0.99, 0.0, 1.0])
def test_the_rankings_of_some_rows_are_those_of_a_table_that_has_no_others(rows, share):
    cells = cells_of(5, rows)
    kept = np.random.default_rng(2).random(rows) < share
    left = np.ascontiguousarray(cells[:, kept])
    columns = [0, 1, 2, 3]
    found = remaining(rankings(cells, columns), left, kept)
    for ours, sorted_anew in zip(told(found), told(rankings(left, columns)), strict=True):
        for values, wanted in zip(ours, sorted_anew, strict=True):
            assert np.array_equal(values, wanted, equal_nan=True)
    assert (found.words[0] == np.arange(kept.sum())).all()


def test_a_table_with_other_cells_has_other_rankings():
    schema = Schema((Column("x", "numeric"),), Column("y", "nominal", ("a", "b")))
    table = Table(schema, np.array([[3.0, 1.0, 2.0]]), np.array([0.0, 1.0, 0.0]))
    again = table.reweighted(np.array([1.0, 2.0, 1.0]))
    assert again.rankings is table.rankings
    changed = evolve(again, cells=np.array([[7.0, 8.0, 7.0]]))
    assert changed.distinct(0).tolist() == [7.0, 8.0]
