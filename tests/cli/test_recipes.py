"""`treekit recipes` and `treekit recipe show|check|new`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from treekit.recipe import load_recipe, recipe_names
from treekit.registry import installed

from .conftest import Treekit


def test_recipes_are_listed(treekit: Treekit) -> None:
    lines = treekit("recipes").lines
    assert lines[0].split() == ["name", "task", "summary"]
    assert [line.split()[0] for line in lines[1:]] == list(recipe_names())


def test_recipes_are_listed_as_json(treekit: Treekit) -> None:
    listed = json.loads(treekit("recipes", "--json").out)
    assert [entry["name"] for entry in listed] == list(recipe_names())
    assert {entry["task"] for entry in listed} == {"classification", "regression"}
    assert all(entry["summary"] for entry in listed)


def test_a_recipe_is_shown_with_where_each_value_was_written(treekit: Treekit) -> None:
    Path("mine.toml").write_text('extends = "id3"\n\n[tree]\nimpurity = "gini"\n')
    answer = treekit("recipe", "show", "mine.toml", "--set", "tree.label=majority")
    origins = {}
    for line in answer.lines:
        said, _, origin = line.partition("  # ")
        origins[said.rstrip()] = origin.strip()
    assert origins['tree.impurity.use = "gini"'] == "mine.toml:4"
    assert origins['tree.criterion.use = "gain"'].startswith("id3.toml:")
    assert origins['tree.pruner.use = "none"'].startswith("_defaults.toml:")
    assert origins['tree.label.use = "majority"'] == "--set tree.label=majority"
    assert origins['tree.splitter.ordinal.use = "threshold"'] == "as tree.splitter.numeric"


def test_the_document_of_a_recipe_makes_the_same_recipe(treekit: Treekit) -> None:
    shown = json.loads(treekit("recipe", "show", "c45", "--json").out)
    assert list(shown) == ["name", "document", "origins"]
    assert load_recipe(shown["document"]).tree == load_recipe("c45").tree


def test_good_recipes_are_said_to_be_good(treekit: Treekit) -> None:
    answer = treekit("recipe", "check", "id3", "c45")
    assert (answer.code, answer.out, answer.err) == (0, "id3: ok\nc45: ok\n", "")


def test_a_check_tells_all_that_is_wrong_and_ends_with_1(treekit: Treekit) -> None:
    Path("mine.toml").write_text(
        'extends = "c45"\n[tree]\nimpurity = "entropi"\npruner = { confidence = 2 }\n'
    )
    answer = treekit("recipe", "check", "id3", "mine.toml")
    assert (answer.code, answer.out) == (1, "id3: ok\n")
    assert [line.split(": ")[1] for line in answer.err.splitlines()] == [
        "mine.toml:3",
        "mine.toml:4",
    ]


def test_a_check_answers_in_json(treekit: Treekit) -> None:
    Path("mine.toml").write_text('extends = "c45"\n[tree]\nimpurity = "entropi"\n')
    answer = treekit("recipe", "check", "id3", "mine.toml", "--json")
    found = json.loads(answer.out)
    assert (answer.code, found["id3"]) == (1, [])
    assert found["mine.toml"] == [
        {
            "what": "there is no impurity 'entropi'",
            "where": "mine.toml:3: tree.impurity",
            "instead": "did you mean 'entropy'?",
        }
    ]


@pytest.mark.parametrize("base", recipe_names())
def test_a_new_recipe_is_its_base_until_it_is_changed(treekit: Treekit, base: str) -> None:
    answer = treekit("recipe", "new", "mine", "--extends", base)
    assert answer.out == "wrote mine.toml; next: treekit recipe check mine.toml\n"
    made = load_recipe("mine.toml")
    assert (made.tree, made.ensemble, made.task) == (
        (other := load_recipe(base)).tree,
        other.ensemble,
        other.task,
    )


@pytest.mark.parametrize("base", recipe_names())
def test_every_value_of_a_new_recipe_can_be_taken_up(treekit: Treekit, base: str) -> None:
    treekit("recipe", "new", "mine", "--extends", base)
    text = Path("mine.toml").read_text()
    Path("mine.toml").write_text(re.sub(r"^# (?=\S+ = )", "", text, flags=re.M))
    made, other = load_recipe("mine.toml"), load_recipe(base)
    assert (made.tree, made.ensemble, made.task) == (other.tree, other.ensemble, other.task)
    assert made.origins["tree.criterion.use"].startswith("mine.toml:")


def test_a_new_recipe_tells_what_else_could_stand_in_it(treekit: Treekit) -> None:
    treekit("recipe", "new", "mine")
    text = Path("mine.toml").read_text()
    assert all(f"#   {entry.name} " in text for entry in installed().entries)


@pytest.mark.parametrize("name", ["1st", "my.own", "below/my own"])
def test_a_new_recipe_needs_a_name_that_recipes_can_have(treekit: Treekit, name: str) -> None:
    Path("below").mkdir()
    answer = treekit("recipe", "new", name)
    assert (answer.code, answer.out, answer.err) == (
        2,
        "",
        f"error: {Path(name).name!r} is not a name for a recipe; use letters, digits, '_' and '-',"
        " and begin with a letter\n",
    )


def test_what_a_new_recipe_extends_must_be_there(treekit: Treekit) -> None:
    Path("base.toml").write_text('extends = "cart"\n')
    Path("below").mkdir()
    answer = treekit("recipe", "new", "below/mine", "--extends", "bse.toml")
    assert (answer.code, answer.err) == (
        2,
        "error: there is no file 'bse.toml'; did you mean 'base.toml'?\n",
    )
    assert not list(Path("below").iterdir())


def test_a_new_recipe_may_extend_a_file_in_another_folder(treekit: Treekit) -> None:
    Path("base.toml").write_text('extends = "cart"\n')
    Path("below").mkdir()
    assert treekit("recipe", "new", "below/mine.toml", "--extends", "base.toml").code == 0
    assert load_recipe("below/mine.toml").tree == load_recipe("cart").tree


def test_a_new_recipe_replaces_no_file_unasked(treekit: Treekit) -> None:
    Path("mine.toml").write_text("precious")
    answer = treekit("recipe", "new", "mine")
    assert (answer.code, answer.err) == (
        2,
        "error: mine.toml: this file is there already; say --force\n",
    )
    assert Path("mine.toml").read_text() == "precious"
    assert treekit("recipe", "new", "mine", "--force").code == 0
