"""What a leaf answers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from treekit_builtin.labels import (
    Frequencies,
    Laplace,
    Majority,
    Mean,
    Median,
    MEstimate,
    MinimumCost,
)
from treekit_builtin.labels.numbers import median_of

from treekit.errors import RecipeError
from treekit.fitting import fit, fit_table
from treekit.recipe import load_recipe
from treekit.roles import tasks_of
from treekit.route import visits
from treekit.table.record import Column, Schema, Table
from treekit.testing import contract_tests
from treekit.testing.samples import sample_table
from treekit.tree import LEVELS, SPREAD, Tree, single_leaf

from .naive import Branching, flat

ROWS = sample_table("classification")  # these labels look at the tree alone


def parent_with(own: list[float], *children: list[float], centre: float = 0.0) -> Tree:
    root = Branching(
        stats=own,
        kind=LEVELS,
        column=0,
        operands=tuple(float(i) for i in range(len(children))),
        unknown=SPREAD,
        children=[Branching(stats=stats) for stats in children],
    )
    return flat(root, centre)


def test_a_majority_label_answers_the_shares_of_the_class_weights() -> None:
    tree = single_leaf(np.array([8.0, 2.0, 6.0]), 8, "alone")
    assert Majority().answers(tree, ROWS).tolist() == [[0.25, 0.75]]


def test_the_first_class_wins_a_tie() -> None:
    tree = single_leaf(np.array([4.0, 0.0, 2.0, 2.0]), 4, "alone")
    assert Majority().answers(tree, ROWS)[0].argmax() == 1


def test_an_empty_node_answers_its_parents_majority_class_with_all_weight() -> None:
    tree = parent_with([5.0, 2.0, 3.0], [5.0, 2.0, 3.0], [0.0, 0.0, 0.0])
    assert Majority().answers(tree, ROWS).tolist() == [[0.4, 0.6], [0.4, 0.6], [0.0, 1.0]]


def test_an_empty_node_takes_the_first_class_of_its_parents_tie() -> None:
    tree = parent_with([2.0, 1.0, 1.0], [2.0, 1.0, 1.0], [0.0, 0.0, 0.0])
    assert Majority().answers(tree, ROWS)[2].tolist() == [1.0, 0.0]


def test_a_mean_label_answers_the_mean_of_the_uncentred_target() -> None:
    tree = single_leaf(np.array([4.0, -2.0, 9.0]), 4, "alone", centre=10.0)
    assert Mean().answers(tree, ROWS).tolist() == [[9.5]]


def test_an_empty_node_takes_its_parents_mean() -> None:
    tree = parent_with([4.0, 2.0, 5.0], [4.0, 2.0, 5.0], [0.0, 0.0, 0.0], centre=1.0)
    assert Mean().answers(tree, ROWS).tolist() == [[1.5], [1.5], [1.5]]


# --- medians -------------------------------------------------------------------------------------


@given(values=st.lists(st.integers(-9, 9), min_size=1, max_size=12))
def test_a_median_of_rows_of_one_weight_is_numpys(values: list[int]) -> None:
    ascending = np.sort(np.array(values, float))
    assert median_of(ascending, np.ones(len(values))) == np.median(ascending)
    assert median_of(ascending, np.full(len(values), 0.1)) == np.median(ascending)


@given(
    rows=st.lists(st.tuples(st.integers(-9, 9), st.integers(0, 4)), min_size=1, max_size=9).filter(
        lambda rows: any(weight for _, weight in rows)
    )
)
def test_a_whole_weight_counts_as_so_many_rows(rows: list[tuple[int, int]]) -> None:
    values, weights = np.array(sorted(rows), float).T
    assert median_of(values, weights) == np.median(np.repeat(values, weights.astype(int)))


def test_a_median_label_answers_for_the_rows_of_each_node() -> None:
    table = sample_table("regression", ("numeric",), rows=60, unknown=True, weighted=True)
    model = fit_table(load_recipe("regression", {"tree.label": Median()}), table)
    for node, rows, weights in visits(model.trees[0], table):
        order = np.argsort(table.y[rows], kind="stable")
        wanted = median_of(table.y[rows][order], weights[order])
        assert model.answers[0][node, 0] == wanted


def test_an_empty_node_takes_its_parents_median() -> None:
    """The level c has no row."""
    columns = (Column("n", "nominal", ("a", "b", "c")),)
    cells = np.array([[0.0, 0.0, 0.0, 1.0]])
    table = Table(Schema(columns, Column("y", "numeric")), cells, np.array([1.0, 2.0, 6.0, 8.0]))
    tree = parent_with([4.0, 17, 105], [3.0, 9, 41], [1.0, 8, 64], [0.0, 0, 0])
    assert Median().answers(tree, table)[:, 0].tolist() == [4.0, 2.0, 8.0, 4.0]


def leaf(*counts: float) -> Tree:
    return single_leaf(np.array([sum(counts), *counts]), round(sum(counts)), "alone")


def test_frequencies_are_the_shares_of_the_class_weights() -> None:
    assert Frequencies().answers(leaf(2.0, 6.0), ROWS).tolist() == [[0.25, 0.75]]


@pytest.mark.parametrize(
    ("label", "parents"),
    [
        (Frequencies(), [0.4, 0.6]),
        (Laplace(), [3 / 7, 4 / 7]),
        (MEstimate(5.0), [0.4, 0.6]),
        (MinimumCost([[0, 2], [1, 0]]), [0.55, 0.45]),
    ],
)
def test_an_empty_node_answers_as_its_parent_does(label: Any, parents: list[float]) -> None:
    tree = parent_with([5.0, 2.0, 3.0], [5.0, 2.0, 3.0], [0.0, 0.0, 0.0])
    found = label.answers(tree, ROWS)
    assert found[0] == pytest.approx(parents)
    assert found[2].tolist() == found[0].tolist()


@pytest.mark.parametrize(
    ("counts", "shares"),
    [
        ((3.0, 0.0), (4 / 5, 1 / 5)),
        ((4.0, 2.0), (5 / 8, 3 / 8)),
        ((1.0, 0.0, 0.0), (2 / 4, 1 / 4, 1 / 4)),
        ((0.5, 0.0), (1.5 / 2.5, 1 / 2.5)),
    ],
)
def test_laplace_adds_one_to_every_class(
    counts: tuple[float, ...], shares: tuple[float, ...]
) -> None:
    assert Laplace().answers(leaf(*counts), ROWS)[0] == pytest.approx(shares)


@pytest.mark.parametrize(
    ("m", "shares"),
    [
        (0.0, (1.0, 0.0)),
        (2.0, ((3 + 2 * 0.4) / 5, 2 * 0.6 / 5)),
        (9.0, ((3 + 9 * 0.4) / 12, 9 * 0.6 / 12)),
    ],
)
def test_an_m_estimate_draws_a_node_to_the_roots_shares(
    m: float, shares: tuple[float, ...]
) -> None:
    tree = parent_with([10.0, 4.0, 6.0], [3.0, 3.0, 0.0], [7.0, 1.0, 6.0])
    found = MEstimate(m).answers(tree, ROWS)
    assert found[0] == pytest.approx([0.4, 0.6])
    assert found[1] == pytest.approx(shares)


@given(counts=st.lists(st.integers(0, 50), min_size=2, max_size=5).filter(any))
def test_an_m_estimate_of_evenly_spread_classes_is_laplaces(counts: list[int]) -> None:
    """Cestnik 1990: with m = K and equal priors the two are one."""
    k = len(counts)
    even = [float(sum(counts))] * k
    tree = parent_with(
        [sum(even), *even],
        [float(sum(counts)), *map(float, counts)],
        [sum(even) - sum(counts), *(e - c for e, c in zip(even, counts, strict=True))],
    )
    assert MEstimate(float(k)).answers(tree, ROWS)[1] == pytest.approx(
        Laplace().answers(tree, ROWS)[1]
    )


# --- cost ----------------------------------------------------------------------------------------

MATRICES = st.integers(2, 5).flatmap(
    lambda k: st.lists(
        st.lists(st.integers(-3, 20), min_size=k, max_size=k), min_size=k, max_size=k
    )
)


def expected_costs(cost: list[list[int]], counts: list[int]) -> list[float]:
    """What each answer costs on average, by the definition."""
    k = range(len(cost))
    return [sum(counts[i] * cost[i][j] for i in k) / sum(counts) for j in k]


def test_a_dear_error_is_avoided_though_it_is_the_majority() -> None:
    """Of (7, 3), with 3 for each class 1 that is missed: class 1 costs 0.7, class 0 costs 0.9."""
    label = MinimumCost([[0, 1], [3, 0]])
    assert Majority().answers(leaf(7.0, 3.0), ROWS)[0].argmax() == 0
    assert label.answers(leaf(7.0, 3.0), ROWS)[0].argmax() == 1
    assert label.answers(leaf(8.0, 2.0), ROWS)[0].argmax() == 0


@given(cost=MATRICES, data=st.data())
def test_the_greatest_answer_is_the_class_of_least_expected_cost(
    cost: list[list[int]], data: st.DataObject
) -> None:
    sizes = st.lists(st.integers(0, 30), min_size=len(cost), max_size=len(cost)).filter(any)
    counts = data.draw(sizes)
    costs = expected_costs(cost, counts)
    found = MinimumCost(cost).answers(leaf(*map(float, counts)), ROWS)[0]
    assert found.min() >= 0.0
    assert found.sum() == pytest.approx(1.0)
    cheap, dear = np.array(costs)[found.argmax()], min(costs)
    assert cheap == pytest.approx(dear, abs=1e-9)
    order = np.argsort(costs, kind="stable")
    assert (np.diff(found[order]) <= 1e-12).all()


@given(cost=MATRICES, data=st.data())
def test_leaves_that_answer_together_answer_as_one_leaf_would(
    cost: list[list[int]], data: st.DataObject
) -> None:
    sizes = st.lists(st.integers(0, 30), min_size=len(cost), max_size=len(cost)).filter(any)
    a, b = (np.array(data.draw(sizes), dtype=float) for _ in range(2))
    label = MinimumCost(cost)
    apart = a.sum() * label.answers(leaf(*a), ROWS) + b.sum() * label.answers(leaf(*b), ROWS)
    assert apart / (a.sum() + b.sum()) == pytest.approx(
        label.answers(leaf(*(a + b)), ROWS), abs=1e-9
    )


@pytest.mark.parametrize(
    "cost", [(), [[0, 1, 1], [1, 0, 1], [1, 1, 0]], [[0, 4, 4], [4, 0, 4], [4, 4, 0]]]
)
def test_equal_costs_answer_the_class_shares(cost: Any) -> None:
    assert MinimumCost(cost).answers(leaf(5.0, 2.0, 3.0), ROWS)[0] == pytest.approx([0.5, 0.2, 0.3])


@pytest.mark.parametrize("price", [0.0, 0.1, 1e308])
def test_where_every_answer_costs_the_same_no_class_is_preferred(price: float) -> None:
    found = MinimumCost([[price] * 3] * 3).answers(leaf(5.0, 2.0, 3.0), ROWS)
    assert found.tolist() == [[1 / 3] * 3]


def test_a_recipe_gives_the_cost_matrix_as_a_list_of_lists() -> None:
    settings = {"tree.label": {"use": "minimum_cost", "cost": [[0, 1], [5, 0]]}}
    label = load_recipe("id3", settings).tree.label
    assert label == MinimumCost(((0.0, 1.0), (5.0, 0.0)))


def test_a_matrix_of_another_size_than_the_classes_is_an_error() -> None:
    settings = {"tree.label": {"use": "minimum_cost", "cost": [[0, 1, 1], [1, 0, 1], [1, 1, 0]]}}
    with pytest.raises(RecipeError) as caught:
        fit("id3", "tennis", set=settings)
    assert str(caught.value) == (
        "tree.label.cost: the cost matrix is for 3 classes, but the target has 2;"
        " give one row and one column for each class, in the order of the classes"
    )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: MEstimate(-1.0), "'m' must be >= 0.0: -1.0"),
        (lambda: MEstimate(math.nan), "'m' must be >= 0.0: nan"),
        (lambda: MEstimate(math.inf), "'m' must be < inf: inf"),
        (
            lambda: MinimumCost([[0, 1], [1, 0, 2]]),
            "'cost' must have as many columns as rows, 2: row 2 has 3",
        ),
        (
            lambda: MinimumCost([[0, 1]]),
            "'cost' must have as many columns as rows, 1: row 1 has 2",
        ),
        (
            lambda: MinimumCost([[0, math.inf], [1, 0]]),
            "'cost' must hold finite numbers: row 1 is [0, inf]",
        ),
        (
            lambda: MinimumCost([[0, "x"], [1, 0]]),
            "'cost' must hold finite numbers: row 1 is [0, 'x']",
        ),
        (lambda: MinimumCost([0, 1]), "'cost' must be a list of lists of numbers: (0, 1)"),
        (lambda: MinimumCost(3), "'cost' must be a list of lists of numbers: 3"),
    ],
)
def test_a_bad_parameter_is_named(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match="must") as caught:
        make()
    assert str(caught.value) == message


test_contract = contract_tests("label", MEstimate(0.0), MEstimate(30.0))


@pytest.mark.parametrize(
    ("label", "tasks"),
    [
        (Majority(), ("classification",)),
        (Frequencies(), ("classification",)),
        (Laplace(), ("classification",)),
        (MEstimate(), ("classification",)),
        (MinimumCost(), ("classification",)),
        (Mean(), ("regression",)),
        (Median(), ("regression",)),
    ],
)
def test_each_label_names_its_task(label: object, tasks: tuple[str, ...]) -> None:
    assert tasks_of(label) == tasks
