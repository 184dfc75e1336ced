"""Leaves that answer by their nearest rows, in every form of report."""

from __future__ import annotations

import json
import math

import attrs
import numpy as np
import pandas as pd
import pytest

import treekit
from treekit.report import render, text

from ..model.with_extras import among_rows


def test_a_leaf_says_how_many_of_its_rows_answer():
    assert text(among_rows()) == (
        "price <= 15: no (4.0/1.0) by the 2 nearest of 4 rows\n"
        "price > 15: yes (3.0/1.0) by the 2 nearest of 3 rows\n"
    )


def test_rules_say_it_too():
    first = render(among_rows(), "rules").splitlines()[0]
    assert first == "IF price <= 15 THEN sold = no (4.0/1.0) by the 2 nearest of 4 rows"


@pytest.mark.parametrize("form", ["dot", "mermaid"])
def test_pictures_say_it_in_the_leaf(form):
    assert "no by the 2 nearest of 4 rows" in render(among_rows(), form)


@pytest.mark.parametrize(("p", "told"), [(2.0, 2.0), (math.inf, "inf")])
def test_json_tells_the_norm_and_how_many_rows(p, told):
    left, right = json.loads(render(among_rows(p), "json"))["root"]["children"]
    assert left["model"] == {"nearest": 2, "p": told, "rows": 4}
    assert right["model"] == {"nearest": 2, "p": told, "rows": 3}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"k": 1}, "by the nearest of 4 rows"),
        ({"k": 4}, "by all 4 rows"),
        ({"weight": np.full(7, 2.0)}, "by the nearest of 4 rows, to a weight of 2"),
        ({"first": np.array([0, 0, 1, 7])}, "by its only row"),
    ],
)
def test_the_words_fit_the_rows(change, words):
    (models,) = among_rows().leaf_models
    model = attrs.evolve(among_rows(), leaf_models=(attrs.evolve(models, **change),))
    assert text(model).splitlines()[0] == f"price <= 15: no (4.0/1.0) {words}"


def test_numbers_are_answered_by_a_mean():
    data = {"x": [1.0, 2.0, 3.0, 4.0], "y": [1.0, 2.0, 3.0, 6.0]}
    model = treekit.fit("knn_regression", pd.DataFrame(data), target="y", set={"tree.label.k": 2})
    assert text(model) == "mean of the 2 nearest of 4 rows (mean 3, n 4.0, variance 3.5)\n"
