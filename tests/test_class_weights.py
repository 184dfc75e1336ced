"""What a recipe says of the classes: weights, priors and costs, from the table to the answers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import treekit
from treekit.classes import Classes, altered, answer_costs, least_cost, terms_for
from treekit.errors import RecipeError
from treekit.model import winners
from treekit.route import ends
from treekit.table.record import Column, Floats, Ints, Schema, Table
from treekit.testing.samples import sample_table

FULL = {"tree.stop": ["pure", "min_gain"], "tree.pruner": "none"}


def table_of(counts: dict[str, int], weights: Floats | None = None) -> Table:
    """One column without a message, and so many rows of each class."""
    y = np.repeat(np.arange(len(counts)), list(counts.values())).astype(np.float64)
    schema = Schema((Column("x", "numeric"),), Column("y", "nominal", tuple(counts)))
    return Table(schema, np.zeros((1, len(y))), y, weights, "a table")


def shares(table: Table) -> list[float]:
    weights = [table.weights[table.y == c].sum() for c in range(len(table.schema.classes))]
    return [float(w) for w in weights]


def met(table: Table, **said: Any) -> Table:
    return altered(table, terms_for(Classes(**said), table, ".".join))


# --- weights and priors --------------------------------------------------------------------------

SPOKEN: dict[str, tuple[dict[str, Any], list[float]]] = {
    "nothing": ({}, [6, 3, 1]),
    "weights of some": ({"weights": {"b": 2.0}}, [6, 6, 1]),
    "no weight at all": ({"weights": {"c": 0.0}}, [6, 3, 0]),
    "balanced": ({"weights": "balanced"}, [10 / 3] * 3),
    "priors of the sample": ({"priors": "sample"}, [6, 3, 1]),
    "equal priors": ({"priors": "equal"}, [10 / 3] * 3),
    "priors": ({"priors": {"a": 0.2, "b": 0.3, "c": 0.5}}, [2, 3, 5]),
    # Costs of 4 + 1, 1 + 1 and 1 + 2 a class: 30, 6 and 3 of 39.
    "costs": ({"costs": {"a": {"b": 4.0}, "c": {"a": 2.0}}}, [300 / 39, 60 / 39, 30 / 39]),
    # The same on priors of 0.2, 0.3 and 0.5: 1, 0.6 and 1.5 of 3.1.
    "priors and costs": (
        {
            "priors": {"a": 0.2, "b": 0.3, "c": 0.5},
            "costs": {"a": {"b": 4.0}, "c": {"a": 2.0}},
        },
        [10 / 3.1, 6 / 3.1, 15 / 3.1],
    ),
}


@pytest.mark.parametrize(("said", "expected"), SPOKEN.values(), ids=list(SPOKEN))
def test_the_classes_weigh_what_the_recipe_says(said: Any, expected: list[float]) -> None:
    assert shares(met(table_of({"a": 6, "b": 3, "c": 1}), **said)) == pytest.approx(expected)


def test_row_weights_count_in_the_shares_of_the_sample() -> None:
    table = table_of({"a": 2, "b": 2}, np.array([1.0, 2.0, 3.0, 4.0]))
    assert shares(met(table, priors="equal")) == pytest.approx([5.0, 5.0])
    assert met(table, priors="equal").weights[:2] == pytest.approx([5 / 3, 10 / 3])


def test_a_class_without_rows_leaves_its_prior_to_the_others() -> None:
    table = table_of({"a": 6, "b": 0, "c": 2})
    assert shares(met(table, priors={"a": 0.3, "b": 0.4, "c": 0.3})) == pytest.approx([4, 0, 4])


def test_errors_that_name_a_class_without_rows_do_not_count_in_growth() -> None:
    """Of 6 and 2 rows that cost 3 and 1: 18 and 2 of 20, whatever it costs to answer "b"."""
    table = table_of({"a": 6, "b": 0, "c": 2})
    said = {"a": {"c": 3.0, "b": 40.0}}
    assert shares(met(table, costs=said)) == pytest.approx([18 / 2.5, 0, 2 / 2.5])


def test_costs_do_not_change_a_sample_of_one_class() -> None:
    assert shares(met(table_of({"a": 6, "b": 0}), costs={"a": {"b": 3.0}})) == [6.0, 0.0]


def test_rows_are_counted_as_before() -> None:
    table = sample_table("classification", rows=60)
    said = {"classes.weights": {"class 0": 40.0}, **FULL, "tree.label": "frequencies"}
    (tree,) = treekit.fit("cart", table, set=said).trees
    assert tree.rows[0] == 60
    assert tree.rows[tree.is_leaf].sum() == 60


@pytest.mark.parametrize("recipe", ["id3", "c45", "cart"])
def test_weights_by_class_are_weights_by_row(recipe: str) -> None:
    table = sample_table("classification", rows=80, seed=4)
    by_row = table.reweighted(np.array([2.0, 1.0, 5.0])[table.y.astype(int)])
    by_class = {"classes.weights": {"class 0": 2, "class 2": 5}}
    one, other = treekit.fit(recipe, by_row), treekit.fit(recipe, table, set=by_class)
    np.testing.assert_array_equal(one.answers[0], other.answers[0])
    np.testing.assert_array_equal(one.trees[0].stats, other.trees[0].stats)


# --- costs ---------------------------------------------------------------------------------------

MATRICES = arrays.arrays(np.float64, (3, 3), elements=st.floats(0.01, 50.0)).map(
    lambda m: m * (1.0 - np.eye(3))
)
SHARES = arrays.arrays(np.float64, (4, 3), elements=st.floats(0.01, 1.0)).map(
    lambda s: s / s.sum(axis=1, keepdims=True)
)


@given(SHARES, MATRICES)
def test_the_greatest_answer_is_the_class_of_least_expected_cost(
    found: Floats, costs: Floats
) -> None:
    answers, expected = least_cost(found, costs), found @ costs
    chosen = expected[np.arange(4), answers.argmax(axis=1)]
    assert chosen == pytest.approx(expected.min(axis=1), rel=1e-9)
    assert answers.min() >= 0.0
    assert answers.sum(axis=1) == pytest.approx(np.ones(4))


@given(SHARES)
def test_where_all_errors_cost_the_same_the_answers_are_the_shares(found: Floats) -> None:
    np.testing.assert_allclose(least_cost(found, 7.0 * (1.0 - np.eye(3))), found, atol=1e-12)


def test_the_cost_of_answers_is_summed_over_the_actual_classes() -> None:
    stats = np.array([[6.0, 3.0, 2.0, 1.0]])
    costs = np.array([[0.0, 1.0, 4.0], [2.0, 0.0, 1.0], [5.0, 1.0, 0.0]])
    assert answer_costs(stats, costs).tolist() == [[9.0, 4.0, 14.0]]
    assert answer_costs(stats, None).tolist() == [[3.0, 4.0, 5.0]]


@given(MATRICES)
def test_an_altered_weight_costs_what_the_row_costs(costs: Floats) -> None:
    """The alteration of growth is taken back, whatever the matrix: costs are exact."""
    table = table_of({"a": 6, "b": 3, "c": 1})
    named = {a: dict(zip("abc", row, strict=True)) for a, row in zip("abc", costs, strict=True)}
    said = {a: {p: c for p, c in row.items() if p != a} for a, row in named.items()}
    terms = terms_for(Classes(costs=said), table, ".".join)
    weights = shares(altered(table, terms))
    stats = np.array([[sum(weights), *weights]])
    exact = np.array([6.0, 3.0, 1.0]) @ costs
    assert sum(weights) == pytest.approx(10.0)
    assert answer_costs(stats, terms.unit_costs)[0] == pytest.approx(exact)


LABELS = ["majority", "frequencies", "laplace", {"use": "m_estimate", "m": 3.0}]


@pytest.mark.parametrize("label", LABELS, ids=str)
def test_every_leaf_answers_what_its_labels_shares_make_cheapest(label: Any) -> None:
    table = sample_table("classification", rows=120, seed=1)
    costs = {"class 0": {"class 1": 5.0}, "class 2": {"class 0": 0.25, "class 1": 3.0}}
    stop = [{"use": "max_depth", "depth": 2}]
    said: dict[str, Any] = {"tree.stop": stop, "tree.pruner": "none", "tree.label": label}
    model = treekit.fit("cart", table, set={**said, "classes.costs": costs})
    (tree,), (answers,) = model.trees, model.answers
    matrix = np.array([[0.0, 5.0, 1.0], [1.0, 0.0, 1.0], [0.25, 3.0, 0.0]])
    emphasis = np.array([6.0, 2.0, 3.25])
    counts = tree.stats[:, 1:] / emphasis
    counts = np.round(counts * 120 / counts[0].sum())
    m = {"laplace": 3.0}.get(label, 0.0) if isinstance(label, str) else 3.0
    prior = np.ones(3) / 3 if label == "laplace" else counts[0] / 120
    found = (counts + m * prior) @ matrix
    assert winners(answers).tolist() == found.argmin(axis=1).tolist()


def test_an_empty_leaf_answers_as_its_parent_does() -> None:
    levels = Column("x", "nominal", ("p", "q", "never"))
    schema = Schema((levels,), Column("y", "nominal", ("no", "yes")))
    cells = np.array([[0.0] * 6 + [1.0] * 6])
    y = np.array([0.0] * 5 + [1.0] + [0.0] * 3 + [1.0] * 3)
    table = Table(schema, cells, y, None, "a table")
    model = treekit.fit("id3", table, set={"classes.costs.yes.no": 4})
    (tree,), (answers,) = model.trees, model.answers
    assert tree.weight.tolist()[-1] == 0.0
    assert winners(answers).tolist() == [1, 0, 1, 1]


def test_costs_of_one_for_every_error_change_nothing() -> None:
    table = sample_table("classification", rows=80, seed=2)
    plain = treekit.fit("cart", table, set=FULL)
    said = treekit.fit("cart", table, set={**FULL, "classes.costs": {"class 0": {"class 1": 1}}})
    np.testing.assert_allclose(said.answers[0], plain.answers[0], atol=1e-12)


def test_pruning_goes_by_the_costs() -> None:
    """A split that takes off no error, but two thirds of the cost, stays."""
    schema = Schema((Column("x", "numeric"),), Column("y", "nominal", ("no", "yes")))
    x = np.array([[1.0] * 10 + [2.0] * 10])
    y = np.array([0.0] * 10 + [0.0] * 6 + [1.0] * 4)
    table = Table(schema, x, y, None, "a table")
    assert treekit.fit("cart", table).n_nodes == 1
    model = treekit.fit("cart", table, set={"classes.costs.yes.no": 5})
    assert model.n_nodes == 3
    assert winners(model.answers[0]).tolist() == [1, 0, 1]


# --- what does not fit the table -----------------------------------------------------------------

UNFIT: dict[str, tuple[dict[str, Any], list[str]]] = {
    "unknown classes, all at once": (
        {"weights": {"aa": 1.0}, "costs": {"a": {"d": 1.0}, "q": {"a": 2.0}}},
        [
            "weights.aa: the target 'y' has no class 'aa'; did you mean 'a'?",
            "costs.a.d: the target 'y' has no class 'd'; there is a, b, c",
            "costs.q: the target 'y' has no class 'q'; there is a, b, c",
        ],
    ),
    "a class without a prior": (
        {"priors": {"a": 0.4, "b": 0.6}},
        ["priors: the class 'c' has no prior; give a share to every class"],
    ),
    "errors for nothing": (
        {"costs": {"a": {"b": 0.0, "c": 0.0}}},
        ["costs.a: no error on the class 'a' costs anything; let one of them cost more than 0"],
    ),
    "no weight left": (
        {"weights": {"a": 0.0, "b": 0.0, "c": 0.0}},
        ["weights: no row is left any weight; give a class that has rows more than 0"],
    ),
}


@pytest.mark.parametrize(("said", "expected"), UNFIT.values(), ids=list(UNFIT))
def test_what_does_not_fit_the_table_is_told(said: Any, expected: list[str]) -> None:
    with pytest.raises(RecipeError) as caught:
        met(table_of({"a": 6, "b": 3, "c": 1}), **said)
    assert [str(problem) for problem in caught.value.problems] == expected


# --- scikit-learn --------------------------------------------------------------------------------

GIVEN: dict[str, dict[str, Any]] = {
    "iris": {"balanced": "balanced", "given": {"0": 1.0, "1": 5.0, "2": 0.5}},
    "breast_cancer": {"balanced": "balanced", "given": {"0": 3.0, "1": 0.5}},
}
# As deep as the tree does not depend on scikit-learn's random order of columns.
DEPTHS = [("gini", 1), ("gini", 2), ("gini", 3), ("entropy", 1), ("entropy", 2)]

Leaves = dict[frozenset[int], tuple[float, ...]]


def leaves_of(at: Ints, weights: Floats) -> Leaves:
    """The rows of each leaf, with the class shares there and what it weighs."""
    rows = {node: frozenset(np.flatnonzero(at == node).tolist()) for node in set(at.tolist())}
    return {held: tuple(weights[node]) for node, held in rows.items()}


def leaves_of_scikit_learn(x: Floats, y: Ints, seed: int, **options: Any) -> Leaves:
    from sklearn.tree import DecisionTreeClassifier  # type: ignore[import-untyped]

    tree = DecisionTreeClassifier(random_state=seed, **options).fit(x, y)
    weights = tree.tree_.value[:, 0, :] * tree.tree_.weighted_n_node_samples[:, None]
    return leaves_of(tree.apply(x), weights)


@pytest.mark.parametrize(("criterion", "depth"), DEPTHS)
@pytest.mark.parametrize("said", ["balanced", "given"])
@pytest.mark.parametrize("dataset", list(GIVEN))
def test_class_weights_grow_the_tree_of_scikit_learn(
    dataset: str, said: str, depth: int, criterion: str
) -> None:
    from sklearn import datasets  # type: ignore[import-untyped]

    x, y = getattr(datasets, f"load_{dataset}")(return_X_y=True)
    x, y = x[20:], y[20:]  # iris has as many rows of each class
    weights = GIVEN[dataset][said]
    theirs = weights if said == "balanced" else {int(c): w for c, w in weights.items()}
    options = {"criterion": criterion, "max_depth": depth, "class_weight": theirs}
    expected, *others = [leaves_of_scikit_learn(x, y, seed, **options) for seed in range(5)]
    assert all(other.keys() == expected.keys() for other in others)

    names = tuple(map(str, range(int(y.max()) + 1)))
    columns = tuple(Column(f"x{j}", "numeric") for j in range(x.shape[1]))
    schema = Schema(columns, Column("y", "nominal", names))
    table = Table(schema, np.ascontiguousarray(x.T), y.astype(np.float64), None, dataset)
    settings: dict[str, Any] = {
        "tree.impurity": criterion,
        "tree.stop": ["pure", {"use": "max_depth", "depth": depth}],
        "tree.pruner": "none",
        "classes.weights": weights,
    }
    (tree,) = treekit.fit("cart", table, set=settings).trees
    found = leaves_of(ends(tree, table).node, tree.stats[:, 1:])
    assert found.keys() == expected.keys()
    for rows, held in expected.items():
        assert found[rows] == pytest.approx(held, rel=1e-9)
