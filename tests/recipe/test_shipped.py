"""The recipes that come with treekit, with the strategies that come with it."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import treekit
from treekit.recipe import check, load_recipe, recipe_names, to_toml
from treekit.recipe import source as recipe_source
from treekit.registry import Registry, gather
from treekit.roles import ROLES


@pytest.fixture(scope="module")
def builtin() -> Registry:
    return gather([EntryPoint("builtin", "treekit_builtin", "treekit")])


def test_the_builtin_plugin_loads_whole(builtin: Registry) -> None:
    assert builtin.failures == ()
    assert {entry.role for entry in builtin.entries} == set(ROLES)


def test_the_family_is_there() -> None:
    assert {"id3", "c45", "cart", "regression"} <= set(recipe_names())


@pytest.mark.parametrize("name", recipe_names())
def test_a_shipped_recipe_is_sound(name: str, builtin: Registry) -> None:
    assert check(name, registry=builtin) == []


@pytest.mark.parametrize("name", recipe_names())
def test_a_shipped_recipe_cites_its_source(name: str, builtin: Registry) -> None:
    summary = load_recipe(name, registry=builtin).summary
    assert re.search(r"\b(18|19|20)\d\d\b", summary)
    assert "\n" not in summary


@pytest.mark.parametrize("name", recipe_names())
def test_a_shipped_recipe_written_as_toml_loads_as_the_same(name: str, builtin: Registry) -> None:
    recipe = load_recipe(name, registry=builtin)
    again = load_recipe(tomllib.loads(to_toml(recipe)), registry=builtin)
    assert (again.tree, again.ensemble, again.document) == (
        recipe.tree,
        recipe.ensemble,
        recipe.document,
    )


def uses(name: str, builtin: Registry) -> dict[str, str]:
    origins = load_recipe(name, registry=builtin)
    tree = origins.document["tree"]
    found = {role: slot["use"] for role, slot in tree.items() if role not in ("splitter", "stop")}
    found |= {kind: slot["use"] for kind, slot in tree["splitter"].items()}
    found["stop"] = " ".join(slot["use"] for slot in tree["stop"])
    return found


def test_id3_is_quinlans_of_1986(builtin: Registry) -> None:
    assert uses("id3", builtin) == {
        "impurity": "entropy",
        "criterion": "gain",
        "numeric": "threshold",
        "nominal": "multiway",
        "stop": "pure no_columns",
        "missing": "refuse",
        "label": "majority",
        "pruner": "none",
        "grower": "level",
    }


def test_c45_has_the_parameters_of_release_8(builtin: Registry) -> None:
    """Quinlan 1993 and 1996: -m 2, -c 25, cuts at data values, at least a tenth per class."""
    tree = load_recipe("c45", registry=builtin).document["tree"]
    assert tree["stop"][1] == {"use": "min_rows", "split": None, "branch": 2.0, "count": "weight"}
    assert (tree["pruner"]["use"], tree["pruner"]["confidence"]) == ("error_based", 0.25)
    assert tree["criterion"]["guard"] is True
    numeric = tree["splitter"]["numeric"]
    assert (numeric["cut"], numeric["margin"], numeric["gap"]) == ("data_value", 0.1, 1e-5)
    assert numeric["description_length"] is True
    assert tree["missing"]["use"] == "fractional"


def test_cart_has_the_parameters_of_rpart(builtin: Registry) -> None:
    """Version 4.1.19: minsplit 20, minbucket 7, maxdepth 30, cp 0.01."""
    tree = load_recipe("cart", registry=builtin).document["tree"]
    stops = {slot["use"]: slot for slot in tree["stop"]}
    assert (stops["min_rows"]["split"], stops["min_rows"]["branch"]) == (20.0, 7.0)
    assert stops["max_depth"]["depth"] == 30
    assert (tree["pruner"]["use"], tree["pruner"]["alpha"]) == ("cost_complexity", 0.01)


def test_ctree_has_the_parameters_of_partykit(builtin: Registry) -> None:
    """Version 1.2: alpha 0.05, Bonferroni, minsplit 20, minbucket 7, no Monte Carlo."""
    tree = load_recipe("ctree", registry=builtin).document["tree"]
    assert tree["criterion"] == {"use": "permutation_test", "bonferroni": True, "resamples": 0}
    stops = {slot["use"]: slot for slot in tree["stop"]}
    assert stops["p_value"]["alpha"] == 0.05
    rows = stops["min_rows"]
    assert (rows["split"], rows["branch"], rows["count"]) == (20.0, 7.0, "weight")
    assert tree["pruner"]["use"] == "none"


def test_ctree_regression_is_ctree_but_for_criterion_and_label(builtin: Registry) -> None:
    ctree, regression = uses("ctree", builtin), uses("ctree_regression", builtin)
    assert {role for role in ctree if ctree[role] != regression[role]} == {"criterion", "label"}


def test_m5_has_the_parameters_of_its_papers(builtin: Registry) -> None:
    """Quinlan 1992: k = 15, 5 % of the deviation; Wang and Witten 1997: fewer than 4 rows."""
    tree = load_recipe("m5", registry=builtin).document["tree"]
    assert tree["label"] == {"use": "linear", "smoothing": 15.0}
    stops = {slot["use"]: slot for slot in tree["stop"]}
    assert (stops["min_rows"]["split"], stops["min_spread"]["share"]) == (4.0, 0.05)
    assert (tree["impurity"]["use"], tree["criterion"]["use"]) == ("standard_deviation", "gain")
    assert tree["pruner"]["use"] == "m5"


def test_regression_is_cart_but_for_impurity_and_label(builtin: Registry) -> None:
    cart, regression = uses("cart", builtin), uses("regression", builtin)
    assert {role for role in cart if cart[role] != regression[role]} == {"impurity", "label"}
    assert load_recipe("regression", registry=builtin).task == "regression"


def test_in_a_wheel_the_recipes_are_inside_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = tmp_path / "treekit" / "_recipes"
    inside.mkdir(parents=True)
    monkeypatch.setattr(
        recipe_source, "__file__", str(tmp_path / "treekit" / "recipe" / "source.py")
    )
    assert recipe_source.recipes_folder() == inside
    inside.rmdir()
    assert recipe_source.recipes_folder() == tmp_path / "recipes"


def test_the_code_that_loads_recipes_names_no_strategy(builtin: Registry) -> None:
    package = Path(treekit.__file__).parent
    names = {entry.name for entry in builtin.entries}
    for file in [*package.glob("registry/*.py"), *package.glob("recipe/*.py")]:
        text = file.read_text(encoding="utf-8")
        assert [name for name in names if f'"{name}"' in text] == [], file.name


@pytest.mark.parametrize("wrong", ["rounds=0", "round=3", "use=gradient_bosting"])
def test_trees_are_not_judged_by_a_task_that_only_the_ensemble_knows(wrong: str) -> None:
    """Gradient boosting of classes grows trees of numbers."""
    (problem,) = check("gradient_boosting", [f"ensemble.{wrong}"])
    assert problem.where.startswith(f"--set ensemble.{wrong}")
