"""Tests of several columns in every report."""

from __future__ import annotations

import json

from treekit.report import render, text

from ..model.by_hand import leaf, model_of, oblique, schema_of, total_of


def test_a_sum_is_shown_as_a_column_named_by_its_formula():
    assert (
        render(oblique(), "text")
        == """\
walk + 0.5*ride <= 30.5
|   ride - 2.5*place of crowd <= 7.25: no (2.0)
|   ride - 2.5*place of crowd > 7.25: yes (4.0/1.0)
walk + 0.5*ride > 30.5
|   walk <= 12: yes (4.0)
|   walk > 12: no (1.0)
"""
    )


def test_rules_keep_sums_apart_from_their_columns():
    assert (
        render(oblique(), "rules")
        == """\
IF walk + 0.5*ride <= 30.5 AND ride - 2.5*place of crowd <= 7.25 THEN late = no (2.0)
IF walk + 0.5*ride <= 30.5 AND ride - 2.5*place of crowd > 7.25 THEN late = yes (4.0/1.0)
IF walk + 0.5*ride > 30.5 AND walk <= 12 THEN late = yes (4.0)
IF walk + 0.5*ride > 30.5 AND walk > 12 THEN late = no (1.0)
"""
    )


SCHEMA = schema_of("y: a b", u="", v="")


def test_cuts_of_one_sum_are_merged_in_rules():
    terms = {"u": (1.0, 1.0), "v": (1.0, 1.0)}
    inner = total_of(terms, 2.0, leaf(1, 0), leaf(0, 1))
    model = model_of(SCHEMA, total_of(terms, 5.0, inner, leaf(1, 0)))
    assert (
        render(model, "rules")
        == """\
IF u + v <= 2 THEN y = a (1.0)
IF 2 < u + v <= 5 THEN y = b (1.0)
IF u + v > 5 THEN y = a (1.0)
"""
    )


def test_a_first_coefficient_may_be_negative():
    model = model_of(
        SCHEMA, total_of({"u": (-1.0, 2.0), "v": (0.25, 1.0)}, 0.0, leaf(1, 0), leaf(0, 1))
    )
    assert render(model, "text").startswith("-u + 0.25*v <= 0: a (1.0)\n")


def test_a_name_that_would_blur_is_quoted_with_the_whole_formula():
    schema = schema_of("y: a b", **{"x, y": "", "z": ""})
    model = model_of(
        schema, total_of({"x, y": (1.0, 1.0), "z": (2.0, 1.0)}, 3.0, leaf(1, 0), leaf(0, 1))
    )
    assert render(model, "text").startswith('"x, y + 2*z" <= 3: a (1.0)\n')


def test_dot_and_mermaid_name_the_sum():
    assert 'n0 [label="walk + 0.5*ride"]\nn0 -> n1 [label="<= 30.5"]' in render(oblique(), "dot")
    assert 'n0["walk + 0.5#42;ride"]' in render(oblique(), "mermaid")


def test_json_tells_the_terms():
    root = json.loads(render(oblique(), "json"))["root"]
    assert root["test"] == {
        "kind": "linear",
        "terms": [
            {"column": "walk", "coefficient": 1.0, "spread": 3.0},
            {"column": "ride", "coefficient": 0.5, "spread": 4.0},
        ],
        "cut": 30.5,
    }
    assert root["children"][1]["test"] == {"column": "walk", "kind": "numeric", "cut": 12.0}


def test_where_unknown_values_go_is_told_of_a_sum():
    assert "walk + 0.5*ride > 30.5 or unknown" in text(oblique(), unknown=True)
