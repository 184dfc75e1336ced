"""`treekit demo`: the README's main job."""

from __future__ import annotations

import json

from .conftest import Treekit


def test_the_demo_shows_three_trees_and_how_they_differ(treekit: Treekit) -> None:
    answer = treekit("demo")
    assert (answer.code, answer.err) == (0, "")
    for name in ("id3", "c45", "cart"):
        assert f"\n$ treekit fit {name} tennis" in answer.out
    assert "\npredicted differently\nid3 and c45: " in answer.out


def test_the_demo_runs_on_other_data_sets(treekit: Treekit) -> None:
    assert treekit("demo", "mammals").out.startswith("mammals: ")


def test_the_differences_are_there_as_json(treekit: Treekit) -> None:
    found = json.loads(treekit("demo", "--json").out)
    assert [model["name"] for model in found["models"]] == ["id3", "c45", "cart"]
    assert len(found["pairs"]) == 3


def test_a_data_set_that_is_not_there_is_an_error(treekit: Treekit) -> None:
    answer = treekit("demo", "tenis")
    assert (answer.code, answer.err) == (
        2,
        "error: there is no data set 'tenis'; did you mean 'tennis'?\n",
    )
