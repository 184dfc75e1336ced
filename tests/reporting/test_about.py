"""What a plan says of itself."""

from __future__ import annotations

import tomllib

import pytest

from treekit.comparing import (
    Bootstrap,
    CrossValidation,
    FixedTest,
    HoldOut,
    LeaveOneOut,
    Resampling,
    contenders_of,
)
from treekit.comparing.data import data_sets
from treekit.comparing.partly import partly
from treekit.comparing.plan import plan_of
from treekit.recipe import load_recipe
from treekit.reporting import Curve, about_plan, curves_of
from treekit.reporting.about import document_words, resampling_words


@pytest.mark.parametrize(
    ("resampling", "words"),
    [
        (CrossValidation(5, 2), "cross-validation, folds 5, repeats 2"),
        (HoldOut(0.25), "hold-out, share 0.25, repeats 1"),
        (LeaveOneOut(), "leave-one-out"),
        (Bootstrap(), "bootstrap, repeats 50"),
        (FixedTest(), "fixed test"),
    ],
)
def test_resampling_in_words(resampling: Resampling, words: str) -> None:
    assert resampling_words(resampling) == words


def test_a_plan_tells_all_that_is_needed_to_do_it_again() -> None:
    contenders = [
        *contenders_of(["c45"], {"tree.impurity": ["entropy", "gini"]}),
        *contenders_of(["sklearn:DecisionTreeClassifier"]),
    ]
    plan = plan_of(contenders, data_sets(["tennis"]), CrossValidation(2), 9)
    about = about_plan(plan, "A title")
    assert (about.title, about.seed) == ("A title", 9)
    names = "c45 [entropy], c45 [gini] and sklearn:DecisionTreeClassifier"
    assert about_plan(plan).title == f"{names} compared"
    assert list(about.recipes) == [c.name for c in contenders]
    again = tomllib.loads(about.recipes["c45 [gini]"])
    assert load_recipe(again).document == load_recipe("c45", ["tree.impurity=gini"]).document
    assert tomllib.loads(about.recipes["sklearn:DecisionTreeClassifier"])["parameters"] == {}
    facts = about.data["tennis"]
    assert (facts.rows, facts.columns, facts.classes) == (14, 4, 2)
    assert facts.digest == plan.data[0].digest
    assert {"python", "treekit", "scikit-learn"} <= set(about.versions)


def test_curves_join_those_that_differ_by_their_share_of_the_rows() -> None:
    whole = contenders_of(["c45"], {"tree.impurity": ["entropy", "gini"]})
    some = partly(whole, (0.5, 1.0))
    assert curves_of([*some, *contenders_of(["stump"])]) == (
        Curve("c45 [entropy]", {some[0].name: 0.5, some[1].name: 1.0}),
        Curve("c45 [gini]", {some[2].name: 0.5, some[3].name: 1.0}),
    )
    assert document_words(some[0]).startswith("# learned from 0.5 of the rows\n")
    assert tomllib.loads(document_words(some[0])) == tomllib.loads(document_words(whole[0]))
