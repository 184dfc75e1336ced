"""A decision graph as text, JSON, DOT and Mermaid."""

from __future__ import annotations

import json

import pytest

from treekit.errors import ModelError
from treekit.report import GRAPH_FORMATS, render_graph

from ..graph.functions import parity, tree_of
from ..model.by_hand import cut, groups, leaf, model_of, schema_of
from ..model.large import chain

XOR = tree_of(parity(2)).graph()


def test_text_writes_a_shared_node_once_and_refers_to_it() -> None:
    assert (
        render_graph(tree_of(parity(3)).graph())
        == """\
bit0 = 0
|   bit1 = 0 [3]
|   |   bit2 = 0: 0 (4.0) [5]
|   |   bit2 = 1: 1 (4.0) [6]
|   bit1 = 1 [4]
|   |   bit2 = 0 -> 6: 1
|   |   bit2 = 1 -> 5: 0
bit0 = 1
|   bit1 = 0 -> 4
|   bit1 = 1 -> 3

graph: 7 nodes, 2 leaves; the tree has 15 nodes, 8 leaves
ordered: every path asks in the order bit0, bit1, bit2
"""
    )


def test_the_text_is_what_a_graph_prints_as() -> None:
    assert str(XOR) == render_graph(XOR).rstrip("\n")


def test_text_of_a_single_leaf() -> None:
    graph = tree_of([1, 1]).graph()
    assert (
        render_graph(graph) == "1 (2.0)\n\ngraph: 1 node, 1 leaf; the tree has 3 nodes, 2 leaves\n"
    )


def test_text_says_if_there_is_no_order() -> None:
    schema = schema_of("y: a b", u="", v="")
    one = cut("u", 1.0, cut("v", 1.0, leaf(1, 0), leaf(0, 1)), leaf(1, 0))
    other = cut("v", 2.0, cut("u", 2.0, leaf(1, 0), leaf(0, 1)), leaf(1, 0))
    graph = model_of(schema, cut("u", 0.0, one, other)).graph()
    assert str(graph).splitlines()[-1] == (
        "not ordered: no order of the columns is kept to by every path"
    )


def test_numbers_tell_what_all_rows_are() -> None:
    schema = schema_of("price: numeric", wind="weak strong", rain="no yes")
    below = groups("rain", {"no": leaf(2, 10, 50), "yes": leaf(2, 12, 72)}, unknown=0)
    again = groups("rain", {"no": leaf(2, 10, 50), "yes": leaf(2, 14, 98)}, unknown=0)
    graph = model_of(schema, groups("wind", {"weak": below, "strong": again}, unknown=0)).graph()
    assert str(graph).splitlines()[:6] == [
        "wind = weak",
        "|   rain = no: 5 (n 4.0, variance 0) [3]",
        "|   rain = yes: 6 (n 2.0, variance 0)",
        "wind = strong",
        "|   rain = no -> 3: 5",
        "|   rain = yes: 7 (n 2.0, variance 0)",
    ]


def test_json_lists_the_nodes_and_refers_to_them_by_place() -> None:
    told = json.loads(render_graph(XOR, "json"))
    assert told["tree"] == {"nodes": 7, "leaves": 4}
    assert told["order"] == ["bit0", "bit1"]
    assert [node.get("children") for node in told["nodes"]] == [[1, 2], [3, 4], [4, 3], None, None]
    assert told["nodes"][1]["test"] == {
        "column": "bit1", "kind": "nominal", "branches": [["0"], ["1"]],
    }  # fmt: skip
    assert told["nodes"][3] == {"label": "0", "weight": 2.0, "counts": [2.0, 0.0]}


def test_dot_draws_every_node_once() -> None:
    assert (
        render_graph(XOR, "dot")
        == r"""digraph {
node [shape=box]
n0 [label="bit0"]
n0 -> n1 [label="0"]
n0 -> n2 [label="1"]
n1 [label="bit1"]
n1 -> n3 [label="0"]
n1 -> n4 [label="1"]
n2 [label="bit1"]
n2 -> n4 [label="0"]
n2 -> n3 [label="1"]
n3 [label="0\n(2.0)" style=rounded]
n4 [label="1\n(2.0)" style=rounded]
}
"""
    )


def test_mermaid_draws_every_node_once() -> None:
    assert (
        render_graph(XOR, "mermaid")
        == """\
flowchart TD
n0["bit0"]
n0 -->|"0"| n1
n0 -->|"1"| n2
n1["bit1"]
n1 -->|"0"| n3
n1 -->|"1"| n4
n2["bit1"]
n2 -->|"0"| n4
n2 -->|"1"| n3
n3(["0<br>(2.0)"])
n4(["1<br>(2.0)"])
"""
    )


@pytest.mark.parametrize("form", GRAPH_FORMATS)
def test_a_deep_graph_is_written_too(form: str) -> None:
    graph = chain(3000).graph()
    assert len(render_graph(graph, form).splitlines()) >= graph.n_nodes - 1


def test_rules_are_of_trees() -> None:
    with pytest.raises(ModelError) as caught:
        render_graph(XOR, "rules")
    assert str(caught.value) == (
        "there is no report format 'rules' of decision graphs; there is dot, json, mermaid, text"
    )
