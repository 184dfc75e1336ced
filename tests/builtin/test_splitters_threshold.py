"""Which cuts `threshold` and `level_cuts` weigh, and how they read."""

from __future__ import annotations

from typing import Any, ClassVar

import attrs
import numpy as np
import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st
from treekit_builtin import (
    Entropy,
    Fractional,
    Gini,
    LevelCuts,
    MinRows,
    Misclassification,
    StandardDeviation,
    Threshold,
    Tsallis,
    Variance,
)

from tests.engine.tables import tables
from treekit import Column, Floats, Table, Tree, fit, load_dataset
from treekit.engine import grow
from treekit.testing.hosting import hosting

from ..properties import examples
from .offering import cuts_of, root_offers, table_of

OF_CLASSES = (Entropy(), Gini(), Tsallis(q=0.5), Tsallis(q=3.0), Misclassification())
OF_NUMBERS = (Variance(), StandardDeviation())


@frozen
class Balance:
    """The more alike the branches' weights, the better: no impurity has a say."""

    tasks: ClassVar[tuple[str, ...]] = ("classification", "regression")

    def score(self, parent: Floats, branches: Floats, before: Floats, after: Floats) -> Floats:
        return np.asarray(branches[..., 0].min(axis=-1))


def grown(table: Table, impurity: Any, candidates: Any, branch: float) -> Tree:
    parts = attrs.evolve(
        hosting(table.task, "splitter", Threshold(candidates=candidates)),
        impurity=impurity,
        missing=Fractional(),
    )
    parts = attrs.evolve(parts, stop=(*parts.stop, MinRows(branch=branch)))
    return grow(table, parts, np.random.default_rng(0))


@examples(150)
@given(
    table=tables(nominal=False), which=st.integers(0, 4), branch=st.sampled_from([1.0, 2.0, 4.0])
)
def test_for_a_concave_impurity_boundaries_grow_the_tree_of_all_cuts(
    table: Table, which: int, branch: float
) -> None:
    choices: tuple[Any, ...] = OF_NUMBERS if table.task == "regression" else OF_CLASSES
    impurity = choices[which % len(choices)]
    one, other = (grown(table, impurity, c, branch) for c in ("all", "boundaries"))
    for name in ("kind", "column", "n_children", "operands"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)


def test_inside_a_run_of_one_class_no_boundary_is_weighed() -> None:
    """Incomes of the cheat table: the middle, 92.5, lies among three of one class."""
    cheat = load_dataset("cheat")
    income = [c.name for c in cheat.columns].index("taxable_income")
    table = table_of(Column("income", "numeric"), cheat.cells[income], cheat.y, classes="yn")
    found = {
        candidates: cuts_of(
            root_offers(table, Threshold(candidates=candidates), criterion=Balance())
        )
        for candidates in ("all", "boundaries")
    }
    assert found == {"all": [92.5], "boundaries": [97.5]}


def test_between_equal_numbers_to_predict_no_boundary_is_weighed() -> None:
    table = table_of(Column("x", "numeric"), range(8), [0, 1, 1, 1, 1, 1, 2, 3])
    found = {
        candidates: cuts_of(
            root_offers(table, Threshold(candidates=candidates), criterion=Balance())
        )
        for candidates in ("all", "boundaries")
    }
    assert found == {"all": [3.5], "boundaries": [5.5]}


SIZE = Column("size", "ordinal", ("S", "M", "L", "XL"))


def test_level_cuts_offers_what_threshold_offers() -> None:
    table = table_of(SIZE, [0, 0, 1, 1, 2, 3, 3], [0, 0, 0, 1, 1, 1, 1], classes="ab")
    one, other = (root_offers(table, s) for s in (LevelCuts(), Threshold()))
    assert (cuts_of(one), one.score[0, 0]) == (cuts_of(other), other.score[0, 0])


def test_a_cut_between_levels_reads_as_levels() -> None:
    table = table_of(SIZE, [0, 0, 1, 1, 2, 3, 3], [0, 0, 0, 1, 1, 1, 1], classes="ab")
    model = fit("id3", table, set={"tree.splitter.ordinal": "level_cuts", "tree.stop": "pure"})
    assert str(model) == (
        "size <= M\n|   size <= S: a (2.0)\n|   size > S: a (2.0/1.0)\nsize > M: b (3.0)"
    )


@pytest.mark.parametrize(("levels", "at"), [([0, 2], 1.0), ([0, 3], 1.5), ([1, 2], 1.5)])
def test_a_level_that_the_node_does_not_hold_goes_with_the_nearer(
    levels: list[int], at: float
) -> None:
    table = table_of(SIZE, levels, [0, 1], classes="ab")
    assert cuts_of(root_offers(table, LevelCuts())) == [at]
