"""A model as rules."""

from __future__ import annotations

from treekit.report import render

from ..model.by_hand import cut, groups, leaf, model_of, price, schema_of, weather

SCHEMA = schema_of("kind: a b", length="", colour="red green blue", size="s < m < l < xl")


def test_each_leaf_is_a_rule():
    assert (
        render(weather(), "rules")
        == """\
IF outlook = sunny AND humidity <= 75 THEN play = yes (2.0)
IF outlook = sunny AND humidity > 75 THEN play = no (4.0/1.0)
IF outlook = overcast THEN play = yes (4.0)
IF outlook = rain AND wind = weak THEN play = yes (3.0)
IF outlook = rain AND wind = strong THEN play = no (2.0)
"""
    )


def test_rules_for_numbers():
    assert (
        render(price(), "rules")
        == """\
IF size <= small THEN price = 105 (n 2.0, variance 1)
IF size > small AND age <= 3.5 THEN price = 130 (n 2.0, variance 0)
IF size > small AND 3.5 < age <= 10 THEN price = 120 (n 1.0, variance 0)
IF size > small AND age > 10 THEN price = 90 (n 3.0, variance 2)
"""
    )


def test_cuts_of_one_column_are_merged():
    inner = cut("length", 2.45, leaf(1, 0), cut("length", 1.5, leaf(5, 0), leaf(0, 1)))
    model = model_of(SCHEMA, cut("length", 4.95, inner, leaf(1, 0)))
    assert (
        render(model, "rules")
        == """\
IF length <= 2.45 THEN kind = a (1.0)
IF 2.45 < length <= 1.5 THEN kind = a (5.0)
IF 2.45 < length <= 4.95 THEN kind = b (1.0)
IF length > 4.95 THEN kind = a (1.0)
"""
    )


def test_groups_of_levels_are_intersected():
    inner = groups("colour", {"red blue": leaf(1, 0), "green": leaf(0, 1)})
    model = model_of(SCHEMA, groups("colour", {"red green": inner, "blue": leaf(1, 0)}))
    assert (
        render(model, "rules")
        == """\
IF colour = red THEN kind = a (1.0)
IF colour = green THEN kind = b (1.0)
IF colour = blue THEN kind = a (1.0)
"""
    )


def test_cuts_of_an_ordinal_column_are_merged_by_its_order():
    inner = cut("size", 2, cut("size", 1, leaf(1, 0), leaf(0, 1)), leaf(1, 0))
    model = model_of(SCHEMA, cut("size", 0, leaf(1, 0), inner))
    assert (
        render(model, "rules")
        == """\
IF size <= s THEN kind = a (1.0)
IF size = m THEN kind = a (1.0)
IF size = l THEN kind = b (1.0)
IF size > l THEN kind = a (1.0)
"""
    )


def test_conditions_stand_in_the_order_in_which_they_are_asked():
    inner = cut(
        "length", 1, leaf(1, 0), groups("colour", {"red green": leaf(0, 1), "": leaf(1, 0)})
    )
    model = model_of(SCHEMA, groups("colour", {"red green": inner, "blue": leaf(1, 0)}))
    assert render(model, "rules").splitlines()[1] == (
        "IF colour in {red, green} AND length > 1 THEN kind = b (1.0)"
    )


def test_unknown_values_with_a_branch_of_their_own_have_a_rule():
    model = model_of(SCHEMA, cut("length", 1, leaf(1, 0), leaf(0, 1), leaf(2, 0), unknown=2))
    assert render(model, "rules").splitlines()[2] == "IF length is unknown THEN kind = a (2.0)"


def test_a_leaf_alone_asks_nothing():
    assert render(model_of(SCHEMA, leaf(1, 3)), "rules") == "ALWAYS kind = b (4.0/1.0)\n"


def test_the_rules_of_several_trees_are_told_apart():
    assert (
        render(model_of(SCHEMA, leaf(1, 0), leaf(0, 1)), "rules")
        == """\
Tree 1 of 2, weight 0.5
ALWAYS kind = a (1.0)

Tree 2 of 2, weight 0.5
ALWAYS kind = b (1.0)
"""
    )
