"""The tree of least error: against every tree there is, and what is told when time is up."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from treekit_builtin.growers import optimal as growers_optimal
from treekit_builtin.growers.optimal import ENOUGH
from treekit_builtin.growers.optimal_search import Outcome, Plan, RowsAndTests, best_tree
from treekit_builtin.growers.optimal_search import search as searching

from treekit import Column, DataError, Model, RecipeError, Schema, Table, fit, load_dataset
from treekit.testing.trees import check_tree

from ..properties import examples
from .test_growers_lookahead import bits, checkerboard, errors, numbers

ROUNDING = 1e-9


def least_cost(problem: RowsAndTests, depth: int) -> float:
    """The least cost of all trees of a depth, by trying every one of them."""

    def best(rows: Any, depth: int) -> float:
        by_class = np.bincount(problem.target[rows], problem.weights[rows], problem.n_classes)
        least = float(by_class.sum() - by_class.max()) + problem.leaf_cost
        if depth == 0:
            return least
        for codes in problem.codes:
            for code in np.unique(codes[rows])[:-1]:
                sides = rows[codes[rows] <= code], rows[codes[rows] > code]
                if all(holds(problem, side) for side in sides):
                    least = min(least, sum(best(side, depth - 1) for side in sides))
        return least

    return best(np.arange(len(problem.target)), depth)


def holds(problem: RowsAndTests, rows: Any) -> bool:
    """Does a branch hold the minimum?"""
    weight = problem.weights[rows].sum()
    return bool(len(rows) >= problem.branch_rows and weight >= problem.branch_weight)


def cost_of(plan: Plan, problem: RowsAndTests) -> float:
    """What a tree costs, counted; its branches must hold the minimum."""

    def cost(plan: Plan, rows: Any) -> float:
        if plan.left is None or plan.right is None:
            by_class = np.bincount(problem.target[rows], problem.weights[rows])
            return float(by_class.sum() - by_class.max()) + problem.leaf_cost
        left = problem.codes[plan.family][rows] <= plan.code
        assert all(holds(problem, rows[side]) for side in (left, ~left))
        return cost(plan.left, rows[left]) + cost(plan.right, rows[~left])

    return cost(plan, np.arange(len(problem.target)))


def depth_of(plan: Plan) -> int:
    if plan.left is None or plan.right is None:
        return 0
    return 1 + max(depth_of(plan.left), depth_of(plan.right))


@st.composite
def problems(draw: Any) -> RowsAndTests:
    """Few rows, so that many are alike; weights, branch minima and costs of leaves."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, n_families = draw(st.integers(1, 12)), draw(st.integers(1, 3))
    n_classes = draw(st.integers(2, 4))
    n_codes = draw(st.integers(1, 6))
    weighted = draw(st.booleans())
    return RowsAndTests(
        codes=rng.integers(0, n_codes, (n_families, n)),
        target=rng.integers(0, n_classes, n),
        weights=rng.choice([0.5, 1.0, 2.5], n) if weighted else np.ones(n),
        n_classes=n_classes,
        branch_rows=draw(st.sampled_from([0, 1, 2, 3])),
        branch_weight=draw(st.sampled_from([0.0, 0.0, 1.5])),
        leaf_cost=draw(st.sampled_from([0.0, 0.0, 0.3])),
    )


def never() -> bool:
    return False


def after(looks: int) -> Callable[[], bool]:
    """A clock that is up after so many looks at it."""
    seen = count()
    return lambda: next(seen) >= looks


@examples(300)
@given(problem=problems(), depth=st.integers(0, 3))
def test_no_tree_of_the_depth_costs_less(problem: RowsAndTests, depth: int) -> None:
    found = best_tree(problem, depth, never)
    assert found.cost == pytest.approx(least_cost(problem, depth), abs=ROUNDING)
    assert found.cost == pytest.approx(cost_of(found.plan, problem), abs=ROUNDING)
    assert (found.proven, found.lower) == (True, found.cost)
    assert depth_of(found.plan) <= depth


@examples(40)
@given(problem=problems(), depth=st.integers(2, 3))
def test_compiled_kernels_find_the_same(problem: RowsAndTests, depth: int) -> None:
    interpreted = best_tree(problem, depth, never)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(searching, "SMALL", -1)
        compiled = best_tree(problem, depth, never)
    assert compiled.cost == pytest.approx(interpreted.cost, abs=ROUNDING)
    assert compiled.proven


@examples(150)
@given(problem=problems(), depth=st.integers(1, 3), looks=st.integers(0, 12))
def test_when_time_is_up_the_bound_and_the_tree_are_honest(
    problem: RowsAndTests, depth: int, looks: int
) -> None:
    found = best_tree(problem, depth, after(looks))
    best = least_cost(problem, depth)
    assert found.lower <= best + ROUNDING
    assert best <= found.cost + ROUNDING
    assert found.cost == pytest.approx(cost_of(found.plan, problem), abs=ROUNDING)
    assert found.proven == (found.cost <= found.lower + ROUNDING)


def noise(n: int = 60, columns: int = 5) -> RowsAndTests:
    rng = np.random.default_rng(5)
    codes = np.argsort(rng.random((columns, n)), axis=1)
    return RowsAndTests(codes, rng.integers(0, 2, n), np.ones(n), 2)


def test_the_longer_the_search_the_better_the_tree_and_the_bound() -> None:
    found = [best_tree(noise(), 3, after(looks)) for looks in (0, 1, 5, 40, 400)]
    found.append(best_tree(noise(), 3, never))
    assert [o.proven for o in found[:1] + found[-1:]] == [False, True]
    costs, bounds = [o.cost for o in found], [o.lower for o in found]
    assert costs == sorted(costs, reverse=True)
    assert bounds == sorted(bounds)
    assert costs[0] > costs[-1]
    assert bounds[0] < bounds[-1]


def test_a_deeper_tree_is_no_worse() -> None:
    costs = [best_tree(noise(24, 3), depth, never).cost for depth in range(5)]
    assert costs == sorted(costs, reverse=True)


def shape(found: Outcome) -> Any:
    def told(plan: Plan | None) -> Any:
        return plan and (plan.family, plan.code, told(plan.left), told(plan.right))

    return told(found.plan)


def test_the_same_tree_is_found_each_time() -> None:
    assert shape(best_tree(noise(), 3, never)) == shape(best_tree(noise(), 3, never))


# --- the grower ----------------------------------------------------------------------------------


def optimal(table: Table, depth: int, **others: Any) -> Model:
    settings = {"tree.grower": {"use": "optimal", "depth": depth}}
    return fit("optimal", table, set={**settings, **others})


def greedy(table: Table, depth: int) -> Model:
    stop = ["pure", {"use": "max_depth", "depth": depth}]
    return optimal(table, 1, **{"tree.grower": "level", "tree.stop": stop})


@pytest.mark.parametrize(("depth", "wrong"), [(1, 4), (2, 4), (3, 0)])
def test_parity_of_three_bits_needs_three_levels(depth: int, wrong: int) -> None:
    table = load_dataset("parity3")
    model = optimal(table, depth)
    assert errors(model, table) == wrong
    assert model.facts == {
        "training_error": wrong / 8,
        "lower_bound": wrong / 8,
        "gap": 0.0,
        "proven": 1.0,
    }


@pytest.mark.parametrize("table", [bits(2, noise=3), checkerboard(60)], ids=["bits", "numbers"])
def test_exclusive_or_is_solved_where_greed_asks_the_noise(table: Table) -> None:
    assert errors(greedy(table, 2), table) > 0
    assert errors(optimal(table, 2), table) == 0


@examples(60)
@given(seed=st.integers(0, 10**6), depth=st.integers(1, 3), branch=st.sampled_from([1, 2, 4]))
@example(seed=0, depth=3, branch=1)
def test_the_grown_tree_has_the_error_that_is_told_and_no_more_than_the_greedy_one(
    seed: int, depth: int, branch: int
) -> None:
    rng = np.random.default_rng(seed)
    columns = (
        Column("number", "numeric"),
        Column("order", "ordinal", ("low", "middle", "high")),
        Column("name", "nominal", ("a", "b", "c", "d")),
    )
    cells = np.array([rng.normal(size=20).round(1), rng.integers(0, 3, 20), rng.integers(0, 4, 20)])
    weights = rng.choice([0.5, 1.0, 2.0], 20)
    schema = Schema(columns, Column("y", "nominal", ("p", "q", "r")))
    table = Table(schema, cells, rng.integers(0, 3, 20).astype(np.float64), weights)
    stop = ["pure", {"use": "min_rows", "branch": branch}]
    splitter = {"numeric": "threshold", "ordinal": "threshold", "nominal": "one_vs_rest"}
    changes = {"tree.stop": stop, "tree.splitter": splitter}
    model = optimal(table, depth, **changes)
    tree = model.trees[0]
    check_tree(tree, table)
    assert (tree.depth <= depth, tree.rows.min() >= branch) == (True, True)
    assert model.facts["proven"] == 1.0
    assert model.facts["training_error"] == pytest.approx(share_wrong(model, table))
    deep = [*stop, {"use": "max_depth", "depth": depth}]
    other = optimal(table, 1, **{**changes, "tree.grower": "level", "tree.stop": deep})
    assert model.facts["lower_bound"] <= share_wrong(other, table) + ROUNDING


def share_wrong(model: Model, table: Table) -> float:
    wanted = np.array(table.schema.classes, dtype=object)[table.y.astype(np.int64)]
    return float(table.weights @ (model.predict(table) != wanted) / table.weights.sum())


@pytest.mark.parametrize("nominal", ["multiway", "one_vs_rest", "subset"])
def test_a_test_with_many_branches_stands_for_each_against_the_rest(nominal: str) -> None:
    levels = Column("x", "nominal", tuple("abcde"))
    cells = np.arange(5.0)[None]
    schema = Schema((levels,), Column("y", "nominal", ("p", "q")))
    table = Table(schema, cells, np.array([0.0, 1.0, 0.0, 1.0, 0.0]))
    model = optimal(table, 2, **{"tree.splitter": {"nominal": nominal}})
    assert (errors(model, table), int(model.trees[0].n_children.max())) == (0, 2)


def test_sums_of_columns_are_not_asked_for() -> None:
    x = np.random.default_rng(0).normal(size=(40, 2))
    table = numbers(x, (x.sum(axis=1) > 0).astype(np.float64))
    sums = {"tree.splitter": {"numeric": "oblique_logistic"}}
    model = optimal(table, 2, **sums)
    assert model.facts == optimal(table, 2).facts
    assert errors(looked_ahead(table, sums), table) < errors(model, table)


def looked_ahead(table: Table, changes: Any) -> Model:
    stop = ["pure", {"use": "max_depth", "depth": 2}]
    return fit("lookahead", table, set={**changes, "tree.stop": stop})


def test_bins_are_asked_by_their_edges() -> None:
    table = numbers(np.arange(12.0)[:, None], (np.arange(12) >= 6).astype(np.float64))
    model = optimal(table, 1, **{"tree.splitter": {"numeric": {"use": "bins", "bins": 4}}})
    assert (errors(model, table), model.trees[0].operands.tolist()) == (0, [5.5])


def test_a_cut_lies_between_the_values_of_its_own_node() -> None:
    x = np.array([[0, 0], [0, 10], [1, 0], [1, 6], [1, 7], [1, 10]], dtype=np.float64)
    table = numbers(x, np.array([0, 0, 0, 0, 0, 1], dtype=np.float64))
    tree = optimal(table, 2).trees[0]
    cuts = {
        int(c): float(v) for c, v in zip(tree.column[~tree.is_leaf], tree.operands, strict=True)
    }
    assert cuts == {0: 0.5, 1: 8.5}


def test_a_leaf_must_be_worth_its_cost() -> None:
    table = bits(2)
    dear = {"tree.grower": {"use": "optimal", "depth": 2, "leaf_cost": 0.2}}
    assert optimal(table, 2).n_leaves == 4
    model = optimal(table, 2, **dear)
    assert (model.n_leaves, model.facts["training_error"]) == (1, 0.5)
    # Half of the rows are wrong, and one leaf is paid for.
    assert model.facts["training_cost"] == pytest.approx(0.7)
    assert model.facts["lower_bound"] == pytest.approx(0.7)


@pytest.mark.parametrize("leaf_cost", [0.0, 0.01, 0.1])
def test_the_bound_is_no_more_than_what_it_bounds(leaf_cost: float) -> None:
    grower = {"use": "optimal", "depth": 2, "leaf_cost": leaf_cost}
    model = optimal(checkerboard(40), 2, **{"tree.grower": grower})
    facts = model.facts
    whole = facts["training_error"] + leaf_cost * model.n_leaves
    told = facts["training_cost" if leaf_cost else "training_error"]
    assert (told, facts["lower_bound"]) == (pytest.approx(whole), pytest.approx(whole))


TWO_COSTS = {"p": {"q": 3.0}}
OF_A_CLASS = {"p": {"q": 3.0, "r": 3.0}}


@pytest.mark.parametrize(("classes", "costs"), [("pq", TWO_COSTS), ("pqr", OF_A_CLASS)])
def test_costs_that_weights_stand_for_are_counted(classes: str, costs: Any) -> None:
    table = of_classes(classes)
    model = optimal(table, 2, **{"classes.costs": costs})
    assert model.facts["proven"] == 1.0
    # A class's weight is by its costs, and the whole weighs what it did.
    weights = np.where(table.y == 0, 3.0, 1.0)
    altered = table.reweighted(weights)
    assert model.facts["training_error"] == pytest.approx(share_wrong(model, altered))
    assert model.facts["training_error"] == pytest.approx(
        optimal(altered, 2).facts["training_error"]
    )


def test_costs_that_depend_on_the_answer_are_refused() -> None:
    told = "the grower 'optimal' counts errors by weight, but these costs depend on the answer"
    with pytest.raises(RecipeError, match=told):
        optimal(of_classes("pqr"), 2, **{"classes.costs": TWO_COSTS})


def of_classes(names: str) -> Table:
    rng = np.random.default_rng(3)
    columns = (Column("a", "numeric"), Column("b", "numeric"))
    y = rng.integers(0, len(names), 30).astype(np.float64)
    schema = Schema(columns, Column("y", "nominal", tuple(names)))
    return Table(schema, rng.normal(size=(2, 30)).round(1), y)


def test_columns_cannot_be_drawn_node_by_node_in_a_search_of_whole_trees() -> None:
    forest = {"use": "random_forest", "trees": 2, "columns": 1}
    with pytest.raises(RecipeError, match=r"tree\.grower: .* cannot choose from 1 of 3 columns"):
        optimal(load_dataset("parity3"), 2, ensemble=forest)
    assert optimal(load_dataset("parity3"), 2, ensemble={**forest, "columns": "all"}).n_nodes > 2


@pytest.mark.parametrize(
    ("seconds", "reason", "proven"),
    [(2.0, "the time limit, 2 seconds, was reached", 0.0), (1e9, ENOUGH, 1.0)],
)
def test_a_leaf_says_whether_the_time_was_up(
    monkeypatch: pytest.MonkeyPatch, seconds: float, reason: str, proven: float
) -> None:
    """The clock goes on by a second whenever it is looked at; parity needs a level more."""
    monkeypatch.setattr(growers_optimal, "perf_counter", count().__next__)
    limited = {"tree.grower": {"use": "optimal", "depth": 3, "seconds": seconds}}
    model = optimal(bits(4), 3, **limited)
    tree = model.trees[0]
    assert (model.n_nodes, model.facts["proven"]) == (1, proven)
    assert tree.reasons[int(tree.reason[0])] == reason


def test_a_stop_rule_that_the_search_does_not_know_leaves_a_gap() -> None:
    table = bits(2)
    model = optimal(table, 2, **{"tree.stop": ["pure", {"use": "max_depth", "depth": 1}]})
    assert model.facts == {"training_error": 0.5, "lower_bound": 0.0, "gap": 0.5, "proven": 0.0}


def test_unknown_values_are_refused_in_training_and_handled_in_queries() -> None:
    table = bits(2)
    cells = table.cells.copy()
    cells[1, 3] = np.nan
    gappy = Table(table.schema, cells, table.y, source="gappy")
    with pytest.raises(DataError, match="column 'x1' has unknown values, and the grower"):
        optimal(gappy, 2)
    assert len(optimal(table, 2).predict(gappy)) == table.n_rows


def test_a_branch_may_weigh_the_minimum_but_for_rounding() -> None:
    x, weights = np.arange(4.0)[:, None], np.array([0.7, 0.1, 0.1, 0.7])
    assert weights[:2].sum() < 0.8
    table = numbers(x, (x[:, 0] > 1).astype(np.float64)).reweighted(weights)
    least = {"use": "min_rows", "branch": 0.8, "count": "weight"}
    assert optimal(table, 1, **{"tree.stop": ["pure", least]}).n_leaves == 2


def test_a_table_of_one_class_is_a_leaf() -> None:
    table = numbers(np.arange(4.0)[:, None], np.zeros(4))
    assert optimal(table, 3).n_nodes == 1


def test_facts_are_saved_with_the_model(tmp_path: Any) -> None:
    from treekit import load

    model = optimal(load_dataset("tennis"), 2)
    model.save(tmp_path / "model.json")
    assert load(tmp_path / "model.json").facts == model.facts
