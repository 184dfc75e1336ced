"""Gradient boosting: scikit-learn's beside it, its steps by hand, and where it stops."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor
from treekit_builtin.ensembles.gradient_boosting import BEST_LOSS, BEST_ROUND, judges_of
from treekit_builtin.ensembles.losses import newton_steps
from treekit_builtin.ensembles.rounds import NO_ERROR

import treekit
from treekit.errors import DataError, RecipeError
from treekit.model import Model
from treekit.table.record import Column, Floats, Schema, Table

# Of these rows no two splits are worth the same in the rounds below, so trees are unique.
RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 5))
NUMBER = X[:, 0] * X[:, 1] + np.sin(X[:, 2]) + 0.1 * RNG.normal(size=300)
WEIGHTS = RNG.uniform(0.5, 2.0, 300)


def table_of(y: Any, classes: int = 0, weights: Any = None, x: Floats = X) -> Table:
    columns = tuple(Column(f"x{i}", "numeric") for i in range(x.shape[1]))
    levels = tuple("abcd"[:classes])
    target = Column("y", "nominal", levels) if classes else Column("y", "numeric")
    cells = np.ascontiguousarray(x.T, dtype=float)
    return Table(Schema(columns, target), cells, np.asarray(y, float), weights)


def fitted(table: Table, **ensemble: Any) -> Model:
    recipe = "gradient_boosting" + ("_regression" if table.task == "regression" else "")
    return treekit.fit(recipe, table, set={f"ensemble.{k}": v for k, v in ensemble.items()})


# --- scikit-learn --------------------------------------------------------------------------------


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["unweighted", "weighted"])
def test_least_squares_is_scikit_learns(weights: Any) -> None:
    peer = GradientBoostingRegressor(n_estimators=20, random_state=0)
    peer.fit(X, NUMBER, sample_weight=weights)
    table = table_of(NUMBER, weights=weights)
    assert fitted(table, rounds=20).predict(table) == pytest.approx(peer.predict(X), abs=1e-8)


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["unweighted", "weighted"])
@pytest.mark.parametrize("cuts", [[0.0], [-0.5, 0.5]], ids=["two classes", "three classes"])
def test_classes_are_scikit_learns(cuts: list[float], weights: Any) -> None:
    y = np.digitize(NUMBER, cuts)
    peer = GradientBoostingClassifier(n_estimators=10, random_state=0)
    peer.fit(X, y, sample_weight=weights)
    table = table_of(y, len(cuts) + 1, weights)
    model = fitted(table, rounds=10)
    assert model.predict_proba(table) == pytest.approx(peer.predict_proba(X), abs=1e-7)
    assert len(model.trees) == 10 * (1 if len(cuts) == 1 else 3)


# Of so many rows no two columns divide them alike, so that the columns asked are unique too.
LARGE_LEAVES = {"tree.stop": [{"use": "max_depth", "depth": 3}, {"use": "min_rows", "branch": 20}]}


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["unweighted", "weighted"])
@pytest.mark.parametrize("cuts", [[], [0.0], [-0.5, 0.5]], ids=["number", "two", "three"])
def test_importances_are_scikit_learns(cuts: list[float], weights: Any) -> None:
    y, classes = (np.digitize(NUMBER, cuts), len(cuts) + 1) if cuts else (NUMBER, 0)
    model = GradientBoostingClassifier if cuts else GradientBoostingRegressor
    peer = model(n_estimators=20, min_samples_leaf=20, random_state=0)
    peer.fit(X, y, sample_weight=weights)
    recipe = "gradient_boosting" if cuts else "gradient_boosting_regression"
    settings = {**LARGE_LEAVES, "ensemble.rounds": 20}
    found = treekit.fit(recipe, table_of(y, classes, weights), set=settings).importances()
    assert np.array(list(found.values())) == pytest.approx(peer.feature_importances_)


# --- steps by hand -------------------------------------------------------------------------------


def test_a_number_begins_with_the_mean_and_goes_a_part_of_the_way() -> None:
    table = table_of([1.0, 1.0, 4.0, 4.0], x=np.array([[0.0], [0.0], [1.0], [1.0]]))
    model = fitted(table, rounds=2, shrinkage=0.5)
    assert (model.base, model.tree_weights) == ((2.5,), (0.5, 0.5))
    assert [tree[1:, 0].tolist() for tree in model.answers] == [[-1.5, 1.5], [-0.75, 0.75]]
    assert model.predict(table) == pytest.approx([1.375, 1.375, 3.625, 3.625])


def test_two_classes_begin_with_the_log_odds_and_take_a_newton_step() -> None:
    """3 of 4 are b. In the leaf x = 0: sum r = 1/4 - 3/4, sum p (1 - p) = 2 * 3/16."""
    table = table_of([0, 1, 1, 1], 2, x=np.array([[0.0], [0.0], [1.0], [1.0]]))
    model = fitted(table, rounds=1, shrinkage=1.0)
    assert model.base == pytest.approx([math.log(1 / 4), math.log(3 / 4)])
    assert model.outputs == (1,)
    assert model.answers[0][1:, 0] == pytest.approx([-0.5 / (6 / 16), 0.5 / (6 / 16)])
    score = math.log(3) - 4 / 3
    assert model.predict_proba(table)[0, 1] == pytest.approx(1 / (1 + math.exp(-score)))


def test_of_three_classes_each_has_a_tree_and_steps_are_two_thirds() -> None:
    table = table_of([0, 1, 2], 3, x=np.array([[0.0], [1.0], [2.0]]))
    model = fitted(table, rounds=1, shrinkage=1.0)
    assert model.outputs == (0, 1, 2)
    # Each row alone in a leaf: r = 2/3 for its class, -1/3 for another; r / |r| (1 - |r|).
    leaves = model.answers[0][model.trees[0].is_leaf, 0]
    assert sorted(leaves) == pytest.approx([-1.0, 2.0])


def test_nodes_that_no_row_reaches_step_as_their_parent() -> None:
    levels = Column("x", "nominal", ("a", "b", "never"))
    table = Table(
        Schema((levels,), Column("y", "nominal", ("no", "yes"))),
        np.array([[0.0, 0.0, 1.0, 1.0]]),
        np.array([0.0, 1.0, 1.0, 1.0]),
    )
    model = treekit.fit(
        "gradient_boosting",
        table,
        set={"tree.splitter.nominal": "multiway", "ensemble.rounds": 1},
    )
    root, _, _, never = model.answers[0][:, 0]
    assert never == root == pytest.approx(0.0)


def test_rows_that_stay_at_a_node_count_in_its_step() -> None:
    cells = np.array([[0.0, 0.0, 1.0, np.nan]])
    table = Table(
        Schema((Column("x", "numeric"),), Column("y", "nominal", ("no", "yes"))),
        cells,
        np.array([0.0, 1.0, 1.0, 0.0]),
    )
    model = treekit.fit(
        "gradient_boosting", table, set={"tree.missing": "stop_at_node", "ensemble.rounds": 1}
    )
    residuals = table.aiming_at(Column("score", "numeric"), table.y - 0.5)
    assert model.answers[0] == pytest.approx(newton_steps(model.trees[0], residuals))
    assert model.answers[0][:, 0] == pytest.approx([0.0, 0.0, 2.0])


# --- where it stops ------------------------------------------------------------------------------


def test_it_stops_when_no_row_has_a_residual() -> None:
    table = table_of([1.0, 1.0, 4.0, 4.0], x=np.array([[0.0], [0.0], [1.0], [1.0]]))
    model = fitted(table, shrinkage=1.0)
    assert (len(model.trees), model.facts) == (1, {NO_ERROR: 1.0})


def test_a_constant_number_is_one_leaf() -> None:
    model = fitted(table_of(np.full(300, 3.0)))
    assert (len(model.trees), model.n_nodes) == (1, 1)
    assert model.predict(table_of(NUMBER)) == pytest.approx(np.full(300, 3.0))


@pytest.mark.parametrize("classes", [0, 2, 3])
def test_rows_held_out_tell_the_best_round(classes: int) -> None:
    noise = np.random.default_rng(5).normal(size=300)
    y = noise if classes == 0 else np.digitize(noise, [0.0, 0.7][: classes - 1])
    table = table_of(y, classes)
    model, again = (
        fitted(table, rounds=60, validation=0.25, patience=5, shrinkage=0.3) for _ in range(2)
    )
    rounds = len(model.trees) // max(len(set(model.outputs)), 1)
    assert model.facts[BEST_ROUND] == rounds < 60
    assert model.facts[BEST_LOSS] > 0
    assert model.facts == again.facts
    assert (model.predict(table) == again.predict(table)).all()


@pytest.mark.parametrize(
    ("y", "classes", "validation", "held_out"),
    [
        ([1.0], 0, 0.5, "1 of 1"),
        ([1.0, 2.0], 0, 0.1, "1 of 2"),
        ([0, 1] * 7, 2, 0.9, "13 of 14"),
        ([0, 1, 2] * 2, 3, 0.7, "4 of 6"),
    ],
)
def test_rows_must_be_left_to_learn_from(
    y: Any, classes: int, validation: float, held_out: str
) -> None:
    table = table_of(y, classes, x=np.zeros((len(y), 1)))
    with pytest.raises(DataError, match=f"{validation} holds out {held_out} rows") as error:
        fitted(table, validation=validation)
    assert len(error.value.problems) == 1


@pytest.mark.parametrize("seed", range(5))
def test_of_each_class_a_row_is_left_to_learn_from(seed: int) -> None:
    """Half of them are held out, and the only row of a class never is."""
    table = table_of([0, 1, *[2] * 10], 3, x=np.arange(12.0)[:, None])
    held_out = judges_of(table, 0.5, np.random.default_rng(seed))
    assert held_out.sum() == 6
    assert not held_out[:2].any()


def test_a_subsample_changes_the_trees_and_goes_by_the_seed() -> None:
    table = table_of(NUMBER)
    one, other = (fitted(table, rounds=5, subsample=s) for s in (0.5, 1.0))
    assert one.trees[0].rows[0] == 150
    assert other.trees[0].rows[0] == 300
    again = fitted(table, rounds=5, subsample=0.5)
    assert (one.predict(table) == again.predict(table)).all()
    assert not np.allclose(one.predict(table), other.predict(table))


# --- other trees ---------------------------------------------------------------------------------


def test_classes_without_rows_are_never_predicted() -> None:
    y = np.where(NUMBER > 0, 3, 1)
    some, two = table_of(y, 4), table_of(NUMBER > 0, 2)
    model, alone = fitted(some, rounds=5), fitted(two, rounds=5)
    assert model.predict_proba(some)[:, [1, 3]] == pytest.approx(alone.predict_proba(two))
    assert model.predict_proba(some)[:, [0, 2]].max() < 1e-300


def test_leaf_models_of_numbers_are_heeded() -> None:
    table = table_of(X @ [1.0, 2.0, 0.0, -1.0, 0.5])
    linear = treekit.fit("m5", table, set={"ensemble": {"use": "gradient_boosting", "rounds": 3}})
    total = np.full(table.n_rows, table.y.mean())
    for tree, answers, models in zip(linear.trees, linear.answers, linear.leaf_models, strict=True):
        assert models is not None
        total += 0.1 * treekit.answers_for(tree, answers, table, models)[:, 0]
    assert linear.predict(table) == pytest.approx(total)
    # Each round is right about what is linear, and takes a tenth of what is left.
    assert linear.predict(table) - table.y == pytest.approx(
        0.9**3 * (table.y.mean() - table.y), abs=0.3
    )


def test_leaf_models_of_boosted_classes_are_refused() -> None:
    with pytest.raises(RecipeError, match="Newton step; take the label mean"):
        treekit.fit("gradient_boosting", table_of(NUMBER > 0, 2), set={"tree.label": "linear"})


def test_a_recipe_for_classes_cannot_be_boosted_by_its_gradient() -> None:
    with pytest.raises(RecipeError, match="'gini' serves classification, not regression"):
        treekit.load_recipe("cart", {"ensemble": "gradient_boosting"})


@pytest.mark.parametrize("missing", ["fractional", "surrogate", "own_branch", "drop_rows"])
def test_unknown_values_go_as_the_trees_send_them(missing: str) -> None:
    x = X.copy()
    x[::5, 0] = np.nan
    table = table_of(NUMBER > 0, 2, x=x)
    model = treekit.fit(
        "gradient_boosting", table, set={"tree.missing": missing, "ensemble.rounds": 20}
    )
    truth = np.array(model.classes, object)[table.y.astype(int)]
    assert (model.predict(table) == truth).mean() > 0.85


def test_class_weights_count() -> None:
    table = table_of(NUMBER > 0, 2)
    plain = fitted(table, rounds=5)
    weighed = treekit.fit(
        "gradient_boosting",
        table,
        set={"ensemble.rounds": 5, "classes.weights": {"a": 5.0}},
    )
    assert weighed.base[0] > plain.base[0]
    assert weighed.predict_proba(table)[:, 0].mean() > plain.predict_proba(table)[:, 0].mean()
