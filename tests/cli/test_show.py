"""`treekit show`: a model, or what a recipe makes of data, in every format."""

from __future__ import annotations

import json

import pytest

from .conftest import Treekit
from .test_fit import TENNIS


def test_a_model_file_is_shown_as_text(treekit: Treekit) -> None:
    treekit("fit", "id3", "tennis", "-o", "model.json")
    assert treekit("show", "model.json").out == TENNIS.partition("\n\n")[0] + "\n"


def test_a_recipe_and_data_are_fitted_and_shown(treekit: Treekit) -> None:
    answer = treekit("show", "id3", "tennis")
    assert answer.out == TENNIS.partition("\n\n")[0] + "\n"
    assert answer.notes[0] == "14 rows; target play: classes yes, no"


def test_reasons_say_why_a_leaf_is_one(treekit: Treekit) -> None:
    answer = treekit("show", "id3", "tennis", "--reasons", "--quiet")
    assert answer.lines[3] == "outlook = overcast: yes (4.0) [all target values are the same]"


def test_it_can_say_where_unknown_values_go(treekit: Treekit) -> None:
    answer = treekit("show", "id3", "tennis", "--unknown", "--quiet")
    assert answer.lines[-1] == "An unknown value is refused."


@pytest.mark.parametrize("words", [["--format", "json"], ["--json"]])
def test_json_is_nested_as_documented(treekit: Treekit, words: list[str]) -> None:
    shown = json.loads(treekit("show", "id3", "tennis", *words).out)
    assert list(shown) == ["task", "target", "classes", "root"]
    root = shown["root"]
    assert (root["label"], root["weight"], root["counts"]) == ("yes", 14, [9, 5])
    assert root["test"] == {
        "column": "outlook",
        "kind": "nominal",
        "branches": [["sunny"], ["overcast"], ["rain"]],
    }
    assert [child["counts"] for child in root["children"]] == [[2, 3], [4, 0], [3, 2]]


@pytest.mark.parametrize(
    ("form", "first", "number_of_leaves"),
    [("dot", "digraph", 5), ("mermaid", "flowchart", 5), ("rules", "", 5)],
)
def test_other_formats(treekit: Treekit, form: str, first: str, number_of_leaves: int) -> None:
    answer = treekit("show", "id3", "tennis", "--format", form)
    assert answer.code == 0
    assert answer.out.startswith(first)
    assert sum("yes" in line or "no" in line for line in answer.lines) >= number_of_leaves


def test_options_of_fit_hold_here_too(treekit: Treekit) -> None:
    answer = treekit(
        "show", "id3", "shop.csv", "--target", "member", "--kind", "age=nominal",
        "--set", 'tree.stop={ use = "max_depth", depth = 0 }', "--seed", "1", "--quiet",
    )  # fmt: skip
    assert answer.out == "no (8.0/4.0)\n"


def test_surrogates_stand_above_the_branches_of_their_node(treekit: Treekit) -> None:
    change = ("--set", "tree.stop=pure", "--set", "tree.missing=surrogate", "--quiet")
    plain = treekit("show", "cart", "cheat", *change)
    told = treekit("show", "cart", "cheat", *change, "--surrogates")
    assert told.lines[0] == "surrogate: taxable_income <= 80, agrees 0.70"
    assert [line for line in told.lines if "surrogate: " not in line] == plain.lines


@pytest.mark.parametrize("option", ["--reasons", "--unknown", "--surrogates"])
def test_what_only_text_can_say_is_refused_elsewhere(treekit: Treekit, option: str) -> None:
    answer = treekit("show", "id3", "tennis", "--format", "dot", option)
    assert (answer.code, answer.err) == (
        2,
        "error: --reasons, --unknown and --surrogates go with --format text;"
        " see 'treekit show --help'\n",
    )


@pytest.mark.parametrize("name", ["model.json", "model"])
def test_a_model_takes_no_data(treekit: Treekit, name: str) -> None:
    treekit("fit", "id3", "tennis", "-o", name)
    answer = treekit("show", name, "tennis")
    assert (answer.code, answer.out, answer.err) == (
        2,
        "",
        f"error: {name!r} is a model and takes no data; name a recipe instead;"
        " see 'treekit show --help'\n",
    )


def test_a_model_takes_no_options_of_a_fit(treekit: Treekit, model: str) -> None:
    answer = treekit("show", model, "--target", "age", "--seed", "1", "--quiet")
    assert (answer.code, answer.out, answer.err) == (
        2,
        "",
        "error: 'model.json' is fitted already; leave out --target, --seed;"
        " see 'treekit show --help'\n",
    )


def test_equal_subtrees_are_shown_once(treekit: Treekit) -> None:
    lines = treekit("show", "id3", "parity3", "--merge").lines
    assert lines[-2:] == [
        "graph: 7 nodes, 2 leaves; the tree has 15 nodes, 8 leaves",
        "ordered: every path asks in the order A, B, C",
    ]


def test_leaves_of_one_class_are_one_by_label(treekit: Treekit) -> None:
    words = ("show", "id3", "tennis", "--set", "tree.label=laplace")
    sizes = {
        option: len(json.loads(treekit(*words, option, "--json").out)["nodes"])
        for option in ("--merge", "--merge-labels")
    }
    assert sizes == {"--merge": 8, "--merge-labels": 5}


@pytest.mark.parametrize("words", [["--format", "rules"], ["--reasons"], ["--unknown"]])
def test_a_graph_is_not_told_in_every_way(treekit: Treekit, words: list[str]) -> None:
    answer = treekit("show", "id3", "parity3", "--merge", *words)
    assert (answer.code, answer.err) == (
        2,
        "error: --merge and --merge-labels do not go with --format rules, --reasons, --unknown or"
        " --surrogates; see 'treekit show --help'\n",
    )
