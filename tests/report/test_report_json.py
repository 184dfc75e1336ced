"""A model as nested JSON."""

from __future__ import annotations

import json

import numpy as np

from treekit.report import render

from ..model.by_hand import cut, grouped, groups, leaf, model_of, price, schema_of, weather
from ..model.large import chain


def test_classes_have_counts_and_nominal_tests_have_branches():
    assert (
        render(weather(), "json")
        == """\
{"task": "classification", "target": "play", "classes": ["no", "yes"], "root":
{"label": "yes", "weight": 15.0, "counts": [5.0, 10.0], "test": {"column": "outlook", "kind": \
"nominal", "branches": [["sunny"], ["overcast"], ["rain"]]}, "children": [
 {"label": "no", "weight": 6.0, "counts": [3.0, 3.0], "test": {"column": "humidity", "kind": \
"numeric", "cut": 75.0}, "children": [
  {"label": "yes", "weight": 2.0, "counts": [0.0, 2.0]},
  {"label": "no", "weight": 4.0, "counts": [3.0, 1.0]}]},
 {"label": "yes", "weight": 4.0, "counts": [0.0, 4.0]},
 {"label": "yes", "weight": 5.0, "counts": [2.0, 3.0], "test": {"column": "wind", "kind": \
"nominal", "branches": [["weak"], ["strong"]]}, "children": [
  {"label": "yes", "weight": 3.0, "counts": [0.0, 3.0]},
  {"label": "no", "weight": 2.0, "counts": [2.0, 0.0]}]}]}}
"""
    )


def test_numbers_have_a_mean_and_a_population_variance():
    said = json.loads(render(price(), "json"))
    assert (said["task"], said["target"], said["classes"]) == ("regression", "price", [])
    root = said["root"]
    y = [104, 106, 130, 130, 120, 89, 89, 92]
    assert root["label"] == root["mean"] == np.mean(y)
    assert root["variance"] == np.var(y)
    assert root["children"][1]["children"][2] == {
        "label": 90.0,
        "weight": 3.0,
        "mean": 90.0,
        "variance": 2.0,
    }


def test_ordinal_cuts_are_branches_of_levels():
    root = json.loads(render(price(), "json"))["root"]
    assert root["test"] == {
        "column": "size",
        "kind": "ordinal",
        "branches": [["small"], ["medium", "large"]],
    }


def test_several_cuts_of_a_numeric_column_are_listed():
    root = json.loads(render(price(), "json"))["root"]
    assert root["children"][1]["test"] == {"column": "age", "kind": "numeric", "cuts": [3.5, 10]}


def test_a_level_never_taught_stands_in_no_branch():
    root = json.loads(render(grouped(), "json"))["root"]
    assert root["test"]["branches"] == [["york", "hull"], ["leeds"]]


def test_variance_is_never_negative_and_an_empty_node_has_no_mean():
    schema = schema_of("y: numeric", x="")
    model = model_of(schema, cut("x", 1, leaf(3, 0.3, 0.03 - 1e-17), leaf(0, 0, 0)))
    full, empty = json.loads(render(model, "json"))["root"]["children"]
    assert full["variance"] == 0
    assert (empty["mean"], empty["variance"]) == (None, 0)


def test_a_child_for_unknown_values_alone_is_named():
    schema = schema_of("y: a b", x="", c="p q")
    cuts = cut("x", 1, leaf(1, 0), leaf(0, 1), leaf(2, 0), unknown=2)
    model = model_of(schema, groups("c", {"p q": cuts, "": leaf(1, 0)}, unknown=1))
    root = json.loads(render(model, "json"))["root"]
    assert root["test"] == {
        "column": "c",
        "kind": "nominal",
        "branches": [["p", "q"], []],
        "unknown": 1,
    }
    assert root["children"][0]["test"] == {
        "column": "x",
        "kind": "numeric",
        "cut": 1,
        "unknown": 2,
    }


def test_several_trees_are_a_list():
    schema = schema_of("y: a b", x="")
    model = model_of(schema, leaf(1, 0), leaf(0, 2), tree_weights=(0.25, 0.75))
    assert json.loads(render(model, "json")) == {
        "task": "classification",
        "target": "y",
        "classes": ["a", "b"],
        "trees": [
            {"weight": 0.25, "root": {"label": "a", "weight": 1, "counts": [1, 0]}},
            {"weight": 0.75, "root": {"label": "b", "weight": 2, "counts": [0, 2]}},
        ],
    }


def test_names_are_escaped_as_json_has_it():
    odd = 'q"\\\n\u2028|'
    schema = schema_of("y: a b", **{odd: ""})
    model = model_of(schema, cut(odd, 1, leaf(1, 0), leaf(0, 1)))
    assert json.loads(render(model, "json"))["root"]["test"]["column"] == odd


def test_brackets_match_however_deep():
    said = render(chain(5000), "json")
    assert said.count("[") == said.count("]")
    assert said.count("{") == said.count("}")
    assert said.count('"label"') == 10_001
    assert max(map(len, said.splitlines())) < 10_000 + 300
