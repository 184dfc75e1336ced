"""Linear models in the leaves: M5."""

from __future__ import annotations

import math

import numpy as np
import pytest
from treekit_builtin import M5, Linear, Mean, MinSpread, NoPruning
from treekit_builtin.labels.least_squares import (
    columns_below,
    linear_model,
    node_models,
    penalty,
    where_grown,
)
from treekit_builtin.labels.linear import smoothed

from treekit.fitting import fit_table
from treekit.leaf_models import leaf_answers
from treekit.offers import Decisions, Nodes, PruningData
from treekit.recipe import load_recipe
from treekit.route import answers_for
from treekit.table.record import Column, Schema, Table
from treekit.testing import contract_tests
from treekit.tree import CUTS, Tree, rebuilt, single_leaf

from .naive import Branching, flat


@pytest.fixture(autouse=True)
def same_numbers() -> None:
    """Each test draws the same numbers, whichever tests ran before it."""
    global RNG
    RNG = np.random.default_rng(0)


RNG = np.random.default_rng(0)


def numbers(cells: list[object], y: object, weights: object = None) -> Table:
    """Numeric columns a, b, c ... and a number to predict."""
    columns = tuple(Column("abcdef"[i], "numeric") for i in range(len(cells)))
    w = None if weights is None else np.asarray(weights, float)
    schema = Schema(columns, Column("y", "numeric"))
    return Table(schema, np.array(cells, float), np.asarray(y, float), w)


def leveled(levels: list[float], y: list[float], n_levels: int = 4) -> Table:
    column = Column("n", "nominal", tuple("pqrs"[:n_levels]))
    return Table(Schema((column,), Column("y", "numeric")), np.array([levels]), np.array(y))


def modelled(table: Table) -> tuple[float, dict[int, list[float]]]:
    """The constant and the coefficients by column of the model of all rows on all columns."""
    rows = np.arange(table.n_rows)
    found = linear_model(table, np.arange(table.n_columns), rows, table.weights)
    sums: dict[int, np.ndarray] = {}
    for term in found.terms:
        sums[term.column] = sums.get(term.column, 0.0) + term.coefficients[:, 0]
    return found.constant, {column: list(values) for column, values in sums.items()}


def fitted(table: Table, **settings: object) -> object:
    return fit_table(load_recipe("m5", {f"tree.{k}": v for k, v in settings.items()}), table)


# --- one node ------------------------------------------------------------------------------------


def test_the_model_is_that_of_least_squares() -> None:
    a, b = RNG.normal(size=(2, 60)) * [[3.0], [0.01]]
    y = 2.0 + 3.0 * a - 50.0 * b + 0.3 * RNG.normal(size=60)
    constant, terms = modelled(numbers([a, b], y))
    design = np.column_stack([np.ones(60), a - a.mean(), b - b.mean()])
    peer = np.linalg.lstsq(design, y, rcond=None)[0]
    assert [constant, terms[0][1], terms[1][1]] == pytest.approx(list(peer))


def test_a_row_of_weight_two_counts_as_two_rows() -> None:
    a, y = RNG.normal(size=(2, 20))
    y = y + 2 * a
    weights = RNG.integers(0, 3, 20)
    once = modelled(numbers([a], y, weights))
    again = modelled(numbers([np.repeat(a, weights)], np.repeat(y, weights)))
    assert once[0] == pytest.approx(again[0])
    assert once[1][0] == pytest.approx(again[1][0])


def test_a_term_that_earns_nothing_is_dropped() -> None:
    a = np.arange(12.0)
    noise = np.array([1.0, -1.0, -1.0, 1.0] * 3)
    assert set(modelled(numbers([a, noise], 3 * a + 1))[1]) == {0}


def test_noise_alone_leaves_the_mean() -> None:
    a = np.array([1.0, 2, 3, 4, 1, 2, 3, 4])
    y = np.array([1.0, -1, -1, 1, -1, 1, 1, -1])
    assert modelled(numbers([a], y)) == (0.0, {})


@pytest.mark.parametrize(("n", "v", "factor"), [(10, 2, 1.5), (3, 1, 2.0), (2, 2, 10), (1, 3, 10)])
def test_few_rows_for_many_parameters_are_distrusted(n: float, v: int, factor: float) -> None:
    assert penalty(n, v) == factor


@pytest.mark.parametrize(
    "cells",
    [
        [np.arange(9.0), 2 * np.arange(9.0) + 1],
        [np.arange(9.0), np.full(9, 7.0)],
        [np.arange(9.0), np.full(9, np.nan)],
        [np.arange(9.0), np.zeros(9), 1e300 * np.arange(9.0), 1e-300 * np.arange(9.0)],
    ],
    ids=["dependent", "constant", "unknown", "huge"],
)
def test_columns_that_add_nothing_do_no_harm(cells: list[object]) -> None:
    table = numbers(cells, 3 * np.arange(9.0))
    leaf = single_leaf(np.array([9.0, 0.0, 1.0]), 9, "alone", float(table.y.mean()))
    models = smoothed(leaf, node_models(leaf, table, np.ones((1, len(cells)), bool)), 0.0)
    found = answers_for(leaf, np.zeros((1, 1)), table, models)[:, 0]
    assert found == pytest.approx(table.y)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_fewer_rows_than_columns_give_no_more_terms_than_rows(n: int) -> None:
    constant, terms = modelled(numbers(list(RNG.normal(size=(5, n))), np.arange(float(n))))
    assert len(terms) <= max(n - 2, 0)
    assert constant == (n - 1) / 2


def test_an_unknown_value_counts_as_the_mean() -> None:
    a = np.array([1.0, 2, 3, 4, 5, np.nan])
    constant, terms = modelled(numbers([a], [2.0, 4, 6, 8, 10, 6]))
    assert (constant, terms[0]) == (6.0, pytest.approx([0.0, 2.0]))


def test_levels_become_steps_in_the_order_of_their_means() -> None:
    """Means 5, 1 and 3 by hand; the level s, which no row has, stands at the centre."""
    table = leveled([0, 0, 1, 1, 2, 2, 0, 1, 2], [5, 5, 1, 1, 3, 3, 5, 1, 3])
    constant, terms = modelled(table)
    assert constant == 3.0
    assert terms[0] == pytest.approx([2.0, -2.0, 0.0, 0.0])


def test_levels_of_equal_means_need_no_step_between_them() -> None:
    table = leveled([0, 1, 2] * 4, [1.0, 1.0, 7.0] * 4)
    model = linear_model(table, np.arange(1), np.arange(12), table.weights)
    assert len(model.terms) == 1
    assert model.error == pytest.approx(0.0)


# --- the tree ------------------------------------------------------------------------------------


def branching(cut: float, *children: Branching, column: int = 0) -> Branching:
    stats = np.sum([child.stats for child in children], axis=0).tolist()
    return Branching(
        stats=stats, kind=CUTS, column=column, operands=(cut,), unknown=0, children=list(children)
    )


def leaf(n: float) -> Branching:
    return Branching(stats=[n, 0.0, n])


def three_levels() -> Tree:
    """Column 0 at the root, 1 and 2 below its first branch."""
    inner = branching(1.0, branching(2.0, leaf(2), leaf(2), column=2), leaf(3), column=1)
    return flat(branching(0.5, inner, leaf(4)), 0.0)


def test_a_node_looks_at_the_columns_tested_in_its_subtree() -> None:
    below = columns_below(three_levels(), 4)
    told = [np.flatnonzero(row).tolist() for row in below]
    assert told == [[0, 1, 2], [1, 2], [], [2], [], [], []]


def test_a_pruned_leaf_looks_at_what_stood_there_when_it_was_grown() -> None:
    grown = three_levels()
    cut = np.arange(grown.n_nodes) == 1
    pruned = rebuilt(grown, np.arange(grown.n_nodes), cut, "cut")
    assert where_grown(pruned, grown).tolist() == [0, 1, 2]


def test_below_a_raised_subtree_the_place_it_was_raised_to_stands_for_all() -> None:
    grown = three_levels()
    stands_for = np.arange(grown.n_nodes)
    stands_for[0] = 1
    raised = rebuilt(grown, stands_for, np.zeros(grown.n_nodes, bool), "cut")
    assert where_grown(raised, grown).tolist() == [0] * raised.n_nodes


def test_data_on_a_line_give_one_leaf_with_that_line() -> None:
    a, b = RNG.uniform(-5, 5, (2, 200))
    model = fitted(numbers([a, b], 4 - 2 * a + 0.5 * b))
    assert model.n_nodes == 1
    assert str(model).startswith("4 - 2*a + 0.5*b (mean ")


def test_pieces_of_lines_are_recovered_exactly() -> None:
    a, b = RNG.uniform(-5, 5, (2, 400))
    y = np.where(a <= 0, 2 * b - a, 20 - 3 * b)
    table = numbers([a, b], y)
    model = fitted(table, **{"label.smoothing": 0})
    assert model.predict(table) == pytest.approx(y)
    assert model.n_leaves <= 4


def test_smoothing_draws_a_leaf_to_the_nodes_above_it() -> None:
    """By hand: n = 5 and k = 15 at both leaves, models 1 and 9 of the leaves, 5 of the root."""
    table = numbers([[0] * 5 + [1] * 5], [1.0] * 5 + [9.0] * 5)
    tree = flat(branching(0.5, Branching(stats=[5.0, 5, 5]), Branching(stats=[5.0, 45, 405])), 0.0)
    models = node_models(tree, table, np.zeros((3, 1), bool))
    assert smoothed(tree, models, 15.0).constant[1:, 0] == pytest.approx([4.0, 6.0])
    assert smoothed(tree, models, 0.0).constant[1:, 0] == pytest.approx([1.0, 9.0])


@pytest.mark.parametrize("unknown", [False, True])
def test_smoothing_folded_into_the_leaves_is_smoothing_on_the_way_up(unknown: bool) -> None:
    a, b = RNG.uniform(-3, 3, (2, 150))
    table = numbers([a, b], a * b + RNG.normal(size=150))
    grown = fit_table(load_recipe("m5", {"tree.pruner": NoPruning()}), table).trees[0]
    models = node_models(grown, table, columns_below(grown, 2))
    one = Table(table.schema, np.array([[np.nan if unknown else 1.3], [-0.7]]))

    def said(node: int) -> float:
        alone = single_leaf(grown.stats[node], 1, "alone")
        only = smoothed(alone, [models[node]], 0.0)
        return float(answers_for(alone, np.zeros((1, 1)), one, only)[0, 0])

    end = int(np.flatnonzero(grown.is_leaf)[3])
    node, value = end, said(end)
    while node:
        n = grown.weight[node]
        node = int(grown.parent[node])
        value = (n * value + 15.0 * said(node)) / (n + 15.0)
    folded = Linear(15.0).models(grown, table, grown)
    assert leaf_answers(folded, one, np.array([0]), np.array([end])) == pytest.approx(value)


def test_the_labels_constants_are_the_means() -> None:
    table = numbers([RNG.normal(size=40)], RNG.normal(size=40))
    tree = fit_table(load_recipe("regression"), table).trees[0]
    assert Linear().answers(tree, table).tolist() == Mean().answers(tree, table).tolist()


# --- the pruner ----------------------------------------------------------------------------------


def test_pruning_tells_both_estimates_by_hand() -> None:
    """A line of 8 rows: the model is exact. The leaves err 1 on average: 1 * (8 + 3) / (8 - 3)."""
    table = numbers([np.arange(8.0)], np.arange(8.0))
    stats = ([4.0, 6, 14], [4.0, 22, 126])
    tree = flat(branching(3.5, *(Branching(stats=list(s)) for s in stats)), 0.0)
    told: list[Decisions] = []
    data = PruningData(table, None, lambda t: tree, tell=told.append)
    assert M5().prune(tree, data).n_nodes == 1
    (decision,) = told
    assert decision.node.tolist() == [0]
    assert decision.as_leaf == pytest.approx([0.0], abs=1e-12)
    assert decision.as_tree == pytest.approx([1.0 * 11 / 5])
    assert decision.cut.tolist() == [True]


def test_a_subtree_that_no_line_can_replace_stays() -> None:
    a = np.arange(40.0)
    table = numbers([a], np.where(a < 20, 0.0, 50.0))
    assert fitted(table).n_leaves == 2


# --- the stop ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("deviation", "stops"), [(0.49, True), (0.51, False)])
def test_a_node_that_hardly_varies_is_a_leaf(deviation: float, stops: bool) -> None:
    """The sample's deviation is 10, of which 5 % is 0.5."""
    node = np.array([[4.0, 4.0 * 3.0, 4.0 * (9.0 + deviation**2)]])
    one = np.ones(1, np.int64)
    nodes = Nodes(
        node, 4 * one, one, np.ones(1), np.zeros(1, bool), one, np.array([9.0, 0.0, 900.0])
    )
    assert MinSpread(0.05).before(nodes).tolist() == [stops]


# --- against the plain regression tree -----------------------------------------------------------


def friedman(rows: int, rng: np.random.Generator) -> Table:
    """Friedman 1991: 10 sin(pi a b) + 20 (c - 0.5)^2 + 10 d + 5 e, and noise."""
    x = rng.random((6, rows))
    smooth = 10 * np.sin(np.pi * x[0] * x[1]) + 20 * (x[2] - 0.5) ** 2 + 10 * x[3] + 5 * x[4]
    return numbers(list(x), smooth + rng.normal(size=rows))


def test_linear_leaves_beat_constant_ones_where_the_truth_is_smooth() -> None:
    rng = np.random.default_rng(3)
    table, unseen = friedman(300, rng), friedman(1000, rng)

    def error(name: str) -> float:
        off = fit_table(load_recipe(name), table).predict(unseen) - unseen.y
        return float(np.sqrt(np.mean(off**2)))

    assert error("m5") < 0.8 * error("regression")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Linear(-1.0), "'smoothing' must be >= 0.0: -1.0"),
        (lambda: Linear(math.inf), "'smoothing' must be < inf: inf"),
        (lambda: MinSpread(0.0), "'share' must be > 0.0: 0.0"),
        (lambda: MinSpread(1.0), "'share' must be < 1.0: 1.0"),
    ],
)
def test_a_bad_parameter_is_named(make: object, message: str) -> None:
    with pytest.raises(ValueError, match="must") as caught:
        make()  # type: ignore[operator]
    assert str(caught.value) == message


test_contract = contract_tests("label", Linear(0.0), Linear(1e6))
