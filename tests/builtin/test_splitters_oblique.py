"""Tests on sums of columns: which directions are found, and which cut along them is offered."""

from __future__ import annotations

import itertools
import re
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from treekit_builtin import (
    CostComplexity,
    DefaultDirection,
    ErrorBased,
    Fractional,
    Lookahead,
    MajorityBranch,
    MaxDepth,
    MinRows,
    ObliqueLda,
    ObliqueLeastSquares,
    ObliqueLogistic,
    Optimal,
    OwnBranch,
    Pessimistic,
    RandomProjections,
    ReducedError,
    Refuse,
    StopAtNode,
    Surrogate,
    Threshold,
    Typical,
)

from treekit import (
    LEVELS,
    LINEAR,
    Column,
    DataError,
    Floats,
    Linear,
    Offers,
    PruningData,
    RecipeError,
    Schema,
    Table,
    Tree,
    asked_columns,
    ends,
    fit,
    linear_of,
    load_recipe,
    visits,
)
from treekit.engine import grow
from treekit.testing import check_tree
from treekit.testing.hosting import hosting
from treekit.testing.samples import sample_table

from ..properties import examples
from . import offering

OF_CLASSES = (ObliqueLda(), ObliqueLogistic(), RandomProjections())
OF_NUMBERS = (ObliqueLeastSquares(), RandomProjections())


def table_of(x: Any, y: Any, classes: str = "ab") -> Table:
    """Numeric columns x0, x1, ... from x[column, row]."""
    cells = np.array(x, dtype=np.float64)
    names = tuple(Column(f"x{i}", "numeric") for i in range(len(cells)))
    target = Column("y", "nominal", tuple(classes)) if classes else Column("y", "numeric")
    return Table(Schema(names, target), cells, np.array(y, dtype=np.float64))


def clouds(n: int = 300, classes: int = 2, columns: int = 3, apart: float = 1.5) -> Table:
    """Classes whose columns depend on one another and have different units."""
    rng = np.random.default_rng(5)
    y = rng.integers(0, classes, n)
    x = rng.normal(size=(n, columns)) @ rng.normal(size=(columns, columns))
    x += apart * rng.normal(size=(classes, columns))[y]
    return table_of((x * 10.0 ** np.arange(columns)).T, y, "abcdef"[:classes])


def diagonal(n: int = 400) -> Table:
    rng = np.random.default_rng(1)
    x = rng.uniform(size=(2, n))
    return table_of(x, x[0] + x[1] > 1.0)


def grown(table: Table, splitter: Any, seed: int = 0, **parts: Any) -> Tree:
    whole = evolve(hosting(table.task, "splitter", splitter), **parts)
    return grow(table, whole, np.random.default_rng(seed))


def root_offers(table: Table, splitter: Any, seed: int = 0) -> Offers:
    return offering.root_offers(table, splitter, seed, stop=(MaxDepth(1),))


def the_sum(offers: Offers, node: int = 0) -> Linear | None:
    """The sum that is offered to a node; None: there is none."""
    (tests,) = (t for t in offers.tests if t.kind == LINEAR)
    operands = tests.operands[node, : tests.n_operands[node]]
    return linear_of(operands) if len(operands) else None


def shown(way: Floats, table: Table) -> Any:
    """A direction as a test tells it: in units of the spreads, the greatest 1, none next to 0."""
    weights = way * table.cells.std(axis=1)
    weights = weights / weights[np.abs(weights).argmax()]
    return pytest.approx(np.where(np.abs(weights) < 0.02, 0.0, weights), abs=1e-3)


def direction(table: Table, splitter: Any) -> Floats:
    """What the root's sum weighs each column with, in units of the spreads."""
    found = the_sum(root_offers(table, splitter))
    assert found is not None
    by_column = np.zeros(table.n_columns)
    by_column[found.columns] = found.coefficients * found.spreads / found.spreads[0]
    return by_column


# --- directions ----------------------------------------------------------------------------------


@pytest.mark.parametrize("splitter", [ObliqueLogistic(), ObliqueLogistic(ridge=1e-4)])
def test_one_test_solves_a_diagonal_boundary(splitter: Any) -> None:
    table = diagonal()
    tree = grown(table, splitter)
    assert (tree.n_nodes, tree.depth) == (3, 1)
    assert tree.stats[1:, 1:].min() == 0.0
    assert grown(table, Threshold()).n_nodes > 30


def test_discriminants_solve_a_diagonal_boundary_between_clouds() -> None:
    rng = np.random.default_rng(2)
    along, across = rng.uniform(-20, 20, 200), np.repeat([-1.0, 1.0], 100)
    across += rng.uniform(-0.5, 0.5, 200)
    table = table_of([along + across, along - across], across > 0)
    assert grown(table, ObliqueLda()).n_nodes == 3
    assert grown(table, Threshold()).n_nodes > 30


def test_of_two_classes_the_direction_is_fishers() -> None:
    table = clouds()
    peer = LinearDiscriminantAnalysis().fit(table.cells.T, table.y).coef_[0]
    assert direction(table, ObliqueLda()) == shown(peer, table)


def test_of_three_classes_a_discriminant_is_taken() -> None:
    table = clouds(classes=3)
    peer = LinearDiscriminantAnalysis(solver="eigen").fit(table.cells.T, table.y).scalings_[:, :2]
    found = direction(table, ObliqueLda())
    assert any(found == shown(way, table) for way in peer.T)


@pytest.mark.parametrize("ridge", [0.1, 1.0, 10.0])
def test_of_two_classes_the_direction_is_logistic_regressions(ridge: float) -> None:
    table = clouds()
    x, spread = table.cells.T, table.cells.std(axis=1)
    peer = LogisticRegression(C=1 / ridge, tol=1e-10, max_iter=1000).fit(x / spread, table.y)
    found = direction(table, ObliqueLogistic(ridge=ridge))
    assert found == shown(peer.coef_[0] / spread, table)


def test_of_three_classes_one_is_told_from_the_rest() -> None:
    table = clouds(classes=3)
    x, spread = table.cells.T, table.cells.std(axis=1)
    found = direction(table, ObliqueLogistic())
    peers = []
    for one in range(3):
        peer = LogisticRegression(C=100, tol=1e-10, max_iter=1000).fit(x / spread, table.y == one)
        peers.append(peer.coef_[0] / spread)
    assert any(found == shown(way, table) for way in peers)


def test_of_a_number_the_direction_is_that_of_least_squares() -> None:
    table = clouds()
    y = np.array([1.0, -0.02, 0.003]) @ table.cells + np.random.default_rng(3).normal(size=300)
    table = table_of(table.cells, y, classes="")
    peer = np.linalg.lstsq(np.column_stack([table.cells.T, np.ones(300)]), y, rcond=None)[0]
    assert direction(table, ObliqueLeastSquares()) == shown(peer[:3], table)


def test_weights_count_as_rows() -> None:
    table = clouds(80)
    times = np.random.default_rng(0).integers(1, 4, 80)
    repeated = table.take(np.repeat(np.arange(80), times))
    weighted = table.reweighted(times.astype(np.float64))
    for splitter in (ObliqueLda(), ObliqueLogistic()):
        one, other = (the_sum(root_offers(t, splitter)) for t in (repeated, weighted))
        assert one is not None
        assert other is not None
        assert one.operands == pytest.approx(other.operands)


def test_the_unit_of_a_column_changes_only_its_coefficient() -> None:
    table = clouds()
    other = table_of(table.cells * np.array([[1e-6], [1.0], [1e6]]), table.y)
    for splitter in (ObliqueLda(), ObliqueLogistic()):
        assert direction(other, splitter) == pytest.approx(direction(table, splitter), abs=1e-3)


# --- the test that is offered --------------------------------------------------------------------


def test_the_weightiest_column_comes_first_with_coefficient_1() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(3, 500)) * np.array([[1.0], [10.0], [0.1]])
    table = table_of(x, x[0] + 0.3 * x[1] - 2 * x[2] > 0)
    found = the_sum(root_offers(table, ObliqueLogistic()))
    assert found is not None
    assert found.columns.tolist() == [1, 0, 2]
    assert found.coefficients[0] == 1.0
    assert found.spreads == pytest.approx(x.std(axis=1)[[1, 0, 2]])
    assert found.coefficients == pytest.approx([1.0, 1 / 0.3, -2 / 0.3], rel=0.1)


def test_coefficients_have_four_digits_so_that_what_is_read_is_asked() -> None:
    found = the_sum(root_offers(clouds(), ObliqueLogistic()))
    assert found is not None
    assert [float(f"{c:.4g}") for c in found.coefficients] == found.coefficients.tolist()


def test_columns_that_hardly_matter_are_left_out() -> None:
    x = np.random.default_rng(0).normal(size=(3, 2000))
    table = table_of(x, x[0] + x[1] + 0.001 * x[2] > 0)
    found = the_sum(root_offers(table, ObliqueLogistic()))
    assert found is not None
    assert sorted(found.columns.tolist()) == [0, 1]


@pytest.mark.parametrize("most", [1, 2, 4])
def test_a_sum_has_no_more_columns_than_allowed(most: int) -> None:
    table = clouds(columns=4)
    found = the_sum(root_offers(table, ObliqueLda(most=most)))
    whole = the_sum(root_offers(table, ObliqueLda()))
    assert found is not None
    assert whole is not None
    assert found.columns.tolist() == whole.columns[:most].tolist()


def test_single_cuts_are_offered_too_unless_they_are_not_wanted() -> None:
    table = clouds()
    both, alone = (root_offers(table, ObliqueLda(cuts=c)) for c in (True, False))
    single = root_offers(table, Threshold())
    assert both.columns.tolist() == [0, 1, 2, 0]
    assert both.score[0, :3].tolist() == single.score[0].tolist()
    assert alone.columns.tolist() == [0]
    assert alone.score[0, 0] == both.score[0, 3]


def test_of_equals_the_single_cut_is_taken() -> None:
    x = np.array([[0.0, 1, 2, 3, 4, 5], [5.0, 3, 4, 2, 0, 1]])
    tree = grown(table_of(x, [0, 0, 0, 1, 1, 1]), ObliqueLda())
    assert tree.kind[0] != LINEAR


def test_nominal_columns_are_left_to_their_own_splitter() -> None:
    table = sample_table("classification", ("numeric", "nominal"), rows=80)
    alone = {"tree.splitter.numeric.cuts": False, "tree.pruner": "none"}
    model = fit("oblique", table, set=alone)
    assert {LEVELS, LINEAR} <= set(model.trees[0].kind.tolist())


def test_ordinal_levels_count_by_their_places() -> None:
    size = Column("size", "ordinal", ("s", "m", "l", "xl"))
    rng = np.random.default_rng(0)
    cells = np.array([rng.uniform(0, 4, 300), rng.integers(0, 4, 300)])
    schema = Schema((Column("x", "numeric"), size), Column("y", "nominal", ("a", "b")))
    tree = grown(
        Table(schema, cells, (cells.sum(axis=0) > 3.5).astype(np.float64)), ObliqueLogistic()
    )
    assert tree.kind[0] == LINEAR
    assert sorted(linear_of(tree.test_operands(0)).columns.tolist()) == [0, 1]


# --- what could go wrong -------------------------------------------------------------------------


def test_constant_columns_are_left_out() -> None:
    table = clouds()
    wider = table_of(np.vstack([np.full(300, 7.0), table.cells, np.full(300, np.nan)]), table.y)
    for splitter in (ObliqueLda(), ObliqueLogistic(), RandomProjections(columns=9)):
        found = the_sum(root_offers(wider, splitter))
        assert found is not None
        assert set(found.columns.tolist()) <= {1, 2, 3}


def test_columns_that_depend_on_one_another_do_no_harm() -> None:
    table = clouds()
    again = np.vstack([table.cells, table.cells[:1], table.cells[0] + table.cells[1]])
    for splitter in (ObliqueLda(), ObliqueLogistic()):
        check_tree(grown(table_of(again, table.y), splitter), table_of(again, table.y))


@pytest.mark.parametrize("splitter", [ObliqueLda(), ObliqueLogistic()])
def test_no_more_rows_than_columns_are_offered_no_sum(splitter: Any) -> None:
    few, enough = (clouds(n, columns=5) for n in (5, 6))
    assert the_sum(root_offers(few, splitter)) is None
    assert the_sum(root_offers(enough, splitter)) is not None
    assert np.isfinite(root_offers(few, splitter).score[0, :5]).any()


@pytest.mark.parametrize("splitter", OF_CLASSES)
def test_large_and_small_numbers_are_no_trouble(splitter: Any) -> None:
    table = clouds()
    for factor in (1e-150, 1e150):
        scaled = table_of(table.cells * factor, table.y)
        check_tree(grown(scaled, splitter, stop=(MaxDepth(3),)), scaled)


@pytest.mark.parametrize(
    ("splitter", "said"),
    [
        ({"use": "oblique_lda", "ridge": 0.0}, "ridge"),
        ({"use": "oblique_logistic", "ridge": -1.0}, "ridge"),
        ({"use": "oblique_lda", "most": 0}, "most"),
        ({"use": "random_projections", "draws": 0}, "draws"),
        ({"use": "random_projections", "coefficients": "normal"}, "coefficients"),
    ],
)
def test_bad_parameters_are_named(splitter: dict[str, Any], said: str) -> None:
    with pytest.raises(RecipeError, match=said):
        load_recipe("cart", set={"tree.splitter.numeric": splitter})


# --- random projections --------------------------------------------------------------------------


def test_the_same_seed_draws_the_same_directions() -> None:
    table = clouds()
    trees = [grown(table, RandomProjections(), seed) for seed in (3, 3, 4)]
    assert np.array_equal(trees[0].operands, trees[1].operands)
    assert not np.array_equal(trees[0].operands, trees[2].operands)


@pytest.mark.parametrize("columns", [1, 2, 3, 9])
def test_so_many_columns_are_combined(columns: int) -> None:
    table = clouds(columns=4)
    splitter = RandomProjections(columns=columns, coefficients="signs", draws=3)
    found = the_sum(root_offers(table, splitter))
    assert found is not None
    assert len(found.columns) == min(columns, 4)
    # By the columns' spreads, all weigh the same.
    assert np.abs(found.coefficients) * found.spreads == pytest.approx(found.spreads[0], rel=1e-3)


def test_of_several_draws_the_best_is_offered() -> None:
    table = diagonal(100)
    few, many = (
        np.mean([root_offers(table, RandomProjections(draws=d), s).score[0, 0] for s in range(8)])
        for d in (1, 30)
    )
    assert many > 1.2 * few


# --- laws ----------------------------------------------------------------------------------------


def gini(y: Floats, weights: Floats) -> float:
    total = weights.sum()
    return float(1 - sum((weights[y == c].sum() / total) ** 2 for c in np.unique(y)))


@examples(60)
@given(st.data())
def test_the_best_cut_along_the_direction_is_offered(data: st.DataObject) -> None:
    rng = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    n, p = data.draw(st.integers(6, 14)), data.draw(st.integers(1, 3))
    x = rng.integers(0, 5, (p, n)).astype(np.float64)
    table = table_of(x, rng.integers(0, 3, n), "abc").reweighted(rng.choice([0.5, 1.0, 2.0], n))
    splitter = data.draw(st.sampled_from(OF_CLASSES))
    offers = root_offers(table, evolve(splitter, cuts=False))
    found = the_sum(offers)
    if found is None:
        return
    value = found.coefficients @ x[found.columns]
    y, w = table.y, table.weights
    best = -np.inf
    for low, high in itertools.pairwise(np.unique(np.round(value, 9))):
        left = value <= (low + high) / 2
        after = sum(gini(y[s], w[s]) * w[s].sum() for s in (left, ~left)) / w.sum()
        best = max(best, gini(y, w) - after)
    left = value <= found.threshold
    assert 0 < left.sum() < n
    after = sum(gini(y[s], w[s]) * w[s].sum() for s in (left, ~left)) / w.sum()
    assert offers.score[0, 0] == pytest.approx(gini(y, w) - after)
    if len(found.columns) == len(x) or not isinstance(splitter, RandomProjections):
        assert offers.score[0, 0] >= best - 1e-9


HANDLERS = (
    DefaultDirection(),
    Fractional(),
    MajorityBranch(),
    OwnBranch(),
    StopAtNode(),
    Surrogate(),
    Typical("node"),
)


@pytest.mark.parametrize("handler", HANDLERS, ids=lambda h: type(h).__name__)
@pytest.mark.parametrize("rows", [60, 1600])
def test_growth_and_queries_send_every_row_the_same_way(handler: Any, rows: int) -> None:
    table = sample_table("classification", ("numeric", "ordinal"), rows=rows, unknown=True)
    splitter = ObliqueLogistic(cuts=False)
    tree = grown(table, splitter, missing=handler, stop=(MaxDepth(4),))
    assert (tree.kind == LINEAR).any()
    check_tree(tree, table)  # recounts every node by `split_rows`
    found = ends(tree, table)
    weight = np.bincount(found.node, found.share, tree.n_nodes)
    stayed = tree.weight - tree.sum_over_children(tree.weight)
    assert weight == pytest.approx(np.where(tree.is_leaf, tree.weight, stayed), abs=1e-6)


def test_numbers_are_cut_along_sums_too() -> None:
    for splitter in OF_NUMBERS:
        table = sample_table("regression", ("numeric",), rows=200, unknown=True)
        tree = grown(table, splitter, stop=(MinRows(20),))
        assert (tree.kind == LINEAR).any()
        check_tree(tree, table)


PRUNERS = (ErrorBased(), CostComplexity(alpha=0.02), Pessimistic(), ReducedError())


@pytest.mark.parametrize("pruner", PRUNERS, ids=lambda p: type(p).__name__)
@pytest.mark.parametrize(("rows", "handler"), [(150, Fractional()), (1600, MajorityBranch())])
def test_pruners_leave_a_valid_tree(pruner: Any, rows: int, handler: Any) -> None:
    table = sample_table("classification", ("numeric",), rows=rows, unknown=True)
    tree = grown(table, ObliqueLda(cuts=False), missing=handler)

    def again(_: Table) -> Tree:
        return tree

    pruned = pruner.prune(tree, PruningData(table, table, again))
    assert 1 < pruned.n_nodes < tree.n_nodes
    check_tree(pruned, table)
    assert (pruned.kind == LINEAR).any()


def test_a_visit_tells_the_rows_that_a_sum_sends() -> None:
    table = diagonal(50)
    tree = grown(table, ObliqueLogistic())
    test = linear_of(tree.test_operands(0))
    value = test.coefficients @ table.cells[test.columns]
    rows = {node: set(rows.tolist()) for node, rows, _ in visits(tree, table)}
    assert rows[1] == set(np.flatnonzero(value <= test.threshold).tolist())
    assert rows[2] == set(np.flatnonzero(value > test.threshold).tolist())


# --- other roles ---------------------------------------------------------------------------------


def test_a_forest_draws_the_columns_of_its_sums() -> None:
    table = clouds(120, columns=6)
    parts = hosting("classification", "splitter", ObliqueLda(cuts=False))
    tree = grow(table, parts, np.random.default_rng(0), columns=2)
    asked = [len(linear_of(tree.test_operands(int(i))).columns) for i in np.flatnonzero(tree.kind)]
    assert max(asked) == 2
    assert len(np.unique(asked_columns(tree).column)) > 2


def test_forest_rc_is_reachable_as_a_recipe() -> None:
    model = fit("oblique_forest", clouds(100), set={"ensemble.trees": 3})
    assert all((tree.kind[0] == LINEAR) for tree in model.trees)


@pytest.mark.parametrize("cuts", [True, False])
def test_lookahead_tries_sums_too(cuts: bool) -> None:
    table = diagonal(60)
    splitter = ObliqueLogistic(cuts=cuts)
    assert grown(table, splitter, grower=Lookahead(depth=2)).kind[0] == LINEAR


def test_an_optimal_tree_has_no_sums() -> None:
    table = diagonal(40)
    one, other = (
        grown(table, splitter, grower=Optimal(depth=2)) for splitter in (ObliqueLda(), Threshold())
    )
    assert not (one.kind == LINEAR).any()
    assert np.array_equal(one.operands, other.operands)


def test_equal_subtrees_with_sums_are_merged() -> None:
    table = diagonal(80)
    model = fit("oblique", table, set={"tree.stop": "pure"})
    assert model.graph().n_nodes == model.n_nodes == 3
    assert model.graph().order is None


def test_importances_are_shared_out_by_weight_in_the_sum() -> None:
    table = diagonal(200)
    model = fit("oblique", table, set={"tree.stop": "pure"})
    test = linear_of(model.trees[0].test_operands(0))
    worth = np.abs(test.coefficients) * test.spreads
    expected = dict(zip(test.columns.tolist(), worth / worth.sum(), strict=True))
    found = model.importances()
    assert found == pytest.approx({f"x{i}": expected[i] for i in expected})


def test_a_refused_row_names_the_column_whose_value_is_unknown() -> None:
    table = diagonal(50)
    tree = grown(table, ObliqueLogistic(), missing=Refuse())
    query = Table(table.schema, np.array([[0.5], [np.nan]]))
    with pytest.raises(DataError, match="no known value in column 'x1'"):
        ends(tree, query)


def test_growth_is_explained_with_every_cut_along_the_sum() -> None:
    table = diagonal(30)
    model = fit("oblique", table, set={"tree.stop": "pure"})
    root = model.explain(table).node(0)
    *single, both = root.columns
    assert [seen.column.name for seen in single] == ["x0", "x1"]
    assert re.fullmatch(r"x\d \+ [\d.]+\*x\d", both.column.name)
    assert root.chosen == 2
    assert both.best is not None
    assert both.best.gain == pytest.approx(float(model.trees[0].score[0]))
    assert len(both.candidates) + both.left_out == 29


def test_a_node_without_a_sum_says_so() -> None:
    table = clouds(5, columns=5)
    model = fit("oblique", table, set={"tree.stop": "pure", "tree.pruner": "none"})
    last = model.explain(table).node(0).columns[-1]
    assert (last.column.name, last.rejected) == (
        "a sum of columns",
        "no direction tells its rows apart",
    )


def test_a_rows_path_tells_the_value_of_the_sum() -> None:
    table = diagonal(50)
    model = fit("oblique", table, set={"tree.stop": "pure"})
    test = linear_of(model.trees[0].test_operands(0))
    (step,) = model.explain_row(table, 3).paths[0].asked
    assert step.value == pytest.approx(float(test.coefficients @ table.cells[test.columns, 3]))
    assert step.branch == int(step.value > test.threshold)
