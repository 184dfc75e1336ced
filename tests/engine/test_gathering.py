"""However the cuts of a column are gathered, the same are weighed, and the same one is the best.

Columns may be counted by value, searched in bins, put in order, or carried in order from level to
level: which of these it is depends on sizes, which are changed here so that each way is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st
from treekit_builtin import Entropy, Gini, MinRows, Misclassification, Pure, Threshold, Variance

from tests.engine.recipes import parts, searches
from tests.engine.tables import tables
from treekit import Column, Floats, Schema, Table, Tree
from treekit.engine import best_cuts, blocks, choosing, finishing, grow, growth
from treekit.engine.arranging import sort_words
from treekit.testing.expecting import expect_same_tree

from ..properties import examples

# So many values are counted; from so many cases on there are bins; more values are carried.
WAYS = {
    "counted": ((10**6, 10**6), 10**9, 10**9),
    "in bins": ((0, 0), 2, 10**9),
    "in order": ((0, 0), 10**9, 10**9),
    "carried": ((0, 0), 10**9, 0),
}
SOME = examples(30)


@contextmanager
def gathered(way: str, compiled: bool = False, block: int | None = None) -> Iterator[None]:
    """Take one of the ways wherever it may be taken; with blocks of so few bytes."""
    counted, binned, carried = WAYS[way]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(best_cuts, "COUNTED", counted)
        patch.setattr(best_cuts, "BINNED_FROM", binned)
        patch.setattr(best_cuts, "ROWS_A_BIN", (2, 32))
        patch.setattr(choosing, "FEW_VALUES", carried)
        patch.setattr(growth, "SMALL", -1 if compiled else 10**9)
        patch.setattr(growth, "OFTEN", 10**12)
        patch.setattr(finishing, "MOST_ROWS", 0)  # every node is split level by level
        patch.setattr(finishing, "MOST_ROWS_CARRIED", 0)
        if block is not None:
            patch.setattr(best_cuts, "LEAST_BLOCK", 4)
            patch.setattr(blocks, "BLOCK_BYTES", block)
        yield


@frozen
class InBlocks:
    """Gini's index in array form, which says that it is concave."""

    strictly_concave = True

    def impurity(self, stats: Floats) -> Floats:
        return np.asarray(Gini().impurity(stats))


def grown(table: Table, **others: Any) -> Tree:
    return grow(table, parts(table, **others), np.random.default_rng(0))


def impurities(table: Table) -> tuple[Any, ...]:
    if table.task == "regression":
        return (Variance(),)
    return Gini(), Entropy(), Misclassification(), InBlocks()


STOPS = st.sampled_from([(Pure(),), (Pure(), MinRows(branch=3))])


@SOME
@given(tables(nominal=False, max_rows=60), STOPS, st.booleans(), st.data())
def test_every_way_grows_the_same_tree(
    table: Table, stop: Any, compiled: bool, data: st.DataObject
) -> None:
    impurity = data.draw(st.sampled_from(impurities(table)))
    with gathered("in order"):
        wanted = grown(table, impurity=impurity, stop=stop)
    for way in WAYS:
        with gathered(way, compiled):
            expect_same_tree(grown(table, impurity=impurity, stop=stop), wanted, way)


@SOME
@given(tables(nominal=False, max_rows=60), st.sampled_from(sorted(WAYS)), st.data())
def test_blocks_that_are_full_in_the_middle_of_a_column_change_nothing(
    table: Table, way: str, data: st.DataObject
) -> None:
    impurity = data.draw(st.sampled_from(impurities(table)))
    candidates = data.draw(st.sampled_from(["all", "boundaries"]))
    splitter = {"numeric": Threshold(candidates=candidates)}
    with gathered("in order"):
        wanted = grown(table, impurity=impurity, splitter=splitter)
    with gathered(way, block=1):
        expect_same_tree(grown(table, impurity=impurity, splitter=splitter), wanted, way)


@SOME
@given(tables(nominal=False, max_rows=60), STOPS, st.sampled_from(["all", "boundaries"]))
def test_every_way_tells_the_same_best_cut_of_each_column_and_how_many_were_tried(
    table: Table, stop: Any, candidates: str
) -> None:
    columns = np.arange(table.n_columns)

    def told(way: str) -> list[tuple[Floats, Any]]:
        with gathered(way):
            found = [
                search.cuts(columns, boundaries_only=candidates == "boundaries")
                for search in searches(table, stop=stop)
            ]
            return [(cuts.score, cuts.tries) for cuts in found]

    wanted = told("in order")
    for way in WAYS:
        for (score, tries), (own_score, own_tries) in zip(told(way), wanted, strict=True):
            np.testing.assert_allclose(score, own_score, rtol=1e-9, atol=1e-12)
            np.testing.assert_array_equal(tries, own_tries)


def wide(rows: int, seed: int = 0, classes: int = 2) -> Table:
    """Normal columns, one of them rounded, and noisy classes."""
    rng = np.random.default_rng(seed)
    cells = rng.normal(size=(5, rows))
    cells[1] = cells[1].round(1)
    y = np.digitize(cells.sum(axis=0) + rng.normal(size=rows), np.linspace(-1, 1, classes - 1))
    columns = tuple(Column(f"x{i}", "numeric") for i in range(5))
    names = tuple("abcdefghi"[:classes])
    return Table(Schema(columns, Column("y", "nominal", names)), cells, y.astype(float))


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_large_table_grows_the_same_tree_every_way(classes: int, weighted: bool) -> None:
    table = wide(3_000, classes=classes)
    if weighted:
        table = table.reweighted(np.random.default_rng(1).integers(1, 4, table.n_rows) / 2.0)
    with gathered("in order", compiled=True):
        wanted = grown(table)
    for way in WAYS:
        with gathered(way, compiled=True):
            expect_same_tree(grown(table), wanted, way)
    expect_same_tree(grown(table), wanted, "as it comes")


def test_bins_leave_little_to_be_put_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bins are worth it only if they are passed over: most of the cases of a node must be."""
    left: list[float] = []
    whole = best_cuts.BestCuts._put_in_order

    def noted(self: Any, pairs: Any, bins: Any) -> None:
        if bins.first[-1]:
            left.append(bins.rows[bins.keep > 0].sum() / bins.rows.sum())
        whole(self, pairs, bins)

    monkeypatch.setattr(best_cuts.BestCuts, "_put_in_order", noted)
    monkeypatch.setattr(finishing, "MOST_ROWS", 0)
    grown(wide(3_000))
    assert left
    assert left[0] < 0.2


@given(st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=80), st.integers(0, 31))
def test_words_are_sorted(codes: list[int], shift: int) -> None:
    words = np.array(codes, np.uint64) >> np.uint64(shift) << np.uint64(32)
    words |= np.arange(len(words), dtype=np.uint64)
    for compiled in (False, True):
        out, count = np.empty_like(words), np.empty(8193, np.int32)
        sort_words.bound(compiled)(words, out, count)
        assert out.tolist() == sorted(words.tolist())
