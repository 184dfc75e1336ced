"""Nearest neighbours: by the definition, and the laws that follow from it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from treekit_builtin import Frequencies, Knn, MaxDepth

import treekit
from treekit.fitting import fit_table
from treekit.graph.routing import graph_answers
from treekit.leaf_models import Neighbours, crowd, leaf_answers, neighbours
from treekit.model import Model, load, row_answers
from treekit.recipe import load_recipe
from treekit.table.record import Column, Floats, Schema, Table
from treekit.testing import contract_tests
from treekit.testing.samples import sample_table

from ..properties import examples
from . import naive_neighbours as naive

SEARCHED = (1.0, 1.5, 2.0, 3.0, 8.0, math.inf)
NORMS = (*SEARCHED, 8.5, 60.0, 500.0, 1e6, 1e15)


def one_leaf(table: Table, label: Any) -> Model:
    """A single leaf, with the label bound whole."""
    name = "knn" if table.task == "classification" else "knn_regression"
    return fit_table(load_recipe(name, {"tree.label": label}), table)


def asked(models: Neighbours, table: Table) -> Floats:
    nothing = np.zeros(table.n_rows, np.int64)
    return leaf_answers(models, table, np.arange(table.n_rows), nothing)


@pytest.fixture(params=["tree", "every distance"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways to find the nearest, whatever the size of a leaf."""
    if request.param == "tree":
        monkeypatch.setattr(crowd, "FEWEST_ROWS", 0)
        monkeypatch.setattr(crowd, "MOST_COORDINATES", 1000)
    else:
        monkeypatch.setattr(crowd, "MOST_COORDINATES", -1)
    return str(request.param)


# --- the definition ------------------------------------------------------------------------------

KINDS = st.lists(st.sampled_from(["numeric", "ordinal", "nominal"]), min_size=1, max_size=4)
LEVELS = ("a", "b", "c")


@st.composite
def tables(draw: Any, task: str, least: int = 1, whole: bool = False) -> Table:
    """Few values, so that many rows are as far apart; some unknown."""
    kinds = draw(KINDS)
    columns = tuple(
        Column(f"c{i}", kind, () if kind == "numeric" else LEVELS) for i, kind in enumerate(kinds)
    )
    target = Column("y", "numeric") if task == "regression" else Column("y", "nominal", LEVELS)
    n = draw(st.integers(least, 14))
    values = st.sampled_from([0.0, 1.0, 2.0] if whole else [0.0, 1.0, 2.0, np.nan])
    cells = draw(
        st.lists(st.lists(values, min_size=n, max_size=n), min_size=len(kinds), max_size=len(kinds))
    )
    y = draw(st.lists(st.integers(0, 2), min_size=n, max_size=n))
    weights = draw(st.none() | st.lists(st.sampled_from([0.5, 1.0, 3.0]), min_size=n, max_size=n))
    return Table(
        Schema(columns, target),
        np.array(cells),
        np.array(y, float),
        None if weights is None else np.array(weights),
    )


@pytest.mark.parametrize("task", ["classification", "regression"])
@examples(60)
@given(data=st.data(), k=st.integers(1, 5), p=st.sampled_from(NORMS))
def test_the_answer_is_the_definitions(task: str, data: Any, k: int, p: float) -> None:
    table = data.draw(tables(task))
    found = row_answers(one_leaf(table, Knn(k, p)), table)
    scales = [1.0] * table.n_columns
    for row in range(table.n_rows):
        wanted = naive.answer(table, table.cells[:, row], k, p, scales)
        assert found[row] == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("p", SEARCHED)
@pytest.mark.parametrize("unknown", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_both_ways_find_the_same(
    task: str, weighted: bool, unknown: bool, p: float, way: str
) -> None:
    table = sample_table(task, rows=40, unknown=unknown, weighted=weighted, seed=4)
    model = one_leaf(table, Knn(3, p))
    found = row_answers(model, table)
    assert (model.leaf_models[0].crowd(0).tree is not None) == (way == "tree")
    scales = [1.0] * table.n_columns
    for row in range(table.n_rows):
        wanted = naive.answer(table, table.cells[:, row], 3, p, scales)
        assert found[row] == pytest.approx(wanted, abs=1e-9)


def spread_out(rows: int) -> Table:
    """Columns whose spreads differ by a thousand, and pairs of rows that are almost the same."""
    rng = np.random.default_rng(5)
    half = rng.normal(size=(4, rows // 2)) * np.array([[1.0], [30.0], [0.03], [1.0]])
    half[3] = rng.integers(0, 3, rows // 2)
    near = half + rng.normal(size=half.shape) * np.array([[1e-4], [1e-4], [1e-4], [0.0]])
    columns = (*(Column(name, "numeric") for name in "abc"), Column("d", "nominal", LEVELS))
    schema = Schema(columns, Column("y", "numeric"))
    return Table(schema, np.concatenate([half, near], axis=1), rng.normal(size=rows))


@pytest.mark.parametrize("p", [5.0, 8.0, 9.0, 50.0, 200.0, 500.0, 1e4, 1e9, 1e300])
def test_no_p_is_too_great(p: float) -> None:
    table = spread_out(60)
    found = row_answers(one_leaf(table, Knn(3, p)), table)
    for row in range(table.n_rows):
        wanted = naive.answer(table, table.cells[:, row], 3, p, [1.0] * 4)
        assert found[row] == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("p", [1e9, 1e300])
def test_an_enormous_p_is_as_good_as_infinity(p: float) -> None:
    table = spread_out(400)
    found, wanted = (row_answers(one_leaf(table, Knn(3, norm)), table) for norm in (p, math.inf))
    assert found == pytest.approx(wanted)


@pytest.mark.parametrize("p", [1.0, 2.0, math.inf])
def test_rows_that_tie_by_the_hundred_are_all_found(p: float, way: str) -> None:
    """Nine places in the plane, 900 rows: every one of a place answers, not the first five."""
    rng = np.random.default_rng(0)
    schema = Schema(
        (Column("a", "numeric"), Column("b", "nominal", LEVELS)), Column("y", "numeric")
    )
    cells = np.stack([rng.integers(0, 3, 900), rng.integers(0, 3, 900)]).astype(float)
    table = Table(schema, cells, rng.normal(size=900))
    found = row_answers(one_leaf(table, Knn(5, p)), table)[:, 0]
    for row in range(9):
        alike = (cells == cells[:, [row]]).all(axis=0)
        assert found[row] == pytest.approx(table.y[alike].mean())


def levels_only(*rows: str) -> Table:
    """Rows of levels, the class last; a dot is unknown."""
    n = len(rows[0]) - 1
    schema = Schema(
        tuple(Column(f"c{i}", "nominal", LEVELS) for i in range(n)), Column("y", "nominal", LEVELS)
    )
    codes = np.array([["abc".find(letter) for letter in row] for row in rows], float).T
    return Table(schema, np.where(codes[:-1] < 0, np.nan, codes[:-1]), codes[-1])


def test_an_unknown_level_differs_from_every_level_and_from_another_unknown_one() -> None:
    """The first column cannot tell a row with '.' from any other; the second does."""
    table = levels_only(".aa", "abb", ".bc")
    found = one_leaf(table, Knn(1)).predict_proba(levels_only(".aa", ".ba", "aca"))
    assert found == pytest.approx(np.array([[1, 0, 0], [0, 0.5, 0.5], [0, 1, 0]]))


def test_a_level_that_was_never_seen_differs_from_every_level(way: str) -> None:
    table = levels_only(*["aab", "bbc"] * 5)
    found = one_leaf(table, Knn(2)).predict_proba(levels_only("cab", "cca"))
    assert found == pytest.approx(np.array([[0, 1, 0], [0, 0.5, 0.5]]))


def numbers(values: list[float], y: list[float]) -> Table:
    schema = Schema((Column("x", "numeric"),), Column("y", "numeric"))
    return Table(schema, np.array([values]), np.array(y, float))


def test_an_unknown_number_stands_at_the_mean_of_the_training_rows() -> None:
    table = numbers([0.0, 4.0, 5.0, 11.0], [1.0, 2.0, 3.0, 4.0])
    found = one_leaf(table, Knn(1)).predict(numbers([np.nan], [0.0]))
    assert found.tolist() == [3.0]


@pytest.mark.parametrize(
    ("k", "answer"),
    [
        (1, 10.0),
        (2, (10 + 0.5 * (20 + 40)) / 2),
        (3, (10 + 20 + 40) / 3),
        (4, (10 + 20 + 40 + 80) / 4),
    ],
)
def test_rows_as_far_as_the_last_share_the_places_that_are_left(k: int, answer: float) -> None:
    table = numbers([0.0, -1.0, 1.0, 5.0], [10.0, 20.0, 40.0, 80.0])
    assert one_leaf(table, Knn(k)).predict(numbers([0.0], [0.0])) == pytest.approx([answer])


def test_the_last_digit_of_a_distance_decides_nothing() -> None:
    """0.1 + 0.2 is not 0.3 in binary, but it is as far."""
    table = numbers([0.1 + 0.2, -0.3], [1.0, 3.0])
    assert one_leaf(table, Knn(1)).predict(numbers([0.0], [0.0])) == pytest.approx([2.0])


# --- laws ----------------------------------------------------------------------------------------


@examples(40)
@given(table=tables("classification"), p=st.sampled_from(NORMS))
def test_if_all_rows_answer_it_is_by_their_shares(table: Table, p: float) -> None:
    k = math.ceil(table.weights.sum())
    found = row_answers(one_leaf(table, Knn(k, p)), table)
    shares = one_leaf(table, Frequencies()).answers[0][0]
    assert found == pytest.approx(np.tile(shares, (table.n_rows, 1)))


@examples(40)
@given(data=st.data(), k=st.integers(1, 3), p=st.sampled_from(NORMS), standardise=st.booleans())
def test_the_order_of_columns_and_rows_decides_nothing(
    data: Any, k: int, p: float, standardise: bool
) -> None:
    table = data.draw(tables("classification", least=2))
    columns = data.draw(st.permutations(range(table.n_columns)))
    rows = np.array(data.draw(st.permutations(range(table.n_rows))))
    schema = evolve(table.schema, columns=tuple(table.columns[c] for c in columns))
    turned = evolve(table, schema=schema, cells=table.cells[list(columns)])
    label = Knn(k, p, standardise)
    one, other = one_leaf(table, label), one_leaf(turned.take(rows), label)
    assert row_answers(one, table) == pytest.approx(row_answers(other, turned), abs=1e-9)


@pytest.mark.parametrize("factor", [1e-200, 0.001, 7.0, 1e200])
@pytest.mark.parametrize("p", NORMS)
def test_standardised_columns_have_no_unit(factor: float, p: float) -> None:
    table = sample_table("classification", ("numeric", "nominal"), rows=60, seed=3)
    scaled = evolve(table, cells=table.cells * np.array([[factor], *[[1.0]] * 7]))
    label = Knn(4, p, standardise=True)
    one, other = one_leaf(table, label), one_leaf(scaled, label)
    assert row_answers(one, table) == pytest.approx(row_answers(other, scaled))


def test_standardised_columns_are_divided_by_the_deviation_of_all_training_rows() -> None:
    table = sample_table("regression", ("numeric", "ordinal"), rows=50, weighted=True, seed=8)
    (models,) = one_leaf(table, Knn(standardise=True)).leaf_models
    mean = np.average(table.cells, axis=1, weights=table.weights)
    spread = np.sqrt(np.average((table.cells - mean[:, None]) ** 2, axis=1, weights=table.weights))
    assert models.centre == pytest.approx(mean)
    assert models.scale == pytest.approx(np.where(spread > 0, spread, 1.0))


@pytest.mark.parametrize("scale", [1e-300, 1e-150, 1e150, 1.7e308])
@pytest.mark.parametrize("p", NORMS)
def test_numbers_of_any_size_keep_their_order(scale: float, p: float) -> None:
    table = numbers([-scale, -scale / 2, scale / 4, scale], [1.0, 2.0, 3.0, 4.0])
    assert one_leaf(table, Knn(1, p)).predict(table).tolist() == [1.0, 2.0, 3.0, 4.0]


def test_numbers_of_any_size_have_a_mean() -> None:
    table = numbers([0.0, 1.0, 5.0], [1.7e308, 1.7e308, -1.7e308])
    members = [(np.arange(3), np.ones(3))]
    models = neighbours(table, members, 2, 2.0, np.zeros(1), np.ones(1))
    assert asked(models, table)[0] == pytest.approx([1.7e308])


@pytest.mark.parametrize("p", NORMS)
def test_a_row_far_from_all_others_has_a_nearest_one(p: float) -> None:
    table = numbers([0.0, 1.0, 3.0], [1.0, 2.0, 3.0])
    found = one_leaf(table, Knn(1, p)).predict(numbers([-1000.0, 1000.0], [0.0, 0.0]))
    assert found.tolist() == [1.0, 3.0]


@pytest.mark.parametrize("p", [1.0, 2.0, math.inf])
def test_a_row_further_away_than_numbers_go_is_answered(p: float) -> None:
    table = numbers([0.0, 1.0, 3.0], [1.0, 2.0, 3.0])
    found = one_leaf(table, Knn(1, p)).predict(numbers([-1.7e308, 1.7e308], [0.0, 0.0]))
    assert np.isfinite(found).all()


def test_class_weights_are_heeded() -> None:
    table = levels_only("aaa", "aaa", "aaa", "aab")
    heavy = {"classes.weights": "balanced", "tree.label.k": 4}
    found = fit_table(load_recipe("knn", heavy), table).predict_proba(table)[0]
    assert found == pytest.approx([0.5, 0.5, 0.0])


# --- in trees ------------------------------------------------------------------------------------


def test_a_leaf_asks_its_own_rows_only() -> None:
    """The nearest of 2.9 is 3.1, which is in the other leaf."""
    table = numbers([0.0, 1.0, 2.0, 3.1, 4.0, 5.0], [1.0, 1.2, 1.1, 9.0, 9.1, 9.3])
    stop = {"tree.stop": MaxDepth(1), "tree.label.k": 1}
    model = fit_table(load_recipe("knn_tree_regression", stop), table)
    assert model.trees[0].operands.tolist() == [2.55]
    assert model.predict(numbers([2.5, 2.6], [0.0, 0.0])).tolist() == [1.1, 9.0]


def test_an_empty_leaf_is_answered_by_its_parents_rows() -> None:
    table = levels_only("aaa", "aab", "bab", "bba")
    change = {
        "tree.splitter.nominal": "multiway",
        "tree.stop": MaxDepth(1),
        "tree.label.k": 2,
    }
    model = fit_table(load_recipe("knn_tree", change), table)
    assert (model.trees[0].weight == 0).any()
    asked_of_nobody = levels_only("aca", "bca", "cca")
    wanted = [naive.answer(table, row, 2, 2.0, [1.0, 1.0]) for row in asked_of_nobody.cells.T]
    assert model.predict_proba(asked_of_nobody) == pytest.approx(np.array(wanted))


def test_equal_leaves_are_one_in_a_decision_graph() -> None:
    """Both branches that no row takes, c and d, are answered by the rows of the root."""
    schema = Schema((Column("x", "nominal", (*LEVELS, "d")),), Column("y", "nominal", LEVELS))
    table = Table(schema, np.array([[0.0, 0.0, 1.0, 1.0]]), np.array([0.0, 0.0, 1.0, 2.0]))
    change = {"tree.splitter.nominal": "multiway", "tree.stop": MaxDepth(1), "tree.label.k": 2}
    model = fit_table(load_recipe("knn_tree", change), table)
    graph = model.graph()
    assert (model.n_nodes, graph.n_nodes) == (5, 4)
    queries = Table(schema, np.array([[0.0, 1.0, 2.0, 3.0]]))
    assert graph_answers(graph, queries) == pytest.approx(row_answers(model, queries))


def test_shared_rows_count_by_their_share() -> None:
    """C4.5's fractional cases: the unknown row weighs 2/3 in the first leaf, 1/3 in the second."""
    table = levels_only("aaa", "aaa", "bab", ".ab")
    change = {"tree.label": Knn(9), "tree.stop": MaxDepth(1), "tree.pruner": "none"}
    model = fit_table(load_recipe("c45", change), table)
    found = model.predict_proba(levels_only("aaa", "baa"))
    assert found == pytest.approx(
        np.array([[2 / (2 + 2 / 3), (2 / 3) / (2 + 2 / 3), 0], [0, 1, 0]])
    )


def test_the_trees_of_a_model_have_neighbours_of_their_own(tmp_path: Any) -> None:
    tables = [sample_table("regression", rows=40, seed=seed) for seed in (1, 2)]
    one, other = (one_leaf(table, Knn(3)) for table in tables)
    both = evolve(
        one,
        trees=one.trees + other.trees,
        answers=one.answers + other.answers,
        tree_weights=(0.5, 0.5),
        leaf_models=one.leaf_models + other.leaf_models,
    )
    wanted = (one.predict(tables[0]) + other.predict(tables[0])) / 2
    assert both.predict(tables[0]) == pytest.approx(wanted)
    both.save(tmp_path / "m.json")
    assert load(tmp_path / "m.json").predict(tables[0]) == pytest.approx(wanted)


def test_costs_are_refused_as_for_every_label_that_answers_row_by_row() -> None:
    with pytest.raises(treekit.RecipeError, match="costs are weighed leaf by leaf"):
        load_recipe("knn", {"classes.costs": {"b": {"a": 5.0}}})


# --- parameters ----------------------------------------------------------------------------------


@pytest.mark.parametrize("p", [0.5, 0.999, 0, -1, -math.inf, math.nan])
def test_below_1_there_is_no_norm(p: float) -> None:
    with pytest.raises(ValueError, match=r"'p' must be at least 1, or inf: .* gives no norm"):
        Knn(p=p)


@pytest.mark.parametrize("p", ["2", None, True])
def test_p_is_a_number(p: Any) -> None:
    with pytest.raises(ValueError, match="'p' must be a number from 1 on, or inf"):
        Knn(p=p)


@pytest.mark.parametrize("k", [0, -1])
def test_at_least_one_row_answers(k: int) -> None:
    with pytest.raises(ValueError, match="'k' must be >= 1"):
        Knn(k=k)


@pytest.mark.parametrize("words", ["tree.label.p=inf", {"tree.label.p": math.inf}])
def test_infinity_can_be_set(words: Any) -> None:
    recipe = load_recipe("knn", [words] if isinstance(words, str) else words)
    assert recipe.tree.label == Knn(5, math.inf)


def test_a_recipe_with_a_p_below_1_is_refused() -> None:
    with pytest.raises(treekit.RecipeError, match=r"or inf: 0\.5 gives no norm"):
        load_recipe("knn", ["tree.label.p=0.5"])


def test_rows_without_weight_are_not_kept() -> None:
    table = numbers([1.0, 2.0, 3.0], [1.0, 2.0, 3.0])
    members = [(np.arange(3), np.array([1.0, 0.0, 2.0]))]
    models = neighbours(table, members, 1, 2.0, np.zeros(1), np.ones(1))
    assert models.cells.tolist() == [[1.0, 3.0]]
    assert models.row.tolist() == [0, 1]
    assert asked(models, table)[:, 0].tolist() == [1.0, pytest.approx((1 + 2 * 3) / 3), 3.0]


test_contract = contract_tests("label", Knn(k=2, p=math.inf, standardise=True))
