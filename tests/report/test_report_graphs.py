"""A model as Graphviz and Mermaid graphs."""

from __future__ import annotations

import pytest

from treekit.report import render

from ..model.by_hand import cut, grouped, groups, leaf, model_of, price, schema_of


def test_dot_of_numbers():
    assert (
        render(price(), "dot")
        == r"""digraph {
node [shape=box]
n0 [label="size"]
n0 -> n1 [label="<= small"]
n0 -> n2 [label="> small"]
n1 [label="105\n(n 2.0, variance 1)" style=rounded]
n2 [label="age"]
n2 -> n3 [label="<= 3.5"]
n2 -> n4 [label="> 3.5, <= 10"]
n2 -> n5 [label="> 10"]
n3 [label="130\n(n 2.0, variance 0)" style=rounded]
n4 [label="120\n(n 1.0, variance 0)" style=rounded]
n5 [label="90\n(n 3.0, variance 2)" style=rounded]
}
"""
    )


def test_mermaid_of_classes():
    assert (
        render(grouped(), "mermaid")
        == """\
flowchart TD
n0["town"]
n0 -->|"york, hull"| n1
n0 -->|"leeds"| n2
n1(["no<br>(6.0/1.0)"])
n2["size"]
n2 -->|"#60;= s"| n3
n2 -->|"#62; s, #60;= l"| n4
n2 -->|"#62; l"| n5
n3(["no<br>(1.0)"])
n4(["yes<br>(2.0)"])
n5(["no<br>(3.0)"])
"""
    )


TWO = model_of(schema_of("y: a b", x=""), leaf(1, 0), cut("x", 1, leaf(1, 0), leaf(0, 1)))


def test_dot_puts_each_of_several_trees_in_a_cluster():
    assert (
        render(TWO, "dot")
        == r"""digraph {
node [shape=box]
subgraph cluster_0 {
label="Tree 1 of 2, weight 0.5"
t0n0 [label="a\n(1.0)" style=rounded]
}
subgraph cluster_1 {
label="Tree 2 of 2, weight 0.5"
t1n0 [label="x"]
t1n0 -> t1n1 [label="<= 1"]
t1n0 -> t1n2 [label="> 1"]
t1n1 [label="a\n(1.0)" style=rounded]
t1n2 [label="b\n(1.0)" style=rounded]
}
}
"""
    )


def test_mermaid_puts_each_of_several_trees_in_a_subgraph():
    assert (
        render(TWO, "mermaid")
        == """\
flowchart TD
subgraph t0 ["Tree 1 of 2, weight 0.5"]
t0n0(["a<br>(1.0)"])
end
subgraph t1 ["Tree 2 of 2, weight 0.5"]
t1n0["x"]
t1n0 -->|"#60;= 1"| t1n1
t1n0 -->|"#62; 1"| t1n2
t1n1(["a<br>(1.0)"])
t1n2(["b<br>(1.0)"])
end
"""
    )


ODD = [
    # name, in dot, in Mermaid
    ('a"b', r'"\"a\\\"b\""', '"#34;a#92;#34;b#34;"'),
    (r"a\Nb", r'"a\\Nb"', '"a#92;Nb"'),
    ("a\nb", r'"\"a\\nb\""', '"#34;a#92;nb#34;"'),
    ("a|b", '"a|b"', '"a#124;b"'),
    ("a[b](c)", '"a[b](c)"', '"a#91;b#93;(c)"'),
    ("<b>", '"<b>"', '"#60;b#62;"'),
    ("#35;", '"#35;"', '"#35;35#59;"'),
    ("`x`", '"`x`"', '"#96;x#96;"'),
    ("größe 日本", '"größe 日本"', '"größe 日本"'),
    ("end", '"end"', '"end"'),
]


@pytest.mark.parametrize(("odd", "in_dot", "in_mermaid"), ODD)
def test_names_and_levels_are_escaped(odd, in_dot, in_mermaid):
    schema = schema_of("y: a b", **{odd: ""})
    by_name = model_of(schema, cut(odd, 1, leaf(1, 0), leaf(0, 1)))
    assert f"n0 [label={in_dot}]" in render(by_name, "dot").splitlines()
    assert f"n0[{in_mermaid}]" in render(by_name, "mermaid").splitlines()


def test_a_level_is_escaped_on_its_edge():
    schema = schema_of("y: a b", x='p"q other')
    model = model_of(schema, groups("x", {'p"q': leaf(1, 0), "other": leaf(0, 1)}))
    assert r'n0 -> n1 [label="\"p\\\"q\""]' in render(model, "dot").splitlines()
    assert 'n0 -->|"#34;p#92;#34;q#34;"| n1' in render(model, "mermaid").splitlines()
