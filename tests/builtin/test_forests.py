"""Bagging, random forests and extra trees: which rows, which columns, and how they answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from treekit_builtin import Bagging, RandomForest
from treekit_builtin.column_counts import number_of
from treekit_builtin.ensembles.bags import draws

import treekit
from treekit import Column, Model, RecipeError, Schema, Table, load, load_recipe, winners
from treekit.engine import prepared
from treekit.fitting import fit_table, grow_member, planted
from treekit.route import answers_for
from treekit.testing.expecting import expect_same_tree
from treekit.testing.samples import sample_table

RECIPES = ("bagging", "random_forest", "extra_trees")


def noisy(rows: int, seed: int = 0, task: str = "classification") -> Table:
    """Ten normal columns and a noisy score of them."""
    rng = np.random.default_rng(seed)
    cells = rng.normal(size=(10, rows))
    score = cells[:4].sum(axis=0) + rng.normal(size=rows)
    columns = tuple(Column(f"x{i}", "numeric") for i in range(10))
    if task == "regression":
        return Table(Schema(columns, Column("y", "numeric")), cells, score)
    target = Column("y", "nominal", ("no", "yes"))
    return Table(Schema(columns, target), cells, (score > 0).astype(float))


def forest(table: Table, recipe: str = "random_forest", seed: int = 0, **ensemble: Any) -> Model:
    given = {"trees": 10} | ensemble
    return treekit.fit(
        recipe, table, set={f"ensemble.{k}": v for k, v in given.items()}, seed=seed, threads=1
    )


def document(model: Model, folder: Path) -> dict[str, Any]:
    model.save(folder / "model.json")
    kept: dict[str, Any] = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    return kept


# --- which rows -----------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 30, 1000])
def test_a_bootstrap_draws_as_many_rows_as_there_are(n: int) -> None:
    drawn = draws("bootstrap", np.ones(n, bool), np.random.default_rng(n))
    assert drawn.sum() == n
    assert (drawn == drawn.round()).all()


def test_a_bootstrap_leaves_out_about_37_in_100_rows() -> None:
    drawn = draws("bootstrap", np.ones(10_000, bool), np.random.default_rng(0))
    assert abs((drawn == 0).mean() - np.exp(-1)) < 0.02


@pytest.mark.parametrize(
    ("share", "n", "expected"),
    [(0.5, 10, 5), (0.3, 10, 3), (1.0, 7, 7), (0.01, 7, 1), (0.7, 10, 7)],
)
def test_a_share_is_drawn_without_replacement(share: float, n: int, expected: int) -> None:
    drawn = draws(share, np.ones(n, bool), np.random.default_rng(0))
    assert sorted(set(drawn)) in ([0.0, 1.0], [1.0])
    assert drawn.sum() == expected


def test_all_rows_are_each_drawn_once() -> None:
    assert draws("all", np.ones(5, bool), np.random.default_rng(0)).tolist() == [1.0] * 5


@pytest.mark.parametrize(("rows", "drawn"), [("bootstrap", 3), (0.67, 2), ("all", 3)])
def test_rows_that_weigh_nothing_are_never_drawn(rows: Any, drawn: int) -> None:
    weighty = np.arange(1000) % 400 == 7
    for seed in range(5):
        times = draws(rows, weighty, np.random.default_rng(seed))
        assert times.sum() == drawn
        assert not times[~weighty].any()


@pytest.mark.parametrize("rows", ["bootstrap", 0.5])
@pytest.mark.parametrize("name", ["bagging", "random_forest"])
def test_a_few_rows_with_a_weight_are_enough(name: str, rows: Any) -> None:
    table = evolve(noisy(60), given_weights=(np.arange(60) < 3).astype(float))
    model = forest(table, name, rows=rows)
    assert all(tree.weight[0] > 0 for tree in model.trees)


def test_members_learn_from_their_rows_by_weight() -> None:
    table = evolve(noisy(60), given_weights=np.linspace(0.5, 2.0, 60))
    for member in planted(recipe("bagging"), table, 0, grow_member).members:
        drawn = member.learned.weights / table.weights
        assert drawn.sum() == pytest.approx(60)
        assert member.tree.weight[0] == pytest.approx(member.learned.weights.sum())
        assert member.tree.rows[0] == (drawn > 0).sum()


# --- out of bag -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("task", "combine"),
    [("classification", "average"), ("classification", "vote"), ("regression", "average")],
)
def test_the_out_of_bag_error_is_that_of_trees_that_have_not_seen_the_row(
    task: str, combine: str
) -> None:
    name = "bagging" if task == "classification" else "bagging_regression"
    table = evolve(noisy(80, task=task), given_weights=np.linspace(0.5, 2.0, 80))
    grown = planted(recipe(name, combine=combine), table, 0, grow_member)
    wrong = weight = 0.0
    left_out = 0
    for row in range(table.n_rows):
        one = table.take(np.array([row]))
        said = [
            answers_for(m.tree, m.answers, one, m.leaf_models)
            for m in grown.members
            if m.learned.weights[row] == 0
        ]
        if not said:
            left_out += 1
            continue
        if combine == "vote":
            said = [np.eye(2)[winners(answer)] for answer in said]
        mean = np.mean(said, axis=0)
        error = (mean[0, 0] - table.y[row]) ** 2 if task == "regression" else winners(mean) != one.y
        wrong += float(table.weights[row] * np.asarray(error).item())
        weight += table.weights[row]
    kind = "mean_squared_error" if task == "regression" else "error"
    assert grown.facts[f"out_of_bag_{kind}"] == pytest.approx(wrong / weight)
    assert grown.facts["in_every_bag"] == left_out
    assert grown.facts["out_of_bag_rows"] == table.n_rows - left_out


def test_the_out_of_bag_error_is_near_the_error_on_rows_held_out() -> None:
    model = forest(noisy(1000), trees=40)
    test = noisy(4000, seed=1)
    held_out = (model.predict(test) != np.array(["no", "yes"])[test.y.astype(int)]).mean()
    # The standard error of the estimate on 1000 rows is about 0.013.
    assert abs(model.facts["out_of_bag_error"] - held_out) < 0.045
    assert held_out < 0.27


def test_the_out_of_bag_r_squared_is_near_that_on_rows_held_out() -> None:
    model = forest(noisy(1000, task="regression"), "random_forest_regression", trees=40)
    test = noisy(3000, 1, "regression")
    left = ((model.predict(test) - test.y) ** 2).mean()
    assert abs(model.facts["out_of_bag_r_squared"] - (1 - left / test.y.var())) < 0.05
    assert abs(model.facts["out_of_bag_mean_squared_error"] - left) < 0.25


@pytest.mark.parametrize(
    "classes",
    [
        {"weights": {"yes": 30.0}},
        {"priors": {"yes": 0.97, "no": 0.03}},
        {"costs": {"yes": {"no": 30.0}}},
        {"weights": {"no": 0.0}},
    ],
    ids=["weights", "priors", "costs", "a class that is not learned"],
)
def test_the_out_of_bag_error_is_by_the_weights_as_they_are_given(classes: dict[str, Any]) -> None:
    table = evolve(noisy(80), given_weights=np.linspace(0.5, 2.0, 80))
    chosen = load_recipe("bagging", set={"ensemble.trees": 15, "classes": classes})
    grown = planted(chosen, table, 0, grow_member)
    total = np.zeros((80, 2))
    for member in grown.members:
        unseen = member.learned.weights == 0
        total[unseen] += answers_for(member.tree, member.answers, table.take(unseen))
    judged = total.any(axis=1)
    wrong = winners(total[judged]) != table.y[judged]
    expected = np.average(wrong, weights=table.weights[judged])
    assert grown.facts["out_of_bag_error"] == pytest.approx(expected)
    assert grown.facts["out_of_bag_rows"] == judged.sum()


def test_rows_that_are_in_every_bag_are_left_out_and_counted() -> None:
    model = forest(noisy(50), trees=1)
    facts = model.facts
    assert facts["out_of_bag_rows"] + facts["in_every_bag"] == 50
    assert 20 < facts["in_every_bag"] < 45
    assert forest(noisy(50), "bagging", trees=2, rows=1.0).facts == {
        "out_of_bag_rows": 0.0,
        "in_every_bag": 50.0,
    }


def test_trees_on_all_rows_have_no_out_of_bag_error() -> None:
    assert forest(noisy(30), "extra_trees").facts == {}


# --- which columns --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "of", "expected"),
    [
        ("all", 20, 20), ("sqrt", 20, 4), ("sqrt", 1, 1), ("sqrt", 16, 4), ("log2", 20, 4),
        ("log2", 1, 1), ("log2", 16, 4), (3, 20, 3), (30, 20, 30), (0.3, 10, 3), (1.0, 7, 7),
        (0.01, 7, 1), (1 / 3, 9, 3),
    ],
)  # fmt: skip
def test_columns_are_counted_by_number_share_or_word(count: Any, of: int, expected: int) -> None:
    assert number_of(count, of) == expected


def test_a_tree_with_all_columns_and_rows_is_the_single_tree() -> None:
    table = sample_table("classification", rows=60, unknown=True)
    single = treekit.fit("random_forest", table, set={"ensemble": "single"})
    one = forest(table, trees=1, rows="all", columns="all")
    expect_same_tree(one.trees[0], single.trees[0], "another tree")
    assert (one.predict(table) == single.predict(table)).all()


def test_fewer_columns_make_trees_that_differ_more() -> None:
    table = noisy(300)
    few, all_columns = forest(table, columns=1), forest(table, columns="all")
    asked = [len({int(t.column[0]) for t in model.trees}) for model in (few, all_columns)]
    assert asked[0] > asked[1]


# --- how they answer ------------------------------------------------------------------------------


def test_averaged_shares_and_votes_are_what_they_say() -> None:
    table = noisy(100)
    shallow = {"tree.stop": [{"use": "max_depth", "depth": 2}], "ensemble.trees": 7}
    averaged = treekit.fit("bagging", table, set=shallow)
    voted = treekit.fit("bagging", table, set={**shallow, "ensemble.combine": "vote"})
    members = zip(averaged.trees, averaged.answers, strict=True)
    said = [answers_for(tree, answers, table) for tree, answers in members]
    np.testing.assert_allclose(averaged.predict_proba(table), np.mean(said, axis=0))
    votes = np.mean([np.eye(2)[winners(answers)] for answers in said], axis=0)
    np.testing.assert_allclose(voted.predict_proba(table), votes)
    assert not np.allclose(averaged.predict_proba(table), votes)


def test_numbers_are_averaged() -> None:
    table = noisy(60, task="regression")
    model = forest(table, "bagging_regression", trees=4)
    members = zip(model.trees, model.answers, strict=True)
    said = [answers_for(tree, answers, table)[:, 0] for tree, answers in members]
    np.testing.assert_allclose(model.predict(table), np.mean(said, axis=0))


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("name", RECIPES)
def test_the_model_is_the_same_whatever_the_number_of_threads(
    name: str, threads: int, tmp_path: Path
) -> None:
    table = noisy(400)
    given = {"set": {"ensemble.trees": 7}, "seed": 5}
    one = treekit.fit(name, table, threads=1, **given)
    many = treekit.fit(name, table, threads=threads, **given)
    assert document(one, tmp_path) == document(many, tmp_path)


def test_another_seed_is_another_forest() -> None:
    table = noisy(100)
    one, other = forest(table, seed=0), forest(table, seed=1)
    assert one.facts != other.facts


# --- any base recipe ------------------------------------------------------------------------------


@pytest.mark.parametrize("base", ["c45", "cart", "id3", "chaid", "rpart", "stump"])
def test_any_recipe_can_be_the_base(base: str, tmp_path: Path) -> None:
    table = sample_table("classification", ("nominal",), rows=80)
    path = tmp_path / "mine.toml"
    path.write_text(
        f'extends = "{base}"\nensemble = {{ use = "random_forest", trees = 4, columns = 2 }}\n',
        encoding="utf-8",
    )
    model = treekit.fit(path, table)
    assert len(model.trees) == 4
    assert set(model.predict(table)) <= set(table.schema.classes)


def test_a_forest_of_c45_trees_spreads_rows_with_unknown_values(tmp_path: Path) -> None:
    table = sample_table("classification", rows=200, unknown=True, classes=2)
    path = tmp_path / "mine.toml"
    path.write_text(
        'extends = "c45"\nensemble = { use = "random_forest", trees = 20 }\n', encoding="utf-8"
    )
    model = treekit.fit(path, table, seed=1)
    fractions = [t for t in model.trees if (t.stats[:, 0] != t.stats[:, 0].round()).any()]
    assert fractions, "no row was divided"
    assert model.predict_proba(table).sum(axis=1) == pytest.approx(1.0)
    assert model.facts["out_of_bag_error"] < 0.4
    model.save(tmp_path / "model.json")
    assert (load(tmp_path / "model.json").predict(table) == model.predict(table)).all()


@pytest.mark.parametrize("pruner", ["reduced_error", "cost_complexity"])
def test_pruners_that_keep_rows_or_grow_again_work_within_a_bag(pruner: str) -> None:
    table = noisy(200)
    model = treekit.fit(
        "random_forest", table, set={"ensemble.trees": 3, "tree.pruner": pruner}, seed=2
    )
    whole = forest(table, trees=3, seed=2)
    assert model.n_nodes < whole.n_nodes


# --- recipes --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*RECIPES, *(f"{name}_regression" for name in RECIPES)])
def test_a_recipe_fits_predicts_shows_saves_and_loads(name: str, tmp_path: Path) -> None:
    task = load_recipe(name).task
    table = sample_table(task, rows=60, unknown=True, weighted=True)
    model = forest(table, name, trees=3)
    assert str(model).startswith("Tree 1 of 3")
    model.save(tmp_path / "model.json")
    again = load(tmp_path / "model.json")
    assert (again.predict(table) == model.predict(table)).all()
    assert again.facts == model.facts
    assert len(again.importances()) == table.n_columns


@pytest.mark.parametrize(
    ("setting", "value", "told"),
    [
        ("trees", 0, "trees"), ("trees", 1.5, "trees"), ("columns", 1.5, "share > 0.0"),
        ("columns", 0, "whole number >= 1"), ("columns", "half", "columns"),
        ("rows", 1.5, "bootstrap"), ("rows", 0, "bootstrap"), ("rows", "some", "rows"),
        ("combine", "sum", "average"),
    ],
)  # fmt: skip
def test_wrong_parameters_are_told(setting: str, value: Any, told: str) -> None:
    with pytest.raises(RecipeError, match=told):
        load_recipe("random_forest", set={f"ensemble.{setting}": value})


@pytest.mark.parametrize("strategy", [Bagging(combine="vote"), RandomForest(combine="vote")])
def test_numbers_cannot_be_voted_on(strategy: Any) -> None:
    chosen = evolve(load_recipe("bagging_regression"), ensemble=strategy)
    with pytest.raises(RecipeError, match="cannot vote"):
        fit_table(chosen, noisy(20, task="regression"))


def test_a_member_shares_the_rows_of_the_table() -> None:
    table = noisy(40)
    chosen = recipe("bagging")
    for member in planted(chosen, table, 0, grow_member).members:
        assert member.learned.cells is table.cells
        seen = prepared(member.learned, chosen.tree)
        assert seen.n_rows == member.tree.rows[0]


def recipe(name: str, **ensemble: Any) -> Any:
    given = {"trees": 5} | ensemble
    return load_recipe(name, set={f"ensemble.{k}": v for k, v in given.items()})
