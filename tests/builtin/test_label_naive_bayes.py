"""Naive Bayes in the leaves, against scikit-learn's."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from treekit_builtin import Majority, MaxDepth, NaiveBayes

from treekit.fitting import fit_table
from treekit.model import Model
from treekit.recipe import load_recipe
from treekit.table.record import Column, Schema, Table
from treekit.testing import contract_tests
from treekit.testing.samples import sample_table


def one_leaf(table: Table, label: Any) -> Model:
    stop = {"tree.stop": MaxDepth(0), "tree.label": label}
    return fit_table(load_recipe("c45", stop), table)


def priors(table: Table, alpha: float = 1.0) -> Any:
    counts = np.bincount(table.y.astype(int), table.weights, len(table.schema.classes)) + alpha
    return counts / counts.sum()


@pytest.mark.parametrize("weighted", [False, True])
def test_numbers_are_normal_in_each_class(weighted: bool) -> None:
    table = sample_table("classification", ("numeric",), rows=90, weighted=weighted, seed=5)
    found = one_leaf(table, NaiveBayes(floor=1e-9)).predict_proba(table)
    some = [0, 1, 3]  # the third column is constant
    peer = GaussianNB(priors=priors(table), var_smoothing=1e-15)
    peer.fit(table.cells[some].T, table.y, table.weights)
    assert found == pytest.approx(peer.predict_proba(table.cells[some].T))


@pytest.mark.parametrize("kind", ["nominal", "ordinal"])
@pytest.mark.parametrize("alpha", [1.0, 0.2])
def test_levels_are_counted_in_each_class(kind: Any, alpha: float) -> None:
    table = sample_table("classification", (kind,), rows=90, weighted=True, seed=6)
    found = one_leaf(table, NaiveBayes(alpha=alpha)).predict_proba(table)
    sizes = [len(column.levels) for column in table.columns]
    peer = CategoricalNB(alpha=alpha, class_prior=priors(table, alpha), min_categories=sizes)
    peer.fit(table.cells.T, table.y, table.weights)
    assert found == pytest.approx(peer.predict_proba(table.cells.T))


def test_an_unknown_value_is_left_out() -> None:
    table = sample_table("classification", ("numeric", "nominal"), rows=90, seed=7)
    model = one_leaf(table, NaiveBayes())
    without = [0, 2, 3, 4, 6, 7]
    fewer = evolve(
        table,
        schema=evolve(table.schema, columns=tuple(table.columns[i] for i in without)),
        cells=table.cells[without],
    )
    cells = table.cells.copy()
    cells[[1, 5]] = np.nan
    found = model.predict_proba(evolve(table, cells=cells))
    assert found == pytest.approx(one_leaf(fewer, NaiveBayes()).predict_proba(fewer))


def test_of_nothing_known_the_answer_is_the_laplace_estimate() -> None:
    table = sample_table("classification", rows=40)
    unknown = evolve(table, cells=np.full_like(table.cells, np.nan))
    found = one_leaf(table, NaiveBayes()).predict_proba(unknown)
    assert found == pytest.approx(np.tile(priors(table), (40, 1)))


def two_classes(values: list[float], y: list[int]) -> Table:
    schema = Schema((Column("x", "numeric"),), Column("y", "nominal", ("a", "b")))
    return Table(schema, np.array([values]), np.array(y, float))


def test_a_class_that_does_not_vary_keeps_a_share_of_the_leafs_variance() -> None:
    """By hand: variance 4 in the leaf, so 0.04 of the class a, whose values are all 0."""
    table = two_classes([0.0, 0.0, 4.0, 4.0], [0, 0, 1, 1])
    found = one_leaf(table, NaiveBayes(floor=0.01)).predict_proba(
        evolve(table, cells=np.array([[1.9] * 4]))
    )[0]
    density = [math.exp(-((1.9 - mean) ** 2) / 0.08) for mean in (0.0, 4.0)]
    assert found[0] == pytest.approx(density[0] / sum(density))


def test_a_class_without_a_known_value_is_spread_as_the_leaf() -> None:
    """By hand: both classes have the mean 1 and variance 1, so the priors 3/7 and 4/7 are left."""
    table = two_classes([0.0, 2.0, 1.0, np.nan, np.nan], [1, 1, 1, 0, 0])
    table = evolve(table, cells=np.array([[0.0, 2.0, np.nan, np.nan, np.nan]]))
    assert one_leaf(table, NaiveBayes()).predict_proba(table)[0] == pytest.approx([3 / 7, 4 / 7])


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_numbers_of_any_size_are_answered(scale: float) -> None:
    table = two_classes([scale, 2 * scale, 5 * scale, 7 * scale], [0, 0, 1, 1])
    found = one_leaf(table, NaiveBayes()).predict_proba(table)
    assert np.isfinite(found).all()
    assert found.sum(axis=1) == pytest.approx(np.ones(4))


def test_within_leaves_it_learns_what_majorities_cannot() -> None:
    """Ten weak signs of the class: two questions see two of them, the leaves the rest."""
    rng = np.random.default_rng(8)
    columns = tuple(Column(f"c{i}", "nominal", ("n", "y")) for i in range(10))
    schema = Schema(columns, Column("class", "nominal", ("a", "b")))

    def drawn(rows: int) -> Table:
        y = rng.integers(0, 2, rows)
        cells = (rng.random((10, rows)) < np.where(y, 0.7, 0.3)).astype(float)
        return Table(schema, cells, y.astype(float))

    table, unseen = drawn(600), drawn(2000)

    def errors(label: Any) -> int:
        change = {"tree.stop": MaxDepth(2), "tree.label": label, "tree.pruner": "none"}
        found = fit_table(load_recipe("c45", change), table).predict(unseen)
        return int((found != np.array(["a", "b"], object)[unseen.y.astype(int)]).sum())

    assert errors(NaiveBayes()) < 0.6 * errors(Majority())


def test_class_weights_are_heeded() -> None:
    table = sample_table("classification", rows=40)
    heavy = {"tree.label": "naive_bayes", "tree.stop": MaxDepth(0), "classes.weights": "balanced"}
    found = fit_table(load_recipe("c45", heavy), table).predict_proba(
        evolve(table, cells=np.full_like(table.cells, np.nan))
    )
    assert found[0] == pytest.approx([1 / 3] * 3)


@pytest.mark.parametrize("name", ["alpha", "floor"])
def test_a_bad_parameter_is_named(name: str) -> None:
    with pytest.raises(ValueError, match=f"'{name}' must be > 0.0: 0.0"):
        NaiveBayes(**{name: 0.0})


test_contract = contract_tests("label", NaiveBayes(alpha=0.01, floor=1e-9))
