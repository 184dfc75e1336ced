"""The engine finds the tree that an exhaustive search of the definition finds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st
from treekit_builtin import (
    Entropy,
    Fractional,
    Gain,
    Gini,
    Level,
    Majority,
    MajorityBranch,
    Misclassification,
    Multiway,
    Pure,
    Threshold,
    Variance,
)

from tests.engine.by_definition import grow as grow_by_definition
from tests.engine.tables import tables
from treekit import CUTS, Floats, Table, TreeParts
from treekit.engine import growth
from treekit.tree import Tree

from ..properties import examples

CLASS_IMPURITIES = (Entropy(), Gini(), Misclassification())
NUMBER_IMPURITIES = (Variance(), Variance(ddof=1))


@frozen
class InBlocks:
    """A row-form impurity behind an array-form face: the engine then scores blocks by NumPy."""

    inner: Any

    def impurity(self, stats: Floats) -> Floats:
        return np.asarray(self.inner.impurity(stats))


def parts(impurity: Any, missing: Any) -> TreeParts:
    return TreeParts(
        impurity=impurity,
        criterion=Gain(),
        splitter={"numeric": Threshold(), "nominal": Multiway()},
        stop=(Pure(),),
        missing=missing,
        label=Majority(),
        grower=Level(),
    )


def grown(table: Table, impurity: Any, missing: Any) -> Tree:
    return growth.grow(table, parts(impurity, missing), np.random.default_rng(0))


def assert_same(tree: Tree, expected: dict[str, Any], table: Table) -> None:
    pending = [(0, expected)]
    while pending:
        node, wanted = pending.pop()
        stats = tree.stats[node].copy()
        if table.task == "regression":
            w, s, q = stats
            stats = np.array([w, s + tree.centre * w, q + 2 * tree.centre * s + tree.centre**2 * w])
        np.testing.assert_allclose(stats, wanted["stats"], rtol=1e-9, atol=1e-9)
        assert int(tree.column[node]) == wanted.get("column", -1)
        if "column" in wanted:
            if tree.kind[node] == CUTS:
                assert tree.test_operands(node).tolist() == [wanted["test"]]
            pending.extend(zip(tree.children(node), wanted["children"], strict=True))


def impurities_for(table: Table) -> tuple[Any, ...]:
    return NUMBER_IMPURITIES if table.task == "regression" else CLASS_IMPURITIES


@examples(75)
@given(table=tables(), which=st.integers(0, 2), spread=st.booleans())
def test_engine_grows_the_tree_of_the_definition(table: Table, which: int, spread: bool) -> None:
    choices = impurities_for(table)
    impurity = choices[which % len(choices)]
    # Divided by a weight of little more than 1, less 1, rounding errors decide between equals.
    spread = spread and impurity != Variance(ddof=1)
    rows, weights = np.arange(table.n_rows), table.weights.copy()
    expected = grow_by_definition(table, rows, weights, impurity, Gain(), spread)
    missing = Fractional() if spread else MajorityBranch()
    assert_same(grown(table, impurity, missing), expected, table)


def assert_equal_trees(one: Tree, other: Tree) -> None:
    for name in ("kind", "column", "first_child", "n_children", "operands", "unknown", "reason"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    np.testing.assert_allclose(one.stats, other.stats, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(one.score, other.score, rtol=1e-9, atol=1e-12)


@examples(60)
@given(table=tables(), which=st.integers(0, 2))
def test_array_form_and_row_form_grow_the_same_tree(table: Table, which: int) -> None:
    choices = impurities_for(table)
    impurity = choices[which % len(choices)]
    by_rows = grown(table, impurity, Fractional())
    assert_equal_trees(by_rows, grown(table, InBlocks(impurity), Fractional()))


@pytest.fixture
def always_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "SMALL", -1)


@examples(40)
@given(table=tables(), which=st.integers(0, 2))
def test_compiled_and_interpreted_kernels_grow_the_same_tree(table: Table, which: int) -> None:
    choices = impurities_for(table)
    impurity = choices[which % len(choices)]
    interpreted = grown(table, impurity, Fractional())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(growth, "SMALL", -1)
        compiled = grown(table, impurity, Fractional())
    assert_equal_trees(interpreted, compiled)


@examples(40)
@given(table=tables(regression=False, nominal=False, unknown=False), which=st.integers(0, 1))
def test_passing_over_runs_of_one_class_changes_nothing(table: Table, which: int) -> None:
    impurity = CLASS_IMPURITIES[which]
    assert impurity.strictly_concave
    exhaustive = grown(table, InBlocks(impurity), Fractional())  # says nothing of concavity
    assert_equal_trees(grown(table, impurity, Fractional()), exhaustive)


@examples(40)
@given(table=tables(unknown=False), seed=st.integers(0, 999))
def test_the_order_of_rows_does_not_matter(table: Table, seed: int) -> None:
    impurity = impurities_for(table)[0]
    shuffled = table.take(np.random.default_rng(seed).permutation(table.n_rows))
    one, other = (grown(t, impurity, Fractional()) for t in (table, shuffled))
    assert_equal_trees(one, other)


@examples(40)
@given(table=tables(max_rows=15))
def test_a_weight_of_two_is_a_row_twice(table: Table) -> None:
    impurity = Variance() if table.task == "regression" else Entropy()
    weights = np.where(np.arange(table.n_rows) % 2, 2.0, 1.0)
    twice = np.repeat(np.arange(table.n_rows), weights.astype(int))
    plain = Table(table.schema, table.cells, table.target_values)
    one = grown(plain.reweighted(weights), impurity, Fractional())
    other = grown(plain.take(twice), impurity, Fractional())
    assert one.column.tolist() == other.column.tolist()
    np.testing.assert_allclose(one.stats, other.stats, atol=1e-9)


def test_rows_of_weight_zero_are_not_there() -> None:
    table = next_table()
    weights = np.where(np.arange(table.n_rows) < 5, 0.0, 1.0)
    one = grown(table.reweighted(weights), Gini(), Fractional())
    other = grown(table.take(np.arange(5, table.n_rows)), Gini(), Fractional())
    assert_equal_trees(one, other)


def next_table() -> Table:
    from treekit import load_dataset

    return load_dataset("tennis")
