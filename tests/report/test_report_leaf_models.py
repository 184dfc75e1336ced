"""Leaf models and surrogates in every form of report."""

from __future__ import annotations

import json

import attrs
import numpy as np
import pytest

from treekit.leaf_models import POWERS, Term, additive
from treekit.report import FORMATS, render, text

from ..model.by_hand import leaf, model_of, schema_of
from ..model.with_extras import RENT, chances, lines, standing_in

# Centres are multiplied out: 100 - 2 * 50 of the first leaf; 250 + 1 - 7 * 0.5 of the second.
LINES = """\
area <= 60: 0 + 2*area (mean 100, n 4.0, variance 25)
area > 60: 247.5 + {town: york 0, leeds 10, hull -5.5} + 7*place of floor\
 + 1.5*(area - 80) - 0.25*(area - 80)^2 (mean 250, n 2.0, variance 5)
"""


def test_a_model_of_numbers_is_told_as_a_formula():
    assert text(lines()) == LINES


def test_rules_end_in_the_formula():
    first = render(lines(), "rules").splitlines()[0]
    assert first == "IF area <= 60 THEN rent = 0 + 2*area (mean 100, n 4.0, variance 25)"


def test_a_model_without_terms_is_its_constant():
    model = model_of(RENT, leaf(4, 400, 40100))
    constant = additive("identity", np.array([[97.5]]), [[]])
    said = text(attrs.evolve(model, leaf_models=(constant,)))
    assert said == "97.5 (mean 100, n 4.0, variance 25)\n"


@pytest.mark.parametrize(
    ("slope", "centre", "said"), [(-2.0, -3.0, "1 - 2*x"), (1e-9, 0.0, "7 + 1e-09*x")]
)
def test_signs_stand_before_the_numbers(slope, centre, said):
    schema = schema_of("y: numeric", x="")
    terms = [Term(0, POWERS, np.array([[0.0], [slope]]), centre)]
    models = additive("identity", np.array([[7.0]]), [terms])
    model = attrs.evolve(model_of(schema, leaf(1, 7, 49)), leaf_models=(models,))
    assert text(model).partition(" (")[0] == said


def test_a_model_of_classes_names_the_columns_it_looks_at():
    assert text(chances()) == "yes (8.0/3.0) by price, town\n"
    assert render(chances(), "rules") == "ALWAYS sold = yes (8.0/3.0) by price, town\n"


@pytest.mark.parametrize("form", ["dot", "mermaid"])
def test_pictures_are_kept_short(form):
    said = render(lines(), form)
    assert "100 by area" in said
    assert "250 by town, floor, area" in said
    assert "place of" not in said


def test_pictures_name_no_more_than_three_columns():
    schema = schema_of("y: numeric", **dict.fromkeys("abcde", ""))
    terms = [Term(i, POWERS, np.array([[0.0], [1.0]])) for i in range(5)]
    models = additive("identity", np.array([[7.0]]), [terms])
    model = attrs.evolve(model_of(schema, leaf(1, 7, 49)), leaf_models=(models,))
    assert "7 by a, b, c and 2 more" in render(model, "dot")


def test_json_has_the_whole_model():
    first, second = json.loads(render(lines(), "json"))["root"]["children"]
    assert first["model"] == {
        "link": "identity",
        "constant": 100.0,
        "terms": [{"column": "area", "centre": 50.0, "coefficients": [0.0, 2.0]}],
    }
    assert second["model"]["terms"][0] == {
        "column": "town",
        "levels": {"york": 0.0, "leeds": 10.0, "hull": -5.5},
    }


def test_json_of_classes_has_a_list_for_each_number():
    model = json.loads(render(chances(), "json"))["root"]["model"]
    assert model["link"] == "softmax"
    assert model["constant"] == pytest.approx(np.log([0.375, 0.625]).tolist())
    assert model["terms"][0]["coefficients"] == [[0.0, 0.5], [1.0, -1.0]]


@pytest.mark.parametrize("form", FORMATS)
def test_what_a_model_has_not_is_not_mentioned(form):
    plain = attrs.evolve(lines(), leaf_models=(None,))
    assert "model" not in render(plain, form)
    assert "surrogate" not in render(plain, form)


# --- surrogates ----------------------------------------------------------------------------------

STANDING_IN = """\
surrogate: temp <= 20.5, agrees 0.90
surrogate: outlook = overcast, agrees 0.75
humidity <= 75: no (5.0/1.0)
humidity > 75
|   surrogate: temp > 15, agrees 0.67
|   outlook in {sunny, overcast}: yes (3.0)
|   outlook = rain: no (2.0/1.0)
"""


def test_surrogates_are_told_by_what_leads_to_the_first_branch():
    assert text(standing_in(), surrogates=True) == STANDING_IN


def test_surrogates_are_left_out_unless_asked_for():
    assert "surrogate" not in text(standing_in())


def test_json_has_the_surrogates_of_each_node():
    root = json.loads(render(standing_in(), "json"))["root"]
    assert root["surrogates"] == [
        {
            "column": "temp",
            "kind": "numeric",
            "cut": 20.5,
            "flipped": False,
            "agreement": 0.9,
            "adjusted": 0.8,
        },
        {
            "column": "outlook",
            "kind": "nominal",
            "branches": [["overcast"], ["sunny"]],
            "agreement": 0.75,
            "adjusted": 0.5,
        },
    ]
    assert "surrogates" not in root["children"][0]
