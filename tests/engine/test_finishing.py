"""Subtrees that are grown in one go are those that levels give: tests, scores, reasons, all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st
from treekit_builtin import (
    ChiSquaredTest,
    Entropy,
    Gini,
    MajorityBranch,
    MaxDepth,
    MinGain,
    MinRows,
    MinWeightFraction,
    Misclassification,
    Pure,
    StandardDeviation,
    Threshold,
    Twoing,
    Variance,
)

from tests.engine.recipes import parts, watched
from tests.engine.tables import tables
from tests.engine.test_gathering import wide
from treekit import Bools, Column, Nodes, Schema, Table, Tree
from treekit.engine import best_cuts, finishing, grow, growth
from treekit.testing.expecting import expect_same_tree
from treekit.threads import using

from ..properties import examples

SOME = examples(40)


@contextmanager
def finished_from(most_rows: int, counted: int = 16) -> Iterator[None]:
    """Nodes of no more rows are finished in one go, compiled; so few values are counted."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(finishing, "MOST_ROWS", most_rows)
        patch.setattr(finishing, "MOST_ROWS_CARRIED", most_rows)
        patch.setattr(finishing, "MOST_ROWS_ASKED", most_rows)
        patch.setattr(growth, "SMALL", -1)
        patch.setattr(finishing, "COUNTED", counted)
        yield


def grown(table: Table, columns: int | None = None, **others: Any) -> Tree:
    return grow(table, parts(table, **others), np.random.default_rng(0), columns=columns)


@frozen
class EvenDepth:
    """A stop rule that tells no bounds beforehand."""

    reason = "an even depth of few rows"

    def before(self, nodes: Nodes) -> Bools:
        return np.asarray((nodes.depth % 2 == 0) & (nodes.rows < 7))


STOPS = [
    (Pure(),),
    (),
    (Pure(), MinRows(branch=3)),
    (Pure(), MinRows(branch=2, count="weight")),
    (Pure(), MinRows(split=9.5), MinGain(0.01)),
    (MaxDepth(3),),
    (Pure(), MinWeightFraction(0.2)),
    (EvenDepth(),),
]


def compared(table: Table, most_rows: int, counted: int, **others: Any) -> None:
    with finished_from(0):
        wanted = grown(table, **others)
    with finished_from(most_rows, counted):
        expect_same_tree(grown(table, **others), wanted, f"from {most_rows} rows on")


@SOME
@given(
    tables(nominal=False, unknown=False, max_rows=60),
    st.sampled_from(STOPS),
    st.sampled_from([5, 20, 1000]),
    st.sampled_from([0, 16]),
    st.data(),
)
def test_any_table_gets_the_tree_of_levels(
    table: Table, stop: Any, most_rows: int, counted: int, data: st.DataObject
) -> None:
    number = table.task == "regression"
    impurities = [Variance(), StandardDeviation()] if number else [Gini(), Entropy()]
    impurity = data.draw(st.sampled_from([*impurities, *([] if number else [Misclassification()])]))
    columns = data.draw(st.sampled_from([None, 1, 2]))
    compared(table, most_rows, counted, impurity=impurity, stop=stop, columns=columns)


@pytest.mark.parametrize("classes", [2, 3, 8, 9])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("columns", [None, 2])
def test_a_large_table_gets_the_tree_of_levels(
    classes: int, weighted: bool, columns: int | None
) -> None:
    table = wide(3_000, classes=classes)
    if weighted:
        table = table.reweighted(np.random.default_rng(1).integers(1, 4, table.n_rows) / 2.0)
    for most_rows in (100, 10_000):
        compared(table, most_rows, 16, columns=columns)


@pytest.mark.parametrize(
    "others",
    [
        {"criterion": Twoing(), "impurity": None},
        {"stop": (Pure(), ChiSquaredTest(0.05))},
        {"splitter": {"numeric": Threshold(cut="data_value")}},
        {"splitter": {"numeric": Threshold(cut="below_midpoint")}},
        {"missing": MajorityBranch()},
    ],
    ids=["twoing", "chi_squared", "data_value", "below_midpoint", "majority_branch"],
)
def test_other_strategies_get_the_tree_of_levels(others: dict[str, Any]) -> None:
    compared(wide(800), 10_000, 16, **others)


@pytest.mark.parametrize("values", [[2] * 70, [2, 2, 1, 3, 2, 5, 2, 2]], ids=["two", "few"])
@pytest.mark.parametrize("weighted", [False, True])
def test_columns_of_few_values_get_the_tree_of_levels(values: list[int], weighted: bool) -> None:
    rng = np.random.default_rng(4)
    cells = np.array([rng.integers(0, n, 900) for n in values], float)
    y = (cells[:3].sum(axis=0) + rng.integers(0, 3, 900)) % 4
    names = tuple(Column(f"x{i}", "numeric") for i in range(len(values)))
    table = Table(Schema(names, Column("y", "nominal", tuple("abcd"))), cells, y)
    if weighted:
        table = table.reweighted(rng.integers(1, 4, table.n_rows) / 2.0)
    compared(table, 10_000, 16, stop=(Pure(), MinRows(branch=2)))


def test_numbers_get_the_tree_of_levels() -> None:
    rng = np.random.default_rng(3)
    cells = rng.normal(size=(4, 2_000))
    cells[1] = cells[1].round(1)
    cells[2] = cells[2] > 0
    schema = Schema(tuple(Column(f"x{i}", "numeric") for i in range(4)), Column("y", "numeric"))
    table = Table(schema, cells, cells.sum(axis=0) + rng.normal(size=2_000))
    for sample in (table, table.reweighted(rng.random(2_000))):
        compared(sample, 300, 16)
        compared(sample, 10_000, 16)


def test_the_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finishing, "GROUP_ROWS", 200)
    table = wide(3_000)
    with finished_from(150):
        wanted = grown(table)
        with using(3):
            found = grown(table)
    for name in ("column", "operands", "first_child", "stats", "score", "reason"):
        np.testing.assert_array_equal(getattr(found, name), getattr(wanted, name))


@pytest.mark.parametrize("classes", [2, 3])
def test_nor_do_they_change_levels(monkeypatch: pytest.MonkeyPatch, classes: int) -> None:
    monkeypatch.setattr(best_cuts, "LARGE", 0)
    table = wide(3_000, classes=classes)
    with finished_from(0):
        wanted = grown(table)
        with using(3):
            expect_same_tree(grown(table), wanted, "in three threads")


def test_who_looks_on_sees_every_node() -> None:
    table = wide(300)
    with finished_from(10_000):
        tree, onlooker = watched(table)
        expect_same_tree(grown(table), tree, "with nobody looking on")
    assert sum(len(step.numbers) for step in onlooker.steps) == int((~tree.is_leaf).sum())
