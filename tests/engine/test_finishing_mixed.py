"""Subtrees in one go with nominal columns, unknown values and ratios are those of levels, too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from treekit_builtin import (
    DropRows,
    Entropy,
    Fractional,
    Gain,
    GainRatio,
    Gini,
    MajorityBranch,
    MinGain,
    MinRows,
    Misclassification,
    Multiway,
    OneVsRest,
    Pure,
    Subset,
    Threshold,
    Variance,
)

from tests.engine.recipes import parts
from tests.engine.tables import tables
from tests.engine.test_finishing import SOME, STOPS, compared
from treekit import Column, Schema, Table
from treekit.engine.choosing import Choosing
from treekit.engine.finishing import can_finish
from treekit.engine.sample import sample_of


def splitters(subset: Subset) -> dict[str, Any]:
    return {"numeric": Threshold(), "ordinal": Threshold(), "nominal": subset}


SUBSETS = [Subset(), Subset(divisions="ordered"), Subset(divisions="every"), Subset(exhaustive=3)]
PLAIN = {"missing": MajorityBranch(), "splitter": splitters(Subset())}


@SOME
@given(
    tables(max_rows=60),
    st.sampled_from(STOPS),
    st.sampled_from(SUBSETS),
    st.sampled_from([5, 1000]),
    st.sampled_from([0, 16]),
    st.data(),
)
def test_any_table_gets_the_tree_of_levels(
    table: Table, stop: Any, subset: Subset, most_rows: int, counted: int, data: st.DataObject
) -> None:
    number = table.task == "regression"
    impurities = [Variance()] if number else [Gini(), Entropy(), Misclassification()]
    compared(
        table,
        most_rows,
        counted,
        impurity=data.draw(st.sampled_from(impurities)),
        criterion=data.draw(st.sampled_from([Gain(), GainRatio()])),
        splitter=splitters(subset),
        missing=MajorityBranch(),
        stop=stop,
        columns=data.draw(st.sampled_from([None, 1, 2])),
    )


def mixed(n: int, classes: int, share_unknown: float) -> Table:
    """Six columns that tell something of a class: levels, some many, numbers, some few."""
    rng = np.random.default_rng(n + classes)
    y = rng.integers(0, classes, n).astype(float)
    levels = (4, 12, 9)
    cells = [(y + rng.integers(0, 3, n)) % m for m in levels]
    cells += [y + rng.normal(size=n), (y + rng.normal(size=n)).round(), rng.normal(size=n)]
    made = np.array(cells)
    made[rng.random(made.shape) < share_unknown] = np.nan
    columns = [Column(f"l{m}", "nominal", tuple(map(str, range(m)))) for m in levels]
    columns += [Column(f"x{i}", "numeric") for i in range(3)]
    target = Column("y", "nominal", tuple("pqrstu"[:classes]))
    return Table(Schema(tuple(columns), target), made, y)


@pytest.mark.parametrize("criterion", [Gain(), GainRatio()], ids=["gain", "gain_ratio"])
@pytest.mark.parametrize("classes", [2, 3, 6])
@pytest.mark.parametrize("share_unknown", [0.0, 0.1])
def test_a_large_table_gets_the_tree_of_levels(
    criterion: Any, classes: int, share_unknown: float
) -> None:
    table = mixed(3_000, classes, share_unknown)
    stop = (Pure(), MinRows(branch=2), MinGain(1e-4))
    weights = np.random.default_rng(1).integers(1, 4, table.n_rows) / 2.0
    for sample in (table, table.reweighted(weights)):
        for most_rows in (100, 10_000):
            compared(sample, most_rows, 16, criterion=criterion, stop=stop, **PLAIN)


@pytest.mark.parametrize(
    ("strategies", "can"),
    [
        ({}, True),
        ({"criterion": GainRatio()}, True),
        ({"criterion": GainRatio(guard=True)}, False),
        ({"criterion": GainRatio(precision="single")}, False),
        ({"missing": Fractional()}, False),
        ({"missing": DropRows()}, True),
        ({"splitter": splitters(Subset()) | {"nominal": Multiway()}}, False),
        ({"splitter": splitters(Subset()) | {"nominal": OneVsRest()}}, False),
        ({"splitter": splitters(Subset()) | {"numeric": Threshold(margin=0.1)}}, False),
    ],
)
def test_only_what_the_kernels_know_is_grown_in_one_go(
    strategies: dict[str, Any], can: bool
) -> None:
    table = mixed(200, 3, 0.1)
    bound = parts(table, **{**PLAIN, **strategies})
    if hasattr(bound.missing, "prepare"):
        table = bound.missing.prepare(table)
    choosing = Choosing.of(table, bound, np.random.default_rng(0), None, None)
    assert can_finish(choosing, sample_of(table)) == can


def test_who_says_to_heaviest_does_so() -> None:
    handler, rng = MajorityBranch(), np.random.default_rng(0)
    known, owner = rng.integers(0, 3, (40, 2)).astype(float), np.repeat(np.arange(40), 2)
    assert handler.to_heaviest
    expected = (known[:, 1] > known[:, 0]).astype(int)
    np.testing.assert_array_equal(handler.destination(owner, known.ravel(), 40), expected)
    np.testing.assert_array_equal(handler.discount(known, known + 1), known / (known + 1))


def test_a_column_of_very_many_levels_grows_level_by_level() -> None:
    levels = tuple(map(str, range(3_000)))
    column, target = Column("x", "nominal", levels), Column("y", "nominal", ("p", "q"))
    cells = np.arange(3_000.0)[None]
    table = Table(Schema((column,), target), cells, cells[0] % 2)
    choosing = Choosing.of(table, parts(table, **PLAIN), np.random.default_rng(0), None, None)
    assert not can_finish(choosing, sample_of(table))
