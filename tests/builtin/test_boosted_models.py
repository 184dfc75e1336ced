"""Boosted models are asked what any model is asked: answers, reports, explanations, files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import treekit
from treekit.cli.app import program
from treekit.fitting import planted
from treekit.model import Model
from treekit.recipe import load_recipe
from treekit.report import render
from treekit.testing.samples import sample_table

RECIPES = {
    "adaboost": ("tennis", {"ensemble.rounds": 4}),
    "adaboost_m1 of four classes": ("guess_who", {"ensemble.rounds": 4}),
    "adaboost by samples": ("tennis", {"ensemble.use": "adaboost_resampled"}),
    "gradient_boosting": ("tennis", {"ensemble.rounds": 3}),
    "gradient_boosting of four classes": ("guess_who", {"ensemble.rounds": 2}),
    "gradient_boosting by samples": (
        "tennis",
        {"ensemble.subsample": 0.5, "ensemble.validation": 0.4},
    ),
    "adaboost_regression": ("numbers", {"ensemble.rounds": 4}),
    "adaboost_regression by weights": (
        "numbers",
        {"ensemble": {"use": "adaboost_r2_weighted", "rounds": 3}},
    ),
    "gradient_boosting_regression": ("numbers", {"ensemble.rounds": 3}),
}


def data(name: str) -> Any:
    if name != "numbers":
        return treekit.load_dataset(name)
    x = np.random.default_rng(0).normal(size=(3, 40))
    columns = tuple(treekit.Column(c, "numeric") for c in "abc")
    return treekit.Table(
        treekit.Schema(columns, treekit.Column("y", "numeric")), x, x[0] * x[1] + x[2]
    )


@pytest.fixture(params=RECIPES, scope="module")
def model(request: pytest.FixtureRequest) -> Model:
    name, changes = RECIPES[request.param]
    return treekit.fit(request.param.split()[0], data(name), set=changes, seed=3)


def table_of(model: Model) -> treekit.Table:
    assert model.learned_from is not None
    return model.learned_from


def test_it_answers_better_than_its_base(model: Model) -> None:
    table = table_of(model)
    if model.task == "regression":
        assert np.mean((model.predict(table) - table.y) ** 2) < np.var(table.y)
        return
    shares = model.predict_proba(table)
    assert shares.sum(axis=1) == pytest.approx(1.0)
    assert (shares >= 0).all()
    truth = table.y.astype(int)
    assert (np.argmax(shares, axis=1) == truth).mean() >= np.bincount(truth).max() / len(truth)


def test_it_is_saved_and_loaded(model: Model, tmp_path: Path) -> None:
    model.save(tmp_path / "model.json")
    again = treekit.load(tmp_path / "model.json")
    table = table_of(model)
    assert (again.predict(table) == model.predict(table)).all()
    assert again.facts == model.facts
    assert render(again, "text") == render(model, "text")


@pytest.mark.parametrize("form", ["text", "json", "dot", "mermaid", "rules"])
def test_it_is_shown(model: Model, form: str) -> None:
    told = render(model, form)
    assert told
    if model.outputs and form in ("text", "json"):
        assert "score of " in told


def test_the_growth_of_each_tree_is_explained(model: Model) -> None:
    for number in (0, len(model.trees) - 1):
        found = model.explain(tree=number)
        assert found.n_nodes == model.trees[number].n_nodes
        assert str(found)
        if model.outputs:
            wanted = f"score of {model.classes[model.outputs[number]]}"
            assert found.schema.target.name == wanted
            assert wanted in str(found)


def test_a_row_is_explained(model: Model) -> None:
    table = table_of(model)
    found = model.explain_row(table, 1, trees=None)
    assert len(found.paths) == len(model.trees)
    for path, answers in zip(found.paths, model.answers, strict=True):
        assert path.answer == pytest.approx(answers[path.ends[0].node])
        assert len(path.answer) == (1 if path.schema.target.is_numeric else len(model.classes))
    for form in ("text", "markdown", "latex", "json"):
        assert found.render(form)


def test_columns_have_importances(model: Model) -> None:
    assert sum(model.importances().values()) == pytest.approx(1.0)
    assert set(model.importances("surrogates")) == {c.name for c in model.columns}
    assert len(model.importances("permutation", table_of(model))) == len(model.columns)


@pytest.mark.parametrize("recipe", ["adaboost", "adaboost_m1", "gradient_boosting"])
def test_the_command_line_goes_all_the_way(
    recipe: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> str:
        result = CliRunner().invoke(program, words)
        assert result.exit_code == 0, result.output
        return result.output

    few = ("--set", "ensemble.rounds=3")
    assert "3 trees" in run("fit", recipe, "tennis", *few, "-o", "model.json")
    assert run("predict", "model.json", "tennis").split()
    assert "yes" in run("predict", "model.json", "tennis", "--proba")
    assert "Tree 1 of 3" in run("show", "model.json")
    assert "outlook" in run("importances", "model.json")
    assert "How tree 2 of 3 grew" in run("explain", recipe, "tennis", *few, "--tree", "2")
    assert "Path through tree 1 of 3" in run("explain", "model.json", "tennis", "--row", "1")


@pytest.mark.parametrize(
    "recipe",
    [
        "adaboost", "adaboost_regression", "gradient_boosting", "gradient_boosting_regression",
    ],
)  # fmt: skip
@pytest.mark.parametrize(("rounds", "expected"), [(1, False), (200, True)])
def test_many_rounds_on_few_rows_are_compiled(recipe: str, rounds: int, expected: bool) -> None:
    chosen = load_recipe(recipe, {"ensemble.rounds": rounds})
    table = sample_table(chosen.task, rows=30)
    told = []

    def seen(*given: Any, compiled: bool, **more: Any) -> Any:
        told.append(compiled)
        raise KeyboardInterrupt  # one tree is enough to know

    with pytest.raises(KeyboardInterrupt):
        planted(chosen, table, 0, seen)
    assert told == [expected]
