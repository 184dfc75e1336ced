"""AdaBoost: its laws, where it stops, scikit-learn's beside it, and AdaBoost.R2."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import datasets as bundled
from sklearn.ensemble import AdaBoostClassifier, AdaBoostRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from treekit_builtin.ensembles.adaboost_r2 import LOSSES
from treekit_builtin.ensembles.rounds import NO_ERROR, TOO_WEAK

import treekit
from treekit.fitting import fit_table
from treekit.recipe import load_recipe
from treekit.route import answers_for
from treekit.table import read_table
from treekit.table.record import Floats, Table

from ..properties import examples
from .boosting import classes_said, followed, noisy_tables, table_of

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


# --- laws ----------------------------------------------------------------------------------------


@examples(40)
@given(st.integers(2, 4).flatmap(noisy_tables), st.sampled_from(["adaboost", "adaboost_resampled"]))
def test_the_training_error_is_bounded_by_the_product_of_the_rounds(
    table: Table, form: str
) -> None:
    """Of the factors 2 sqrt(e (1 - e)), by weight.

    Freund and Schapire 1997: of two classes theorem 6, of more, with AdaBoost.M1, theorem 10.
    """
    forest, _ = followed("adaboost", table, use=form, rounds=8, multiclass="m1")
    scale = 0.5 if form == "adaboost" else 1.0
    classes = len(table.schema.classes)
    weights, bound = table.weights / table.weights.sum(), 1.0
    votes = np.zeros((table.n_rows, classes))
    for said, vote in zip(classes_said(forest, table), forest.weights, strict=True):
        wrong = said != table.y
        error = float(weights[wrong].sum())
        # This is 2 sqrt(e (1 - e)) for the vote of a round that had errors.
        factor = (1 - error) * math.exp(-scale * vote) + error * math.exp(scale * vote)
        if 0.0 < error < 0.5 - 1e-9:
            assert factor == pytest.approx(2 * math.sqrt(error * (1 - error)))
        bound *= factor
        weights = weights * np.exp(np.where(wrong, scale * vote, -scale * vote)) / factor
        votes[np.arange(table.n_rows), said] += vote
    wrong = treekit.winners(votes) != table.y
    assert table.weights[wrong].sum() / table.weights.sum() <= bound + 1e-9


@examples(30)
@given(noisy_tables(classes=3))
def test_the_rows_weigh_the_same_in_all_in_every_round(table: Table) -> None:
    _, seen = followed("adaboost", table, rounds=6)
    for weights in seen:
        assert weights.sum() == pytest.approx(table.weights.sum())
        assert (weights > 0).all()


@examples(20)
@given(noisy_tables(classes=3))
def test_a_weighted_row_is_a_row_so_many_times(table: Table) -> None:
    times = (2 * table.weights).astype(int)
    repeated = table_of(
        np.repeat(table.cells.T, times, axis=0), np.repeat(table.y, times), classes=3
    )
    one = treekit.fit("adaboost", table, set={"ensemble.rounds": 5})
    other = treekit.fit("adaboost", repeated, set={"ensemble.rounds": 5})
    if NO_ERROR not in one.facts:  # where the vote goes by the number of rows
        assert one.tree_weights == pytest.approx(other.tree_weights)
    assert one.facts == other.facts
    assert (one.predict(table) == other.predict(table)).all()


# --- where it stops ------------------------------------------------------------------------------


def test_a_round_without_error_is_the_last() -> None:
    table = table_of([[0], [1], [2], [3]], [0, 0, 1, 1], 2)
    model = treekit.fit("adaboost", table)
    assert (len(model.trees), model.facts) == (1, {NO_ERROR: 1.0})
    assert model.tree_weights == pytest.approx([math.log(2 * 4 + 1)])


def test_of_more_classes_a_round_without_error_counts_for_more() -> None:
    table = table_of([[0], [1], [2]], [0, 1, 2], 3)
    model = treekit.fit("adaboost", table, set={"tree.stop": "pure"})
    assert model.tree_weights == pytest.approx([math.log(2 * 3 + 1) + math.log(2)])


def test_a_first_round_no_better_than_chance_leaves_one_tree() -> None:
    model = treekit.fit("adaboost", "parity3")
    assert (len(model.trees), model.tree_weights, model.facts) == (1, (1.0,), {TOO_WEAK: 1.0})


def test_a_later_round_no_better_than_chance_is_dropped() -> None:
    """Every stump parts the same rows alike, and both answer `0`: the first halves the weights."""
    table = table_of([[0], [0], [0]], [0, 0, 1], 2)
    forest, seen = followed("adaboost", table)
    assert forest.weights == pytest.approx([math.log(2)])
    assert (len(seen), forest.facts) == (2, {TOO_WEAK: 2.0})


def test_of_three_classes_two_thirds_wrong_is_chance() -> None:
    table = table_of([[0], [0], [0]], [0, 1, 2], 3)
    assert treekit.fit("adaboost", table).facts == {TOO_WEAK: 1.0}
    half = table_of([[0], [0], [1], [1]], [0, 1, 2, 2], 3)
    assert len(treekit.fit("adaboost", half, set={"ensemble.rounds": 2}).trees) == 2


@pytest.mark.parametrize("use", ["adaboost", "adaboost_resampled"])
def test_classes_without_rows_are_no_part_of_chance(use: str) -> None:
    x, y = [[0], [1], [2], [3], [4]], [1, 3, 1, 3, 3]
    some = treekit.fit("adaboost", table_of(x, y, 4), set={"ensemble.use": use})
    alone = treekit.fit("adaboost", table_of(x, [0, 1, 0, 1, 1], 2), set={"ensemble.use": use})
    assert some.tree_weights == pytest.approx(alone.tree_weights)


@pytest.mark.parametrize("recipe", ["adaboost", "gradient_boosting"])
def test_one_class_is_learned_at_once(recipe: str) -> None:
    table = table_of([[0], [1]], [1, 1], 3)
    model = treekit.fit(recipe, table)
    assert (len(model.trees), list(model.facts)) == (1, [NO_ERROR])
    assert model.predict_proba(table)[0] == pytest.approx([0, 1, 0])


# --- what happens meanwhile ----------------------------------------------------------------------

FOUR = ("adaboost", "adaboost_regression", "gradient_boosting", "gradient_boosting_regression")


def noisy(recipe: str) -> Table:
    rng = np.random.default_rng(1)
    x = rng.normal(size=(60, 3))
    y = x[:, 0] * x[:, 1] + 0.3 * rng.normal(size=60)
    return table_of(x, y) if "regression" in recipe else table_of(x, y > 0, 2)


@pytest.mark.parametrize("recipe", FOUR)
def test_every_round_is_told(recipe: str) -> None:
    told: list[tuple[int, int]] = []
    treekit.fit(
        recipe,
        noisy(recipe),
        set={"ensemble.rounds": 4},
        progress=lambda done, of: told.append((done, of)),
    )
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


@pytest.mark.parametrize("recipe", FOUR)
def test_an_interrupt_ends_it(recipe: str) -> None:
    def interrupt(done: int, of: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        treekit.fit(recipe, noisy(recipe), progress=interrupt)


def test_samples_go_by_the_seed() -> None:
    table, form = noisy("adaboost"), {"ensemble.use": "adaboost_resampled", "ensemble.rounds": 5}
    one, same, other = (treekit.fit("adaboost", table, set=form, seed=s) for s in (1, 1, 2))
    assert one.tree_weights == same.tree_weights != other.tree_weights


# --- scikit-learn --------------------------------------------------------------------------------


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", ["iris", "wine", "breast_cancer"])
def test_samme_is_scikit_learns(name: str, weighted: bool) -> None:
    x, y = getattr(bundled, f"load_{name}")(return_X_y=True)
    weights = np.random.default_rng(3).integers(1, 9, len(y)) if weighted else None
    peer = AdaBoostClassifier(n_estimators=20, random_state=0).fit(x, y, weights)
    table = table_of(x, y, int(y.max()) + 1, weights)
    model = treekit.fit("adaboost", table, set={"ensemble.rounds": 20})
    assert model.tree_weights == pytest.approx(peer.estimator_weights_.tolist())
    odds = np.exp(np.array(model.tree_weights)) / (len(model.classes) - 1)
    assert 1 / (1 + odds) == pytest.approx(peer.estimator_errors_)
    assert (model.predict(table) == peer.predict(x).astype(str)).all()


# Small, of two classes and more, without and with nominal columns and unknown values.
TEN = (
    "weka-iris", "weka-glass", "weka-diabetes", "weka-ionosphere", "sonar", "vehicle",
    "heart-c", "hepatitis", "weka-vote", "tic-tac-toe",
)  # fmt: skip


def as_numbers(table: Table) -> Floats:
    """What scikit-learn needs: a column for each level; unknown is a level, or else the mean."""
    found = []
    for column, values in zip(table.columns, table.cells, strict=True):
        unknown = np.isnan(values)
        if column.kind != "nominal":
            found.append(np.where(unknown, np.nanmean(values), values))
        else:
            found += [values == level for level in range(len(column.levels))]
            found += [unknown] if unknown.any() else []
    return np.column_stack(found).astype(float)


@pytest.mark.slow
@pytest.mark.skipif(not DATA.is_dir(), reason="the data are not beside the checkout")
def test_the_accuracy_on_ten_data_sets_is_scikit_learns_within_noise() -> None:
    """A third of the rows is held out. What differs is how nominal columns are asked about."""
    apart = []
    for name in TEN:
        table = read_table(DATA / f"{name}.csv", schema=DATA / f"{name}.schema.json")
        x, y = as_numbers(table), table.y
        unseen = np.random.default_rng(0).permutation(len(y)) % 3 == 0
        recipe = load_recipe("adaboost", {"ensemble.rounds": 20})
        model = fit_table(recipe, table.take(~unseen))
        said = np.array([model.classes.index(c) for c in model.predict(table.take(unseen))])
        peer = AdaBoostClassifier(n_estimators=20, random_state=0).fit(x[~unseen], y[~unseen])
        ours, theirs = said == y[unseen], peer.predict(x[unseen]) == y[unseen]
        noise = math.sqrt((ours != theirs).sum() + 1)
        apart.append((ours.sum() - theirs.sum()) / noise)
    assert abs(np.mean(apart)) < 1.0
    assert np.abs(apart).max() < 3.0


# --- AdaBoost.R2 ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("loss", "of_half"), [("linear", 0.5), ("square", 0.25), ("exponential", 1 - math.exp(-0.5))]
)
def test_losses(loss: Any, of_half: float) -> None:
    assert LOSSES[loss](np.array([0.0, 0.5])) == pytest.approx([0.0, of_half])


@pytest.mark.parametrize("loss", list(LOSSES))
@pytest.mark.parametrize("use", ["adaboost_r2", "adaboost_r2_weighted"])
def test_r2_weighs_trees_and_rows_as_drucker_does(use: str, loss: Any) -> None:
    table = noisy("regression")
    forest, seen = followed("adaboost_regression", table, use=use, loss=loss, rounds=6)
    weights = np.ones(table.n_rows)
    for member, tree_weight, sample in zip(forest.members, forest.weights, seen, strict=True):
        if use == "adaboost_r2_weighted":
            assert sample == pytest.approx(weights * table.n_rows / weights.sum())
        else:
            assert sample.sum() == table.n_rows
        off = np.abs(answers_for(member.tree, member.answers, table)[:, 0] - table.y)
        lost = LOSSES[loss](off / off.max())
        mean = (weights * lost).sum() / weights.sum()
        beta = mean / (1 - mean)
        assert tree_weight == pytest.approx(math.log(1 / beta))
        weights = weights * beta ** (1 - lost)
    said = [answers_for(m.tree, m.answers, table)[:, 0] for m in forest.members]
    model = treekit.fit(
        "adaboost_regression", table, set={"ensemble": {"use": use, "loss": loss, "rounds": 6}}
    )
    median = treekit.weighted_median(np.column_stack(said), forest.weights)
    assert model.predict(table) == pytest.approx(median)


def test_r2_stops_at_a_tree_without_error() -> None:
    table = table_of([[0], [1], [2]], [5.0, 5.0, 9.0])
    model = treekit.fit("adaboost_regression", table, set={"ensemble.use": "adaboost_r2_weighted"})
    assert (model.facts, len(model.trees)) == ({NO_ERROR: 1.0}, 1)
    assert model.predict(table) == pytest.approx([5, 5, 9])


def test_r2_stops_where_the_mean_loss_is_a_half() -> None:
    table = table_of([[0], [0]], [1.0, 2.0])
    model = treekit.fit("adaboost_regression", table, set={"ensemble.use": "adaboost_r2_weighted"})
    assert (model.facts, model.tree_weights) == ({TOO_WEAK: 1.0}, (1.0,))


def test_r2_does_as_well_as_scikit_learns() -> None:
    x, y = bundled.load_diabetes(return_X_y=True)
    seen = np.arange(len(y)) % 3 > 0
    errors = []
    for seed in range(2):
        table = table_of(x[seen], y[seen])
        ours = treekit.fit(
            "adaboost_regression", table, set={"ensemble.rounds": 20}, seed=seed
        ).predict(table_of(x[~seen], y[~seen]))
        tree = DecisionTreeRegressor(max_depth=3)
        peer = AdaBoostRegressor(tree, n_estimators=20, random_state=seed).fit(x[seen], y[seen])
        errors.append([np.mean((said - y[~seen]) ** 2) for said in (ours, peer.predict(x[~seen]))])
    ours, theirs = np.mean(errors, axis=0)
    assert ours == pytest.approx(theirs, rel=0.1)


# --- other trees ---------------------------------------------------------------------------------


def test_any_recipe_for_classes_can_be_boosted() -> None:
    """ID3's, cut short, on rows some of whose values are unknown and go down every branch."""
    table = noisy("adaboost")
    cells = table.cells.copy()
    cells[0, ::7] = np.nan
    table = Table(table.schema, cells, table.y)
    short = {"tree.stop": ["pure", {"use": "max_depth", "depth": 1}], "tree.missing": "fractional"}
    model = treekit.fit("id3", table, set={**short, "ensemble": {"use": "adaboost", "rounds": 20}})
    alone = treekit.fit("id3", table, set=short)
    truth = np.array(model.classes, object)[table.y.astype(int)]
    assert len(model.trees) == 20
    assert (model.predict(table) == truth).mean() > (alone.predict(table) == truth).mean()


def test_deeper_trees_are_scikit_learns_too() -> None:
    x, y = bundled.load_wine(return_X_y=True)
    y = y[np.argsort(x[:, 0])]  # a target that takes several rounds
    peer = AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=8, random_state=0)
    peer.fit(x, y)
    model = treekit.fit(
        "adaboost",
        table_of(x, y, 3),
        set={
            "ensemble.rounds": 8,
            "tree.stop": ["pure", {"use": "max_depth", "depth": 2}],
        },
    )
    n = len(peer.estimator_weights_.nonzero()[0])
    assert model.tree_weights[:n] == pytest.approx(peer.estimator_weights_[:n].tolist())
