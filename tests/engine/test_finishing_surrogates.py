"""Subtrees in one go with surrogates, and where nodes are split in vain, are those of levels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from treekit_builtin import Entropy, Gini, MinRows, Pure, Subset, Surrogate, Variance

from tests.engine.recipes import parts
from tests.engine.tables import tables
from tests.engine.test_finishing import SOME, STOPS, compared, finished_from
from tests.engine.test_finishing_mixed import SUBSETS, mixed, splitters
from tests.engine.test_gathering import wide
from treekit import Column, Schema, Table, Tree, fit, load_recipe
from treekit.engine import growth
from treekit.engine.choosing import Choosing
from treekit.engine.finishing import can_finish
from treekit.engine.sample import sample_of
from treekit.testing.expecting import expect_same_tree


def of_numbers(n: int) -> Table:
    """The columns of `mixed`, and a number to predict that depends on all of them."""
    table = mixed(n, 3, 0.15)
    noise = np.random.default_rng(0).normal(size=n)
    y = np.nan_to_num(table.cells).sum(axis=0) + noise
    return Table(Schema(table.schema.columns, Column("y", "numeric")), table.cells, y)


@SOME
@given(
    tables(max_rows=60),
    st.sampled_from(STOPS),
    st.sampled_from(SUBSETS),
    st.sampled_from([5, 1000]),
    st.sampled_from([0, 1, 5]),
    st.data(),
)
def test_any_table_gets_the_tree_of_levels(
    table: Table, stop: Any, subset: Subset, most_rows: int, keep: int, data: st.DataObject
) -> None:
    impurities = [Variance()] if table.task == "regression" else [Gini(), Entropy()]
    compared(
        table,
        most_rows,
        16,
        impurity=data.draw(st.sampled_from(impurities)),
        splitter=splitters(subset),
        missing=Surrogate(keep=keep),
        stop=stop,
        columns=data.draw(st.sampled_from([None, 1, 2])),
    )


@pytest.mark.parametrize(
    ("table", "impurity"),
    [
        (mixed(3_000, 2, 0.2), Gini()),
        (mixed(3_000, 3, 0.0), Entropy()),
        (mixed(3_000, 6, 0.1), Gini()),
        (wide(3_000, classes=2), Gini()),
        (of_numbers(3_000), Variance()),
    ],
    ids=["two classes", "nothing unknown", "six classes", "ordered columns only", "numbers"],
)
def test_a_large_table_gets_the_tree_of_levels(table: Table, impurity: Any) -> None:
    for most_rows in (100, 10_000):
        compared(
            table,
            most_rows,
            16,
            impurity=impurity,
            splitter=splitters(Subset()),
            missing=Surrogate(),
            stop=(Pure(), MinRows(branch=3)),
        )


def pruned(recipe: str, table: Table, alpha: float, most_rows: int) -> Tree:
    with finished_from(most_rows):
        (tree,) = fit(load_recipe(recipe, {"tree.pruner.alpha": alpha}), table).trees
    return tree


@pytest.mark.parametrize("alpha", [0.002, 0.02])
@pytest.mark.parametrize(
    ("recipe", "table"),
    [("cart", mixed(2_000, 3, 0.1)), ("regression", of_numbers(2_000))],
    ids=["classes", "numbers"],
)
def test_nodes_that_are_split_in_vain_are_those_of_levels(
    recipe: str, table: Table, alpha: float
) -> None:
    wanted = pruned(recipe, table, alpha, 0)
    expect_same_tree(pruned(recipe, table, alpha, 10_000), wanted, "in one go")
    assert any("pruned" in wanted.reasons[r] for r in wanted.reason.tolist() if r >= 0)


def test_nothing_is_grown_in_one_go_below_a_node_that_is_split_in_vain() -> None:
    opened = []
    whole = growth.Growing.tree

    def tree(self: growth.Growing) -> Tree:
        opened.append(self.opened)
        return whole(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(growth.Growing, "tree", tree)
        pruned("cart", mixed(2_000, 3, 0.1), 0.02, 10_000)
        pruned("cart", mixed(2_000, 3, 0.1), 0.0, 10_000)
    assert opened[0] < opened[1] / 3


@pytest.mark.parametrize(
    ("handler", "can"),
    [
        (Surrogate(), True),
        (Surrogate(keep=0), True),
        (Surrogate(then="stay"), False),
        (Surrogate(then="stay_at_once"), False),
        (Surrogate(share_of="both"), False),
        (Surrogate(as_rpart=True), False),
    ],
)
def test_only_surrogates_by_agreement_alone_are_found_in_one_go(
    handler: Surrogate, can: bool
) -> None:
    table = mixed(200, 3, 0.1)
    bound = parts(table, missing=handler, splitter=splitters(Subset()))
    for sample, expected in ((table, can), (table.reweighted(np.full(200, 2.0)), False)):
        choosing = Choosing.of(sample, bound, np.random.default_rng(0), None, None)
        assert can_finish(choosing, sample_of(sample)) == expected
